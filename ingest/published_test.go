package ingest

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rubric"
)

// TestReferenceFigures reads single figures back; the values were looked up in the printed tables.
func TestReferenceFigures(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	must.Get(LoadReference(t.Context(), l))(t)
	rows := laketest.All(t, l, data.PublishedFigures)
	for _, want := range []data.Published{
		{Benchmark: "captionqa", Source: "paper", Item: "Table 12", Model: "GPT-5", ModelID: "gpt-5", Prompt: "Simple",
			Domain: "Natural", Metric: "score", Value: 88.78, Unit: "percent", Decimals: 2},
		{Benchmark: "captionqa", Source: "paper", Item: "Table 11", Model: "InternVL3.5 38B",
			ModelID: "internvl3.5-38b", Prompt: "Long", Domain: "Natural", Metric: "score", Value: 78.7,
			Unit: "percent", Decimals: 2},
		{Benchmark: "captionqa", Source: "paper", Item: "Table 11", Model: "InternVL3 78B", ModelID: "internvl3-78b",
			Prompt: "Long", Domain: "Natural", Metric: "cannot_rate_offered", Value: 89.6, Unit: "percent",
			Decimals: 1},
		{Benchmark: "captionqa", Source: "paper", Item: "Table 3", Model: "GPT-5", ModelID: "gpt-5", Prompt: "Simple",
			Domain: "Overall", Metric: "score", Value: 90.29, Unit: "percent", Decimals: 2},
		{Benchmark: "captionqa", Source: "paper", Item: "Table 4", Model: "LLaVA-OV-7B", ModelID: "llava-onevision-7b",
			Domain: "Embodied AI", Metric: "utility_gap", Value: 41.81, Unit: "points", Decimals: 2},
		{Benchmark: "captionqa", Source: "paper", Item: "Table 1", Domain: "Total", Metric: "questions", Value: 33027,
			Unit: "count"},
		{Benchmark: "captionqa", Source: "paper", Item: "Table 2", Domain: "E-commerce", Category: "post_quality",
			Metric: "accuracy", Value: 100, Unit: "percent"},
		{Benchmark: "captionqa", Source: "paper", Item: "Table 7", Domain: "E-commerce",
			Category: "Textual Elements in Image", Metric: "subcategories", Value: 1, Unit: "count"},
		{Benchmark: "captionqa", Source: "paper", Item: "Table 9", Domain: "Embodied AI",
			Category: "Functional and Semantic Understanding", Metric: "mean_score", Value: 78.4, Unit: "percent",
			Decimals: 1},
		{Benchmark: "captionqa", Source: "paper", Item: "Table 10", Domain: "Document", Metric: "questions",
			Value: 7417, Unit: "count"},
		{Benchmark: "captionqa", Source: "leaderboard", Item: "CaptionQA leaderboard by category", Model: "GPT-5",
			ModelID: "gpt-5", Prompt: "Simple", Domain: "Natural", Category: "Spatial", Metric: "score", Value: 78.34,
			Unit: "percent", Decimals: 2},
		{Benchmark: "captionqa", Source: "paper", Item: "Section 3.5", Model: "Qwen2.5 72B", ModelID: "qwen2.5-72b",
			Metric: "questions_per_second", Value: 21.14, Unit: "per_second", Decimals: 2},
		{Benchmark: "captionqa", Source: "paper", Item: "Figure 13", Prompt: "Taxonomy-Hinted", Domain: "Overall",
			Metric: "mean_words", Value: 650, Unit: "words"},
		{Benchmark: "captionqa", Source: "paper", Item: "Figure 23", Category: "Long to Taxonomy-Hinted",
			Metric: "mean_accuracy_gain", Value: -10.8, Unit: "points", Decimals: 1},
		{Benchmark: "captionqa", Source: "paper", Item: "Section 14.5", Prompt: "Short", Domain: "E-commerce",
			Category: "Textual Elements in Image", Metric: "cannot_rate", Value: 72.1, Unit: "percent", Decimals: 1},
		{Benchmark: "captionqa", Source: "paper", Item: "Figure 20", Prompt: "Short to Long", Domain: "Natural",
			Category: "Object Existence", Metric: "coverage_gain", Value: 5.3, Unit: "points", Decimals: 1},
		{Benchmark: "captionqa", Source: "paper", Item: "Section 15.1.2", Prompt: "Simple", Domain: "Document",
			Category: "Legends", Metric: "part_score", Value: 58, Unit: "percent"},
		{Benchmark: "captionqa", Source: "statement", Item: "Section 5", Category: "words",
			Metric: "models whose smallest gap is E-commerce's", Value: 7, Unit: "count",
			Text:       "E-commerce has the smallest gap for all models",
			Definition: "take=lowest; of=utility_gap; domain=E-commerce; basis=Table 4; the smallest gap of {elsewhere}"},
		{Benchmark: "cv-capbench", Source: "statement", Item: "Section 4.2", Category: "figure",
			Metric: "recall of object_category, most", Value: 75.66, Unit: "percent", Decimals: 2,
			Text:       "recall of object category is at most 75.66",
			Definition: "take=most; of=recall; category=object_category; basis=most of its column"},
		{Benchmark: "capability", Source: "paper", Item: "Table 3", Model: "GPT-4o (0806)", ModelID: "gpt-4o-0806",
			Category: "average", Metric: "precision", Value: 79.2, Unit: "percent", Decimals: 1},
		{Benchmark: "capability", Source: "paper", Item: "Section 4.3", Model: "Gemini-1.5-pro",
			ModelID: "gemini-1.5-pro", Category: "average", Metric: "recall_range", Value: 1, Unit: "points",
			Decimals: 1},
		{Benchmark: "cv-capbench", Source: "paper", Item: "Table 2", Model: "NVILA-8B", ModelID: "nvila-8b",
			Category: "object_category", Metric: "precision", Value: 71.39, Unit: "percent", Decimals: 2},
		{Benchmark: "caparena", Source: "paper", Item: "Figure 1", Model: "human", ModelID: "human", Metric: "rank",
			Value: 2, Unit: "count"},
		{Benchmark: "caparena", Source: "paper", Item: "Table 2", Model: "GPT-4o (with ref)", ModelID: "gpt-4o",
			Category: "vlm_as_a_judge", Metric: "spearman", Value: 0.943, Unit: "correlation", Decimals: 3},
		{Benchmark: "caparena", Source: "paper", Item: "Table 2", Model: "GPT-4o (with ref)", ModelID: "gpt-4o",
			Category: "vlm_as_a_judge", Metric: "needs_reference", Value: 1, Unit: "flag", Text: "Yes"},
		{Benchmark: "caparena", Source: "paper", Item: "Section 4.3", Model: "METEOR", ModelID: "meteor",
			Category: "traditional", Metric: "mean_bias", Value: 8.2, Unit: "points", Decimals: 1},
		{Benchmark: "caparena", Source: "paper", Item: "Table 3", Category: "CapArena-Auto", Metric: "kendall",
			Value: 0.824, Unit: "correlation", Decimals: 3},
		{Benchmark: "caparena", Source: "paper", Item: "Table 8", Model: "LLaVA-1.5-7B", ModelID: "llava-1.5-7b",
			Metric: "score_avg", Value: -94, Unit: "points", Decimals: 2},
		{Benchmark: "caparena", Source: "paper", Item: "Table 8", Model: "LLaVA-1.5-7B", ModelID: "llava-1.5-7b",
			Metric: "length_avg", Value: 74.4, Unit: "words", Decimals: 1},
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
		if r.Benchmark == "captionqa" && r.Item == "Table 12" && r.Model == "GPT-5" &&
			(r.File != "captionqa_results.csv" || r.Line < 2) {
			t.Errorf("%s:%d is no place", r.File, r.Line)
		}
	}
}

