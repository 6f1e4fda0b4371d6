package ask

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/captionlake/captionlake/analytics/batches"
	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	datarows "github.com/captionlake/captionlake/data/rows"
)

// TestEveryTableReadsBackInDuckDB writes two rows of every table, one full and one with nulls,
// empty lists and awkward text, and compares every column with the values that DuckDB reads.
func TestEveryTableReadsBackInDuckDB(t *testing.T) {
	lake := laketest.New(t)
	var compared []func(*engine.Engine)
	for _, write := range []func(*testing.T, *data.Lake) func(*engine.Engine){
		backAndForth(data.Images), backAndForth(data.Taxonomy), backAndForth(data.Questions),
		backAndForth(data.Candidates), backAndForth(data.BlindTrials), backAndForth(data.Embeddings),
		backAndForth(data.QuestionGroups), backAndForth(data.Validations), backAndForth(data.Routes),
		backAndForth(data.Reviews),
		backAndForth(data.QualitySamples), backAndForth(data.QualityRatings),
		backAndForth(data.Captions), backAndForth(data.Calls), backAndForth(data.Answers),
		backAndForth(data.Annotations), backAndForth(data.Judgments), backAndForth(data.ElementAnswers),
		backAndForth(data.Battles), backAndForth(data.Votes),
		backAndForth(data.PublishedFigures), backAndForth(data.Models), backAndForth(data.Runs),
	} {
		compared = append(compared, write(t, lake))
	}
	expect.Equal(t, len(compared), len(data.Tables()), "tables tested")
	r := openReader(t, lake)
	must.Succeed(t, r.openFor(t.Context(), false, "show tables"))
	for _, compare := range compared {
		compare(r.engine)
	}
}

// backAndForth writes two rows of a table and returns a function that compares them with the rows
// that an engine reads.
func backAndForth[T any](table data.Table[T]) func(*testing.T, *data.Lake) func(*engine.Engine) {
	return func(t *testing.T, lake *data.Lake) func(*engine.Engine) {
		t.Helper()
		added, rows := " exclude (unit)", []T{fullRow[T](), awkwardRow[T]()}
		switch table.Name() {
		case data.PublishedFigures.Name(): // The view adds no unit, because the table has such a column.
			added = ""
		case data.Runs.Name():
			added, rows = " exclude (current)", laketest.All(t, lake, table)
		}
		if table.Name() != data.Runs.Name() { // Every commit writes a row of runs itself.
			laketest.Put(t, lake, table, table.Name(), rows...)
		}
		return func(e *engine.Engine) {
			t.Helper()
			batch := must.Get(batches.One(t.Context(), e.Conn,
				fmt.Sprintf("select *%s from %s", added, table.Name())))(t)
			var read []T
			for row, err := range datarows.Structs[T](batch) {
				must.Succeed(t, err)
				read = append(read, row)
			}
			byFirst := cmpopts.SortSlices(func(a, b T) bool { return fmt.Sprint(a) < fmt.Sprint(b) })
			if diff := cmp.Diff(rows, read, byFirst, cmpopts.EquateEmpty()); diff != "" || len(rows) == 0 {
				t.Errorf("%s: %s", table.Name(), diff)
			}
			for i, column := range batch.Columns() {
				expect.Equal(t, column.NullN(), nullsOf(rows, batch.ColumnName(i)), table.Name(), batch.ColumnName(i))
			}
		}
	}
}

// nullsOf counts the rows that a column is null in: an optional column without a value, such as an
// empty text.
func nullsOf[T any](rows []T, column string) (n int) {
	for _, row := range rows {
		v := reflect.ValueOf(row)
		for i := range v.NumField() {
			tag := v.Type().Field(i).Tag.Get("parquet")
			if strings.HasPrefix(tag, column+",optional") && v.Field(i).IsZero() {
				n++
			}
		}
	}
	return n
}

// fullRow has a value of its own in every field.
func fullRow[T any]() T {
	var row T
	v := reflect.ValueOf(&row).Elem()
	for i := range v.NumField() {
		fill(v.Field(i), i+1)
	}
	withProvenance(v)
	return row
}

// withProvenance gives a row that says where it is from one of the three origins, since no other is
// taken.
func withProvenance(row reflect.Value) {
	if f := row.FieldByName("Provenance"); f.IsValid() {
		f.SetString(data.ProvenanceMeasured)
	}
}

func fill(v reflect.Value, n int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("text %d", n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int32:
		v.SetInt(math.MaxInt32 - int64(n))
	case reflect.Int64:
		v.SetInt(math.MaxInt64 - int64(n))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(n) + 0.125)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n)
		fill(v.Index(1), n+1)
	case reflect.Struct:
		v.Set(reflect.ValueOf(time.Date(2026, 2, 3, 4, 5, 6, 7000*n, time.UTC)))
	}
}

// awkwardRow has null where null is allowed, empty lists, and text with quotes, line breaks and
// characters beyond ASCII.
func awkwardRow[T any]() T {
	var row T
	v := reflect.ValueOf(&row).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			f.SetString("it's \"ü\"\n\x01 → 図")
		case reflect.Int32, reflect.Int64:
			f.SetInt(math.MinInt32)
		case reflect.Struct:
			f.Set(reflect.ValueOf(time.Date(1970, 1, 1, 0, 0, 0, 1000, time.UTC)))
		}
		if strings.Contains(v.Type().Field(i).Tag.Get("parquet"), ",optional") {
			v.Field(i).SetZero()
		}
	}
	withProvenance(v)
	return row
}
