package ingest

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

func TestPublishedFaults(t *testing.T) { badFiles(t, "published", "published") }

// TestReferenceCounts counts the rows of every embedded table: lines × figures of a line.
func TestReferenceCounts(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	results, err := LoadReference(t.Context(), l)
	must.Succeed(t, err)
	got := map[string]int{}
	for _, r := range results {
		if !r.Changed {
			t.Errorf("%s was there before", r.Path)
		}
		for table, n := range r.Rows {
			got[path.Base(r.Path)+" "+table] = n
		}
	}
	registry, err := data.Registry()
	must.Succeed(t, err)
	want := map[string]int{
		"models.yaml models":                             len(registry.All()),
		"capability_results.csv published":               924,
		"caparena_figure1_ranking.csv published":         15,
		"caparena_table2_agreement.csv published":        17*8 - 1 - 2, // one row has no needs_reference and no correlations
		"caparena_table3_benchmarks.csv published":       4 * 2,
		"caparena_table8_auto.csv published":             22 * 5,
		"captionqa_leaderboard_categories.csv published": 24 * 25,
		"captionqa_results.csv published":                383 * 3, // 24 models × 4 domains × 4 prompts, less InternVL3 8B in Table 12
		"captionqa_table10_difficulty.csv published":     4 * 4,
		"captionqa_table1_statistics.csv published":      5 * 4,
		"captionqa_table2_quality.csv published":         2 * 4,
		"captionqa_table3.csv published":                 40 * 5,
		"captionqa_table4_gap.csv published":             7 * 4,
		"captionqa_table9_categories.csv published":      25 * 6,
		"captionqa_taxonomy_levels.csv published":        25 + 13,                         // all have words; E-commerce and Embodied AI can be counted
		"captionqa_text_figures.csv published":           1 + 4 + 10 + 4 + 21 + 1 + 3 + 4, // section 4.4, 3.5, 8.1, Figure 13, 17 to 23, 14.5, 12
		"cv_capbench_results.csv published":              260,
		"statements.csv published":                       146,
		"natural.json taxonomy":                          6 + 22 + 29,
		"document.json taxonomy":                         6 + 15 + 36,
		"ecommerce.json taxonomy":                        7 + 16 + 49,
		"embodiedai.json taxonomy":                       6 + 16 + 51,
	}
	if !maps.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	before := lakeFiles(t, l)
	again, err := LoadReference(t.Context(), l)
	must.Succeed(t, err)
	for _, r := range again {
		if r.Changed || len(r.Rows) > 0 {
			t.Errorf("%s changed on the second load", r.Path)
		}
	}
	if !maps.Equal(before, lakeFiles(t, l)) {
		t.Error("the second load changed the lake")
	}
	for _, run := range laketest.All(t, l, data.Runs) {
		if run.Provenance != data.ProvenancePublished {
			t.Errorf("%s is %s", run.Unit, run.Provenance)
		}
	}
}

