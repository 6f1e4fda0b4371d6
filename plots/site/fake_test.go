package site

import (
	"context"
	"fmt"
	"image"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/plots"
	"github.com/captionlake/captionlake/plots/ggsql"
	"github.com/captionlake/captionlake/plots/report"
	"github.com/captionlake/captionlake/plots/rowstest"
)

// evil is a name that would be markup, script, LaTeX and orders to a terminal where it is not shown as text.
const evil = "<img src=x onerror=alert(1)><script>document.title='hit'</script>'\"&{{.}}\\input{x} \x1b[31mred\u202egnp.js"

// fakeSource holds marts that a test made.
type fakeSource struct {
	t      testing.TB
	tables plots.Tables
	models map[string]Model
}

func (s fakeSource) Marts(context.Context) ([]report.Mart, error) {
	var out []report.Mart
	for _, name := range slices.Sorted(maps.Keys(s.tables)) {
		out = append(out, report.Mart{Name: name, What: "what " + name + " is " + evil, Source: "a <paper>", Fingerprint: data.Fingerprint(name), ToolVersion: "1", Inputs: "answers=1 captionqa_main=2",
			Rows: int64(s.tables[name].Len())})
	}
	// A mart that an earlier version made: no model has it, and nothing can read it.
	return append(out, report.Mart{Name: "gone", Rows: 5}), nil
}

func (s fakeSource) Runs(context.Context) ([]report.Run, error) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return []report.Run{
		{ID: "run-2", Stage: "answer", Source: "second " + evil, Provenance: "simulated", ToolVersion: "1", Tables: []string{"answers"}, Rows: 7, Started: at.Add(time.Hour), Finished: at.Add(2 * time.Hour)},
		{ID: "run-1", Stage: "answer", Source: "first", Provenance: "measured", ToolVersion: "1", Tables: []string{"answers"}, Rows: 5, Started: at, Finished: at.Add(time.Minute)},
	}, nil
}

func (s fakeSource) Rows(_ context.Context, f *ggsql.File) (*plots.Table, error) {
	if f.Form == "figure" && f.Name != "leaderboard" {
		return plots.NewTable("none", "provenance")
	}
	return rowstest.Select(s.t, f, s.tables), nil
}

func (s fakeSource) Table(_ context.Context, mart string) (*plots.Table, error) {
	if t, ok := s.tables[mart]; ok {
		return t, nil
	}
	return nil, fmt.Errorf("there is no mart %s", mart)
}

func (fakeSource) Picture(context.Context, string) (image.Image, error) { return nil, nil }

func (s fakeSource) Model(mart string) (Model, bool) {
	m, ok := s.models[mart]
	return m, ok
}

func (fakeSource) Holdings(context.Context) ([]Holding, error) {
	return []Holding{{Name: "answers", What: "parsed answers", Units: 2, Rows: 12345, Bytes: 2_500_000}}, nil
}

func (fakeSource) Warnings(context.Context) ([]string, error) {
	return []string{"12 answers count in no result " + evil}, nil
}

// columnUnits gives the columns of a fake mart units and types by a short form: name, or name:unit.
func columnUnits(specs []string) (names []string, columns []Column) {
	for _, s := range specs {
		name, unit, _ := strings.Cut(s, ":")
		names = append(names, name)
		c := Column{Name: name, Type: "VARCHAR", Unit: unit, Comment: "meaning of " + name + " " + evil}
		if unit != "" {
			c.Type = "DOUBLE"
		}
		columns = append(columns, c)
	}
	return names, columns
}

