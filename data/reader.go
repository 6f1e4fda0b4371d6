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

// Project streams some columns of a table, in no particular order. P is a struct that declares the
// columns with the table's own tags; only these columns are read. They must include the columns of
// where.
func Project[P any](l *Lake, table AnyTable, where Where) iter.Seq2[P, error] {
	return rowsOf[P](func(row any, each func() bool) error {
		texts, err := where.in(parquet.SchemaOf(row))
		if err != nil {
			return err
		}
		return eachFile(l, func() ([]string, error) { return filesWith(l, table, where) },
			func(name string) (more bool, err error) {
				more = true
				err = eachRow(l, name, texts, row, func() bool {
					more = each()
					return more
				})
				return more, err
			})
	})
}

// ProjectUnit is Project for the rows of one unit, by the stem of its files. A unit without rows in
// the table gives none.
func ProjectUnit[P any](l *Lake, table AnyTable, stem string) iter.Seq2[P, error] {
	return rowsOf[P](func(row any, each func() bool) error {
		err := eachRow(l, table.Name()+"/"+stem+".parquet", nil, row, each)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
}

// UnitRows streams the rows that one unit wrote to a table, by key. A unit that wrote none gives
// none.
func UnitRows[T any](l *Lake, table Table[T], u Unit) iter.Seq2[T, error] {
	return ProjectUnit[T](l, table, u.FileStem())
}

// rowsOf streams the rows that walk puts, one after the other, into row. It stops when each reports
// false.
func rowsOf[T any](walk func(row any, each func() bool) error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var row, zero T
		if err := walk(&row, func() bool { return yield(row, nil) }); err != nil {
			yield(zero, err)
		}
	}
}

// eachRow puts the rows of a file into row, one after the other. It skips rows without the given
// texts.
func eachRow(l *Lake, name string, where []columnText, row any, each func() bool) (err error) {
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
		if !each() {
			return nil
		}
	}
}
