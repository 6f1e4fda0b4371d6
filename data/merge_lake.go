package data

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
)

// ErrUnitsDiffer is wrapped by the error of merging a lake whose rows of a unit differ from those that this lake has.
var ErrUnitsDiffer = errors.New("units of both lakes differ")

// What a merge does with rows that two lakes have differently.
const (
	PreferOurs   = "ours"   // the lake's own stay
	PreferTheirs = "theirs" // those of the other lake replace them
)

// MergeOptions say how a lake is merged.
type MergeOptions struct {
	Prefer   string                // PreferOurs or PreferTheirs; empty is an error where the lakes differ
	Progress func(done, total int) // units looked at; nil for none
}

// A Merge is what became of the units of another lake.
type Merge struct {
	Lake     string `json:"lake"`
	Taken    int    `json:"taken"`    // units that were not there
	Same     int    `json:"same"`     // units with nothing new
	Joined   int    `json:"joined"`   // units that have the rows of both lakes now
	Replaced int    `json:"replaced"` // units of which the other lake's rows are preferred
	Kept     int    `json:"kept"`     // units that stay as they were although the other lake's differ
	Journals int    `json:"journals"` // journals with replies of an interrupted run
}

// fates of a unit of the other lake.
type fate int

const (
	fateSame fate = iota
	fateEqual
	fateTaken
	fateJoined
	fateReplaced
	fateKept
)

// takenUnits is how many units one commit takes: enough that commits cost little beside files.
const takenUnits = 200

// Merge takes the units of another lake into this one, which must be open for writing. Nobody may write to the other lake meanwhile.
//
// A unit that only the other lake has is taken as it is: its files are linked where the file system can, and copied elsewhere. Two
// units of equal rows are one. Where both lakes have rows of a unit that a stage made, as the parts of a run do, the unit has all of
// them afterwards; rows of one key that differ, and units that were loaded from files and differ, are an error before anything is
// written, unless one side is preferred. Recorded replies of interrupted runs come along. A merge that was interrupted is carried on
// by the same call, and merging a lake twice changes nothing.
func (l *Lake) Merge(other *Lake, o MergeOptions) (m Merge, err error) {
	m.Lake = other.dir
	if err := l.writable(); err != nil {
		return m, err
	}
	sound, err := l.CheckTables()
	if err == nil {
		err = sound.Err(l)
	}
	if err != nil {
		return m, err
	}
	if err := other.standStill(l); err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, other.leave()) }()
	units, err := other.committed()
	if err != nil {
		return m, err
	}
	known, err := l.known()
	if err != nil {
		return m, err
	}
	fates := map[string]fate{}
	var faults []error
	for i, stem := range units {
		if fates[stem], err = l.fateOf(other, stem, o.Prefer); errors.Is(err, ErrUnitsDiffer) {
			faults = append(faults, err)
		} else if err != nil {
			return m, err
		}
		if o.Progress != nil {
			o.Progress(i+1, len(units))
		}
	}
	if len(faults) > 0 {
		return m, WithHint(differing(faults), "say which rows count with --prefer ours or --prefer theirs, or remove the unit from one of the lakes; nothing was merged")
	}
	journals, err := other.Journals()
	if err != nil {
		return m, err
	}
	writes := slices.Clone(journals)
	for stem, f := range fates {
		if f != fateSame {
			writes = append(writes, stem)
		}
	}
	release, err := l.holdAsKnown(known, writes...)
	if err != nil {
		return m, err
	}
	defer release()
	var whole, decided []string
	for _, stem := range units {
		switch fates[stem] {
		case fateSame:
			m.Same++
		case fateEqual:
			m.Same++
			decided = append(decided, stem)
		case fateKept:
			m.Kept++
			decided = append(decided, stem)
		case fateTaken:
			m.Taken++
			whole = append(whole, stem)
		case fateReplaced:
			m.Replaced++
			whole = append(whole, stem)
		case fateJoined:
			m.Joined++
			if err := l.join(other, stem, o.Prefer); err != nil {
				return m, err
			}
		}
	}
	for group := range slices.Chunk(whole, takenUnits) {
		if err := l.take(other, group); err != nil {
			return m, err
		}
	}
	for _, stem := range decided {
		if err := l.acknowledge(other, stem); err != nil {
			return m, err
		}
	}
	m.Journals, err = l.takeJournals(other, journals)
	return m, err
}