// small is a lake with printed scores of two captioners, measured ones of one that has an evil name, and simulated ones.
func small(t testing.TB) fakeSource {
	t.Helper()
	s := fakeSource{t, plots.Tables{}, map[string]Model{}}
	add := func(mart string, key []string, specs []string, rows ...[]any) {
		t.Helper()
		names, columns := columnUnits(specs)
		out, err := plots.NewTable(mart, names...)
		must.Succeed(t, err)
		for _, r := range rows {
			must.Succeed(t, out.Append(r...))
		}
		s.tables[mart], s.models[mart] = out, Model{Key: key, Columns: columns, SQL: "-- what: " + mart + "\nselect '</code><script>'"}
	}
	const upstream = "captionqa/upstream"
	condition := []string{"prompt", "captioner", "protocol", "reader", "provenance", "origin"}
	main := [][]any{}
	results, categories, gaps := [][]any{}, [][]any{}, [][]any{}
	for i, c := range []struct {
		kind, id, name string
		score          float64
	}{
		{"published", "good", "Good", 90}, {"published", "poor", "Poor é 模", 40}, {"measured", "mine", "Mine " + evil, 70}, {"measured", "poor", "Poor é 模", 45},
		{"simulated", "rehearsal", "Rehearsal", 60},
	} {
		var low, high any
		if c.kind != "published" {
			low, high = c.score-3, c.score+2
		}
		reader := "reader"
		if c.kind == "simulated" {
			reader = "rehearsal-reader"
		}
		for k, prompt := range []string{"Simple", "Long"} {
			score := c.score + float64(k)
			size := "7B"
			if c.id == "good" {
				size = "9B"
			}
			main = append(main, []any{prompt, c.name, c.id, size, "open", c.kind, upstream, reader, "answers", score, low, high, score, score, score, score, i + 1, 100})
			for _, d := range data.CaptionQA().DomainNames() {
				results = append(results, []any{"caption", upstream, reader, c.id, c.name, "open", prompt, d, c.kind, "answers", score, score - 1, 100 - score, low, high})
				categories = append(categories, []any{"caption", upstream, reader, c.id, c.name, prompt, d, "Attribute " + evil, c.kind, "answers", score - float64(k), low, high})
			}
		}
		gaps = append(gaps, []any{upstream, reader, "Simple", c.kind, "answers", c.id, c.name, "Natural", 95.0, c.score, 95 - c.score, (95 - c.score) / 0.95})
	}
	add("captionqa_main", condition, []string{"prompt", "captioner_name", "captioner", "size", "model_type", "provenance", "protocol", "reader", "origin", "overall:percent", "overall_low:percent", "overall_high:percent",
		"natural_score:percent", "document_score:percent", "ecommerce_score:percent", "embodied_ai_score:percent", "rank:rank", "n_questions:count"}, main...)
	add("captionqa_results", append([]string{"evidence", "domain"}, condition...), []string{"evidence", "protocol", "reader", "captioner", "captioner_name", "model_type", "prompt", "domain", "provenance", "origin",
		"score:percent", "accuracy:percent", "cannot_rate_offered:percent", "score_low:percent", "score_high:percent"}, results...)
	add("captionqa_categories", append([]string{"evidence", "domain", "category"}, condition...), []string{"evidence", "protocol", "reader", "captioner", "captioner_name", "prompt", "domain", "category", "provenance", "origin",
		"score:percent", "score_low:percent", "score_high:percent"}, categories...)
	add("captionqa_gap", []string{"protocol", "reader", "prompt", "provenance", "origin", "captioner", "domain"}, []string{"protocol", "reader", "prompt", "provenance", "origin", "captioner", "captioner_name", "domain",
		"image_accuracy:percent", "caption_accuracy:percent", "gap:points", "relative_gap:percent"}, gaps...)
	add("dataset_statistics", []string{"bank", "domain"}, []string{"origin", "bank", "domain", "provenance", "questions:count", "top_level:count", "subcategories:count", "images:count", "questions_per_image:count"},
		[]any{"published", "CaptionQA", "Natural", "published", 10445, 6, 22, 158, 66.1})
	arenaKey := []string{"origin", "benchmark", "judge", "protocol", "provenance", "captioner"}
	add("arena_pairs", append([]string{"other"}, arenaKey[1:]...), []string{"benchmark", "judge", "protocol", "provenance", "captioner", "other", "judge_name", "captioner_name", "other_name", "n_battles:count", "n_images:count",
		"win_rate:percent", "win_rate_low:percent", "win_rate_high:percent"},
		[]any{"caparena", "people", "caparena/vote", "measured", "mine", "poor", "human", "Mine " + evil, "Poor é 模", 20, 10, 30, 15, 45},
		[]any{"caparena", "people", "caparena/vote", "measured", "poor", "mine", "human", "Poor é 模", "Mine " + evil, 20, 10, 70, 55, 85},
		[]any{"caparena", "people", "caparena/vote", "measured", "mine", "", "human", "Mine " + evil, "", 20, 10, 30, 15, 45})
	add("published_audit", []string{"benchmark", "check_name", "item", "model", "prompt", "domain", "category", "metric"}, []string{"benchmark", "check_name", "kind", "item", "domain", "category", "model", "prompt", "metric",
		"message", "provenance"}, []any{"captionqa", "row_gone", "contradiction", "Table 12", "Natural", "", "", "Simple", "", "the row of " + evil, "published"})
	before := maps.Clone(s.tables)
	for name := range rowstest.Ranked(t, s.tables) {
		if before[name] == nil {
			s.models[name] = Model{SQL: "-- model: " + name}
		}
	}
	return s
}

// around is a site with the report that it is around.
type around struct {
	*Site
	report *report.Report
}

// built is the site of the small lake; drawing its figures takes seconds, so tests share it.
var built = sync.OnceValues(func() (around, error) {
	s := small(quiet{})
	r, err := report.Build(context.Background(), s, report.Options{})
	if err != nil {
		return around{}, err
	}
	site, err := Build(context.Background(), s, r, Options{Links: []Link{{"sql/", "SQL"}}})
	return around{site, r}, err
})

// quiet is a test for what no test owns.
type quiet struct{ testing.TB }

func (quiet) Helper()           {}
func (quiet) Fatal(args ...any) { panic(args) }

func smallSite(t *testing.T) around {
	t.Helper()
	s, err := built()
	must.Succeed(t, err)
	return s
}
