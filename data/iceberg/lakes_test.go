package iceberg

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/iceberg-go/catalog"
	"github.com/apache/iceberg-go/table"
	"github.com/google/go-cmp/cmp"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/must"
)

// write commits a unit of one table.
func write[T any](t *testing.T, l *data.Lake, of data.Table[T], name string, rows ...T) {
	t.Helper()
	tx, err := l.Begin(data.Unit{Stage: "test", Name: name, Provenance: data.ProvenanceSimulated})
	must.Succeed(t, err)
	defer tx.Abort()
	w, err := data.NewRowWriter(tx, of)
	must.Succeed(t, err)
	must.Succeed(t, errors.Join(w.Write(rows...), tx.Commit()))
}

// answer is one of a captioner, with lists before and after which there are columns.
func answer(captioner string, n int) data.Answer {
	var row data.Answer
	fill(reflect.ValueOf(&row).Elem(), n)
	row.Captioner = captioner
	return row
}

// fill gives every column a value that no other row has; the row 0 has zeros, nulls and empty lists.
func fill(row reflect.Value, n int) {
	for i := range row.NumField() {
		fillValue(row.Field(i), n, row.Type().Field(i).Name)
	}
	if provenance := row.FieldByName("Provenance"); provenance.IsValid() {
		provenance.SetString(data.ProvenanceMeasured)
	}
}

func fillValue(v reflect.Value, n int, name string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(strings.Repeat(name+" ", min(n, 1)) + strings.Repeat("x", min(n, 1)) + fmt.Sprint(n))
	case reflect.Bool:
		v.SetBool(n%2 == 1)
	case reflect.Int32, reflect.Int64:
		v.SetInt(int64(n))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(n) + 0.5)
	case reflect.Pointer:
		if n > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fillValue(v.Elem(), n, name)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fillValue(v.Index(i), i+1, name)
		}
	case reflect.Struct:
		v.Set(reflect.ValueOf(time.Unix(int64(n), int64(n)*1000).UTC()))
	}
}

// lakeRows are the rows of a table as the lake reads them, by column.
func lakeRows[T any](t *testing.T, l *data.Lake, of data.Table[T]) (rows []map[string]any) {
	t.Helper()
	for row, err := range data.Scan(l, of) {
		must.Succeed(t, err)
		columns, v := map[string]any{}, reflect.ValueOf(row)
		for i := range v.NumField() {
			name, options, _ := strings.Cut(v.Type().Field(i).Tag.Get("parquet"), ",")
			columns[name] = plain(v.Field(i))
			if columns[name] == "" && strings.HasPrefix(options, "optional") {
				columns[name] = nil
			}
		}
		rows = append(rows, columns)
	}
	return rows
}

func plain(v reflect.Value) any {
	switch {
	case v.Kind() == reflect.Pointer && v.IsNil():
		return nil
	case v.Kind() == reflect.Pointer:
		return plain(v.Elem())
	case v.Kind() == reflect.Slice:
		list := []any{}
		for i := range v.Len() {
			list = append(list, plain(v.Index(i)))
		}
		return list
	}
	return v.Interface()
}

// tableRows are the rows that a scan of the Iceberg table reads, by column.
func tableRows(t *testing.T, tbl *table.Table) (rows []map[string]any) {
	t.Helper()
	_, records, err := tbl.Scan().ToArrowRecords(t.Context())
	must.Succeed(t, err)
	for record, err := range records {
		must.Succeed(t, err)
		for i := range int(record.NumRows()) {
			row := map[string]any{}
			for j, column := range record.Columns() {
				row[record.ColumnName(j)] = cell(t, column, i)
			}
			rows = append(rows, row)
		}
		record.Release()
	}
	return rows
}

func cell(t *testing.T, column arrow.Array, i int) any {
	if column.IsNull(i) {
		return nil
	}
	switch c := column.(type) {
	case *array.String:
		return strings.Clone(c.Value(i))
	case *array.LargeString:
		return strings.Clone(c.Value(i))
	case *array.Boolean:
		return c.Value(i)
	case *array.Int32:
		return c.Value(i)
	case *array.Int64:
		return c.Value(i)
	case *array.Float32:
		return c.Value(i)
	case *array.Float64:
		return c.Value(i)
	case *array.Timestamp:
		return time.UnixMicro(int64(c.Value(i))).UTC()
	case array.ListLike:
		list := []any{}
		for from, to := c.ValueOffsets(i); from < to; from++ {
			list = append(list, cell(t, c.ListValues(), int(from)))
		}
		return list
	}
	t.Fatalf("a column is %T", column)
	return nil
}

// inTempCatalog reaches the catalog that is in the lake.
func inTempCatalog(t *testing.T, l *data.Lake) *openCatalog {
	t.Helper()
	root, err := filepath.Abs(l.Dir())
	must.Succeed(t, err)
	opened, err := Options{}.open(t.Context(), root)
	must.Succeed(t, err)
	t.Cleanup(func() {
		if err := opened.close(); err != nil {
			t.Error(err)
		}
	})
	return opened
}

func loaded(t *testing.T, c catalog.Catalog, name string) *table.Table {
	t.Helper()
	tbl, err := c.LoadTable(t.Context(), catalog.ToIdentifier(DefaultNamespace, name))
	must.Succeed(t, err)
	return tbl
}

// agrees holds that the Iceberg table reads as the lake's does, in any order.
func agrees[T any](t *testing.T, l *data.Lake, c catalog.Catalog, of data.Table[T]) {
	t.Helper()
	text := func(rows []map[string]any) (all []string) {
		for _, row := range rows {
			all = append(all, fmt.Sprintf("%#v", row))
		}
		slices.Sort(all)
		return all
	}
	if diff := cmp.Diff(text(lakeRows(t, l, of)), text(tableRows(t, loaded(t, c, of.Name())))); diff != "" {
		t.Errorf("%s: the lake's rows (-) and those of the catalog (+): %s", of.Name(), diff)
	}
}

func registered(t *testing.T, l *data.Lake, o Options) []Registered {
	t.Helper()
	all, err := Register(t.Context(), l, o)
	must.Succeed(t, err)
	return all
}

func everyColumn[T any](t *testing.T, l *data.Lake, of data.Table[T]) {
	t.Helper()
	rows := make([]T, 4)
	for n := range rows {
		fill(reflect.ValueOf(&rows[n]).Elem(), n)
	}
	write(t, l, of, of.Name(), rows...)
}
