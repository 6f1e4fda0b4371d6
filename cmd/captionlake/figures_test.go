package main

import (
	"bytes"
	"cmp"
	"database/sql"
	"encoding/json"
	"maps"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/analytics/build"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/plots"
	"github.com/captionlake/captionlake/plots/ggsql"
	models "github.com/captionlake/captionlake/sql"
)

// Marks of an SVG: a point, with its place on both axes, a bar of the accent from its left to its
// right end, and a grey line.
var (
	svgPoint = regexp.MustCompile(`M([\d.]+),([\d.]+)A2.3,2.3`)
	svgBar   = regexp.MustCompile(`M([\d.]+),[\d.]+L([\d.]+),[\d.]+L[^Z]+Z" style="fill:#B34700"`)
	svgLine  = regexp.MustCompile(`M([^"]+)" style="fill:none;stroke:#949494`)
)

// The test reads the marks of published rows back from the SVG and compares their places with
// queries of the marts: place and value differ by one scale. Points and lines belong to the first
// panel. A minus before an axis means that it is reversed.
func TestFiguresDrawTheMarts(t *testing.T) {
	t.Parallel()
	_, session := demoSession(t)
	files := must.Get(ggsql.All())(t)
	for _, c := range []struct{ figure, mark, value, from string }{
		{"leaderboard", "x", "value",
			"captionqa_ranks where metric = 'score' and domain = 'Overall' and prompt = 'Simple'"},
		{"utility_gap", "x", "unnest([image_accuracy, caption_accuracy])",
			"captionqa_gap where domain = 'Overall' and prompt = 'Simple'"},
		{"scores", "x", "score",
			"captionqa_scores where level = 'category' and evidence = 'caption' and prompt = 'Simple'"},
		{"prompts", "line", "score", "captionqa_scores where level = 'overall' and evidence = 'caption'"},
		{"transitions", "x", "accuracy_gain",
			"prompt_transitions where level = 'domain' and transition = 'Short to Simple'"},
		{"utility_per_word", "x", "log10(mean_words)",
			"utility_per_word semi join shown_readers using (protocol, reader, provenance) where domain = 'Natural'"},
		{"utility_per_word", "y", "score",
			"utility_per_word semi join shown_readers using (protocol, reader, provenance) where domain = 'Natural'"},
		{"caption_lengths", "bar", "mean_words", "caption_lengths where domain = 'Overall'"},
		{"capability_scores", "x", "figure",
			"capability_figures where benchmark = 'capability' and kind = 'dimension' and metric = 'f1'"},
		{"arena_auto", "x", "score", "arena_auto where coalesce(baseline, '') = ''"},
		{"arena_benchmarks", "x", "score", "arena_benchmarks where name = 'CapArena-Auto'"},
		{"arena_benchmarks", "y", "-place", "arena_benchmarks where name = 'CapArena-Auto'"},
		{"arena_lengths", "x", "mean_words", "arena_lengths where true"},
	} {
		t.Run(c.figure+" "+c.mark, func(t *testing.T) {
			ask := func(query string) []byte {
				var rows bytes.Buffer
				must.Get(session.Query(t.Context(), query, ask.Options{Format: "json", Rows: -1}, &rows))(t)
				return rows.Bytes()
			}
			var want []struct{ V *float64 }
			f := files[slices.IndexFunc(files,
				func(f *ggsql.File) bool { return f.Form == "figure" && f.Name == c.figure })]
			query := must.Get(f.Select(nil))(t)
			rows := tableOf(t, f.Rows(), ask(query))
			kind := "published"
			if c.figure == "utility_per_word" { // which printed rows are too few for
				kind = "simulated"
			}
			must.Succeed(t, json.Unmarshal(ask("select "+c.value+" as v from "+
				c.from+" and provenance = '"+kind+"'"), &want))
			_, kinds := rows.Group("provenance")
			d := must.Get(plots.Draw(f, kinds[kind], plots.Page{Kinds: []string{kind}}))(t)
			expect.Between(t, len(strings.Fields(d.Subtitle)), 0, 15, d.Subtitle)
			picture := must.Get(d.Encode("svg"))(t)
			places, values := markPlaces(t, string(picture), c.mark), []float64{}
			for _, row := range want {
				if row.V != nil {
					values = append(values, *row.V)
				}
			}
			if len(places) < len(values) || len(values) == 0 {
				t.Fatalf("%d marks for %d values", len(places), len(values))
			}
			places = places[:len(values)]
			if c.mark == "bar" { // which begins at zero
				places, values = append(places, 0), append(values, 0)
			}
			slices.Sort(places)
			slices.Sort(values)
			last := len(values) - 1
			scale := (places[last] - places[0]) / (values[last] - values[0])
			for i, v := range values {
				if want := places[0] + (v-values[0])*scale; math.Abs(places[i]-want) > 0.02 {
					t.Errorf("%v is drawn at %.2f, and belongs to %.2f", v, places[i], want)
				}
			}
		})
	}
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	return must.Get(strconv.ParseFloat(text, 64))(t)
}

