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
	Replaced int    `json:"replaced"` // units with rows that the other lake's rows have replaced
	Kept     int    `json:"kept"`     // units that stay although the other lake has different rows
	Journals int    `json:"journals"` // journals that got new replies of an interrupted run
}

// A fate is what a merge does with a unit of the other lake.
type fate int

const (
	leaveUnit fate = iota // this lake's unit stays as it is
	adoptRuns             // this lake's unit keeps its rows and also gets the other lake's executions
	takeUnit              // the other lake's unit is taken whole
	joinUnits             // this lake's unit gets the rows of both units
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
	// Only this lake is checked here. Files of the other lake are checked when they are taken.
	sound, err := l.Check(CheckTables, nil)
	if err == nil {
		err = sound.Err(l)
	}
	if err != nil {
		return m, err
	}
	// From here on, nobody may write to the other lake, or to the units and journals to be merged.
	if err := lockAgainstWriters(other, l); err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, other.Close()) }()
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
	// Decide about every unit before anything is written. After an error here nothing was merged, so
	// the result counts no units.
	var changing []*meeting // units that this merge writes
	var faults []error
	for i, stem := range units {
		u, err := meet(l, other, stem)
		if err != nil {
			return Merge{Lake: m.Lake}, err
		}
		count, err := u.decide(&m, o.Prefer)
		switch {
		case errors.Is(err, ErrUnitsDiffer):
			faults = append(faults, err)
		case err != nil:
			return Merge{Lake: m.Lake}, err
		default:
			*count++
			if u.fate != leaveUnit {
				changing = append(changing, u)
			}
		}
		if o.Progress != nil {
			o.Progress(i+1, len(units))
		}
	}
	if all := len(faults); all > 0 {
		if all > mostFaults {
			faults = append(faults[:mostFaults], fmt.Errorf("and %d more units", all-mostFaults))
		}
		return Merge{Lake: m.Lake}, WithHint(errors.Join(faults...), "say which rows count with --prefer ours "+
			"or --prefer theirs, or remove the unit from one of the lakes; nothing was merged")
	}
	// Write units and journals.
	for group := range slices.Chunk(changing, takenUnits) {
		if err := (&takeover{lake: l, other: other, prefer: o.Prefer}).take(group); err != nil {
			return m, err
		}
	}
	for _, unit := range journals {
		added, err := mergeJournal(l, other, unit)
		if err != nil {
			return m, err
		}
		if added {
			m.Journals++
		}
	}
	return m, nil
}

// mostFaults is how many differing units an error names.
const mostFaults = 5

// lockAgainstWriters keeps writers out of the lake l, which is merged into another lake. A lake
// that this process cannot write stays unlocked. The merge later compares digests, which show
// whether somebody else has changed the files of that lake.
func lockAgainstWriters(l *Lake, into *Lake) error {
	own, err := l.root.Stat(".")
	if err != nil {
		return err
	}
	theirs, err := into.root.Stat(".")
	if err != nil {
		return err
	}
	if os.SameFile(own, theirs) {
		return fmt.Errorf("%s cannot be merged into itself", l.dir)
	}
	if l.session != nil { // This process itself writes to the lake.
		return lakeInUse(l, l.who)
	}
	if err = lockLake(l, "merge", true); cannotWrite(err) {
		return nil
	}
	return err
}

// A meeting is a unit of another lake, together with the unit of that name in the lake.
type meeting struct {
	lake, other *Lake
	stem        string
	// ours and theirs are the executions that wrote the files. ourRuns and theirRuns are all
	// executions of the unit. If the lake does not have the unit, ours and ourRuns are nil.
	ours, theirs       *Run
	ourRuns, theirRuns []Run
	fate               fate
}

// meet reads the executions of the unit in both lakes.
func meet(l, other *Lake, stem string) (*meeting, error) {
	u := &meeting{lake: l, other: other, stem: stem}
	var err, err2 error
	u.ours, u.ourRuns, err = executionsOf(l, stem)
	u.theirs, u.theirRuns, err2 = executionsOf(other, stem)
	return u, errors.Join(err, err2)
}