// TestReferenceFigures reads single figures back; the values were looked up in the printed tables.
func TestReferenceFigures(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	if _, err := LoadReference(t.Context(), l); err != nil {
		t.Fatal(err)
	}
	rows := laketest.All(t, l, data.PublishedFigures)
	for _, want := range []data.Published{
		{Benchmark: "captionqa", Source: "paper", Item: "Table 12", Model: "GPT-5", ModelID: "gpt-5", Prompt: "Simple", Domain: "Natural", Metric: "score", Value: 88.78, Unit: "percent", Decimals: 2},
		{Benchmark: "captionqa", Source: "paper", Item: "Table 11", Model: "InternVL3.5 38B", ModelID: "internvl3.5-38b", Prompt: "Long", Domain: "Natural", Metric: "score", Value: 78.7, Unit: "percent", Decimals: 2},
		{Benchmark: "captionqa", Source: "paper", Item: "Table 11", Model: "InternVL3 78B", ModelID: "internvl3-78b", Prompt: "Long", Domain: "Natural", Metric: "cannot_rate_offered", Value: 89.6, Unit: "percent", Decimals: 1},
		{Benchmark: "captionqa", Source: "paper", Item: "Table 3", Model: "GPT-5", ModelID: "gpt-5", Prompt: "Simple", Domain: "Overall", Metric: "score", Value: 90.29, Unit: "percent", Decimals: 2},
		{Benchmark: "captionqa", Source: "paper", Item: "Table 4", Model: "LLaVA-OV-7B", ModelID: "llava-onevision-7b", Domain: "Embodied AI", Metric: "utility_gap", Value: 41.81, Unit: "points", Decimals: 2},
		{Benchmark: "captionqa", Source: "paper", Item: "Table 1", Domain: "Total", Metric: "questions", Value: 33027, Unit: "count"},
		{Benchmark: "captionqa", Source: "paper", Item: "Table 2", Domain: "E-commerce", Category: "post_quality", Metric: "accuracy", Value: 100, Unit: "percent"},
		{Benchmark: "captionqa", Source: "paper", Item: "Table 7", Domain: "E-commerce", Category: "Textual Elements in Image", Metric: "subcategories", Value: 1, Unit: "count"},
		{Benchmark: "captionqa", Source: "paper", Item: "Table 9", Domain: "Embodied AI", Category: "Functional and Semantic Understanding", Metric: "mean_score", Value: 78.4, Unit: "percent", Decimals: 1},
		{Benchmark: "captionqa", Source: "paper", Item: "Table 10", Domain: "Document", Metric: "questions", Value: 7417, Unit: "count"},
		{Benchmark: "captionqa", Source: "leaderboard", Item: "CaptionQA leaderboard by category", Model: "GPT-5", ModelID: "gpt-5", Prompt: "Simple", Domain: "Natural", Category: "Spatial", Metric: "score", Value: 78.34, Unit: "percent", Decimals: 2},
		{Benchmark: "captionqa", Source: "paper", Item: "Section 3.5", Model: "Qwen2.5 72B", ModelID: "qwen2.5-72b", Metric: "questions_per_second", Value: 21.14, Unit: "per_second", Decimals: 2},
		{Benchmark: "captionqa", Source: "paper", Item: "Figure 13", Prompt: "Taxonomy-Hinted", Domain: "Overall", Metric: "mean_words", Value: 650, Unit: "words"},
		{Benchmark: "captionqa", Source: "paper", Item: "Figure 23", Category: "Long to Taxonomy-Hinted", Metric: "mean_accuracy_gain", Value: -10.8, Unit: "points", Decimals: 1},
		{Benchmark: "captionqa", Source: "paper", Item: "Section 14.5", Prompt: "Short", Domain: "E-commerce", Category: "Textual Elements in Image", Metric: "cannot_rate", Value: 72.1, Unit: "percent", Decimals: 1},
		{Benchmark: "captionqa", Source: "statement", Item: "Section 5", Category: "words", Metric: "models whose smallest gap is E-commerce's", Value: 7, Unit: "count", Text: "E-commerce has the smallest gap for all models", Definition: "take=lowest; of=utility_gap; domain=E-commerce; basis=Table 4; the smallest gap of {elsewhere}"},
		{Benchmark: "cv-capbench", Source: "statement", Item: "Section 4.2", Category: "figure", Metric: "recall of object_category, most", Value: 75.66, Unit: "percent", Decimals: 2, Text: "recall of object category is at most 75.66", Definition: "take=most; of=recall; category=object_category; basis=most of its column"},
		{Benchmark: "capability", Source: "paper", Item: "Table 3", Model: "GPT-4o (0806)", ModelID: "gpt-4o-0806", Category: "average", Metric: "precision", Value: 79.2, Unit: "percent", Decimals: 1},
		{Benchmark: "cv-capbench", Source: "paper", Item: "Table 2", Model: "NVILA-8B", ModelID: "nvila-8b", Category: "object_category", Metric: "precision", Value: 71.39, Unit: "percent", Decimals: 2},
		{Benchmark: "caparena", Source: "paper", Item: "Figure 1", Model: "human", ModelID: "human", Metric: "rank", Value: 2, Unit: "count"},
		{Benchmark: "caparena", Source: "paper", Item: "Table 2", Model: "GPT-4o (with ref)", ModelID: "gpt-4o", Category: "vlm_as_a_judge", Metric: "spearman", Value: 0.943, Unit: "correlation", Decimals: 3},
		{Benchmark: "caparena", Source: "paper", Item: "Table 2", Model: "GPT-4o (with ref)", ModelID: "gpt-4o", Category: "vlm_as_a_judge", Metric: "needs_reference", Value: 1, Unit: "flag", Text: "Yes"},
		{Benchmark: "caparena", Source: "paper", Item: "Table 3", Category: "CapArena-Auto", Metric: "kendall", Value: 0.824, Unit: "correlation", Decimals: 3},
		{Benchmark: "caparena", Source: "paper", Item: "Table 8", Model: "LLaVA-1.5-7B", ModelID: "llava-1.5-7b", Metric: "score_avg", Value: -94, Unit: "points", Decimals: 2},
		{Benchmark: "caparena", Source: "paper", Item: "Table 8", Model: "LLaVA-1.5-7B", ModelID: "llava-1.5-7b", Metric: "length_avg", Value: 74.4, Unit: "words", Decimals: 1},
	} {
		if !slices.ContainsFunc(rows, func(r data.Published) bool {
			r.File, r.Line = "", 0
			return r == want
		}) {
			t.Errorf("not found: %+v", want)
		}
	}
	for _, r := range rows {
		if r.Item == "Table 12" && r.ModelID == "internvl3-8b" {
			t.Errorf("the paper leaves InternVL3 8B out of Table 12, but line %d of %s has it", r.Line, r.File)
		}
		if r.Benchmark == "captionqa" && r.Item == "Table 12" && r.Model == "GPT-5" && (r.File != "captionqa_results.csv" || r.Line < 2) {
			t.Errorf("%s:%d is no place", r.File, r.Line)
		}
	}
}

