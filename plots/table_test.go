package plots

import (
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
)

type decimal struct{ v float64 }

func (d decimal) Float64() float64 { return d.v }

func TestTableTakesWhatDriversReturn(t *testing.T) {
	tb := table(t, "m", []string{"x"}, []any{1.5}, []any{float32(2.5)}, []any{int32(-3)}, []any{int64(4)}, []any{uint64(5)}, []any{big.NewInt(6)}, []any{decimal{7.25}})
	got := Read(tb).Numbers("x")
	if want := []Number{{1.5, true}, {2.5, true}, {-3, true}, {4, true}, {5, true}, {6, true}, {7.25, true}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if err := tb.Append(struct{}{}); err == nil || err.Error() != "table m, column x, row 8: a struct {} cannot be drawn; cast it to text or a number in the query" {
		t.Errorf("a struct gave %v", err)
	}
	if err := tb.Append(1, 2); err == nil || !strings.Contains(err.Error(), "2 values for 1 columns") {
		t.Errorf("a row too long gave %v", err)
	}
}

func TestTableRefusals(t *testing.T) {
	columns := []string{"name", "score"}
	for _, c := range []struct {
		label string
		rows  [][]any
		read  func(*Table) error
		want  string
	}{
		{"infinity", [][]any{{"a", math.Inf(-1)}}, numbers("score"), "table m, column score, row 1: -Inf cannot be drawn; fix the SQL model that computes it"},
		{"NaN among numbers that may be NULL", [][]any{{"a", nil}, {"b", math.NaN()}}, numbers("score"), "table m, column score, row 2: NaN cannot be drawn; fix the SQL model that computes it"},
		{"text for a number", [][]any{{"a", "1"}}, numbers("score"), "table m, column score, row 1: text where a number is needed"},
		{"number for text", [][]any{{1, 1.0}}, texts("name"), "table m, column name, row 1: a number where text is needed"},
		{"no such column", [][]any{{"a", 1.0}}, numbers("accuracy"), "table m has no column accuracy; it has name, score"},
		{"no rows", nil, numbers("score"), "table m has no rows; ingest or simulate answers, then run analyze"},
	} {
		t.Run(c.label, func(t *testing.T) {
			if err := c.read(table(t, "m", columns, c.rows...)); err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
	for _, columns := range [][]string{nil, {""}, {"a", "a"}} {
		if _, err := NewTable("m", columns...); err == nil {
			t.Errorf("columns %q were taken", columns)
		}
	}
}

func numbers(c string) func(*Table) error {
	return func(t *Table) error { r := Read(t); r.Numbers(c); return r.Err }
}

func texts(c string) func(*Table) error {
	return func(t *Table) error { r := Read(t); r.Text(c); return r.Err }
}

// A fault in a part of a table names the row of the whole table.
func TestWhereKeepsRowNumbers(t *testing.T) {
	tb := table(t, "m", []string{"prompt", "score"}, []any{"Long", 1.0}, []any{"Simple", 2.0}, []any{"Simple", math.NaN()})
	part := Read(tb).Where("prompt", "Simple")
	if part.Numbers("score"); part.Err == nil || !strings.Contains(part.Err.Error(), "row 3: NaN") {
		t.Errorf("got %v, want row 3", part.Err)
	}
	if err := Read(tb).Where("prompt", "Short").Err; err == nil || err.Error() != `table m has no row whose prompt is "Short"` {
		t.Errorf("got %v", err)
	}
}