// decide sets the fate of the unit. It returns the field of m that counts units of this fate, and
// leaves the counting to the caller.
func (u *meeting) decide(m *Merge, prefer string) (count *int, err error) {
	switch Reconcile(unitFilesOf(u.ours, u.ourRuns), unitFilesOf(u.theirs, u.theirRuns), prefer) {
	case EqualRows, OursLater:
		return &m.Same, nil
	case OnlyTheirs:
		u.fate = takeUnit
		return &m.Taken, nil
	case TheirsLater: // Somebody continued or merged our unit in the other lake.
		u.fate = takeUnit
		return &m.Replaced, nil
	}
	differ, err := u.difference()
	if err != nil {
		return nil, err
	}
	mayJoin := joins(u.ours) && joins(u.theirs) && u.ours.Stage == u.theirs.Stage &&
		u.ours.Provenance == u.theirs.Provenance
	nothingNew := differ.theirs == 0 && differ.both == 0 // All their rows are among ours.
	// A join would change our rows, and for keys with different rows it is clear which row counts:
	// there are no such keys, or the user prefers one lake.
	rowsCome := differ.both == 0 || prefer == PreferTheirs || prefer == PreferOurs && differ.theirs > 0
	switch {
	case nothingNew && (mayJoin || differ.ours == 0): // If the units cannot be joined, their rows are equal here.
		u.fate, count = adoptRuns, &m.Same
	case mayJoin && rowsCome:
		u.fate, count = joinUnits, &m.Joined
	case prefer == PreferTheirs:
		u.fate, count = takeUnit, &m.Replaced
	case prefer == PreferOurs:
		u.fate, count = adoptRuns, &m.Kept
	default:
		err = fmt.Errorf("%w: %s in %s and in %s: %s", ErrUnitsDiffer, u.stem, u.lake.name, u.other.name, differ)
	}
	return count, err
}