// mostFaults is how many differing units an error names.
const mostFaults = 5

func differing(faults []error) error {
	all := len(faults)
	faults = faults[:min(all, mostFaults)]
	if all > mostFaults {
		faults = append(slices.Clone(faults), fmt.Errorf("and %d more units", all-mostFaults))
	}
	return errors.Join(faults...)
}

// standStill keeps writers out of the lake that is merged into another. A lake that cannot be written has none.
func (l *Lake) standStill(into *Lake) error {
	own, err := l.root.Stat(".")
	if err != nil {
		return err
	}
	if theirs, err := into.root.Stat("."); err != nil || os.SameFile(own, theirs) {
		return errors.Join(err, fmt.Errorf("%s cannot be merged into itself", l.dir))
	}
	if l.session != nil {
		return l.lakeInUse(l.who)
	}
	if err = l.enter("merge", true); cannotWrite(err) {
		return nil
	}
	return err
}

// committed lists the units that the lake has.
func (l *Lake) committed() ([]string, error) {
	names, err := l.Files(Runs)
	var stems []string
	for _, name := range names {
		stem, ok := unitFile(name)
		if !ok {
			return nil, WithHint(fmt.Errorf("%s: the file's name is not that of a unit", l.Path(name)), "remove the file; look at the lake with: captionlake status --verify --lake %s", l.dir)
		}
		stems = append(stems, stem)
	}
	return stems, err
}

// executed is the execution that wrote a unit's files, with all others; nil when the lake does not have the unit.
func (l *Lake) executed(stem string) (last *Run, all []Run, err error) {
	all, err = l.unitRuns(stem)
	if err != nil || len(all) == 0 {
		return nil, nil, err
	}
	last = current(all)
	if last == nil || len(last.TableSHA256) != len(last.Tables) || len(last.TableBytes) != len(last.Tables) {
		return nil, nil, WithHint(fmt.Errorf("%s: the unit %s has no digests of its files", l.dir, stem),
			"look at the lake with: captionlake --lake %s status --verify", l.dir)
	}
	for _, table := range last.Tables {
		if _, ok := unitFile(table + "/" + stem + ".parquet"); !ok || table == Runs.Name() {
			return nil, nil, fmt.Errorf("%s: the unit %s names a table %q that there is not", l.dir, stem, table)
		}
	}
	return last, all, nil
}

// fateOf says what a merge makes of a unit.
func (l *Lake) fateOf(other *Lake, stem, prefer string) (fate, error) {
	theirs, theirRuns, err := other.executed(stem)
	if err != nil {
		return fateSame, err
	}
	ours, ourRuns, err := l.executed(stem)
	if err != nil || ours == nil {
		return fateTaken, err
	}
	if slices.Equal(ours.Tables, theirs.Tables) && slices.Equal(ours.TableSHA256, theirs.TableSHA256) {
		return fateSame, nil
	}
	if one, two := executionIDs(ourRuns), executionIDs(theirRuns); prefer == "" && Later(one, two) {
		return fateSame, nil
	} else if prefer == "" && Later(two, one) {
		return fateReplaced, nil // It was made from ours, or merged with it, by whoever ran it on.
	}
	sum, made, err := l.rowDifference(other, ours, theirs)
	if err != nil {
		return fateSame, err
	}
	switch {
	case sum.theirs == 0 && sum.both == 0 && (made || sum.ours == 0):
		return fateEqual, nil
	case made && sum.both == 0 || made && prefer == PreferTheirs:
		return fateJoined, nil
	case prefer == PreferTheirs:
		return fateReplaced, nil
	case prefer == PreferOurs && made && sum.theirs > 0:
		return fateJoined, nil
	case prefer == PreferOurs:
		return fateKept, nil
	}
	return fateSame, fmt.Errorf("%w: %s in %s and in %s: %s", ErrUnitsDiffer, stem, l.called(), other.called(), sum)
}

// rowDifference compares the rows of a unit in two lakes, and says whether they can make one unit.
func (l *Lake) rowDifference(other *Lake, ours, theirs *Run) (sum rowDifference, join bool, err error) {
	for _, t := range tablesOf(ours, theirs) {
		d, err := t.difference(l, other, ours.Unit)
		if err != nil {
			return sum, false, err
		}
		sum.add(d)
	}
	return sum, joins(ours) && joins(theirs) && ours.Stage == theirs.Stage && ours.Provenance == theirs.Provenance, nil
}

