package site

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/plots"
	"github.com/captionlake/captionlake/plots/report"
)

// captionerColumn and nameColumn say whose row it is, in every mart that has rows of captioners.
const (
	captionerColumn = "captioner"
	nameColumn      = "captioner_name"
	kindColumn      = "provenance"
)

// rows are those of a mart, or some of them, with what the mart says of its columns.
type rows struct {
	mart    string
	columns []string
	at      map[string]int
	about   map[string]Column
	key     []string
	cells   [][]any
}

// rows reads a mart; nil, without an error, where the lake does not have it or it has no rows.
func (b *Builder) rows(ctx context.Context, mart string) (*rows, error) {
	t, err := b.Table(ctx, mart)
	if err != nil || t == nil {
		return nil, err
	}
	r := &rows{mart: mart, at: map[string]int{}, about: map[string]Column{}}
	model, _ := b.Source.Model(mart)
	r.key = model.Key
	for _, c := range model.Columns {
		r.about[c.Name] = c
	}
	for i, c := range t.Columns() {
		if _, ok := r.about[c]; ok { // views give columns their earlier names, too
			r.at[c] = i
			r.columns = append(r.columns, c)
		}
	}
	r.cells = make([][]any, t.Len())
	for i := range r.cells {
		r.cells[i] = t.Row(i)
	}
	return r, nil
}

func (r *rows) has(column string) bool { _, ok := r.at[column]; return ok }

// text is a cell as text: empty where it is null or there is no such column.
func (r *rows) text(row []any, column string) string {
	i, ok := r.at[column]
	if !ok {
		return ""
	}
	return textOf(row[i])
}

func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	case []string:
		return strings.Join(v, ", ")
	case nil:
		return ""
	}
	return fmt.Sprint(v)
}

// number is a cell as a number, not valid where it is none.
func (r *rows) number(row []any, column string) plots.Number {
	if i, ok := r.at[column]; ok {
		if v, ok := row[i].(float64); ok {
			return plots.Number{Value: v, Valid: true}
		}
	}
	return plots.Number{}
}

// where are the rows that pass a test; nil where none does.
func (r *rows) where(keep func(row []any) bool) *rows {
	if r == nil {
		return nil
	}
	out := *r
	out.cells = nil
	for _, row := range r.cells {
		if keep(row) {
			out.cells = append(out.cells, row)
		}
	}
	if len(out.cells) == 0 {
		return nil
	}
	return &out
}

// is are the rows of which a column has a value.
func (r *rows) is(column, value string) *rows {
	if r == nil {
		return nil
	}
	return r.where(func(row []any) bool { return r.text(row, column) == value })
}

// distinct are the values of a column in the order of their first rows.
func (r *rows) distinct(column string) []string {
	seen := map[string]bool{}
	var out []string
	for _, row := range r.cells {
		if v := r.text(row, column); !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}

// of are the rows of a benchmark and its parts, from a mart that holds several.
func (r *rows) of(b data.Benchmark) *rows {
	if r == nil || !r.has("benchmark") {
		return r
	}
	return r.where(func(row []any) bool { return b.Has(r.text(row, "benchmark")) })
}

// isNumber reports whether a column holds numbers.
func (r *rows) isNumber(column string) bool {
	i := r.at[column]
	found := false
	for _, row := range r.cells {
		switch row[i].(type) {
		case float64:
			found = true
		case nil:
		default:
			return false
		}
	}
	return found || len(r.cells) > 0 && r.about[column].Unit != ""
}

// isEnd reports whether a column is an end of the interval of another one, or its standard error.
func (r *rows) isEnd(column string) bool {
	for _, end := range []string{"_low", "_high", "_se"} {
		if of, ok := strings.CutSuffix(column, end); ok && r.has(of) {
			return true
		}
	}
	return false
}

// settings are the text columns of the key that tell rows of one captioner apart, and those that are the same of a captioner in all rows
// are not among them.
func (r *rows) settings() []string {
	var out []string
	for _, c := range r.columns {
		if slices.Contains(r.key, c) && c != captionerColumn && c != kindColumn && c != "origin" && (!r.isNumber(c) || c == "repeat") {
			out = append(out, c)
		}
	}
	return out
}

// shown is the value of a setting that people look at first among those that occur.
func shown(b data.Benchmark, slice report.Slice, column string, found []string) string {
	want := b.Shown[column]
	switch column {
	case "prompt":
		want = b.MainPrompt(found)
	case "protocol":
		want = slice.Protocol
	case "reader":
		want = slice.Reader
	}
	if slices.Contains(found, want) {
		return want
	}
	// The most frequent would depend on what else there is; the first by name does not.
	if len(found) > 0 {
		return slices.Min(found)
	}
	return ""
}

// slice is what the report shows of one kind of rows.
func (b *Builder) slice(kind string) report.Slice {
	for _, s := range b.Report.Slices {
		if s.Kind == kind {
			return s
		}
	}
	return report.Slice{}
}

// main narrows rows of one kind to those that people look at first: one value of each setting but those of keep. It returns the
// settings that there are several of with the values chosen.
func (b *Builder) main(r *rows, bench data.Benchmark, kind string, keep ...string) (*rows, []Setting) {
	var chosen []Setting
	for _, c := range r.settings() {
		if slices.Contains(keep, c) {
			continue
		}
		found := r.distinct(c)
		value := shown(bench, b.slice(kind), c, found)
		if len(found) > 1 || c == "prompt" || c == "reader" {
			chosen = append(chosen, Setting{heading(c), value})
		}
		r = r.is(c, value) // which has rows, because the value was found
	}
	return r, chosen
}

// firsts are the values of the settings that people look at first, by kind of rows.
func (b *Builder) firsts(r *rows, bench data.Benchmark) map[string]map[string]string {
	out := map[string]map[string]string{}
	for _, kind := range r.distinct(kindColumn) {
		out[kind] = map[string]string{}
		narrow := r.is(kindColumn, kind)
		for _, c := range r.settings() {
			out[kind][c] = shown(bench, b.slice(kind), c, narrow.distinct(c))
			narrow = narrow.is(c, out[kind][c])
		}
	}
	return out
}

// A Setting is what rows have in common.
type Setting struct{ Name, Value string }

// heading words the name of a column for people.
func heading(column string) string {
	words := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(column, "n_"), "_name"), "_id")
	words = strings.ReplaceAll(words, "_", " ")
	switch words {
	case "f1":
		return "F1"
	case "":
		return column
	}
	return strings.ToUpper(words[:1]) + words[1:]
}