// TestPublishedSubcategoriesAddUp checks the countable taxonomy tables against Table 1: 16 in both domains.
func TestPublishedSubcategoriesAddUp(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	if _, err := LoadReference(t.Context(), l); err != nil {
		t.Fatal(err)
	}
	sum := map[string]float64{}
	for _, r := range laketest.All(t, l, data.PublishedFigures) {
		if r.Metric == "subcategories" && r.Category != "" {
			sum[r.Domain] += r.Value
		}
	}
	if want := (map[string]float64{"E-commerce": 16, "Embodied AI": 16}); !maps.Equal(sum, want) {
		t.Errorf("got %v, want %v", sum, want)
	}
}

// TestPublishedDetection finds the format of every embedded table by content, with a byte order mark and with plain
// line ends too, and takes nothing else for one.
func TestPublishedDetection(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(data.Reference(), "published/*.csv")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		content, err := fs.ReadFile(data.Reference(), name)
		must.Succeed(t, err)
		for _, variant := range [][]byte{content, append([]byte(byteOrderMark), content...), bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))} {
			files := fstest.MapFS{"x": {Data: variant}}
			f, err := Detect(Source{FS: files, Name: "x", Path: "x"}, Options{})
			if err != nil || f.Name != "published" {
				t.Errorf("%s: %q, %v", name, f.Name, err)
			}
			if _, err := Load(t.Context(), laketest.New(t), Source{FS: files, Name: "x", Path: "x.csv"}, Options{}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	other := fstest.MapFS{"x.csv": {Data: []byte("domain,questions\nNatural,3\n")}}
	if _, err := Load(t.Context(), laketest.New(t), Source{FS: other, Name: "x.csv", Path: "x.csv"}, Options{}); err == nil {
		t.Error("another table is taken")
	}
}

// FuzzPublishedCSV loads any bytes as a published table: they are rows or faults, and never a panic.
func FuzzPublishedCSV(f *testing.F) {
	for _, seed := range []string{
		"domain,questions,top_level,subcategories,images\nNatural,1,2,3,4\n",
		"group,metric,needs_reference,overall,level1,level2,level3,level4,spearman,kendall\nreference,Inter-Annotator,,0.683,0.810,0.650,0.650,0.620,,\n",
		"paper_table,model,dimension,metric,value\n3,GPT-4o (0806),scene,precision,95.9\n",
		"item,model,prompt,domain,category,metric,value,unit\nFigure 13,,Short,Overall,,mean_words,22,words\n",
		"benchmark,spearman,kendall\n\"a\"\"b\",-0.0,1\n",
		"benchmark,spearman,kendall\n\"a\nb\",.5,1.\n",
		"", "\ufeff", "a,b\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		if len(content) > 1<<16 {
			t.Skip("larger than inputs that say something new")
		}
		j := &Job{Source: Source{FS: fstest.MapFS{"x.csv": {Data: content}}, Name: "x.csv", Path: "x.csv"}}
		l := laketest.New(t)
		tx, err := l.Begin(data.Unit{Stage: "test", Name: "x", Provenance: data.ProvenancePublished})
		must.Succeed(t, err)
		defer tx.Abort()
		j.Lake, j.Tx = l, tx
		must.Succeed(t, loadPublished(t.Context(), j))
		for _, fault := range j.faults.All {
			if fault.Line < 1 || fault.Col < 1 || fault.Message == "" {
				t.Errorf("no place or no message: %v", fault)
			}
		}
		if len(j.faults.All) == 0 {
			if err := tx.Commit(); err != nil {
				t.Errorf("no fault, but: %v", err)
			}
		}
	})
}

func TestPublishedStopsWhenCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Load(ctx, laketest.New(t), Source{FS: data.Reference(), Name: "published/captionqa_table3.csv", Path: "t.csv"}, Options{})
	if !errors.Is(err, ctx.Err()) || strings.Contains(err.Error(), "row") {
		t.Errorf("got %v", err)
	}
}
