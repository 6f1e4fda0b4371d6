package site

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/captionlake/captionlake/data"
	lakefiles "github.com/captionlake/captionlake/data/files"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/plots/ggsql"
	"github.com/captionlake/captionlake/plots/report"
	"github.com/captionlake/captionlake/plots/rowstest"
	"github.com/captionlake/captionlake/sql"
)

// evil is a name that would be markup, script, LaTeX and orders to a terminal where it is not shown as text.
const evil = "<img src=x onerror=alert(1)><script>document.title='hit'</script>'\"&{{.}}\\input{x} \x1b[31mred\u202egnp.js"

// fakeSource holds marts, and rows of pages, that a test made.
type fakeSource struct {
	t             testing.TB
	tables, pages map[string]*rows.Rows
	models        map[string]sql.Mart
}

func (s fakeSource) Marts(context.Context, []string) ([]sql.Mart, error) {
	var out []sql.Mart
	for _, name := range slices.Sorted(maps.Keys(s.tables)) {
		out = append(out,
			sql.Mart{Name: name, What: "what " + name + " is " + evil, Source: "a <paper>",
				Fingerprint: data.Fingerprint(name), ToolVersion: "1", Inputs: "answers=1 captionqa_gap=2",
				Rows: int64(s.tables[name].Len()), Columns: s.models[name].Columns, SQL: s.models[name].SQL})
	}
	return out, nil
}

func (s fakeSource) Rows(_ context.Context, name, _ string, _ ...string) (*rows.Rows, error) {
	f := rowstest.Named(s.t, name)
	if t := s.pages[f.Name]; t != nil && f.Form == "page" {
		return t, nil
	}
	if !slices.Contains([]string{"pages/shown_first", "tables/results", "figures/leaderboard",
		"figures/utility_gap"}, f.Rows()) {
		return laketest.Rows(s.t, "none", []string{"provenance"}), nil
	}
	return rowstest.Select(s.t, f, s.tables), nil
}

func (fakeSource) Images(context.Context) ([]data.Image, error) { return nil, nil }
func (fakeSource) Open(string) (lakefiles.File, error)          { return nil, fs.ErrNotExist }
func (fakeSource) Samples(context.Context, string, string, int, int, func(arrow.RecordBatch) error) error {
	return nil
}

// columnUnits gives the columns of a fake mart units and types by a short form: name, or name:unit.
func columnUnits(specs []string) (names []string, columns []sql.MartColumn) {
	for _, s := range specs {
		name, unit, _ := strings.Cut(s, ":")
		names = append(names, name)
		c := sql.MartColumn{Name: name, Type: "VARCHAR", Unit: unit, What: "meaning of " + name + " " + evil}
		if unit != "" {
			c.Type = "DOUBLE"
		}
		columns = append(columns, c)
	}
	return names, columns
}