// Every figure is in the range of its unit and names what its paper has: a table of its domain and
// prompt, a category of its domain's taxonomy, a dimension, a metric of its table; and a statement
// says what it states, and how it is recomputed.
func TestPublishedFiguresAreInOrder(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	must.Get(LoadReference(t.Context(), l))(t)
	categories := map[string]bool{}
	for _, n := range laketest.All(t, l, data.Taxonomy) {
		categories[n.Domain+"/"+n.Category] = true
	}
	dimensions := map[string]bool{"average": true}
	for _, d := range rubric.Dimensions() {
		dimensions[d.ID] = true
	}
	tables := map[string]bool{} // of rubrics, with the metrics that they print
	for name, metrics := range map[string]string{"capability Table 3": "precision recall f1",
		"capability Table 4": "precision recall f1", "capability Table 5": "hit_rate",
		"capability Table 6": "qa_accuracy know_but_cannot_tell", "cv-capbench Table 2": "precision recall f1",
		"cv-capbench Table 3": "hit_rate"} {
		for _, metric := range strings.Fields(metrics) {
			tables[name+" "+metric] = true
		}
	}
	domains, prompts := data.CaptionQA().DomainNames(), captionqa.TablePrompts()
	most := map[string]float64{"percent": 100, "share": 1, "flag": 1, "text": 0, "points": 100, "correlation": 1,
		"sign": 1, "count": 1e5}
	least := map[string]float64{"points": -100, "correlation": -1, "sign": -1}
	subcategories := map[string]float64{}
	for _, r := range laketest.All(t, l, data.PublishedFigures) {
		wrong := func(what string) { t.Errorf("%s:%d: %s: %+v", r.File, r.Line, what, r) }
		top, bounded := most[r.Unit]
		if bounded && r.Value > top || r.Value < least[r.Unit] {
			wrong("out of range")
		}
		if r.Unit == "count" && (r.Decimals > 0 || r.Value != math.Trunc(r.Value)) {
			wrong("a count is a whole number")
		}
		change := slices.Contains([]string{"Short to Simple", "Simple to Long", "Short to Long", "Long to Taxonomy-Hinted"},
			r.Prompt)
		if r.Prompt != "" && !change && !slices.Contains(prompts, r.Prompt) || r.Domain != "" &&
			!slices.Contains(append(domains, data.DomainOverall, "Total"), r.Domain) {
			wrong("unknown name")
		}
		byCategory := slices.Contains([]string{"Table 5", "Table 6", "Table 7", "Table 8", "Table 9", "Section 8.1",
			"Section 14.5", "CaptionQA leaderboard by category"}, r.Item) ||
			change
		switch {
		case r.Source == "statement":
			if fault := faultOfDefinition(r.Definition); fault != "" || r.Text == "" || r.Category != "figure" &&
				r.Category != "words" {
				wrong("no statement " + fault)
			}
		case r.Benchmark == data.BenchmarkCapArena:
		case r.Benchmark != data.BenchmarkCaptionQA && strings.HasPrefix(r.Item, "Table "):
			if !dimensions[r.Category] || !tables[r.Benchmark+" "+r.Item+" "+r.Metric] {
				wrong("no figure of a rubric")
			}
		case byCategory && slices.Contains(domains, r.Domain) && r.Category != "" &&
			!categories[r.Domain+"/"+r.Category]:
			wrong("not in the taxonomy")
		case r.File == "captionqa_results.csv":
			if r.Item != fmt.Sprintf("Table %d",
				slices.Index(domains, r.Domain)*len(prompts)+slices.Index(prompts, r.Prompt)+11) {
				wrong("another table")
			}
		}
		if r.Metric == "subcategories" && r.Category != "" {
			subcategories[r.Domain] += r.Value
		}
	}
	// The countable tables of taxonomies add up to Table 1: 16 in both domains.
	expect.Equal(t, subcategories, (map[string]float64{"E-commerce": 16, "Embodied AI": 16}))
}

// faultOfDefinition finds what is wrong with NAME=VALUE with "; " between, and basis the last: the
// names of the figures that are taken.
func faultOfDefinition(text string) string {
	takes := strings.Fields("value most least mean second lead lowest highest leads above below difference share " +
		"ratio sign categories")
	names := strings.Fields("take of item model_id model_type prompt domain category other_model other_prompt " +
		"other_category bound times over from slack")
	text, _, _ = strings.Cut(text, "; basis=")
	for i, part := range strings.Split(text, "; ") {
		name, value, _ := strings.Cut(part, "=")
		_, err := strconv.ParseFloat(value, 64)
		number := slices.Index(names, name) >= slices.Index(names, "bound")
		if text != "" &&
			(i < 2 && name != names[i] || !slices.Contains(names, name) || value == "" || name == "take" &&
				!slices.Contains(takes, value) || number && err != nil) {
			return part
		}
	}
	return ""
}
