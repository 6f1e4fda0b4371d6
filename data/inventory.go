package data

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
)

// UnitFiles are the files of a committed unit, for copying them to another place.
type UnitFiles struct {
	Unit       string
	Executions []string              // ids of all its executions, the first execution first
	Tables     map[string]FileDigest // its file in each table that it has rows of, and in runs, by table name
	// sizes of the pictures that the unit's rows name and the lake has, by the name of the picture,
	// which contains its digest
	Pictures map[string]int64
}

// A Relation says how the same unit of two lakes differs.
type Relation int

// How a unit of a lake differs from the unit of that name in another lake. The later unit was made
// from the earlier unit: it has all executions of the earlier unit, and more.
const (
	OnlyTheirs  Relation = iota // the lake does not have the unit
	EqualRows                   // both units have the same files in all tables but runs, byte for byte
	OursLater                   // the lake's unit is later
	TheirsLater                 // the other lake's unit is later
	Diverged                    // the rows differ, and neither unit counts as later
)

// Reconcile compares a unit of a lake with the unit of that name in another lake, for merges,
// pushes and pulls. prefer is PreferOurs, PreferTheirs or, without a preference, empty. With a
// preference the result is never OursLater or TheirsLater, because then the user's choice decides
// and not which unit is later. ours is the zero value if the lake does not have the unit.
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

// Continues reports whether a unit has all executions of another unit, and more.
func (u UnitFiles) Continues(other UnitFiles) bool {
	return len(u.Executions) > len(other.Executions) &&
		!slices.ContainsFunc(other.Executions, func(id string) bool { return !slices.Contains(u.Executions, id) })
}

// sameRows reports whether two units have the same tables, byte for byte. The table runs is not
// compared: the executions of the units may differ.
func (u UnitFiles) sameRows(other UnitFiles) bool {
	ours, theirs := maps.Clone(u.Tables), maps.Clone(other.Tables)
	delete(ours, Runs.Name())
	delete(theirs, Runs.Name())
	return maps.Equal(ours, theirs)
}

// Inventory lists the files of every unit, ordered by unit name. It waits for a commit in progress,
// if it can. Units that are removed meanwhile are left out.
func Inventory(l *Lake) ([]UnitFiles, error) {
	wait := func() error { return nil }
	if err := l.BetweenCommits(wait); err != nil && !cannotWait(err) {
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

// unitFilesOf are the files of the tables that the last execution of a unit wrote. If last is nil,
// the lake does not have the unit, and the result is the zero value.
func unitFilesOf(last *Run, runs []Run) UnitFiles {
	if last == nil {
		return UnitFiles{}
	}
	return UnitFiles{Unit: last.Unit, Executions: executionIDs(runs), Tables: last.digests()}
}

// filesOf lists the files of a unit. Another process may rewrite the unit meanwhile. So filesOf
// digests the unit's record before and after reading it, and begins again if the record changed.
func filesOf(l *Lake, stem string) (UnitFiles, error) {
	record := Runs.file(stem)
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
		if before != after || last == nil { // last is nil if the record was missing in between.
			continue
		}
		u := unitFilesOf(last, runs)
		u.Tables[Runs.Name()] = after
		if _, ok := u.Tables[Images.Name()]; ok {
			u.Pictures, err = picturesOf(l, stem)
		}
		return u, err
	}
	return UnitFiles{}, errRemovedWhileRead(l)
}

// CheckKeys returns an error that wraps ErrDuplicateKey if two units have rows of the same key.
// Commits refuse such rows, but a lake that somebody has copied together may have such rows.
func CheckKeys(l *Lake) error {
	for _, t := range Tables() {
		if t.Name() == Runs.Name() {
			continue // A run_id is a digest of the unit and more, so two units never share one.
		}
		files, err := keyedFiles(l, t.stored())
		if err != nil {
			return err
		}
		for _, f := range files {
			// The file is committed, so it has its final name already.
			check := keyCheck{table: t.stored(), temp: f.name, final: f.name}
			if err := check.compare(l, files); err != nil {
				return fmt.Errorf("%s: %w", unitOf(f.name), err)
			}
		}
	}
	return nil
}

// NameLake sets the name by which errors of a merge call the lake. A pull merges a temporary
// folder, and errors should name the address in storage instead.
func NameLake(l *Lake, name string) { l.name = name }

// PictureTypes are the media types of the picture formats of items (images.format). Browsers show
// pictures of all these types, and no such picture can hold a script.
var PictureTypes = map[string]string{"png": "image/png", "jpeg": "image/jpeg", "webp": "image/webp"}
