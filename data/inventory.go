package data

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/captionlake/captionlake/data/files"
)

// UnitFiles are the files of a committed unit, for copying them to another place.
type UnitFiles struct {
	Unit       string
	Executions []string              // ids of all its executions, the first execution first
	Tables     map[string]FileDigest // its file in each table that it has rows of, and in runs, by table name
	// sizes of the pictures that its rows name and the lake has; their names contain their digests
	Pictures map[string]int64
}

// A Relation says how the same unit of two lakes differs.
type Relation int

// How a unit of a lake differs from the unit of another lake. A later unit was made from the
// earlier one: it has all its executions, and more.
const (
	OnlyTheirs  Relation = iota // the lake does not have the unit
	EqualRows                   // both have the same tables, byte for byte
	OursLater                   // the lake's unit is later
	TheirsLater                 // the other lake's unit is later
	Diverged                    // neither is later
)

// Reconcile compares a unit of a lake with the unit of that name in another lake. It is where
// merges, pushes and pulls learn what becomes of a unit. If somebody prefers one of the lakes, no
// unit is later than the other. ours is the zero value if the lake does not have the unit.
func Reconcile(ours, theirs UnitFiles, prefer string) Relation {
	switch {
	case ours.Unit == "":
		return OnlyTheirs
	case ours.sameRows(theirs):
		return EqualRows
	case prefer == "" && ours.Continues(theirs):
		return OursLater
	case prefer == "" && theirs.Continues(ours):
		return TheirsLater
	}
	return Diverged
}

// Continues reports whether a unit has all executions of another one, and more.
func (u UnitFiles) Continues(other UnitFiles) bool {
	return len(u.Executions) > len(other.Executions) &&
		!slices.ContainsFunc(other.Executions, func(id string) bool { return !slices.Contains(u.Executions, id) })
}

// sameRows reports whether two units have the same tables, byte for byte. Their executions may
// differ.
func (u UnitFiles) sameRows(other UnitFiles) bool {
	if len(u.Tables) != len(other.Tables) {
		return false
	}
	for table, sum := range u.Tables {
		if there, ok := other.Tables[table]; !ok || there != sum && table != Runs.Name() {
			return false
		}
	}
	return true
}

// Inventory lists the files of every unit, ordered by unit name. It waits for a commit in progress.
// Units that are removed meanwhile are left out.
func Inventory(l *Lake) ([]UnitFiles, error) {
	if err := l.BetweenCommits(func() error { return nil }); err != nil && !cannotWait(err) {
		return nil, err
	}
	units, err := unitsOf(l)
	if err != nil {
		return nil, err
	}
	all := make([]UnitFiles, 0, len(units))
	for _, stem := range units {
		u, err := filesOf(l, stem)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, u)
	}
	return all, nil
}

// unitFilesOf are the files of the tables that the last execution of a unit wrote; the zero value
// without one.
func unitFilesOf(last *Run, runs []Run) UnitFiles {
	if last == nil {
		return UnitFiles{}
	}
	return UnitFiles{Unit: last.Unit, Executions: executionIDs(runs), Tables: last.digests()}
}

// filesOf lists the files of a unit. Another process may rewrite the unit meanwhile, so it makes
// sure that the record it digested is the record it read.
func filesOf(l *Lake, stem string) (UnitFiles, error) {
	record := Runs.Name() + "/" + stem + ".parquet"
	for range listings {
		before, err := DigestOf(l, record)
		if err != nil {
			return UnitFiles{}, err
		}
		last, runs, err := executionsOf(l, stem)
		if err != nil {
			return UnitFiles{}, err
		}
		after, err := DigestOf(l, record)
		if err != nil {
			return UnitFiles{}, err
		}
		if before != after || last == nil {
			continue
		}
		u := unitFilesOf(last, runs)
		u.Tables[Runs.Name()] = after
		if _, ok := u.Tables[Images.Name()]; !ok {
			return u, nil
		}
		names, err := picturesOf(l, stem)
		if err != nil {
			return u, err
		}
		u.Pictures = map[string]int64{}
		for _, name := range names {
			if u.Pictures[name], err = files.Size(l.store, name); err != nil {
				return u, err
			}
		}
		return u, nil
	}
	return UnitFiles{}, errRemovedWhileRead(l)
}

// CheckKeys returns an error that wraps ErrDuplicateKey if two units have rows of the same key.
// Commits refuse such rows, but a lake copied together by hand may have them.
func CheckKeys(l *Lake) error {
	for _, t := range Tables() {
		if t.Name() == Runs.Name() {
			continue
		}
		files, err := keyedFiles(l, t.stored())
		if err != nil {
			return err
		}
		for _, f := range files {
			check := keyCheck{table: t.stored(), temp: f.name, final: f.name}
			if err := check.compare(l, files); err != nil {
				return fmt.Errorf("%s: %w", unitOf(f.name), err)
			}
		}
	}
	return nil
}

// NameLake sets the name by which errors of a merge call the lake, for a folder that is only a copy
// of a remote lake.
func NameLake(l *Lake, name string) { l.name = name }

// nameOf is the lake's name in errors.
func nameOf(l *Lake) string { return cmp.Or(l.name, l.dir) }

// PictureTypes are the media types of the picture formats of items (images.format). Browsers show
// all of them, and none can hold a script.
var PictureTypes = map[string]string{"png": "image/png", "jpeg": "image/jpeg", "webp": "image/webp"}
