package plots

import (
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

type decimal struct{ v float64 }

func (d decimal) Float64() float64 { return d.v }

func TestTableTakesWhatDriversReturn(t *testing.T) {
	tb := table(t, "m", []string{"x"}, []any{1.5}, []any{float32(2.5)}, []any{int32(-3)}, []any{int64(4)}, []any{uint64(5)}, []any{big.NewInt(6)}, []any{decimal{7.25}})
	got := must.Get(tb.Floats("x"))(t)
	if want := []float64{1.5, 2.5, -3, 4, 5, 6, 7.25}; !slices.Equal(got, want) {
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
		{"NaN", [][]any{{"a", 1.0}, {"b", math.NaN()}}, floats("score"), "table m, column score, row 2: NaN cannot be drawn; fix the SQL model that computes it"},
		{"infinity", [][]any{{"a", math.Inf(-1)}}, floats("score"), "table m, column score, row 1: -Inf cannot be drawn; fix the SQL model that computes it"},
		{"NaN among numbers that may be NULL", [][]any{{"a", nil}, {"b", math.NaN()}}, numbers("score"), "table m, column score, row 2: NaN cannot be drawn; fix the SQL model that computes it"},
		{"NULL", [][]any{{"a", nil}}, floats("score"), "table m, column score, row 1: NULL where a number is needed"},
		{"text for a number", [][]any{{"a", "1"}}, floats("score"), "table m, column score, row 1: text where a number is needed"},
		{"number for text", [][]any{{1, 1.0}}, texts("name"), "table m, column name, row 1: a number where text is needed"},
		{"no such column", [][]any{{"a", 1.0}}, floats("accuracy"), "table m has no column accuracy; it has name, score"},
		{"no rows", nil, floats("score"), "table m has no rows; ingest or simulate answers, then run analyze"},
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

func floats(c string) func(*Table) error {
	return func(t *Table) error { _, err := t.Floats(c); return err }
}

func numbers(c string) func(*Table) error {
	return func(t *Table) error { _, err := t.Numbers(c); return err }
}

func texts(c string) func(*Table) error {
	return func(t *Table) error { _, err := t.Strings(c); return err }
}

// A fault in a part of a table names the row of the whole table.
func TestWhereKeepsRowNumbers(t *testing.T) {
	tb := table(t, "m", []string{"prompt", "score"}, []any{"Long", 1.0}, []any{"Simple", 2.0}, []any{"Simple", math.NaN()})
	part := must.Get(tb.Where("prompt", "Simple"))(t)
	if _, err := part.Floats("score"); err == nil || !strings.Contains(err.Error(), "row 3: NaN") {
		t.Errorf("got %v, want row 3", err)
	}
	if _, err := tb.Where("prompt", "Short"); err == nil || err.Error() != `table m has no row whose prompt is "Short"` {
		t.Errorf("got %v", err)
	}
}
