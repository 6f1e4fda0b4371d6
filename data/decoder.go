package data

import (
	"errors"
	"io"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
)

// A rowReader reads the rows of a file into slices of them. Read returns io.EOF after the last row.
type rowReader[T any] interface {
	Read(rows []T) (int, error)
	Close() error
}

// newRowReader reads a file column by column where its columns have the types that T declares, and leaves a file with
// others to parquet-go, which converts what it can.
func newRowReader[T any](pf *parquet.File) rowReader[T] {
	if d, ok := newDecoder[T](pf); ok {
		return d
	}
	return clearing[T]{parquet.NewGenericReader[T](pf)}
}

// clearing is a GenericReader that leaves nothing of what the rows held before.
type clearing[T any] struct{ *parquet.GenericReader[T] }

func (r clearing[T]) Read(rows []T) (int, error) {
	clear(rows)
	return r.GenericReader.Read(rows)
}

// decoder decodes the rows of a file a column at a time, each column straight into its field of the rows. parquet-go's
// own GenericReader assembles every row by reflection from single values and needs four to five times the processor time for
// answers: 1.5 µs a row against 0.31 to 0.41 µs; DuckDB needs about 0.26 µs. The fields' offsets stand in for reflection, which is
// why this file and columns.go use package unsafe; nothing else of the package does.
type decoder[T any] struct {
	groups  []parquet.RowGroup // not yet begun
	left    int64              // rows left of the current one
	columns []columnReader
	leaves  []int // columns of the file, by position in columns
	clear   bool  // some field has no column in the file
}

func newDecoder[T any](pf *parquet.File) (*decoder[T], bool) {
	row := reflect.TypeFor[T]()
	declared := parquet.SchemaOf(reflect.New(row).Interface())
	d := &decoder[T]{groups: pf.RowGroups()}
	paths := declared.Columns()
	if len(paths) != row.NumField() {
		return nil, false
	}
	for i, path := range paths {
		want, _ := declared.Lookup(path...)
		have, ok := pf.Schema().Lookup(path...)
		switch {
		case ok && (have.MaxDefinitionLevel != want.MaxDefinitionLevel || have.MaxRepetitionLevel != want.MaxRepetitionLevel ||
			!parquet.EqualTypes(have.Node.Type(), want.Node.Type())):
			return nil, false
		case columnName(row.Field(i)) != path[0], !ok && hasColumn(pf.Schema(), path[0]):
			return nil, false
		case !ok:
			d.clear = true
			continue
		}
		c := newColumn(row, row.Field(i), want)
		if c == nil {
			return nil, false
		}
		d.columns, d.leaves = append(d.columns, c), append(d.leaves, have.ColumnIndex)
	}
	return d, true
}

func hasColumn(schema *parquet.Schema, name string) bool {
	for _, field := range schema.Fields() {
		if field.Name() == name {
			return true
		}
	}
	return false
}

// newColumn makes the reader of a field, or nil where the field's type is none that the lake's row types use.
func newColumn(row reflect.Type, field reflect.StructField, leaf parquet.LeafColumn) columnReader {
	kind, form := field.Type, plain
	switch {
	case kind.Kind() == reflect.Pointer:
		kind, form = kind.Elem(), pointer
	case kind.Kind() == reflect.Slice:
		kind, form = kind.Elem(), list
	case leaf.MaxDefinitionLevel > 0:
		form = nullable
	}
	definition, repetition := 0, 0
	if form != plain {
		definition = 1
	}
	if form == list {
		repetition = 1
	}
	if leaf.MaxDefinitionLevel != definition || leaf.MaxRepetitionLevel != repetition {
		return nil
	}
	switch kind {
	case reflect.TypeFor[string]():
		return makeColumn(row, field, leaf, form, parquet.ByteArray, viewText)
	case reflect.TypeFor[bool]():
		return makeColumn(row, field, leaf, form, parquet.Boolean, viewBool)
	case reflect.TypeFor[int32]():
		return makeColumn(row, field, leaf, form, parquet.Int32, viewInt32)
	case reflect.TypeFor[int64]():
		return makeColumn(row, field, leaf, form, parquet.Int64, viewInt64)
	case reflect.TypeFor[float32]():
		return makeColumn(row, field, leaf, form, parquet.Float, viewFloat32)
	case reflect.TypeFor[float64]():
		return makeColumn(row, field, leaf, form, parquet.Double, viewFloat64)
	case reflect.TypeFor[time.Time]():
		if parquet.EqualTypes(leaf.Node.Type(), parquet.Timestamp(parquet.Microsecond).Type()) {
			return makeColumn(row, field, leaf, form, parquet.Int64, viewTime)
		}
	}
	return nil
}

func makeColumn[V any](
	row reflect.Type, field reflect.StructField, leaf parquet.LeafColumn, form shape, kind parquet.Kind,
	view func(*encoding.Values, int, int, []V) []V,
) columnReader {
	if leaf.Node.Type().Kind() != kind {
		return nil
	}
	return &column[V]{name: columnName(field), offset: field.Offset, size: row.Size(), shape: form,
		defined: byte(leaf.MaxDefinitionLevel), view: view}
}

// Read decodes the next rows: as many as fit into rows and are left of the row group.
func (d *decoder[T]) Read(rows []T) (int, error) {
	for d.left == 0 {
		if len(d.groups) == 0 {
			return 0, io.EOF
		}
		if err := d.Close(); err != nil {
			return 0, err
		}
		d.left = d.groups[0].NumRows()
		for i, chunks := 0, d.groups[0].ColumnChunks(); i < len(d.columns); i++ {
			d.columns[i].open(chunks[d.leaves[i]])
		}
		d.groups = d.groups[1:]
	}
	n := int(min(int64(len(rows)), d.left))
	if d.clear {
		clear(rows)
	}
	if err := d.decode(unsafe.Pointer(unsafe.SliceData(rows)), n); err != nil {
		return 0, err
	}
	d.left -= int64(n)
	return n, nil
}

// parallelRows is the number of rows from which on it pays to decode columns side by side.
const parallelRows = 1024

// decode shares the columns out among a few goroutines. Each column is decoded by one of them into a field that no
// other column writes to.
func (d *decoder[T]) decode(base unsafe.Pointer, n int) error {
	var next atomic.Int32
	work := func() (err error) {
		defer asDamage(&err)
		for {
			i := int(next.Add(1)) - 1
			if i >= len(d.columns) {
				return nil
			}
			if err := d.columns[i].read(base, n); err != nil {
				return err
			}
		}
	}
	workers := 1
	if n >= parallelRows {
		workers = min(4, runtime.GOMAXPROCS(0), len(d.columns))
	}
	errs := make([]error, workers)
	var wait sync.WaitGroup
	for i := range workers - 1 {
		wait.Go(func() { errs[i] = work() })
	}
	errs[workers-1] = work()
	wait.Wait()
	return errors.Join(errs...)
}

// Close ends the reading of the current row group.
func (d *decoder[T]) Close() error {
	var errs []error
	for _, c := range d.columns {
		errs = append(errs, c.close())
	}
	return errors.Join(errs...)
}
