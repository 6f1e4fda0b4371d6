package data

import (
	"container/heap"
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

// Select streams the rows of a table whose columns have the given values, in key order over all units. Files whose
// statistics rule the values out are not read; of the others one small batch each is in memory.
func Select[T any](l *Lake, table Table[T], where Where) iter.Seq2[T, error] {
	return selectBy(l, table, where, func(name string) iter.Seq2[T, error] { return scanFileBy[T](l, name, selectBatch) })
}

// selectBy is Select with another way to read the rows of a file.
func selectBy[T any](l *Lake, table Table[T], where Where, scan func(name string) iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		keep, err := columnFilter[T](where)
		if err != nil {
			yield(zero, err)
			return
		}
		for range listings {
			names, err := l.filesWith(table, where)
			if err != nil {
				yield(zero, err)
				return
			}
			sources := make([]iter.Seq2[T, error], len(names))
			for i, name := range names {
				sources[i] = filtered(scan(name), keep)
			}
			// All files are opened before the first row: when one is gone by then, they are listed again.
			begun, gone := false, false
			mergeRows(sources, table.compare, func(row T, err error) bool {
				if gone = !begun && errors.Is(err, fs.ErrNotExist); gone {
					return false
				}
				begun = true
				return yield(row, err)
			})
			if !gone {
				return
			}
		}
		yield(zero, l.errRestless())
	}
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

// columnFilter reports whether a row has the values that where asks for. It is an error when the rows do not have the columns.
func columnFilter[T any](where Where) (func(*T) bool, error) {
	fields := fieldIndexes[T]()
	for column := range where {
		if _, known := fields[column]; !known {
			return nil, fmt.Errorf("%T has no column %q to choose rows by", *new(T), column)
		}
	}
	return func(row *T) bool {
		for column, value := range where {
			if textField(row, fields[column]) != value {
				return false
			}
		}
		return true
	}, nil
}

func filtered[T any](rows iter.Seq2[T, error], keep func(*T) bool) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for row, err := range rows {
			if err == nil && !keep(&row) {
				continue
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

// mergeRows yields the rows of sorted sources in order; of equal rows the earlier source's first.
func mergeRows[T any](sorted []iter.Seq2[T, error], compare func(a, b *T) int, yield func(T, error) bool) {
	var zero T
	m := &mergeHeap[T]{compare: compare}
	defer func() {
		for _, s := range m.sources {
			s.stop()
		}
	}()
	for i, rows := range sorted {
		s := newMergeSource(rows)
		s.index = i
		ok, err := s.advance()
		if err != nil {
			yield(zero, err)
			return
		}
		if ok {
			m.sources = append(m.sources, s)
		}
	}
	heap.Init(m)
	for m.Len() > 0 {
		s := m.sources[0]
		if !yield(s.row, nil) {
			return
		}
		ok, err := s.advance()
		switch {
		case err != nil:
			yield(zero, err)
			return
		case ok:
			heap.Fix(m, 0)
		default:
			heap.Pop(m)
		}
	}
}

// Project streams some columns of a table, in no particular order: P is a struct that declares them with the table's own
// tags, and only they are read. Columns that where names must be among them.
func Project[P any](l *Lake, table AnyTable, where Where) iter.Seq2[P, error] {
	return func(yield func(P, error) bool) {
		var zero P
		keep, err := columnFilter[P](where)
		if err != nil {
			yield(zero, err)
			return
		}
		err = l.eachFile(func() ([]string, error) { return l.filesWith(table, where) }, func(name string) (bool, error) {
			return passOn(filtered(scanFile[P](l, name), keep), yield)
		})
		if err != nil {
			yield(zero, err)
		}
	}
}

// ProjectUnit is Project for the rows of one unit, by the stem of its files. A unit that has none in the table gives none.
func ProjectUnit[P any](l *Lake, table AnyTable, stem string) iter.Seq2[P, error] {
	return present(scanFile[P](l, table.Name()+"/"+stem+".parquet"))
}
