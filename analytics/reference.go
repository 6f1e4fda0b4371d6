package analytics

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rubric"
)

// referenceMacros are table macros of what package data holds, so that no model types it again: the benchmarks' titles in their order, the
// rubric's dimensions, metrics and protocols, the checks of the published figures, and which of the papers' tables these are about.
func referenceMacros() string {
	var dimensions, protocols, printed, metrics [][]string
	for i, d := range rubric.Dimensions() {
		dimensions = append(dimensions, []string{
			strconv.Itoa(i + 1), quote(d.ID), quote(d.Name), quote(d.Heading), quote(d.View), strconv.FormatBool(d.Dynamic), quote(d.Media), strconv.FormatBool(d.Closed()),
		})
		for _, p := range rubric.Protocols() {
			printed = append(printed, []string{quote(p.Benchmark), quote(d.ID), strconv.FormatBool(slices.Contains(p.Columns, d.ID))})
		}
	}
	for _, p := range rubric.Protocols() {
		protocols = append(protocols, []string{quote(p.Benchmark), quote(p.Name), quote(p.Judge), strconv.Itoa(p.Decimals), strconv.FormatBool(p.F1OfMeans)})
	}
	for _, m := range rubric.Metrics() {
		metrics = append(metrics, []string{quote(m)})
	}
	_, tables := referenceTable("tables.csv")
	var titles [][]string
	for _, b := range data.Benchmarks() {
		titles = append(titles, []string{strconv.Itoa(len(titles) + 1), quote(b.Name), quote(b.Title)})
	}
	titles = append(titles, []string{strconv.Itoa(len(titles) + 1), quote(data.BenchmarkCapArenaAuto), quote("CapArena-Auto")}) // a part of CapArena
	item := "create or replace temp macro audited_table(name) as case name"
	for _, t := range tables {
		item += fmt.Sprintf(" when %s then %s", t[0], t[2])
	}
	columns, checks := referenceTable("checks.csv")
	return valuesMacro("benchmark_titles", []string{"place", "benchmark", "title"}, titles) +
		valuesMacro("rubric_dimensions", []string{"place", "dimension", "name", "heading", "view", "dynamic", "media_type", "closed_set"}, dimensions) +
		valuesMacro("rubric_protocols", []string{"benchmark", "protocol", "paper_judge", "decimals", "f1_of_means"}, protocols) +
		valuesMacro("rubric_columns", []string{"benchmark", "dimension", "in_tables"}, printed) +
		valuesMacro("rubric_metrics", []string{"metric"}, metrics) +
		item + " end;\n" +
		valuesMacro("published_checks", columns, checks)
}

// referenceTable reads a table of the audit's definitions as SQL literals: numbers as they are, an empty cell as null.
func referenceTable(name string) (columns []string, rows [][]string) {
	f, err := data.Reference().Open("audit/" + name)
	if err != nil {
		panic(err) // The file is part of the binary.
	}
	defer func() { _ = f.Close() }()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		panic(err) // A test reads it.
	}
	for _, record := range records[1:] {
		for i, cell := range record {
			if _, err := strconv.Atoi(cell); cell == "" {
				record[i] = "null"
			} else if err != nil {
				record[i] = quote(cell)
			}
		}
		rows = append(rows, record)
	}
	return records[0], rows
}

// valuesMacro is a table macro with the given rows of SQL literals.
func valuesMacro(name string, columns []string, rows [][]string) string {
	lines := make([]string, len(rows))
	for i, row := range rows {
		lines[i] = "(" + strings.Join(row, ", ") + ")"
	}
	return fmt.Sprintf("create or replace temp macro %s() as table select * from (values %s) as t (%s);\n", name, strings.Join(lines, ", "), strings.Join(columns, ", "))
}

// publishedDomains are macros that tell the benchmark's published domains from a user's own.
func publishedDomains() string {
	domains := data.CaptionQA().DomainNames()
	return fmt.Sprintf(`
create or replace temp macro is_published_domain(domain) as domain in (%s);
create or replace temp macro n_published_domains() as %d;
`, strings.Trim(quoteList(domains), "[]"), len(domains))
}
