package data

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/parquet-go/parquet-go"

	"github.com/captionlake/captionlake/data/files"
)

// A rowSource reads the rows of a file in order, with the columns of a schema.
type rowSource struct {
	path  string // for errors
	file  files.File
	rows  *parquet.GenericReader[any]
	batch []parquet.Row
	ahead []parquet.Row // rows of the batch that are still to come
	end   error         // error after the last row of the batch; io.EOF at the end of the file
	row   parquet.Row   // the present row; its values are valid until the next advance
	where []columnText  // only rows with these texts are read
	index int           // position among the sources of a merge
}

// A columnText is the text that a column must have.
type columnText struct {
	column int
	text   string
}

// openRows opens a file for reading. It reads as many rows at a time as batch says. advance skips
// rows without the texts of where. Columns that the file does not have are empty.
func openRows(l *Lake, name string, schema *parquet.Schema, where []columnText, batch int) (s *rowSource, err error) {
	s = &rowSource{path: l.Path(name), where: where}
	if s.file, err = l.store.Open(name); err != nil {
		return nil, err
	}
	pf, err := openParquet(l, s.file, name)
	if err == nil {
		if err = boundPages(s.file, pf); err != nil {
			err = s.fail(err)
		}
	}
	if err == nil {
		// A batch has room for a row even if the file has none, so that ReadRows reports the end.
		s.batch = make([]parquet.Row, min(int64(batch), max(pf.NumRows(), 1)))
		s.rows, err = guarded(func() (*parquet.GenericReader[any], error) {
			return parquet.NewGenericReader[any](pf, schema), nil
		})
		if err != nil {
			err = s.fail(err)
		}
	}
	if err != nil {
		return nil, errors.Join(err, s.file.Close())
	}
	return s, nil
}

func (s *rowSource) fail(err error) error { return fmt.Errorf("%s: %w", s.path, err) }

// advance goes to the next row with the wanted texts. It reports false after the last row.
func (s *rowSource) advance() (bool, error) {
	for {
		for len(s.ahead) == 0 {
			if errors.Is(s.end, io.EOF) {
				return false, nil
			}
			if s.end != nil {
				return false, s.fail(s.end)
			}
			var n int
			n, s.end = guarded(func() (int, error) { return s.rows.ReadRows(s.batch) })
			s.ahead = s.batch[:n]
		}
		s.row, s.ahead = s.ahead[0], s.ahead[1:]
		if s.chosen() {
			return true, nil
		}
	}
}

// chosen reports whether the present row has all texts that where asks for.
func (s *rowSource) chosen() bool {
	return !slices.ContainsFunc(s.where, func(w columnText) bool {
		return !slices.ContainsFunc(s.row, func(v parquet.Value) bool {
			return v.Column() == w.column && string(v.ByteArray()) == w.text
		})
	})
}

func (s *rowSource) close() error {
	_, err := guarded(func() (int, error) { return 0, s.rows.Close() })
	return errors.Join(err, s.file.Close())
}

// closeAll closes all sources, also after an error.
func closeAll(sources []*rowSource) (err error) {
	for _, s := range sources {
		err = errors.Join(err, s.close())
	}
	return err
}

// mergeRows visits the keys of sorted sources in order. For each key, it calls each with the
// sources that have a row of the key, in the order of their index. No source has two rows of one
// key. each reports whether to continue.
func mergeRows(sources []*rowSource, order func(a, b parquet.Row) int,
	each func(same []*rowSource) (more bool, err error)) error {
	var waiting []*rowSource // in the order of their next rows
	// First all sources go to their first row. After each key, the sources of this key go to their
	// next row.
	for same := sources; ; {
		for _, s := range same {
			if ok, err := s.advance(); err != nil {
				return err
			} else if !ok {
				continue
			}
			at, _ := slices.BinarySearchFunc(waiting, s, func(a, b *rowSource) int {
				return cmp.Or(order(a.row, b.row), cmp.Compare(a.index, b.index))
			})
			waiting = slices.Insert(waiting, at, s)
		}
		if len(waiting) == 0 {
			return nil
		}
		n := 1 // sources with the first key
		for n < len(waiting) && order(waiting[0].row, waiting[n].row) == 0 {
			n++
		}
		same, waiting = waiting[:n], waiting[n:]
		if more, err := each(same); err != nil || !more {
			return err
		}
	}
}

// A fileOf is a file of a lake.
type fileOf struct {
	lake *Lake
	name string
}

// sideBySide visits the rows of two files of a table by key. For each key, it calls each with the
// row of file a and the row of file b; a file without the key has the row nil. A missing file has
// no rows. each reports whether to continue.
func (t *table) sideBySide(a, b fileOf, each func(ours, theirs parquet.Row) (more bool, err error)) error {
	var sources []*rowSource
	for i, f := range []fileOf{a, b} {
		s, err := openRows(f.lake, f.name, t.schema, nil, readBatch) // nil: all rows
		if err == nil {
			s.index = i
			sources = append(sources, s)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(err, closeAll(sources))
		}
	}
	err := mergeRows(sources, t.order, func(same []*rowSource) (bool, error) {
		var rows [2]parquet.Row
		for _, s := range same {
			rows[s.index] = s.row
		}
		return each(rows[0], rows[1])
	})
	return errors.Join(err, closeAll(sources))
}

// readBatch is the number of rows decoded at a time.
const readBatch = 2048
