package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/sql"
)

// Macros are macros with facts about the benchmarks, and then the macros of package sql.
var Macros = publishedDomains() + referenceMacros() + sql.Macros

// referenceMacros are table macros of facts in package data, so that no model types them again: the
// benchmarks' titles in their order, and the rubric's dimensions and protocols.
func referenceMacros() string {
	var titles, dimensions, protocols, printed []string
	// CapArena-Auto is a part of CapArena, so Benchmarks does not list it.
	for i, b := range append(data.Benchmarks(),
		data.Benchmark{Name: data.BenchmarkCapArenaAuto, Title: "CapArena-Auto"}) {
		titles = append(titles, values(i+1, b.Name, b.Title))
	}
	for i, d := range rubric.Dimensions() {
		dimensions = append(dimensions, values(i+1, d.ID, d.Name, d.Heading, d.View, d.Dynamic, d.Media, d.Closed()))
		for _, p := range rubric.Protocols() {
			printed = append(printed, values(p.Benchmark, d.ID, slices.Contains(p.Columns, d.ID)))
		}
	}
	for _, p := range rubric.Protocols() {
		protocols = append(protocols, values(p.Benchmark, p.Name, p.Judge, p.Decimals, p.F1OfMeans))
	}
	return valuesMacro("benchmark_titles", "place, benchmark, title", titles) +
		valuesMacro("rubric_dimensions", "place, dimension, name, heading, view, dynamic, media_type, closed_set",
			dimensions) +
		valuesMacro("rubric_protocols", "benchmark, protocol, paper_judge, decimals, f1_of_means", protocols) +
		valuesMacro("rubric_columns", "benchmark, dimension, in_tables", printed)
}

// values is a row of SQL literals; an empty text is null.
func values(row ...any) string {
	literals := make([]string, len(row))
	for i, v := range row {
		text, isText := v.(string)
		switch {
		case isText && text == "":
			literals[i] = "null"
		case isText:
			literals[i] = sql.Quote(text)
		default:
			literals[i] = fmt.Sprint(v)
		}
	}
	return "(" + strings.Join(literals, ", ") + ")"
}

// valuesMacro is a table macro with the given rows.
func valuesMacro(name, columns string, rows []string) string {
	return fmt.Sprintf("create or replace temp macro %s() as table select * from (values %s) as t (%s);\n", name,
		strings.Join(rows, ", "), columns)
}

// publishedDomains are macros that tell the published domains of CaptionQA from a user's own
// domains.
func publishedDomains() string {
	domains := data.CaptionQA().DomainNames()
	return fmt.Sprintf(`
create or replace temp macro is_published_domain(domain) as domain in (%s);
create or replace temp macro n_published_domains() as %d;
`, strings.Trim(sql.QuoteList(domains), "[]"), len(domains))
}
