package data

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data/files"
)

// ErrUnitsDiffer is wrapped by the error of merging a lake that has different rows of the same
// unit.
var ErrUnitsDiffer = errors.New("units of both lakes differ")

// What a merge does if two lakes have different rows of a unit.
const (
	PreferOurs   = "ours"   // this lake's rows stay
	PreferTheirs = "theirs" // the other lake's rows replace them
)

// MergeOptions say how a lake is merged.
type MergeOptions struct {
	Prefer   string                // PreferOurs or PreferTheirs; if empty, a difference is an error
	Progress func(done, total int) // units compared so far, and in all; may be nil
}

// A Merge counts what was done with the units of another lake.
type Merge struct {
	Lake     string `json:"lake"`
	Taken    int    `json:"taken"`    // units that this lake did not have
	Same     int    `json:"same"`     // units with nothing new
	Joined   int    `json:"joined"`   // units that now have the rows of both lakes
	Replaced int    `json:"replaced"` // units with rows replaced by the other lake's
	Kept     int    `json:"kept"`     // units that stay although the other lake has different rows
	Journals int    `json:"journals"` // journals with replies of an interrupted run
}

// A fate is what a merge does with a unit of the other lake.
type fate int

const (
	fateSame fate = iota
	fateEqual
	fateTaken
	fateJoined
	fateReplaced
	fateKept
)

// takenUnits is the number of units in one commit: enough to make the cost of commits small beside
// the cost of files.
const takenUnits = 200

// Merge takes the units of another lake into this lake, which must be open for writing. Nobody may
// write to the other lake meanwhile.
//
// A unit that only the other lake has is taken unchanged: its files are linked if the file system
// can, otherwise copied. Units with equal rows are kept once. If both lakes have rows of a unit of
// a stage, as after run --part, the rows are joined. Different rows of one key are an error, and so
// are different rows of a unit that was loaded from files. Such an error comes before anything is
// written; Prefer resolves it. Recorded replies of interrupted runs are merged too. Calling Merge
// again continues an interrupted merge, and merging a lake twice changes nothing.
func (l *Lake) Merge(other *Lake, o MergeOptions) (m Merge, err error) {
	m.Lake = other.dir
	if err := l.writable(); err != nil {
		return m, err
	}
	sound, err := l.Check(CheckTables, nil)
	if err == nil {
		err = sound.Err(l)
	}
	if err != nil {
		return m, err
	}
	if err := lockAgainstWriters(other, l); err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, leave(other)) }()
	units, err := unitsOf(other)
	if err != nil {
		return m, err
	}
	journals, err := other.Journals()
	if err != nil {
		return m, err
	}
	release, err := l.Hold(slices.Concat(units, journals)...)
	if err != nil {
		return m, err
	}
	defer release()
	fates := map[string]fate{}
	var faults []error
	for i, stem := range units {
		if fates[stem], err = fateOf(l, other, stem, o.Prefer); errors.Is(err, ErrUnitsDiffer) {
			faults = append(faults, err)
		} else if err != nil {
			return m, err
		}
		if o.Progress != nil {
			o.Progress(i+1, len(units))
		}
	}
	if all := len(faults); all > 0 {
		if all > mostFaults {
			faults = append(faults[:mostFaults], fmt.Errorf("and %d more units", all-mostFaults))
		}
		return m, WithHint(errors.Join(faults...),
			"say which rows count with --prefer ours or --prefer theirs, or remove the unit from one of the lakes; nothing was merged")
	}
	var whole, decided []string
	counts := [...]*int{fateSame: &m.Same, fateEqual: &m.Same, fateTaken: &m.Taken, fateJoined: &m.Joined,
		fateReplaced: &m.Replaced, fateKept: &m.Kept}
	for _, stem := range units {
		*counts[fates[stem]]++
		switch fates[stem] {
		case fateEqual, fateKept:
			decided = append(decided, stem)
		case fateTaken, fateReplaced:
			whole = append(whole, stem)
		case fateJoined:
			if err := joinUnit(l, other, stem, o.Prefer); err != nil {
				return m, err
			}
		}
	}
	for group := range slices.Chunk(whole, takenUnits) {
		if err := copyUnits(l, other, group); err != nil {
			return m, err
		}
	}
	for _, stem := range decided {
		if err := acknowledge(l, other, stem); err != nil {
			return m, err
		}
	}
	m.Journals, err = mergeJournals(l, other, journals)
	return m, err
}

