package plots

import (
	"encoding/csv"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// readCSV returns the rows of a published table as maps by column.
func readCSV(t *testing.T, name string) []map[string]string {
	t.Helper()
	f, err := os.Open(laketest.Shared(t, "published/"+name))
	must.Succeed(t, err)
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	must.Succeed(t, err)
	var out []map[string]string
	for _, r := range all[1:] {
		m := map[string]string{}
		for i, c := range all[0] {
			m[c] = r[i]
		}
		out = append(out, m)
	}
	return out
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	f, err := strconv.ParseFloat(s, 64)
	must.Succeed(t, err)
	return f
}

// slug makes the model_id of a published name and size.
func slug(name, size string) string {
	if name == "GPT-o4-mini" {
		return "o4-mini" // its id in the registry
	}
	return strings.ToLower(strings.ReplaceAll(strings.TrimSpace(name+" "+size), " ", "-"))
}

// table builds a table or fails the test.
func table(t testing.TB, name string, columns []string, rows ...[]any) *Table {
	t.Helper()
	out, err := NewTable(name, columns...)
	must.Succeed(t, err)
	for _, r := range rows {
		must.Succeed(t, out.Append(r...))
	}
	return out
}

// publishedTables makes the marts that the figures need from the published tables.
func publishedTables(t *testing.T) Tables {
	t.Helper()
	main := table(t, "captionqa_main", []string{"prompt", "captioner_name", "captioner", "size", "model_type", "provenance", "reader", "natural_score", "document_score", "ecommerce_score", "embodied_ai_score", "overall", "rank"})
	results := table(t, "captionqa_results", []string{"captioner", "captioner_name", "prompt", "domain", "score", "accuracy", "cannot_rate_offered", "provenance"})
	categories := table(t, "captionqa_categories", []string{"domain", "category", "captioner_name", "captioner", "score", "provenance"})
	type key struct{ prompt, model, size string }
	scores := map[key]map[string]float64{}
	types := map[key]string{}
	var keys []key
	add := func(tb *Table, values ...any) {
		must.Succeed(t, tb.Append(values...))
	}
	for _, r := range readCSV(t, "captionqa_results.csv") {
		k := key{r["prompt"], r["model"], r["size"]}
		if scores[k] == nil {
			scores[k] = map[string]float64{}
			keys = append(keys, k)
		}
		scores[k][r["domain"]], types[k] = number(t, r["score"]), r["model_type"]
		add(results, slug(r["model"], r["size"]), strings.TrimSpace(r["model"]+" "+r["size"]), r["prompt"], r["domain"], number(t, r["score"]), number(t, r["accuracy"]), number(t, r["cannot"]), "published")
	}
	for _, k := range keys {
		s := scores[k]
		row := []any{k.prompt, k.model, slug(k.model, k.size), k.size, types[k], "published", "qwen2.5-72b-instruct"}
		sum := 0.0
		for _, d := range domains {
			v, ok := s[d]
			sum += v
			if !ok {
				row = append(row, nil)
				continue
			}
			row = append(row, v)
		}
		if len(s) == 4 {
			row = append(row, sum/4, 0)
		} else {
			row = append(row, nil, nil)
		}
		add(main, row...)
	}
	for _, r := range readCSV(t, "captionqa_leaderboard_categories.csv") {
		add(categories, r["domain"], r["category"], strings.TrimSpace(r["model"]+" "+r["size"]), slug(r["model"], r["size"]), number(t, r["score"]), "published")
	}
	return Tables{"captionqa_main": main, "captionqa_results": results, "captionqa_categories": categories}
}

// TestPublishedFigures draws every figure that published aggregates can feed and checks that no text is clipped or overlaps.
// With PLOTS_OUT set the files are kept there, to be looked at.
func TestPublishedFigures(t *testing.T) {
	tables := publishedTables(t)
	out := os.Getenv("PLOTS_OUT")
	if out == "" {
		out = t.TempDir()
	}
	for _, f := range byHand() {
		if slices.ContainsFunc(f.Needs, func(n string) bool { return tables[n] == nil }) {
			continue // the published aggregates do not hold what this figure draws
		}
		t.Run(f.Name, func(t *testing.T) {
			d, err := f.Draw(tables, Page{})
			must.Succeed(t, err)
			if err := checkPages(f, tables, d); err != nil {
				t.Error(err)
			}
			must.Succeed(t, d.save(out, f.Name))
		})
	}
}
