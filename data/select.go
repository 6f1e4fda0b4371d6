package data

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"

	"github.com/parquet-go/parquet-go"
)

// selectBatch is small, because a selection holds one batch of every file that it merges.
const selectBatch = 128

// Where names the values that columns of text must have. A nil Where asks for every row.
type Where map[string]string

// in finds the columns in a schema.
func (w Where) in(schema *parquet.Schema) (texts []columnText, err error) {
	for column, text := range w {
		leaf, known := schema.Lookup(column)
		if !known {
			return nil, fmt.Errorf("%s has no column %q to choose rows by", schema.Name(), column)
		}
		texts = append(texts, columnText{leaf.ColumnIndex, text})
	}
	return texts, nil
}

// Select streams the rows of a table whose columns have the given values, in key order over all units. Files whose
// statistics rule the values out are not read; of the others one small batch each is in memory.
func Select[T any](l *Lake, table Table[T], where Where) iter.Seq2[T, error] {
	return rowsOf[T](func(row any, each func() bool) error { return l.selectRows(table.table, where, row, each) })
}

func (l *Lake) selectRows(t *table, where Where, row any, each func() bool) error {
	texts, err := where.in(t.schema)
	if err != nil {
		return err
	}
	for range listings {
		names, err := l.filesWith(t, where)
		if err != nil {
			return err
		}
		sources, err := l.openAll(t, names, texts)
		if errors.Is(err, fs.ErrNotExist) {
			continue // One of the files is gone: they are listed again.
		}
		if err == nil {
			err = mergeRows(sources, t.order, func(values parquet.Row) (bool, error) {
				err := fill(row, t.schema, values)
				return err == nil && each(), err
			})
		}
		return errors.Join(err, closeAll(sources...))
	}
	return l.errRestless()
}

// openAll opens files of a table for a merge.
func (l *Lake) openAll(t *table, names []string, where []columnText) (sources []*rowSource, err error) {
	for _, name := range names {
		s, err := l.openRows(name, t.schema, where, selectBatch)
		if err != nil {
			return nil, errors.Join(err, closeAll(sources...))
		}
		sources = append(sources, s)
	}
	return sources, nil
}

// filesWith lists the files of a table that may hold rows with the given values.
func (l *Lake) filesWith(table AnyTable, where Where) ([]string, error) {
	if len(where) == 0 {
		return l.Files(table)
	}
	var kept []string
	err := l.eachFile(func() ([]string, error) { return l.Files(table) }, func(name string) (bool, error) {
		may, err := l.mayHold(name, where)
		if may {
			kept = append(kept, name)
		}
		return true, err
	})
	slices.Sort(kept)
	return kept, err
}

func (l *Lake) mayHold(name string, where Where) (may bool, err error) {
	f, err := l.store.Open(name)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	pf, err := openParquet(l, f, name)
	if err != nil {
		return false, err
	}
	for column, value := range where {
		leaf, ok := pf.Schema().Lookup(column)
		if !ok {
			continue
		}
		b := columnBounds(pf, leaf)
		if b.min.IsNull() {
			continue
		}
		v := parquet.ValueOf(value)
		if b.compare(v, b.min) < 0 || b.compare(v, b.max) > 0 {
			return false, nil
		}
	}
	return true, nil
}
