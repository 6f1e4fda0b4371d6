package data

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"reflect"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// readBatch is the number of rows decoded at a time.
const readBatch = 2048

const damagedFileHint = "the file is not one that captionlake wrote whole; delete it and run the step that makes it again"

// Scan streams the rows of a table, unit by unit in the order of the units' names and by key within a unit. It holds
// one batch of rows at a time, so memory does not grow with the table. An error ends the scan. Units that another process
// removes meanwhile are left out from there on.
func Scan[T any](l *Lake, table Table[T]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		err := l.eachFile(func() ([]string, error) { return l.Files(table) }, func(name string) (bool, error) {
			return passOn(scanFile[T](l, name), yield)
		})
		if err != nil {
			yield(zero, err)
		}
	}
}

// passOn yields what comes from a file. It reports whether more is wanted; an error is returned and not yielded.
func passOn[T any](rows iter.Seq2[T, error], yield func(T, error) bool) (more bool, err error) {
	for row, err := range rows {
		if err != nil {
			return false, err
		}
		if !yield(row, nil) {
			return false, nil
		}
	}
	return true, nil
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

func scanFile[T any](l *Lake, name string) iter.Seq2[T, error] {
	return scanFileBy[T](l, name, readBatch)
}

func scanFileBy[T any](l *Lake, name string, batch int) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		for rows, err := range batches[T](l, name, batch) {
			if err != nil {
				yield(zero, err)
				return
			}
			for _, row := range rows {
				if !yield(row, nil) {
					return
				}
			}
		}
	}
}

func batches[T any](l *Lake, name string, batch int) iter.Seq2[[]T, error] {
	return func(yield func([]T, error) bool) {
		stopped := false
		err := readFileBatches(l, name, batch, func(rows []T, err error) bool {
			stopped = !yield(rows, err)
			return !stopped
		})
		if err != nil && !stopped {
			yield(nil, err)
		}
	}
}

// errStopped says that the consumer of an iterator wants no more.
var errStopped = errors.New("stopped")

func readFileBatches[T any](l *Lake, name string, batch int, yield func([]T, error) bool) (err error) {
	f, err := l.store.Open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	pf, err := openParquet(l, f, name)
	if err != nil {
		return err
	}
	r, err := newRowReader[T](pf)
	if err != nil {
		return fmt.Errorf("%s: %w", l.Path(name), err)
	}
	err = r.eachBatch(int(min(int64(batch), max(pf.NumRows(), 1))), yield)
	if errors.Is(err, errStopped) {
		err = nil
	} else if err != nil {
		err = fmt.Errorf("%s: %w", l.Path(name), err)
	}
	return errors.Join(err, r.close())
}

// guarded calls into parquet-go and makes an error of its panics.
func guarded[V any](f func() (V, error)) (v V, err error) {
	defer asDamage(&err)
	return f()
}

// A rowReader reads the rows of a file into rows of type T, whose columns may be others than the file's.
type rowReader[T any] struct {
	rows   *parquet.GenericReader[T]
	absent [][]int // lists of T that have no column in the file
}

func newRowReader[T any](pf *parquet.File) (r rowReader[T], err error) {
	r.rows, err = guarded(func() (*parquet.GenericReader[T], error) { return parquet.NewGenericReader[T](pf), nil })
	for _, field := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		has := func(f parquet.Field) bool { return f.Name() == columnName(field) }
		if field.Type.Kind() == reflect.Slice && !slices.ContainsFunc(pf.Schema().Fields(), has) {
			r.absent = append(r.absent, field.Index)
		}
	}
	return r, err
}

func (r rowReader[T]) close() error {
	_, err := guarded(func() (int, error) { return 0, r.rows.Close() })
	return err
}

func (r rowReader[T]) eachBatch(batch int, yield func([]T, error) bool) error {
	rows := make([]T, batch)
	for {
		clear(rows)
		n, err := guarded(func() (int, error) { return r.rows.Read(rows) })
		for i := range n {
			for _, field := range r.absent { // parquet-go would make a list of one empty element.
				reflect.ValueOf(&rows[i]).Elem().FieldByIndex(field).SetZero()
			}
		}
		if n > 0 && !yield(rows[:n], nil) {
			return errStopped
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// keyText shows the key of a row for an error message.
func keyText[T any](table Table[T], row T) string {
	fields := fieldIndexes[T]()
	v := reflect.ValueOf(row)
	var parts []string
	for _, column := range table.Key() {
		parts = append(parts, fmt.Sprintf("%s=%v", column, v.Field(fields[column]).Interface()))
	}
	return strings.Join(parts, " ")
}

// fieldIndexes maps the columns of a row type to its fields.
func fieldIndexes[T any]() map[string]int {
	t := reflect.TypeFor[T]()
	fields := make(map[string]int, t.NumField())
	for i := range t.NumField() {
		fields[columnName(t.Field(i))] = i
	}
	return fields
}

func textField[T any](row *T, field int) string {
	return reflect.ValueOf(row).Elem().Field(field).String()
}

// columnName is the name of the column that a field of a row type is stored in.
func columnName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("parquet"), ",")
	return name
}

// UnitRows streams the rows that one unit wrote to a table, by key. A unit that wrote none has none.
func UnitRows[T any](l *Lake, table Table[T], u Unit) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for row, err := range scanFile[T](l, table.name+"/"+u.FileStem()+".parquet") {
			if errors.Is(err, fs.ErrNotExist) {
				return
			}
			if !yield(row, err) {
				return
			}
		}
	}
}
