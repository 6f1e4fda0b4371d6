package data

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"reflect"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// readBatch is the number of rows decoded at a time.
const readBatch = 2048

const damagedFileHint = "the file is not one that captionlake wrote whole; delete it and run the step that makes it again"

// Scan streams the rows of a table, unit by unit in the order of the units' names and by key within a unit. It holds
// one batch of rows at a time, so memory does not grow with the table. An error ends the scan. Units that another process
// removes meanwhile are left out from there on.
func Scan[T any](l *Lake, table Table[T]) iter.Seq2[T, error] { return Project[T](l, table, nil) }

// Project streams some columns of a table, in no particular order: P is a struct that declares them with the table's own
// tags, and only they are read. Columns that where names must be among them.
func Project[P any](l *Lake, table AnyTable, where Where) iter.Seq2[P, error] {
	return rowsOf[P](func(row any, each func() bool) error {
		texts, err := where.in(parquet.SchemaOf(row))
		if err != nil {
			return err
		}
		return l.eachFile(func() ([]string, error) { return l.filesWith(table, where) }, func(name string) (more bool, err error) {
			more = true
			err = l.eachRow(name, texts, row, func() bool {
				more = each()
				return more
			})
			return more, err
		})
	})
}

// ProjectUnit is Project for the rows of one unit, by the stem of its files. A unit that has none in the table gives none.
func ProjectUnit[P any](l *Lake, table AnyTable, stem string) iter.Seq2[P, error] {
	return rowsOf[P](func(row any, each func() bool) error {
		err := l.eachRow(table.Name()+"/"+stem+".parquet", nil, row, each)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
}

// UnitRows streams the rows that one unit wrote to a table, by key. A unit that wrote none has none.
func UnitRows[T any](l *Lake, table Table[T], u Unit) iter.Seq2[T, error] {
	return ProjectUnit[T](l, table, u.FileStem())
}

// rowsOf streams the rows that walk puts, one after the other, where row points to; it ends when each reports false.
func rowsOf[T any](walk func(row any, each func() bool) error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var row, zero T
		if err := walk(&row, func() bool { return yield(row, nil) }); err != nil {
			yield(zero, err)
		}
	}
}

// eachRow puts the rows of a file, of those that have the given texts, where row points to.
func (l *Lake) eachRow(name string, where []columnText, row any, each func() bool) (err error) {
	schema := parquet.SchemaOf(row)
	s, err := l.openRows(name, schema, where, readBatch)
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

// fill makes a row of its values, which it copies.
func fill(row any, schema *parquet.Schema, values parquet.Row) (err error) {
	defer asDamage(&err)
	reflect.ValueOf(row).Elem().SetZero()
	return schema.Reconstruct(row, values)
}

// Files lists the files of a table, one for each unit, by their names in the lake.
func (l *Lake) Files(table AnyTable) ([]string, error) {
	all, err := l.store.List(table.Name())
	if err != nil {
		return nil, err
	}
	var names []string
	for _, name := range all {
		if strings.HasSuffix(name, ".parquet") {
			names = append(names, name)
		}
	}
	return names, nil
}

// openParquet opens a file of the lake for reading rows or statistics.
func openParquet(l *Lake, f File, name string) (*parquet.File, error) {
	pf, err := OpenParquet(f, f.Size())
	if err != nil {
		return nil, WithHint(fmt.Errorf("%s: %w", l.Path(name), err), damagedFileHint)
	}
	return pf, nil
}

// asDamage makes an error of a panic: parquet-go panics on some damaged files.
func asDamage(err *error) {
	if p := recover(); p != nil {
		*err = WithHint(fmt.Errorf("the file is damaged: %v", p), damagedFileHint)
	}
}

// guarded calls into parquet-go and makes an error of its panics.
func guarded[V any](f func() (V, error)) (v V, err error) {
	defer asDamage(&err)
	return f()
}