// difference compares the rows of the unit in the two lakes.
func (u *meeting) difference() (sum rowDifference, err error) {
	for _, t := range tablesOf(u.ours, u.theirs) {
		if err := sum.addTable(t, u.lake, u.other, u.stem); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// joins reports whether a unit may be joined row by row with the unit of another lake. Only a unit
// of a stage may be joined, since run --part splits such a unit among lakes. Units that were loaded
// or simulated are whole in each lake.
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

// A takeover collects units of the other lake for one commit of a merge.
type takeover struct {
	lake, other *Lake
	prefer      string
	record      commitRecord
	checks      []*keyCheck // for duplicate keys
}

// take commits units as their fates say. It first writes all files under temporary names.
func (t *takeover) take(units []*meeting) (err error) {
	committed := false
	defer func() {
		for _, m := range t.record.Moves {
			if !committed {
				_ = t.lake.store.Remove(m.From) // If this fails, the next writer removes the file.
			}
		}
	}()
	for _, u := range units {
		switch u.fate { // Merge passes no unit with the fate leaveUnit.
		case joinUnits:
			err = t.join(u)
		case takeUnit:
			err = t.copyUnit(u)
		case adoptRuns:
			err = t.adopt(u, u.ours)
		}
		if err != nil {
			return err
		}
	}
	// Keys are compared before the commit, when no other process waits. The commit compares keys
	// again, but only with files that are new since.
	if err := checkKeys(t.lake, t.checks); err != nil || len(t.record.Moves) == 0 {
		return err // There are no moves if no unit has a new execution.
	}
	return commitUnit(t.lake, units[0].stem, t.record, func() error {
		err := checkKeys(t.lake, t.checks)
		// From here on, the record of the commit may be on disk. So its files must not be deleted.
		committed = err == nil
		return err
	})
}

// join stages a unit with the rows of both lakes: it writes temporary files, and adds them to the
// record of the commit.
func (t *takeover) join(u *meeting) error {
	tx := &Tx{
		// stage reads our executions from the lake.
		earlier: u.theirRuns, release: func() {},
		unitHeader: unitHeader{lake: t.lake, stem: u.stem, started: t.lake.now(), unit: Unit{
			Stage: u.ours.Stage, Protocol: u.ours.Protocol, Source: u.ours.Source, Provenance: u.ours.Provenance,
			Detail:      u.ours.Detail,
			Fingerprint: Fingerprint("merge", u.ours.Fingerprint, u.theirs.Fingerprint),
		}},
	}
	for _, table := range tablesOf(u.ours, u.theirs) {
		if err := table.union(tx, t.other, t.prefer == PreferTheirs); err != nil {
			tx.Abort()
			return err
		}
	}
	record, err := tx.stage()
	if err != nil {
		tx.Abort()
		return err
	}
	// From here on, take deletes the temporary files after an error.
	t.record.Moves = append(t.record.Moves, record.Moves...)
	t.record.Removes = append(t.record.Removes, record.Removes...)
	t.checks = append(t.checks, tx.checks()...)
	// The other lake may have had a writer meanwhile: only a lake that can be written was locked.
	same, err := wroteFiles(t.other, *u.theirs)
	if err == nil && !same {
		err = notAsCommitted(t.other, "%s: the files of the unit %s differ from the committed files", t.other.name,
			u.stem)
	}
	return err
}

// adopt stages the unit's file of the table runs, with the executions of both lakes. wrote is the
// execution that wrote the files that the lake will have. wrote gets the highest number, because
// current finds the execution that wrote the files by this number.
func (t *takeover) adopt(u *meeting, wrote *Run) error {
	runs := follow(u.ourRuns, u.theirRuns) // New executions of the other lake come last.
	if last := current(runs); last.RunID != wrote.RunID {
		writer := slices.IndexFunc(runs, func(r Run) bool { return r.RunID == wrote.RunID })
		runs[writer].Execution = new(*last.Execution + 1)
	} else if len(runs) == len(u.ourRuns) {
		return nil // The lake has all these executions already.
	}
	moved, err := writeRuns(&unitHeader{lake: t.lake, unit: Unit{Stage: wrote.Stage}, stem: u.stem,
		started: t.lake.now()}, runs)
	t.record.Moves = append(t.record.Moves, moved)
	return err
}

// copyUnit stages the unit as the other lake has it, with the pictures that this lake does not
// have.
func (t *takeover) copyUnit(u *meeting) error {
	for table, sum := range u.theirs.digests() {
		of, _ := TableNamed(table) // meet has refused unknown tables.
		check := &keyCheck{table: of.stored(), temp: t.lake.Temp(u.stem + "." + table), final: of.stored().file(u.stem)}
		t.checks = append(t.checks, check)
		if err := t.copyFile(check.final, check.temp, sum.SHA256); err != nil {
			return err
		}
	}
	t.record.removeBut(u.stem, u.theirs.Tables)
	pictures, err := picturesOf(t.other, u.stem)
	if err != nil {
		return err
	}
	for name := range pictures {
		if _, err := files.Size(t.lake.store, name); err == nil { // This lake has the picture.
			continue
		}
		digest, _, _ := strings.Cut(path.Base(name), ".") // The name of a picture is its digest.
		if err := t.copyFile(name, t.lake.Temp(u.stem+"."+path.Base(name)), digest); err != nil {
			return err
		}
	}
	if u.ours == nil { // There are no executions of this lake to add.
		return t.copyFile(Runs.file(u.stem), t.lake.Temp(u.stem+"."+Runs.name), "")
	}
	return t.adopt(u, u.theirs)
}

// copyFile stages a file of the other lake under the name temp. It makes a hard link if the file
// system can, which is safe since no file of a lake ever changes. Otherwise it copies the file. The
// file must have the SHA-256 want. want is empty for files of runs, because no record has the
// digests of these files.
func (t *takeover) copyFile(name, temp string, want string) error {
	l, other := t.lake, t.other
	t.record.Moves = append(t.record.Moves, move{temp, name}) // first, so that take deletes the file after an error
	sum, err := DigestOf(other, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return notAsCommitted(other, "%s is missing", other.Path(name))
	case err != nil:
		return err
	case want != "" && sum.SHA256 != want:
		return notAsCommitted(other,
			"%s is not the committed file: its digest is %s instead of %s", other.Path(name), sum.SHA256, want)
	}
	if err := l.store.Remove(temp); err != nil { // A hard link replaces no file.
		return err
	}
	// A symbolic link is copied, because a hard link of it would lead to another place from this lake.
	if info, err := other.root.Lstat(name); err == nil && info.Mode().IsRegular() &&
		os.Link(other.Path(name), l.Path(temp)) == nil {
		return nil
	}
	return files.Copy(l.store, temp, other.store, name)
}

// notAsCommitted is the error of a lake with files that are not as they were committed.
func notAsCommitted(l *Lake, format string, args ...any) error {
	return WithHint(fmt.Errorf(format, args...),
		"if somebody writes to that lake, wait until they have finished; "+
			"look at it with: captionlake status --verify --lake %s", l.dir)
}
