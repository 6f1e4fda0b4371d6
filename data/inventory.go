package data

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"

	"github.com/captionlake/captionlake/data/files"
)

// UnitFiles are the files of a committed unit, for copying them to another place.
type UnitFiles struct {
	Unit       string
	Executions []string              // ids of all its executions, the first execution first
	Tables     map[string]FileDigest // its file in each table that it has rows of, and in runs, by table name
	Pictures   map[string]int64      // sizes of the pictures that its rows name and the lake has; their names contain their digests
}

// SameRows reports whether two units have the same tables, byte for byte. Their executions may
// differ.
func (u UnitFiles) SameRows(other UnitFiles) bool {
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
		u := UnitFiles{Unit: stem, Executions: executionIDs(runs), Tables: map[string]FileDigest{Runs.Name(): after}}
		for i, table := range last.Tables {
			u.Tables[table] = FileDigest{last.TableBytes[i], last.TableSHA256[i]}
		}
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
		names, err := l.Files(t)
		if err != nil {
			return err
		}
		for _, name := range names {
			check := collisionCheck{table: t.stored(), temp: name, final: name}
			if err := check.look(l); err != nil {
				return fmt.Errorf("%s: %w", unitOf(name), err)
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
