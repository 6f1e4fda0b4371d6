package ingest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// Statements are what the texts of the papers say of their own tables, one row each: the place, the quantity, its value as
// stated, and the statement in our words. A definition says
// how the SQL model published_quantities computes the quantity from other figures.
var (
	statementBenchmarks = benchmarkNames()
	// statementForms tell a statement of a figure from one in words whose figure is our reading, such as 7 of 7 models for "all
	// models" or the sign -1 for a negative correlation.
	statementForms = []string{"figure", "words"}
	statementUnits = []string{"percent", "points", "count", "share", "correlation", "words", "minutes", "ratio", "sign"}
	statementItems = []string{"Abstract", "Section", "Sections", "Figure", "Table"} // how the name of a place begins
)

// Definitions of statements are NAME=VALUE with "; " between, and basis the last: what is taken, of which figures.
var (
	definitionTakes = []string{"value", "most", "least", "mean", "second", "lead", "lowest", "highest", "leads", "above", "below",
		"difference", "share", "ratio", "sign", "categories"}
	definitionNames = []string{"take", "of", "item", "model_id", "model_type", "prompt", "domain", "category", "other_model", "other_prompt",
		"other_category", "bound", "times", "over", "from", "slack"}
	definitionNumbers = []string{"bound", "times", "over", "from", "slack"}
)

// checkDefinition finds the fault of a definition; none has none.
func checkDefinition(text string) string {
	if text == "" {
		return ""
	}
	text, _, _ = strings.Cut(text, "; basis=")
	for i, part := range strings.Split(text, "; ") {
		name, value, _ := strings.Cut(part, "=")
		_, err := strconv.ParseFloat(value, 64)
		switch {
		case i < 2 && name != definitionNames[i]:
			return fmt.Sprintf("definition begins with %q; begin with take=...; of=...", clip(text))
		case !slices.Contains(definitionNames, name) || value == "":
			return fmt.Sprintf("definition has %q; write NAME=VALUE with one of the names %s", clip(part), quoteList(definitionNames))
		case name == "take" && !slices.Contains(definitionTakes, value):
			return fmt.Sprintf("definition takes %q; write one of %s", clip(value), quoteList(definitionTakes))
		case slices.Contains(definitionNumbers, name) && err != nil:
			return fmt.Sprintf("definition has %q; write a number", clip(part))
		}
	}
	return ""
}

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
		if text, _ := r.cell(c.role); strings.TrimSpace(text) == "" && !c.optional {
			return fmt.Sprintf("%s is empty; say what the text states", c.name)
		}
	}
	definition, _ := r.cell(roleDefinition)
	if fault := checkDefinition(definition); fault != "" {
		return fault
	}
	r.row.Item = item
	r.figure = figureColumn("", "", unit, -1e6, 1e6)
	return ""
}
