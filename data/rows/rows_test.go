package rows_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rows"
)

// ofOne are rows of one column that a builder makes.
func ofOne(t arrow.DataType, fill func(array.Builder)) *rows.Rows {
	b := array.NewBuilder(memory.DefaultAllocator, t)
	fill(b)
	column := b.NewArray()
	return rows.Of("m",
		array.NewRecordBatch(arrow.NewSchema([]arrow.Field{{Name: "x", Type: t}}, nil), []arrow.Array{column},
			int64(column.Len())))
}

// Numbers of all types, decimals too, are numbers.
func TestNumbersOfAllTypes(t *testing.T) {
	for _, of := range []arrow.DataType{
		arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Uint8,
		arrow.PrimitiveTypes.Uint64,
		arrow.PrimitiveTypes.Float32, arrow.PrimitiveTypes.Float64,
	} {
		r := ofOne(of, func(b array.Builder) { b.AppendNull(); must.Succeed(t, b.AppendValueFromString("7")) })
		if got := r.Numbers("x"); !slices.Equal(got, []rows.Number{{}, {Value: 7, Valid: true}}) || r.Err != nil {
			t.Errorf("%s: %v, %v", of, got, r.Err)
		}
	}
	r := ofOne(&arrow.Decimal128Type{Precision: 6, Scale: 2},
		func(b array.Builder) { b.(*array.Decimal128Builder).Append(decimal128.FromI64(725)) })
	expect.Equal(t, r.Numbers("x"), []rows.Number{{Value: 7.25, Valid: true}}, "a decimal is")
}

func numbers(c string) func(*rows.Rows) { return func(r *rows.Rows) { r.Numbers(c) } }
func texts(c string) func(*rows.Rows)   { return func(r *rows.Rows) { r.Text(c) } }

// What cannot be read says where it is, once.
func TestRefusals(t *testing.T) {
	columns := []string{"name", "score"}
	day := ofOne(arrow.FixedWidthTypes.Date32, func(b array.Builder) { b.(*array.Date32Builder).Append(1) })
	for _, c := range []struct {
		label string
		rows  *rows.Rows
		read  func(*rows.Rows)
		want  string
	}{
		{"infinity", laketest.Rows(t, "m", columns, []any{"a", math.Inf(-1)}), numbers("score"),
			"table m, column score, row 1: -Inf cannot be drawn; fix the SQL model that computes it"},
		{"NaN among numbers that may be NULL", laketest.Rows(t, "m", columns, []any{"a", nil}, []any{"b", math.NaN()}),
			numbers("score"),
			"table m, column score, row 2: NaN cannot be drawn; fix the SQL model that computes it"},
		{"text for a number", laketest.Rows(t, "m", columns, []any{"a", "1"}), numbers("score"),
			"table m, column score, row 1: text where a number is needed"},
		{"number for text", laketest.Rows(t, "m", columns, []any{1, 1.0}), texts("name"),
			"table m, column name, row 1: a number where text is needed"},
		{"NULL for text", laketest.Rows(t, "m", columns, []any{nil, 1.0}), texts("name"),
			"table m, column name, row 1: NULL where text is needed"},
		{"a day for text", day, texts("x"),
			"table m, column x, row 1: a time.Time cannot be drawn; cast it to text or a number in the query"},
		{"no such column", laketest.Rows(t, "m", columns, []any{"a", 1.0}), numbers("accuracy"),
			"table m has no column accuracy; it has name, score"},
		{"no rows", laketest.Rows(t, "m", columns), numbers("score"),
			"table m has no rows; ingest or simulate answers, then run analyze"},
	} {
		c.read(c.rows)
		first := c.rows.Err
		if first == nil || first.Error() != c.want || errors.Is(first, rows.ErrNone) != (c.label == "no rows") {
			t.Errorf("%s: got  %v\nwant %s", c.label, first, c.want)
		}
		if c.rows.Text("other"); c.rows.Err != first || c.rows.Len() != 0 {
			t.Errorf("%s: the first error is gone: %v", c.label, c.rows.Err)
		}
	}
}

// A fault in some of the rows names the row among all, and who reads them for himself has errors of
// his own.
func TestPartsKeepRowNumbers(t *testing.T) {
	all := laketest.Rows(t, "m", []string{"prompt", "score"}, []any{"Long", 1.0}, []any{"Simple", 2.0},
		[]any{"Simple", math.NaN()}, []any{nil, 4.0})
	names, groups := all.Group("prompt")
	part := groups["Simple"]
	if part.Numbers("score"); part.Err == nil || !strings.Contains(part.Err.Error(), "row 3: NaN") || all.Err != nil {
		t.Errorf("got %v, want row 3; all: %v", part.Err, all.Err)
	}
	if !slices.Equal(names, []string{"Long", "Simple", ""}) || groups[""].Len() != 1 {
		t.Errorf("groups %q", names)
	}
	last := all.Sort(func(a, b int) int { return b - a }).One("prompt")
	if got := last.Numbers("score"); len(got) != 1 || got[0].Value != 4 {
		t.Errorf("the first of the sorted rows: %v, %v", got, last.Err)
	}
}

// A column is set for the rows that are there, in place of one or behind all.
func TestSet(t *testing.T) {
	all := laketest.Rows(t, "m", []string{"name", "score"}, []any{"a", 1}, []any{"b", 2}, []any{nil, 3})
	some := all.Pick(func(i int) bool { return i != 1 }).Set("name", func(i int, before any) any {
		if before == nil {
			return "c"
		}
		return before
	}).Set("place", func(i int, before any) any { return float64(i) }).Set("size", func(int, any) any { return nil })
	if got := some.Text("name"); !slices.Equal(got, []string{"a", "c"}) ||
		!slices.Equal(some.Columns(), []string{"name", "score", "place", "size"}) {
		t.Errorf("%q of %q", got, some.Columns())
	}
	if got := some.Numbers("place"); got[1].Value != 1 || !slices.Equal(some.TextOrNone("size"), []string{"", ""}) ||
		some.Err != nil {
		t.Errorf("%v, %v", got, some.Err)
	}
	expect.Equal(t, all.TextOrNone("name"), []string{"a", "b", ""}, "the rows before have")
}
