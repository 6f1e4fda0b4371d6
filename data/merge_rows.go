package data

import (
	"fmt"

	"github.com/parquet-go/parquet-go"
)

// A rowDifference counts how the rows of a unit in two lakes differ.
type rowDifference struct {
	ours, theirs int64  // keys that only this lake has, and keys that only the other lake has
	both         int64  // keys with different rows
	example      string // a key with different rows, or that only one lake has
}

func (d rowDifference) String() string {
	return fmt.Sprintf("%d rows differ, %d are in the first alone and %d in the second alone, such as %s", d.both,
		d.ours, d.theirs, d.example)
}

// addTable adds the differences between the rows of a table that a unit has in two lakes.
func (d *rowDifference) addTable(t *table, l, other *Lake, stem string) error {
	return t.sideBySide(fileOf{l, t.file(stem)}, fileOf{other, t.file(stem)},
		func(ours, theirs parquet.Row) (bool, error) {
			row := ours
			switch {
			case theirs == nil:
				d.ours++
			case ours == nil:
				d.theirs++
				row = theirs
			case ours.Equal(theirs):
				return true, nil
			default:
				d.both++
			}
			// The best example is a key with different rows, because such rows are in dispute.
			firstOfBoth := ours != nil && theirs != nil && d.both == 1
			if d.example == "" || firstOfBoth {
				d.example = t.keyOf(row)
			}
			return true, nil
		})
}

// union writes the rows that the unit has in the lake and in the other lake. If both lakes have a
// row of one key, the lake's own row counts unless preferTheirs is set.
func (t *table) union(tx *Tx, other *Lake, preferTheirs bool) error {
	w, err := tx.writer(t)
	if err != nil {
		return err
	}
	return t.sideBySide(fileOf{tx.lake, w.final}, fileOf{other, w.final}, func(ours, theirs parquet.Row) (bool, error) {
		values := ours
		if ours == nil || theirs != nil && preferTheirs {
			values = theirs
		}
		row := t.newRow()
		err := fill(row, t.schema, values)
		if err == nil {
			err = w.add(row)
		}
		return err == nil, err
	})
}