// mostFaults is how many differing units an error names.
const mostFaults = 5

// lockAgainstWriters keeps writers out of the lake that is merged into another. A lake that cannot
// be written has no writers.
func lockAgainstWriters(l *Lake, into *Lake) error {
	own, err := l.root.Stat(".")
	if err != nil {
		return err
	}
	if theirs, err := into.root.Stat("."); err != nil || os.SameFile(own, theirs) {
		return errors.Join(err, fmt.Errorf("%s cannot be merged into itself", l.dir))
	}
	if l.session != nil {
		return lakeInUse(l, l.who)
	}
	if err = enter(l, "merge", true); cannotWrite(err) {
		return nil
	}
	return err
}

// fateOf decides what a merge does with a unit.
func fateOf(l *Lake, other *Lake, stem, prefer string) (fate, error) {
	theirs, theirRuns, err := executionsOf(other, stem)
	if err != nil {
		return fateSame, err
	}
	ours, ourRuns, err := executionsOf(l, stem)
	if err != nil || ours == nil {
		return fateTaken, err
	}
	if slices.Equal(ours.Tables, theirs.Tables) && slices.Equal(ours.TableSHA256, theirs.TableSHA256) {
		return fateSame, nil
	}
	if one, two := executionIDs(ourRuns), executionIDs(theirRuns); prefer == "" && Later(one, two) {
		return fateSame, nil
	} else if prefer == "" && Later(two, one) {
		return fateReplaced, nil // Somebody continued or merged our unit there.
	}
	sum, made, err := differenceOf(l, other, ours, theirs)
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
	return fateSame, fmt.Errorf("%w: %s in %s and in %s: %s", ErrUnitsDiffer, stem, nameOf(l), nameOf(other), sum)
}

// differenceOf compares the rows of a unit in two lakes, and says whether they may be joined.
func differenceOf(l *Lake, other *Lake, ours, theirs *Run) (sum rowDifference, join bool, err error) {
	for _, t := range tablesOf(ours, theirs) {
		d, err := t.difference(l, other, ours.Unit)
		if err != nil {
			return sum, false, err
		}
		sum.add(d)
	}
	return sum, joins(ours) && joins(theirs) && ours.Stage == theirs.Stage && ours.Provenance == theirs.Provenance, nil
}

// joins reports whether units of two lakes may be joined row by row: only units of stages, since
// only these are split by --part. Units that were loaded or simulated are whole in each lake.
func joins(r *Run) bool { return !strings.HasPrefix(r.Stage, "ingest/") && r.Stage != "simulate" }

// tablesOf are the tables that any of the executions wrote.
func tablesOf(runs ...*Run) (all []*table) {
	for _, t := range Tables() {
		if slices.ContainsFunc(runs, func(r *Run) bool { return slices.Contains(r.Tables, t.Name()) }) {
			all = append(all, t.stored())
		}
	}
	return all
}

// joinUnit commits a unit with the rows of both lakes.
func joinUnit(l *Lake, other *Lake, stem, prefer string) error {
	ours, _, err := executionsOf(l, stem)
	if err != nil {
		return err
	}
	theirs, executions, err := executionsOf(other, stem)
	if err != nil {
		return err
	}
	tx := &Tx{
		earlier: executions,
		unitHeader: unitHeader{lake: l, stem: stem, started: l.now(), unit: Unit{
			Stage: ours.Stage, Protocol: ours.Protocol, Source: ours.Source, Provenance: ours.Provenance,
			Detail:      ours.Detail,
			Fingerprint: Fingerprint("merge", ours.Fingerprint, theirs.Fingerprint),
		}},
	}
	defer tx.Abort()
	for _, t := range tablesOf(ours, theirs) {
		if err := t.union(tx, other, prefer == PreferTheirs); err != nil {
			return err
		}
	}
	// Only a lake that can be written was surely without a writer meanwhile.
	if same, err := wroteFiles(other, *theirs); err != nil || !same {
		return errors.Join(err, notAsCommitted(other,
			"%s: the files of the unit %s differ from the committed files", nameOf(other), stem))
	}
	return tx.Commit()
}