// joins reports whether the rows of several lakes can make one unit: those that stages made, from requests that parts divide. What was
// loaded from a file, or simulated, is whole in each lake.
func joins(r *Run) bool { return !strings.HasPrefix(r.Stage, "ingest/") && r.Stage != "simulate" }

// tablesOf are the tables that one of two executions wrote.
func tablesOf(runs ...*Run) (all []*table) {
	for _, t := range Tables() {
		if slices.ContainsFunc(runs, func(r *Run) bool { return slices.Contains(r.Tables, t.Name()) }) {
			all = append(all, t.stored())
		}
	}
	return all
}

// join commits a unit with the rows of both lakes.
func (l *Lake) join(other *Lake, stem, prefer string) error {
	ours, _, err := l.executed(stem)
	if err != nil {
		return err
	}
	theirs, executions, err := other.executed(stem)
	if err != nil {
		return err
	}
	tx := &Tx{
		lake: l, stem: stem, started: l.now(), earlier: executions,
		unit: Unit{
			Stage: ours.Stage, Protocol: ours.Protocol, Source: ours.Source, Provenance: ours.Provenance, Detail: ours.Detail,
			Fingerprint: Fingerprint("merge", ours.Fingerprint, theirs.Fingerprint),
		},
	}
	defer tx.Abort()
	for _, t := range tablesOf(ours, theirs) {
		if err := t.union(tx, other, prefer); err != nil {
			return err
		}
	}
	// Only a lake that can be written is sure to have had no writer meanwhile.
	if same, err := other.wroteFiles(*theirs); err != nil || !same {
		return errors.Join(err, other.notAsCommitted("%s: the files of the unit %s are not those that were committed", other.called(), stem))
	}
	return tx.Commit()
}

// acknowledge records the other lake's executions of a unit whose rows stay as they are, before the one that wrote them: what the other
// lake has is decided from then on, so that this lake has the later version.
func (l *Lake) acknowledge(other *Lake, stem string) error {
	_, theirs, err := other.executed(stem)
	if err != nil {
		return err
	}
	last, ours, err := l.executed(stem)
	if err != nil {
		return err
	}
	runs := follow(ours, theirs)
	if len(runs) == len(ours) {
		return nil
	}
	number := *current(runs).Execution + 1
	runs[slices.IndexFunc(runs, func(r Run) bool { return r.RunID == last.RunID })].Execution = &number
	moved, err := writeRuns(&Tx{lake: l, unit: Unit{Stage: last.Stage}, stem: stem, started: l.now()}, runs)
	if err != nil {
		return err
	}
	return l.commit(stem, commitRecord{Moves: []move{moved}}, func() error { return nil })
}

// take commits units as the other lake has them, all together.
func (l *Lake) take(other *Lake, stems []string) error {
	record, checks, err := l.stage(other, stems)
	if err != nil {
		return err
	}
	return l.commit(stems[0], record, func() error {
		for _, collides := range checks {
			if err := collides(l); err != nil {
				return errors.Join(err, l.drop(record))
			}
		}
		return nil
	})
}

// drop removes the temporary files of a record that is not to be carried out.
func (l *Lake) drop(r commitRecord) (err error) {
	for _, m := range r.Moves {
		err = errors.Join(err, l.store.Remove(m.From))
	}
	return err
}

