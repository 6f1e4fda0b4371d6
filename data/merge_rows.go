package data

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"reflect"
)

// A rowDifference counts how the rows of a unit in two lakes differ.
type rowDifference struct {
	ours, theirs int64  // keys that one of them has
	both         int64  // keys of which the rows differ
	example      string // a key of which the rows differ, or that only one has
}

func (d *rowDifference) add(o rowDifference) {
	if d.example == "" || d.both == 0 && o.both > 0 {
		d.example = o.example
	}
	d.ours, d.theirs, d.both = d.ours+o.ours, d.theirs+o.theirs, d.both+o.both
}

func (d rowDifference) String() string {
	return fmt.Sprintf("%d rows differ, %d are in the first alone and %d in the second alone, such as %s", d.both, d.ours, d.theirs, d.example)
}

// sideBySide walks the rows of a unit in two lakes by key: each is given the row of one, or of both, of a key. A lake without the file
// has no rows.
func sideBySide[T any](table Table[T], a, b iter.Seq2[T, error], each func(ours, theirs *T) error) error {
	x, y := newMergeSource(present(a)), newMergeSource(present(b))
	defer x.stop()
	defer y.stop()
	okX, errX := x.advance()
	okY, errY := y.advance()
	err := errors.Join(errX, errY)
	for err == nil && (okX || okY) {
		c := -1
		if okX && okY {
			c = table.compare(&x.row, &y.row)
		} else if okY {
			c = 1
		}
		var ours, theirs *T
		if c <= 0 {
			ours = &x.row
		}
		if c >= 0 {
			theirs = &y.row
		}
		if err = each(ours, theirs); err != nil {
			return err
		}
		if c <= 0 {
			okX, err = x.advance()
		}
		if c >= 0 && err == nil {
			okY, err = y.advance()
		}
	}
	return err
}

// present makes no rows of a file that is absent.
func present[T any](rows iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for row, err := range rows {
			if errors.Is(err, fs.ErrNotExist) || !yield(row, err) {
				return
			}
		}
	}
}

func (t Table[T]) unitRows(l *Lake, stem string) iter.Seq2[T, error] {
	return scanFile[T](l, t.name+"/"+stem+".parquet")
}

// difference compares the rows of a unit in two lakes.
func (t Table[T]) difference(l, other *Lake, stem string) (d rowDifference, err error) {
	err = sideBySide(t, t.unitRows(l, stem), t.unitRows(other, stem), func(ours, theirs *T) error {
		row := ours
		switch {
		case theirs == nil:
			d.ours++
		case ours == nil:
			d.theirs++
			row = theirs
		case reflect.DeepEqual(*ours, *theirs):
			return nil
		default:
			d.both++
		}
		if d.example == "" || d.both == 1 && ours != nil && theirs != nil {
			d.example = keyText(t, *row)
		}
		return nil
	})
	return d, err
}

// union writes the rows that the unit has in the lake and in another. Of rows of one key the lake's own counts, unless the other's is
// preferred.
func (t Table[T]) union(tx *Tx, other *Lake, prefer string) error {
	w, err := NewRowWriter(tx, t)
	if err != nil {
		return err
	}
	return sideBySide(t, t.unitRows(tx.lake, tx.stem), t.unitRows(other, tx.stem), func(ours, theirs *T) error {
		if ours == nil || theirs != nil && prefer == PreferTheirs {
			return w.Write(*theirs)
		}
		return w.Write(*ours)
	})
}

// collisions prepares the comparison of a file that is to be the unit's with those of other units.
func (t Table[T]) collisions(temp, final string) func(*Lake) error {
	c := &collisionCheck[T]{table: t, temp: temp, final: final}
	return c.look
}