// acknowledge adds the other lake's executions to our history without taking its rows. Later merges
// then count our rows as newer.
func acknowledge(l *Lake, other *Lake, stem string) error {
	_, theirs, err := executionsOf(other, stem)
	if err != nil {
		return err
	}
	last, ours, err := executionsOf(l, stem)
	if err != nil {
		return err
	}
	runs := follow(ours, theirs)
	if len(runs) == len(ours) {
		return nil
	}
	number := *current(runs).Execution + 1
	runs[slices.IndexFunc(runs, func(r Run) bool { return r.RunID == last.RunID })].Execution = &number
	moved, err := writeRuns(&unitHeader{lake: l, unit: Unit{Stage: last.Stage}, stem: stem, started: l.now()}, runs)
	if err != nil {
		return err
	}
	return commitUnit(l, stem, commitRecord{Moves: []move{moved}}, func() error { return nil })
}

// copyUnits commits units as the other lake has them, in one commit.
func copyUnits(l *Lake, other *Lake, stems []string) error {
	record, checks, err := prepareUnits(l, other, stems)
	if err != nil {
		return err
	}
	return commitUnit(l, stems[0], record, func() error {
		for _, collides := range checks {
			if err := collides(l); err != nil {
				return errors.Join(err, removeTemps(l, record))
			}
		}
		return nil
	})
}

// removeTemps removes the temporary files of a record that is not carried out.
func removeTemps(l *Lake, r commitRecord) (err error) {
	for _, m := range r.Moves {
		err = errors.Join(err, l.store.Remove(m.From))
	}
	return err
}

// prepareUnits copies the files of units to temporary names. It returns the record of their commit
// and the checks for duplicate keys that come before it.
func prepareUnits(l *Lake, other *Lake, stems []string) (record commitRecord, checks []func(*Lake) error, err error) {
	defer func() {
		if err != nil {
			_ = removeTemps(l, record) // Otherwise the next writer removes them.
		}
	}()
	bring := func(name, temp string, want *FileDigest) error {
		record.Moves = append(record.Moves, move{temp, name})
		return copyFile(l, other, name, temp, want)
	}
	for _, stem := range stems {
		theirs, executions, err := executionsOf(other, stem)
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
			pictures, err := picturesOf(other, stem)
			if err != nil {
				return record, nil, err
			}
			for _, name := range pictures {
				if _, err := files.Size(l.store, name); err == nil {
					continue
				}
				if err := bring(name, l.Temp(stem+"."+path.Base(name)), nil); err != nil {
					return record, nil, err
				}
			}
		}
		ours, err := unitRuns(l, stem)
		if err != nil {
			return record, nil, err
		}
		if len(ours) == 0 {
			if err := bring(Runs.Name()+"/"+stem+".parquet", l.Temp(stem+"."+Runs.Name()), nil); err != nil {
				return record, nil, err
			}
			continue
		}
		moved, err := writeRuns(&unitHeader{lake: l, unit: Unit{Stage: theirs.Stage}, stem: stem, started: l.now()},
			follow(ours, executions))
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

// copyFile puts a file of another lake under a temporary name. It makes a hard link if the file
// system can, which is safe since no file of a lake ever changes; otherwise it copies. want is the
// file's digest; nil for a picture, since its name has its digest.
func copyFile(l *Lake, other *Lake, name, temp string, want *FileDigest) error {
	sum, err := DigestOf(other, name)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return notAsCommitted(other, "%s is missing", other.Path(name))
		}
		return err
	}
	if want == nil && picturePattern.MatchString(name) {
		want = &FileDigest{sum.Bytes, strings.TrimSuffix(path.Base(name), path.Ext(name))}
	}
	if want != nil && sum != *want {
		return notAsCommitted(other,
			"%s is not the committed file: its digest is %s instead of %s", other.Path(name), sum.SHA256, want.SHA256)
	}
	if err := l.store.Remove(temp); err != nil {
		return err
	}
	// A hard link of a symbolic link would lead to another place from here.
	if info, err := other.root.Lstat(name); err == nil && info.Mode().IsRegular() &&
		os.Link(other.Path(name), l.Path(temp)) == nil {
		return nil
	}
	return files.Copy(l.store, temp, other.store, name)
}

func notAsCommitted(l *Lake, format string, args ...any) error {
	return WithHint(fmt.Errorf(format, args...),
		"if somebody writes to that lake, wait until they have finished; look at it with: captionlake status --verify --lake %s", l.dir)
}