// markPlaces are the places of marks on an axis, the widths of bars, and the heights of lines.
func markPlaces(t *testing.T, picture, mark string) (out []float64) {
	switch mark {
	case "bar":
		for _, m := range svgBar.FindAllStringSubmatch(picture, -1) {
			out = append(out, number(t, m[2])-number(t, m[1]))
		}
	case "line":
		for _, m := range svgLine.FindAllStringSubmatch(picture, -1) {
			for _, at := range strings.Split(m[1], "L") {
				_, y, _ := strings.Cut(at, ",")
				out = append(out, number(t, y))
			}
		}
	default:
		for _, m := range svgPoint.FindAllStringSubmatch(picture, -1) {
			out = append(out, number(t, m[1+strings.Index("xy", mark)]))
		}
	}
	return out
}

// shares are the shares of easy, medium and hard questions of Table 10, in the order of its
// columns.
const shares = `[{"domain":"Document","bin":"easy","share":42.3},{"domain":"Document","bin":"medium","share":37.6},
	{"domain":"Document","bin":"hard","share":20.1},
	{"domain":"Natural","bin":"easy","share":47.5},{"domain":"Natural","bin":"medium","share":27.2},
	{"domain":"Natural","bin":"hard","share":25.2}]`

// barEnds are the places where the coloured bars of a figure begin and end: the first bar begins at
// 0 and ends at a value.
func barEnds(t *testing.T, clauses, rows string, axis int, first float64) (out [][2]float64) {
	t.Helper()
	f := must.Get(ggsql.Parse("own.sql", "", "select 1\n"+clauses))(t)
	table := tableOf(t, f.Rows(), []byte(rows))
	d := must.Get(plots.Draw(f, table, plots.Page{Bare: true, Kinds: []string{data.ProvenancePublished}}))(t)
	var zero, unit float64
	for _, m := range regexp.MustCompile(`M([\d.]+),([\d.]+)L[\d.,]+L([\d.]+),([\d.]+)L[\d.,]+Z" `+
		`style="fill:#[0-9A-E]`).FindAllStringSubmatch(string(must.Get(d.Encode("svg"))(t)), -1) {
		from, to := number(t, m[1+axis]), number(t, m[3+axis])
		if width := number(t, m[3]) - number(t, m[1]); math.Abs(width-8) < 0.01 {
			continue // of a legend
		}
		if unit == 0 {
			zero, unit = from, (to-from)/first
		}
		out = append(out, [2]float64{(from - zero) / unit, (to - zero) / unit})
	}
	slices.SortFunc(out, func(a, b [2]float64) int {
		return cmp.Or(cmp.Compare(math.Round(a[0]), math.Round(b[0])), cmp.Compare(a[1], b[1]))
	})
	return out
}