// stage brings the files of units under temporary names, and says what is to become of them and how they are compared with other units.
func (l *Lake) stage(other *Lake, stems []string) (record commitRecord, checks []func(*Lake) error, err error) {
	defer func() {
		if err != nil {
			_ = l.drop(record) // What cannot be removed now is removed when the lake is next opened for writing.
		}
	}()
	bring := func(name, temp string, want *FileDigest) error {
		record.Moves = append(record.Moves, move{temp, name})
		return l.bring(other, name, temp, want)
	}
	for _, stem := range stems {
		theirs, executions, err := other.executed(stem)
		if err != nil {
			return record, nil, err
		}
		for i, table := range theirs.Tables {
			name, temp := table+"/"+stem+".parquet", l.Temp(stem+"."+table)
			if err := bring(name, temp, &FileDigest{theirs.TableBytes[i], theirs.TableSHA256[i]}); err != nil {
				return record, nil, err
			}
			check := &collisionCheck{table: tablesOf(&Run{Tables: []string{table}})[0], temp: temp, final: name}
			if err := check.look(l); err != nil {
				return record, nil, err
			}
			checks = append(checks, check.look)
		}
		if slices.Contains(theirs.Tables, Images.Name()) {
			pictures, err := other.picturesOf(stem)
			if err != nil {
				return record, nil, err
			}
			for _, name := range pictures {
				if f, err := l.store.Open(name); err == nil {
					if err := f.Close(); err != nil {
						return record, nil, err
					}
				} else if err := bring(name, l.Temp(stem+"."+path.Base(name)), nil); err != nil {
					return record, nil, err
				}
			}
		}
		ours, err := l.unitRuns(stem)
		if err != nil {
			return record, nil, err
		}
		if len(ours) == 0 {
			if err := bring(Runs.Name()+"/"+stem+".parquet", l.Temp(stem+"."+Runs.Name()), nil); err != nil {
				return record, nil, err
			}
			continue
		}
		moved, err := writeRuns(&Tx{lake: l, unit: Unit{Stage: theirs.Stage}, stem: stem, started: l.now()}, follow(ours, executions))
		if err != nil {
			return record, nil, err
		}
		record.Moves = append(record.Moves, moved)
		for _, name := range unitFiles(stem) {
			if !slices.Contains(theirs.Tables, path.Dir(name)) {
				record.Removes = append(record.Removes, name)
			}
		}
	}
	return record, checks, nil
}

// follow numbers executions of another lake after those of this one, and leaves out those that this one knows.
func follow(ours, theirs []Run) []Run {
	known := map[string]bool{}
	last := int32(0)
	for _, r := range ours {
		known[r.RunID] = true
		if r.Execution != nil {
			last = max(last, *r.Execution)
		}
	}
	theirs = slices.SortedFunc(slices.Values(theirs), func(a, b Run) int {
		if a.Execution != nil && b.Execution != nil {
			return int(*a.Execution - *b.Execution)
		}
		return a.StartedAt.Compare(b.StartedAt)
	})
	all := slices.Clone(ours)
	for _, r := range theirs {
		if known[r.RunID] {
			continue
		}
		last++
		number := last
		r.Execution = &number
		all = append(all, r)
	}
	return all
}

// bring puts a file of another lake under a temporary name: a second name of the same file where the file system can do that, which it
// may because no file of a lake is ever changed, and a copy elsewhere. want is its digest; nil for a file whose name has it.
func (l *Lake) bring(other *Lake, name, temp string, want *FileDigest) error {
	sum, err := other.digestOf(name)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return other.notAsCommitted("%s is missing", other.Path(name))
		}
		return err
	}
	if want == nil && picturePattern.MatchString(name) {
		want = &FileDigest{sum.Bytes, strings.TrimSuffix(path.Base(name), path.Ext(name))}
	}
	if want != nil && sum != *want {
		return other.notAsCommitted("%s is not the file that was committed: its digest is %s, and not %s", other.Path(name), sum.SHA256, want.SHA256)
	}
	if err := l.store.Remove(temp); err != nil {
		return err
	}
	// A second name of a symbolic link would lead elsewhere from here.
	if info, err := other.root.Lstat(name); err == nil && info.Mode().IsRegular() && os.Link(other.Path(name), l.Path(temp)) == nil {
		return nil
	}
	return CopyFile(l.store, temp, other.store, name)
}

func (l *Lake) notAsCommitted(format string, args ...any) error {
	return WithHint(fmt.Errorf(format, args...), "if somebody writes to that lake, wait until they have finished; look at it with: captionlake status --verify --lake %s", l.dir)
}

// picturesOf lists the pictures that a unit's rows name, as far as the lake has them.
func (l *Lake) picturesOf(stem string) ([]string, error) {
	names := map[string]bool{}
	for row, err := range ProjectUnit[Image](l, Images, stem) {
		if err != nil {
			return nil, err
		}
		for _, name := range []string{row.Path, row.OriginalPath} {
			if name == "" {
				continue
			}
			if !picturePattern.MatchString(name) {
				return nil, fmt.Errorf("%s: %s names the picture %q, which is not one of a lake", l.dir, stem, name)
			}
			f, err := l.store.Open(name)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, err
			}
			names[name] = true
			if err := f.Close(); err != nil {
				return nil, err
			}
		}
	}
	return slices.Sorted(maps.Keys(names)), nil
}
