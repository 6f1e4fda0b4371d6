package main

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/plots"
	"github.com/captionlake/captionlake/plots/report"
)

// The test makes every table and figure that the demo's lake has rows for, with choices of an order
// of captioners and of names of models. In tables, captioners have this order, in rows and in
// columns, and only the chosen names; tests in plots check the figures. Tables of the audit quote
// the names that papers print.
func TestOrderAndNamesInEveryTable(t *testing.T) {
	t.Parallel()
	_, reader := demoSession(t)
	models, names, captioners := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for mart, columns := range map[string][]string{
		"captionqa_scores": {"captioner", "reader"}, "captionqa_gap": {"captioner"},
		"capability_figures": {"captioner", "judge"},
		"arena_ranking":      {"captioner", "judge"}, "arena_auto": {"captioner", "baseline", "judge"},
		"arena_agreement": {"judge"}, "reader_comparison": {"reader"},
		"arena_lengths": {"captioner"}, "construct_agreement": {"validator_a", "validator_b"},
		"construct_blind": {"reader"}, "construct_costs": {"model"},
	} {
		table := must.Get(reader.Rows(t.Context(), mart, "from "+mart))(t)
		for _, column := range columns {
			if table.Len() == 0 {
				continue
			}
			from := table.Read()
			for _, value := range from.TextOrNone(column) {
				if value != "" {
					models[value], captioners[value] = true, captioners[value] || column == "captioner"
				}
			}
			if table.Has(column + "_name") {
				ids := from.TextOrNone(column)
				for i, name := range from.TextOrNone(column + "_name") {
					names[name] = names[name] || ids[i] != ""
				}
			}
			if from.Err != nil {
				t.Fatalf("%s: %v", mart, from.Err)
			}
		}
	}
	shown := plots.Names{} // from the last to the first, which is the order of no table
	for _, id := range slices.Sorted(maps.Keys(models)) {
		shown[id] = fmt.Sprintf("Shown %03d", len(models)-len(shown))
	}
	order := slices.DeleteFunc(slices.Sorted(maps.Keys(models)), func(id string) bool { return !captioners[id] })
	slices.SortFunc(order, func(a, b string) int { return strings.Compare(shown[a], shown[b]) })
	o := report.Options{Choices: report.Choices{
		Formats: []string{"csv"}, Selection: report.Selection{Captioners: order}, Names: shown,
	}}
	r := must.Get(report.Build(t.Context(), reader, o))(t)
	place := regexp.MustCompile(`^Shown \d{3}$`)
	tables := 0
	for _, item := range r.Items {
		g := item.Grid
		if g == nil || strings.HasPrefix(item.Name, "audit_") {
			continue
		}
		tables++
		ordered := func(where string, texts []string) {
			if at := slices.DeleteFunc(texts,
				func(s string) bool { return !place.MatchString(s) }); !slices.IsSorted(at) {
				t.Errorf("%s, %s: %s has the order %v", item.Name, item.Provenance, where, at)
			}
		}
		var heads []string
		old := func(text string) {
			if text != "" && (models[text] || names[text]) {
				t.Errorf("%s, %s: %q is a name of the lake", item.Name, item.Provenance, text)
			}
		}
		for k, c := range g.Columns {
			heads = append(heads, c.Head)
			old(c.Head)
			for _, s := range g.Sections {
				old(s.Head)
				var texts []string
				for _, row := range s.Rows {
					texts = append(texts, row[k].Text)
					// of a benchmark or a metric, because a judge may have the same name
					if c.Decimals == nil && c.Name != "name" {
						old(row[k].Text)
					}
				}
				if strings.HasPrefix(c.Name, "captioner") {
					ordered("column "+c.Name, texts)
				}
			}
		}
		ordered("the head", heads)
	}
	if tables < 30 {
		t.Errorf("%d tables have rows", tables)
	}
}

// Two reports of one lake are equal, byte for byte, because tables and figures order their rows by
// a unique key.
func TestReportsOfOneLakeAreEqual(t *testing.T) {
	must.Slow(t)
	t.Parallel()
	lake, dir := demoLake(t), t.TempDir()
	var reports []map[string]string
	for _, name := range []string{"one", "two"} {
		out := filepath.Join(dir, name)
		command(t, "--quiet", "--lake", lake, "report", "--no-pictures", "-o", out)
		files := map[string]string{}
		must.Succeed(t, filepath.WalkDir(out, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			content, err := os.ReadFile(path)
			files[strings.TrimPrefix(path, out)] = string(content)
			return err
		}))
		reports = append(reports, files)
	}
	expect.Equal(t, reports[1], reports[0])
	expect.Equal(t, len(reports[0]) >= 100, true, "files")
}