// small is a lake with printed scores of two captioners, measured ones of one that has an evil
// name, and simulated ones.
func small(t testing.TB) fakeSource {
	t.Helper()
	s := fakeSource{t, map[string]*rows.Rows{}, map[string]*rows.Rows{}, map[string]sql.Mart{}}
	add := func(mart string, specs []string, rows ...[]any) {
		t.Helper()
		names, columns := columnUnits(specs)
		s.tables[mart], s.models[mart] = laketest.Rows(t, mart, names, rows...), sql.Mart{Columns: columns,
			SQL: "-- what: " + mart + "\nselect '</code><script>'"}
	}
	const upstream = "captionqa/upstream"
	mine := "Mine " + evil
	results, gaps, board, about, parts := [][]any{}, [][]any{}, [][]any{}, [][]any{}, [][]any{}
	for i, c := range []struct {
		kind, id, name string
		score          float64
	}{
		{"published", "good", "Good", 90}, {"published", "poor", "Poor é 模", 40}, {"measured", "mine", mine, 70},
		{"measured", "poor", "Poor é 模", 45},
		{"simulated", "rehearsal", "Rehearsal", 60},
	} {
		var low, high any
		if c.kind != "published" {
			low, high = c.score-3, c.score+2
		}
		for k, prompt := range []string{"Simple", "Long"} {
			score := c.score + float64(k)
			board = append(board, []any{c.kind, prompt, c.id, c.name, i%2 + 1, score, low, high, "9B"})
			for _, d := range append(data.CaptionQA().DomainNames(), "Overall") {
				results = append(results,
					[]any{"domain", "caption", upstream, "reader", c.id, c.name, "open", prompt, d, c.kind, score,
						score - 1, 100 - score, low, high})
			}
		}
		gaps = append(gaps,
			[]any{upstream, "reader", "Simple", c.kind, c.id, c.name, "Overall", 95.25, c.score, 95.25 - c.score,
				(95.25 - c.score) / 0.95})
		parts = append(parts, []any{c.kind, c.id, "Attribute " + evil, c.score, low, high, 80.0, mine})
		if i != 3 {
			about = append(about, []any{c.id, c.name, "Somebody"})
		}
	}
	add("captionqa_scores",
		[]string{"level", "evidence", "protocol", "reader", "captioner", "captioner_name", "model_type", "prompt",
			"domain", "provenance",
			"score:percent", "accuracy:percent", "cannot_rate_offered:percent", "score_low:percent",
			"score_high:percent"}, results...)
	add("captionqa_gap", []string{"protocol", "reader", "prompt", "provenance", "captioner", "captioner_name", "domain",
		"image_accuracy:percent", "caption_accuracy:percent", "gap:points", "relative_gap:percent"}, gaps...)
	add("dataset_statistics",
		[]string{"origin", "bank", "domain", "provenance", "questions:count", "top_level:count", "subcategories:count",
			"images:count", "questions_per_image:count"},
		[]any{"published", "CaptionQA", "Natural", "published", 10445, 6, 22, 158, 66.1})
	for name := range rowstest.Ranked(t, s.tables) {
		if _, ok := s.models[name]; !ok {
			s.models[name] = sql.Mart{SQL: "-- model: " + name}
		}
	}
	files := must.Get(ggsql.All())(t)
	for _, f := range files {
		for _, mart := range f.Reads {
			if s.tables[mart] == nil && f.Form == "page" {
				add(mart, []string{"domain", "bank", "provenance"})
			}
		}
	}
	page := func(name string, columns string, rows ...[]any) {
		t.Helper()
		out := laketest.Rows(t, name, strings.Fields(columns), rows...)
		f := files[slices.IndexFunc(files, func(f *ggsql.File) bool { return f.Name == name })]
		for _, c := range f.Columns {
			for _, column := range []string{c.Name, c.Across} {
				if column != "" && !out.Has(column) {
					out = out.Set(column, func(int, any) any { return nil })
				}
			}
		}
		s.pages[name] = out
	}
	page("leaderboard_captionqa",
		"provenance prompt captioner captioner_name rank overall overall_low overall_high size", board...)
	page("captioners", "provenance captioner captioner_name series_name score",
		[]any{"measured", "mine", mine, "CaptionQA", 70.0})
	page("captioner_about", "captioner title organization", about...)
	page("captioner_parts", "provenance captioner part value value_low value_high ahead ahead_name", parts...)
	page("lake_facts", "what", []any{"12 images"})
	page("audit_counts", "provenance n what", []any{"published", 1, "rows of " + evil})
	page("standings", "provenance benchmark captioner_name place score", []any{"published", "captionqa", "Good", 1, 90},
		[]any{"measured", "captionqa", mine, 1, 70})
	page("runs", "written stage made sources", []any{"answers", "answer", "measured", "first " + evil})
	return s
}

// around is a site with the report that it is around.
type around struct {
	*Site
	report *report.Report
}

// said is what the site says above its pages.
func said() string { return "12 answers count in no result " + evil }

// built is the site of the small lake; drawing its figures takes seconds, so tests share it.
var built = sync.OnceValues(func() (around, error) {
	s := small(quiet{})
	r, err := report.Build(context.Background(), s, report.Options{})
	if err != nil {
		return around{}, err
	}
	site, err := Build(context.Background(), s, r, Options{Links: []Link{{"sql/", "SQL"}}, Note: said})
	return around{site, r}, err
})

// quiet is a test for work that no test owns.
type quiet struct{ testing.TB }

func (quiet) Helper()           {}
func (quiet) Fatal(args ...any) { panic(fmt.Sprint(args...)) }

func smallSite(t *testing.T) around {
	t.Helper()
	s := must.Get(built())(t)
	return s
}
