package ask

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/sql"
)

// TestEveryTableReadsBackInDuckDB writes two rows of every table, one full and one with nulls, empty lists and awkward
// text, and compares every column with what DuckDB reads.
func TestEveryTableReadsBackInDuckDB(t *testing.T) {
	lake := laketest.New(t)
	var compared []func(*engine.Engine)
	for _, write := range []func(*testing.T, *data.Lake) func(*engine.Engine){
		backAndForth(data.Images), backAndForth(data.Taxonomy), backAndForth(data.Questions),
		backAndForth(data.Candidates), backAndForth(data.BlindTrials), backAndForth(data.Embeddings),
		backAndForth(data.QuestionGroups), backAndForth(data.Validations), backAndForth(data.Routes), backAndForth(data.Reviews),
		backAndForth(data.QualitySamples), backAndForth(data.QualityRatings),
		backAndForth(data.Captions), backAndForth(data.Calls), backAndForth(data.Answers),
		backAndForth(data.Annotations), backAndForth(data.Judgments), backAndForth(data.ElementAnswers),
		backAndForth(data.Battles), backAndForth(data.Votes),
		backAndForth(data.PublishedFigures), backAndForth(data.Models), backAndForth(data.Runs),
	} {
		compared = append(compared, write(t, lake))
	}
	if len(compared) != len(data.Tables()) {
		t.Errorf("%d tables tested, the lake has %d", len(compared), len(data.Tables()))
	}
	folder := must.Get(engine.Folder(lake))(t)
	e := testEngine(t, engine.Config{Folders: []string{folder}})
	must.Succeed(t, openFor(t.Context(), e, lake, folder, false, "show tables"))
	for _, compare := range compared {
		compare(e)
	}
}

// backAndForth writes two rows of a table and returns what compares them with what an engine reads.
func backAndForth[T any](table data.Table[T]) func(*testing.T, *data.Lake) func(*engine.Engine) {
	return func(t *testing.T, lake *data.Lake) func(*engine.Engine) {
		t.Helper()
		rows := []T{fullRow[T](), awkwardRow[T]()}
		for i := range rows { // No row is written without a provenance that there is.
			if provenance := reflect.ValueOf(&rows[i]).Elem().FieldByName("Provenance"); provenance.IsValid() {
				provenance.SetString(data.ProvenanceMeasured)
			}
		}
		if table.Name() == data.Runs.Name() { // Every commit writes a row of runs itself.
			rows = nil
			for row, err := range data.Scan(lake, table) {
				must.Succeed(t, err)
				rows = append(rows, row)
			}
		} else {
			addRows(t, lake, table, "unit", rows...)
		}
		return func(e *engine.Engine) {
			t.Helper()
			result := must.Get(e.Conn.QueryContext(t.Context(), fmt.Sprintf("select * from %s order by %s desc", table.Name(), sql.QuoteName(table.Key()[0]))))(t)
			defer result.Close()
			byKey := map[string]T{}
			key := table.Key()[0]
			for _, row := range rows {
				byKey[fmt.Sprint(fieldOf(row, key))] = row
			}
			columns := must.Get(result.Columns())(t)
			n := 0
			for ; result.Next(); n++ {
				values, targets := make([]any, len(columns)), make([]any, len(columns))
				keyValue := ""
				for i := range values {
					targets[i] = &values[i]
				}
				must.Succeed(t, result.Scan(targets...))
				for i, c := range columns {
					if c == key {
						keyValue = fmt.Sprint(values[i])
					}
				}
				for i, c := range columns {
					if fieldOf(byKey[keyValue], c) == nil && (c == sqlmodel.UnitColumn || c == "current") {
						continue // The view adds them: the name of the file, and whether a run is its unit's last.
					}
					want := plainGo(reflect.ValueOf(fieldOf(byKey[keyValue], c)))
					if want == "" && optional[T](c) {
						want = nil // The empty text of an optional column is stored as null.
					}
					if !reflect.DeepEqual(values[i], want) {
						t.Errorf("%s.%s: DuckDB reads %#v, want %#v", table.Name(), c, values[i], want)
					}
				}
			}
			must.Succeed(t, result.Err())
			if n != len(rows) || n == 0 {
				t.Errorf("%s: %d rows, want %d", table.Name(), n, len(rows))
			}
		}
	}
}

func optional[T any](column string) bool {
	row := reflect.TypeFor[T]()
	for i := range row.NumField() {
		if strings.HasPrefix(row.Field(i).Tag.Get("parquet"), column+",optional") {
			return true
		}
	}
	return false
}

func fieldOf[T any](row T, column string) any {
	v := reflect.ValueOf(row)
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("parquet"), ",")
		if name == column {
			return v.Field(i).Interface()
		}
	}
	return nil
}

// plainGo turns a field into the form in which the driver gives its value.
func plainGo(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return plainGo(v.Elem())
	case reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = v.Index(i).Interface()
		}
		return list
	case reflect.Struct:
		return v.Interface().(time.Time).UTC()
	}
	return v.Interface()
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

// withProvenance gives a row that says where it is from one of the three origins, since no other is taken.
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

// awkwardRow has null where null is allowed, empty lists, and text with quotes, line breaks and characters beyond ASCII.
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
