package ingest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// Statements are what the texts of the papers say of their own tables, one row each: the place, the quantity, its value as
// stated, and the statement in our words. The SQL model published_quantities computes the same quantities from the tables.
var (
	statementBenchmarks = benchmarkNames()
	// statementForms tell a statement of a figure from one in words whose figure is our reading, such as 7 of 7 models for "all
	// models" or the sign -1 for a negative correlation.
	statementForms = []string{"figure", "words"}
	statementUnits = []string{"percent", "points", "count", "share", "correlation", "words", "minutes", "ratio", "sign"}
	statementItems = []string{"Abstract", "Section", "Sections", "Figure", "Table"} // how the name of a place begins
)

func benchmarkNames() []string {
	var names []string
	for _, b := range data.Benchmarks() {
		names = append(names, b.Name)
	}
	return names
}

// placeStatement checks the parts of a statement and puts them where figures have them.
func placeStatement(r *publishedRow) string {
	unit, _ := r.cell(roleUnit)
	item, _ := r.cell(roleItem)
	r.row.Benchmark, _ = r.cell(roleBenchmark)
	kind, _, _ := strings.Cut(item, " ")
	for _, c := range []struct {
		name, value, found string
		known              []string
	}{
		{"benchmark", r.row.Benchmark, r.row.Benchmark, statementBenchmarks},
		{"form", r.row.Category, r.row.Category, statementForms},
		{"unit", unit, unit, statementUnits},
		{"item", item, kind, statementItems},
	} {
		if !slices.Contains(c.known, c.found) {
			return fmt.Sprintf("%s is %q; write or begin with one of %s", c.name, clip(c.value), quoteList(c.known))
		}
	}
	for _, c := range r.layout.columns {
		if text, _ := r.cell(c.role); strings.TrimSpace(text) == "" {
			return fmt.Sprintf("%s is empty; say what the text states", c.name)
		}
	}
	r.row.Item = item
	r.figure = figureColumn("", "", unit, -1e6, 1e6)
	return ""
}
