package data

import (
	"errors"
	"io/fs"
	"iter"

	"github.com/parquet-go/parquet-go"
)

// Scan streams the rows of a table, ordered by unit name and by key within a unit. It holds one
// batch of rows at a time, so memory does not grow with the table. An error ends the scan. If
// another process removes a unit meanwhile, its remaining rows are left out.
func Scan[T any](l *Lake, table Table[T]) iter.Seq2[T, error] { return Project[T](l, table, nil) }

// Project streams some columns of the rows that where chooses, in the order of Scan. P is a struct
// that declares the columns with the table's own tags; only these columns are read. P must also
// declare the columns of where.
func Project[P any](l *Lake, table AnyTable, where Where) iter.Seq2[P, error] {
	return rowsOf[P](func(row any, yield func() bool) error {
		texts, err := where.columnTexts(parquet.SchemaOf(row))
		if err != nil {
			return err
		}
		list := func() ([]string, error) { return filesWith(l, table, where) }
		return eachFile(l, list, func(name string) (more bool, err error) {
			more = true // The next file is read also if this file has no row for yield.
			err = eachRow(l, name, texts, row, func() bool {
				more = yield()
				return more
			})
			return more, err
		})
	})
}

// ProjectUnit is Project for the rows of one unit, by the stem of its files. If the unit has no
// file in the table, it streams no rows and no error.
func ProjectUnit[P any](l *Lake, table AnyTable, stem string) iter.Seq2[P, error] {
	return rowsOf[P](func(row any, yield func() bool) error {
		err := eachRow(l, table.Name()+"/"+stem+".parquet", nil, row, yield)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
}

// UnitRows streams the rows that one unit wrote to a table, by key. It streams nothing if the unit
// wrote no rows to the table.
func UnitRows[T any](l *Lake, table Table[T], u Unit) iter.Seq2[T, error] {
	return ProjectUnit[T](l, table, u.FileStem())
}

// rowsOf streams rows of type T from the function walk, which does not know the type. walk gets a
// pointer to a row, puts one row after the other there, and calls yield after each. walk stops when
// yield reports false.
func rowsOf[T any](walk func(row any, yield func() bool) error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var row, zero T
		if err := walk(&row, func() bool { return yield(row, nil) }); err != nil {
			yield(zero, err)
		}
	}
}

// eachRow puts the rows of a file into row, one after the other, and calls yield after each, until
// yield reports false. It skips rows without the given texts.
func eachRow(l *Lake, name string, where []columnText, row any, yield func() bool) (err error) {
	schema := parquet.SchemaOf(row)
	s, err := openRows(l, name, schema, where, readBatch)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	for {
		if ok, err := s.advance(); err != nil || !ok {
			return err
		}
		if err := fill(row, schema, s.row); err != nil {
			return s.fail(err)
		}
		if !yield() {
			return nil
		}
	}
}
