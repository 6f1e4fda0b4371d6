package data

import (
	"errors"
	"io/fs"
	"iter"
)

// selectBatch is small, because a selection holds one batch of every file that it merges.
const selectBatch = 128

// Select streams the rows of a table that where chooses, in key order over all units. It skips a
// file if the statistics of the file rule out the values of where. Of every other file, Select has
// one small batch of rows in memory.
func Select[T any](l *Lake, table Table[T], where Where) iter.Seq2[T, error] {
	return rowsOf[T](func(row any, yield func() bool) error { return selectRows(l, table.table, where, row, yield) })
}

// selectRows is Select without the type parameter: it puts each row where row points, and calls
// yield.
func selectRows(l *Lake, t *table, where Where, row any, yield func() bool) error {
	texts, err := where.columnTexts(t.schema)
	if err != nil {
		return err
	}
	for range listings {
		names, err := filesWith(l, t, where)
		if err != nil {
			return err
		}
		sources, err := openAll(l, t, names, texts)
		if errors.Is(err, fs.ErrNotExist) {
			continue // A file was removed after the listing: list the files again.
		}
		if err == nil {
			err = mergeRows(sources, t.order, func(same []*rowSource) (bool, error) {
				for _, s := range same {
					if err := fill(row, t.schema, s.row); err != nil || !yield() {
						return false, err
					}
				}
				return true, nil
			})
		}
		return errors.Join(err, closeAll(sources))
	}
	return errRemovedWhileRead(l)
}

// openAll opens files of a table for a merge.
func openAll(l *Lake, t *table, names []string, where []columnText) (sources []*rowSource, err error) {
	for i, name := range names {
		s, err := openRows(l, name, t.schema, where, selectBatch)
		if err != nil {
			return nil, errors.Join(err, closeAll(sources))
		}
		s.index = i
		sources = append(sources, s)
	}
	return sources, nil
}