// The program ggsql reads and executes each whole figure over the tables, views and macros of the
// lake's DuckDB file, and stacks the same bars as captionlake. For this test the file has tables
// instead of views, because ggsql cannot read Parquet without a download.
func TestGgsqlExecutesFigures(t *testing.T) {
	laketest.Slow(t, "installs ggsql from PyPI")
	lake, folder := demoLake(t), t.TempDir()
	db := must.Get(sql.Open("duckdb", filepath.Join(lake, build.CatalogFile)))(t)
	defer db.Close()
	conn := must.Get(db.Conn(t.Context()))(t)
	defer conn.Close()
	exec := func(statement string) {
		t.Helper()
		must.Get(conn.ExecContext(t.Context(), statement))(t)
	}
	exec("attach '" + filepath.Join(folder, "lake.duckdb") + "' as whole")
	views := must.Get(conn.QueryContext(t.Context(), "select view_name from duckdb_views() where not internal"))(t)
	var names []string
	for views.Next() {
		names = append(names, "")
		must.Succeed(t, views.Scan(&names[len(names)-1]))
	}
	must.Succeed(t, views.Err())
	for _, name := range names {
		exec("create table whole." + name + " as from " + name)
	}
	exec("use whole; " + models.ShownMacros + "; use captionlake; detach whole")
	figures := 0
	for _, f := range must.Get(ggsql.All())(t) {
		if f.Form == "figure" && !f.Cards {
			figures++
			must.Write(t, filepath.Join(folder, f.Name+".sql"), f.Text)
		}
	}
	stacked := map[string]string{
		"stacked":       "VISUALISE domain AS x, share AS y, bin AS fill\nDRAW bar\nLABEL title => 'Shares'\n",
		"stacked_lying": "VISUALISE domain AS y, share AS x, bin AS fill\nDRAW bar\nLABEL title => 'Shares'\n",
	}
	own := map[string]string{
		"dodge": "VISUALISE domain AS x, share AS y, bin AS fill\nDRAW bar SETTING position => 'dodge'\nDRAW point " +
			"FILTER share > 30 AND bin = 'easy'\n",
		"histogram": "VISUALISE share AS x\nDRAW histogram SETTING bins => 3\n",
		"density":   "VISUALISE share AS x, domain AS fill\nDRAW density SETTING adjust => 2\n",
		"boxplot":   "VISUALISE domain AS y, share AS x\nDRAW boxplot SETTING width => 0.5\n",
		"smooth":    "VISUALISE share AS x, share AS y\nDRAW smooth SETTING method => 'ols'\n",
		"palette":   "VISUALISE domain AS x, bin AS y, share AS fill\nDRAW tile\nSCALE fill TO viridis\n",
		"polar":     "VISUALISE bin AS angle, share AS radius, domain AS stroke\nDRAW line\nPROJECT TO polar\n",
	}
	maps.Copy(own, stacked)
	for name, clauses := range own {
		must.Write(t, filepath.Join(folder, name+".sql"), clauses)
		must.Write(t, filepath.Join(folder, name+".json"), shares)
	}
	script := must.Get(filepath.Abs(filepath.Join("testdata", "figures_ggsql.py")))(t)
	if refused := runScript(t, script, folder); refused != "" || figures < 30 {
		t.Errorf("of %d figures ggsql refuses:\n%s", figures, refused)
	}
	for name, clauses := range stacked {
		var want [][2]float64
		must.Succeed(t, json.Unmarshal(must.Read(t, filepath.Join(folder, name+".ends")), &want))
		got := barEnds(t, clauses, shares,
			strings.Index("xy", string(clauses[strings.Index(clauses, "share AS ")+len("share AS ")])), 42.3)
		if len(want) != 6 || len(got) != len(want) {
			t.Fatalf("%s: %d bars, and ggsql has %d", name, len(got), len(want))
		}
		for i, w := range want {
			if math.Abs(got[i][0]-w[0]) > 0.05 || math.Abs(got[i][1]-w[1]) > 0.05 {
				t.Errorf("%s: bars end at %v, those of ggsql at %v", name, got, want)
				break
			}
		}
	}
}

// tableOf returns rows as they are in JSON.
func tableOf(t *testing.T, name string, content []byte) *rows.Rows {
	t.Helper()
	var all []map[string]any
	must.Succeed(t, json.Unmarshal(content, &all))
	columns := slices.Sorted(maps.Keys(all[0]))
	given := make([][]any, len(all))
	for i, row := range all {
		for _, c := range columns {
			given[i] = append(given[i], row[c])
		}
	}
	return laketest.Rows(t, name, columns, given...)
}
