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

// A step is what a merge does with a unit of the other lake.
type step int

const (
	leaveUnit    step = iota // ours stays
	adoptHistory             // ours stays and also gets the other lake's executions
	copyUnit                 // theirs is taken whole
	joinRows                 // ours gets the rows of both
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
	defer func() { err = errors.Join(err, unlockLake(other)) }()
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
	steps := map[step][]*meeting{}
	var faults []error
	for i, stem := range units {
		u, err := meet(l, other, stem)
		if err != nil {
			return Merge{Lake: m.Lake}, err
		}
		next, count, err := u.decide(&m, o.Prefer)
		switch {
		case errors.Is(err, ErrUnitsDiffer):
			faults = append(faults, err)
		case err != nil:
			return Merge{Lake: m.Lake}, err
		default:
			*count++
			steps[next] = append(steps[next], u)
		}
		if o.Progress != nil {
			o.Progress(i+1, len(units))
		}
	}
	if all := len(faults); all > 0 {
		if all > mostFaults {
			faults = append(faults[:mostFaults], fmt.Errorf("and %d more units", all-mostFaults))
		}
		return Merge{Lake: m.Lake}, WithHint(errors.Join(faults...),
			"say which rows count with --prefer ours or --prefer theirs, or remove the unit from one of the lakes; nothing was merged")
	}
	for _, u := range steps[joinRows] {
		if err := u.join(o.Prefer); err != nil {
			return m, err
		}
	}
	for group := range slices.Chunk(steps[copyUnit], takenUnits) {
		if err := copyUnits(l, other, group); err != nil {
			return m, err
		}
	}
	for _, u := range steps[adoptHistory] {
		if err := u.adoptHistory(); err != nil {
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
	if err = lockLake(l, "merge", true); cannotWrite(err) {
		return nil
	}
	return err
}

// A meeting is a unit of another lake beside the unit of that name in the lake.
type meeting struct {
	lake, other *Lake
	stem        string
	// The executions that wrote the files, and all executions. The lake has none if it does not
	// have the unit.
	ours, theirs       *Run
	ourRuns, theirRuns []Run
}

func meet(l, other *Lake, stem string) (*meeting, error) {
	u := &meeting{lake: l, other: other, stem: stem}
	var err, err2 error
	u.ours, u.ourRuns, err = executionsOf(l, stem)
	u.theirs, u.theirRuns, err2 = executionsOf(other, stem)
	return u, errors.Join(err, err2)
}

// decide says what a merge does with the unit, and which count it adds to.
func (u *meeting) decide(m *Merge, prefer string) (step, *int, error) {
	switch Reconcile(unitFilesOf(u.ours, u.ourRuns), unitFilesOf(u.theirs, u.theirRuns), prefer) {
	case OnlyTheirs:
		return copyUnit, &m.Taken, nil
	case EqualRows, OursLater:
		return leaveUnit, &m.Same, nil
	case TheirsLater: // Somebody continued or merged our unit there.
		return copyUnit, &m.Replaced, nil
	}
	differ, err := u.difference()
	if err != nil {
		return leaveUnit, nil, err
	}
	join := joins(u.ours) && joins(u.theirs) && u.ours.Stage == u.theirs.Stage &&
		u.ours.Provenance == u.theirs.Provenance
	switch {
	case differ.theirs == 0 && differ.both == 0 && (join || differ.ours == 0):
		return adoptHistory, &m.Same, nil
	case join && (differ.both == 0 || prefer == PreferTheirs || prefer == PreferOurs && differ.theirs > 0):
		return joinRows, &m.Joined, nil
	case prefer == PreferTheirs:
		return copyUnit, &m.Replaced, nil
	case prefer == PreferOurs:
		return adoptHistory, &m.Kept, nil
	}
	return leaveUnit, nil, fmt.Errorf("%w: %s in %s and in %s: %s", ErrUnitsDiffer, u.stem, nameOf(u.lake),
		nameOf(u.other), differ)
}

// difference compares the rows of the unit in the two lakes.
func (u *meeting) difference() (sum rowDifference, err error) {
	for _, t := range tablesOf(u.ours, u.theirs) {
		d, err := t.difference(u.lake, u.other, u.stem)
		if err != nil {
			return sum, err
		}
		sum.add(d)
	}
	return sum, nil
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

// join commits the unit with the rows of both lakes.
func (u *meeting) join(prefer string) error {
	tx := &Tx{
		earlier: u.theirRuns,
		unitHeader: unitHeader{lake: u.lake, stem: u.stem, started: u.lake.now(), unit: Unit{
			Stage: u.ours.Stage, Protocol: u.ours.Protocol, Source: u.ours.Source, Provenance: u.ours.Provenance,
			Detail:      u.ours.Detail,
			Fingerprint: Fingerprint("merge", u.ours.Fingerprint, u.theirs.Fingerprint),
		}},
	}
	defer tx.Abort()
	for _, t := range tablesOf(u.ours, u.theirs) {
		if err := t.union(tx, u.other, prefer == PreferTheirs); err != nil {
			return err
		}
	}
	// Only a lake that can be written was surely without a writer meanwhile.
	if same, err := wroteFiles(u.other, *u.theirs); err != nil || !same {
		return errors.Join(err, notAsCommitted(u.other,
			"%s: the files of the unit %s differ from the committed files", nameOf(u.other), u.stem))
	}
	return tx.Commit()
}

// adoptHistory adds the other lake's executions to our history without taking its rows. Later
// merges then count our rows as newer.
func (u *meeting) adoptHistory() error {
	runs := follow(u.ourRuns, u.theirRuns)
	if len(runs) == len(u.ourRuns) {
		return nil
	}
	number := *current(runs).Execution + 1
	runs[slices.IndexFunc(runs, func(r Run) bool { return r.RunID == u.ours.RunID })].Execution = &number
	moved, err := u.writeRuns(runs)
	if err != nil {
		return err
	}
	return commitUnit(u.lake, u.stem, commitRecord{Moves: []move{moved}}, func() error { return nil })
}

// writeRuns stages the unit's file of the table runs.
func (u *meeting) writeRuns(runs []Run) (move, error) {
	return writeRuns(&unitHeader{lake: u.lake, unit: Unit{Stage: u.theirs.Stage}, stem: u.stem,
		started: u.lake.now()}, runs)
}

// copyUnits commits units as the other lake has them, in one commit.
func copyUnits(l *Lake, other *Lake, units []*meeting) error {
	record, checks, err := prepareUnits(l, other, units)
	if err != nil {
		return err
	}
	return commitUnit(l, units[0].stem, record, func() error {
		if err := checkKeys(l, checks); err != nil {
			return errors.Join(err, removeTemps(l, record))
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
func prepareUnits(l *Lake, other *Lake, units []*meeting) (record commitRecord, checks []*keyCheck, err error) {
	defer func() {
		if err != nil {
			_ = removeTemps(l, record) // Otherwise the next writer removes them.
		}
	}()
	bring := func(name, temp string, want *FileDigest) error {
		record.Moves = append(record.Moves, move{temp, name})
		return copyFile(l, other, name, temp, want)
	}
	for _, u := range units {
		stem, theirs := u.stem, u.theirs
		for i, table := range theirs.Tables {
			name, temp := table+"/"+stem+".parquet", l.Temp(stem+"."+table)
			if err := bring(name, temp, &FileDigest{theirs.TableBytes[i], theirs.TableSHA256[i]}); err != nil {
				return record, nil, err
			}
			checks = append(checks,
				&keyCheck{table: tablesOf(&Run{Tables: []string{table}})[0], temp: temp, final: name})
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
		if u.ours == nil {
			if err := bring(Runs.Name()+"/"+stem+".parquet", l.Temp(stem+"."+Runs.Name()), nil); err != nil {
				return record, nil, err
			}
			continue
		}
		moved, err := u.writeRuns(follow(u.ourRuns, u.theirRuns))
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
	return record, checks, checkKeys(l, checks)
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
