package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/plots/ggsql"
	"github.com/captionlake/captionlake/plots/rowstest"
)

// shownAs lists the files of some forms.
func shownAs(t *testing.T, forms ...string) []*ggsql.File {
	t.Helper()
	return slices.DeleteFunc(slices.Clone(must.Get(ggsql.All())(t)), func(f *ggsql.File) bool { return !slices.Contains(forms, f.Form) })
}

// tableNamed lays one table out, by its name.
func tableNamed(t *testing.T, name string, ts map[string]*rows.Rows) *Grid {
	t.Helper()
	for _, f := range shownAs(t, "table", "page") {
		if f.Name != name && (f.Each == "" || !slices.ContainsFunc(f.Reads, func(mart string) bool { return ts[mart] != nil })) {
			continue
		}
		all := rowstest.Select(t, f, ts)
		if f.Name != name {
			values, parts := all.Group(f.Each)
			k := slices.Index(columnIDs(values), name)
			if k < 0 {
				continue
			}
			all = parts[values[k]]
		}
		g := must.Get(Layout(f, all))(t)
		g.print()
		g.Notes = append(g.Notes, g.signs()...)
		return g
	}
	t.Fatalf("there is no table %s", name)
	return nil
}

// lines are the rows of a grid as Markdown writes them, headings of sections included.
func lines(g *Grid) string {
	var out []string
	for i, l := range strings.Split(g.Markdown("measured"), "\n") {
		if strings.HasPrefix(l, "|") && i != 5 {
			out = append(out, l)
		}
	}
	return strings.Join(out, "\n")
}

// The tables lay rows of marts out; each is held against what the mart says, in the order and the form of the paper.
func TestTablesOfThePaper(t *testing.T) {
	for _, c := range []struct {
		name, mart string
		columns    []string
		rows       [][]any
		want       string
	}{
		{"table_01_statistics", "dataset_statistics", []string{"bank", "domain", "questions", "top_level", "subcategories", "images", "questions_per_image"},
			[][]any{{"b", "Total", 150, 9, 0, 3, 50}, {"b", "Document", 50, 4, 0, 1, 50}, {"b", "Natural", 100, 5, 0, 2, 50}}, `
| Domain | Questions | Top-level | Sub | Images | Questions per image |
| **Bank: b** |  |  |  |  |  |
| Natural | 100 | 5 | 0 | 2 | 50.0 |
| Document | 50 | 4 | 0 | 1 | 50.0 |
| Total | 150 | 9 | 0 | 3 | 50.0 |`},
		{"table_02_quality", "captionqa_quality", []string{"domain", "stage", "accuracy"},
			[][]any{{"Document", "post_quality", 99}, {"Document", "pre_quality", 88}, {"Natural", "post_quality", 97}, {"Natural", "pre_quality", 86}}, `
| Stage | Natural | Document |
| Before quality control | 86.0 | 88.0 |
| After quality control | **97.0** | **99.0** |`},
		{"construct_funnel", "construct_funnel", []string{"domain", "step", "position", "n_candidates", "n_images", "n_generators", "n_waiting", "share"},
			[][]any{{"Kitchen", "published", 8, 3, 1, 1, 2, 37.5}, {"Kitchen", "generated", 1, 8, 2, 3, 0, 100}}, `
| Step | Questions | of those generated (%) | Images | Generators | Waiting |
| **Kitchen** |  |  |  |  |  |
| generated | 8 | 100.0 | 2 | 3 | 0 |
| published | 3 | 37.5 | 1 | 1 | 2 |`},
		{"construct_agreement", "construct_agreement", []string{"domain", "validator_a_name", "validator_b_name", "n_candidates", "n_both_key", "n_both_flag", "agreement", "expected", "kappa"},
			[][]any{{"Kitchen", "A", "B", 10, 6, 1, 70, 48, 0.6154}}, `
| Validator | and | Questions | Both the key | Both a flag | Agreement (%) | By chance (%) | Kappa |
| **Kitchen** |  |  |  |  |  |  |  |
| A | B | 10 | 6 | 1 | 70.0 | 48.0 | 0.62 |`},
		{"construct_routes", "construct_routes", []string{"domain", "category", "n_candidates", "accepted", "accepted_low", "accepted_high", "n_discard", "n_review", "n_kept", "n_fixed", "n_dropped", "n_waiting", "n_questions"},
			[][]any{{"Kitchen", "Tools", 4, 50, 40, 60, 1, 1, 1, 0, 0, 1, 3}, {"Kitchen", "", 4, 50, 40, 60, 1, 1, 1, 0, 0, 1, 3}}, `
| Category | Validated | Accepted (%) | Flagged by both | For a person | Kept | Fixed | Dropped | Waiting | Published |
| **Kitchen** |  |  |  |  |  |  |  |  |  |
| All | 4 | 50.0 ± 10.0 | 1 | 1 | 1 | 0 | 0 | 1 | 3 |
| Tools | 4 | 50.0 ± 10.0 | 1 | 1 | 1 | 0 | 0 | 1 | 3 |`},
		{"construct_blind", "construct_blind", []string{"domain", "reader_name", "n_options", "n_candidates", "drop_at", "hit_rate", "random_hit_rate", "dropped", "dropped_low", "dropped_high", "random_dropped"},
			[][]any{{"Kitchen", "R", 4, 2, 7, 30, 25, 0, nil, nil, 0.35}, {"Kitchen", "R", 0, 3, nil, 40, 33.3, 33.3, nil, nil, 0.27}}, `
| Options | Questions | Dropped at | Hits (%) | at random (%) | Dropped (%) | at random (%) |
| **Kitchen, reader R** |  |  |  |  |  |  |
| 4 | 2 | 7 | 30.0 | 25.0 | 0.0 | 0.35 |
| All | 3 | – | 40.0 | 33.3 | 33.3 | 0.27 |`},
		{"construct_costs", "construct_costs", []string{"domain", "stage", "model_name", "n_calls", "tokens", "cached_tokens", "cost_low", "cost_high", "n_questions", "tokens_per_1000", "cost_low_per_1000", "cost_high_per_1000"},
			[][]any{{"Kitchen", "blind", "", 5, 500, 100, nil, nil, 2, 250000, nil, nil}, {"Kitchen", "generate", "G", 7, 900, 0, 1.5, 1.5, 2, 450000, 750, 750}}, `
| Stage | Model | Calls | Tokens | from cache | Cost, least | most | Questions | Tokens for 1,000 | Cost for 1,000, least | most |
| **Kitchen** |  |  |  |  |  |  |  |  |  |  |
| generate | G | 7 | 900 | 0 | 1.50 | 1.50 | 2 | 450,000 | 750.00 | 750.00 |
| blind |  | 5 | 500 | 100 | unknown | unknown | 2 | 250,000 | – | – |`},
		{"table_04_gap", "captionqa_gap", []string{"prompt", "captioner_name", "domain", "gap", "gap_low", "gap_high", "relative_gap"},
			[][]any{{"Simple", "Wide", "Natural", 30, nil, nil, nil}, {"Simple", "Wide", "Overall", 20, 18, 22, 25}, {"Simple", "Narrow", "Overall", 5, 4, 7, 6}, {"Long", "Narrow", "Overall", 1, 1, 1, 1}}, `
| Model | Overall | Natural |
| **Gap in points** |  |  |
| Narrow | **5.00** \[4.00, 7.00\] | – |
| Wide | 20.00 \[18.00, 22.00\] | 30.00 |
| **Gap as a share of the accuracy on the image (%)** |  |  |
| Narrow | **6.00** | – |
| Wide | 25.00 | – |`},
		{"table_10_difficulty", "difficulty_bins", []string{"prompt", "domain", "easy_share", "medium_share", "hard_share", "n_questions"},
			[][]any{{"Simple", "Natural", 47.5, 27.2, 25.2, 10445}, {"Long", "Natural", 1, 1, 98, 1}}, `
| Domain | Easy (%) | Medium (%) | Hard (%) | Questions |
| Natural | 47.5 | 27.2 | 25.2 | 10,445 |`},
		{"audit_findings", "published_audit", []string{"benchmark", "check_name", "kind", "item", "domain", "category", "model", "metric", "message"},
			[][]any{
				{"captionqa", "sum", "rounding", "Table 9", "", "", "", "", "one off"}, {"captionqa", "row_gone", "contradiction", "Table 3", "Natural", nil, nil, nil, "the last row"},
				{"capability", "f1", "contradiction", "Table 9", "", "style", "", "f1", "9 | 8"}, {"captionqa", "order", "wording", "Table 10", "Document", "", "", "max", "7 below 8"},
			}, `
| Where | Domain | Category | Finding |
| **Contradiction, capability: f1** |  |  |  |
| Table 9 |  | style | 9 \| 8 |
| **Contradiction, captionqa: row gone** |  |  |  |
| Table 3 | Natural |  | the last row |
| **Wording, captionqa: order** |  |  |  |
| Table 10 | Document |  | 7 below 8 |
| **Rounding, captionqa: sum** |  |  |  |
| Table 9 |  |  | one off |`},
		{"audit_statements", "published_claims", []string{"benchmark", "claim", "section", "statement", "stated", "recomputed", "kind", "basis"},
			[][]any{{"captionqa", "b", "1", "one in three", 33.3, 33.33, "agreement", "Table 1"}, {"captionqa", "a", "2", "half", 50, 52, "contradiction", "Table 1"}}, `
| Section | Statement | Stated | Recomputed | From |
| **Contradiction, captionqa** |  |  |  |  |
| 2 | half | 50.000 | 52.000 | Table 1 |
| **Agreement, captionqa** |  |  |  |  |
| 1 | one in three | 33.300 | 33.330 | Table 1 |`},
		{"ranks", "captionqa_ranks", []string{"prompt", "metric", "captioner_name", "domain", "rank", "rank_low", "rank_high"},
			[][]any{{"Simple", "score", "Second", "Overall", 2, 1, 3}, {"Simple", "score", "First", "Overall", 1, 1, 2}, {"Simple", "accuracy", "First", "Overall", 2, 1, 2}, {"Simple", "score", "First", "Natural", 2, nil, nil}}, `
| Captioner | Overall | Natural |
| First | **1** \[1, 2\] | 2 |
| Second | 2 \[1, 3\] | – |`},
		{"caption_lengths", "caption_lengths", []string{"origin", "captioner", "captioner_name", "prompt", "domain", "mean_words", "mean_words_low", "mean_words_high"},
			[][]any{{"captions", "", "", "Long", "Overall", 500, 450, 550}, {"captions", "b", "B", "Long", "Overall", 700, nil, nil}, {"captions", "a", "A", "Short", "Overall", 20, nil, nil},
				{"captions", "a", "A", "Long", "Natural", 9, nil, nil}, {"published", "", "", "Long", "Overall", 510, nil, nil}}, `
| Captioner | Short | Long |
| A | 20.0 | – |
| B | – | 700.0 |
| Mean of the captioners | – | 500.0 ± 50.0 |
| All captioners, as the paper states | – | 510.0 |`},
		{"category_questions", "category_questions", []string{"domain", "category", "place", "n_questions", "share", "n_images", "n_subcategories", "stated_share"},
			[][]any{{"Natural", "Spatial", 2, 10, 25, nil, nil, nil}, {"Natural", "Attribute", 1, 30, 75, nil, nil, 28.1}}, `
| Category | Questions | Share (%) | Stated (%) |
| **Natural** |  |  |  |
| Attribute | 30 | 75.0 | 28.1 |
| Spatial | 10 | 25.0 | – |`},
		{"utility_per_word", "utility_per_word", []string{"provenance", "caption_provenance", "captioner_name", "prompt", "domain", "score_per_100_words"},
			[][]any{{"measured", "simulated", "No", "Long", "Natural", 1}, {"measured", "published", "B", "Long", "Natural", 12}, {"measured", "published", "A", "Long", "Natural", 16}}, `
| Captioner | Long |
| **Natural** |  |
| A | **16.00** |
| B | 12.00 |`},
		{"prompt_transitions", "prompt_transitions", []string{"transition", "level", "domain", "category", "place", "accuracy_gain", "accuracy_gain_low", "accuracy_gain_high", "score_gain", "coverage_gain", "coverage_offered_gain", "share_of_long", "n_models"},
			[][]any{{"Simple to Long", "category", "Natural", "Attribute", 1, -0.5, -1, 0.5, -0.4, 1, 1.5, nil, 24}, {"Short to Simple", "category", "Natural", "Spatial", 2, 20, nil, nil, 18, nil, 26, 99, 24}, {"Short to Simple", "category", "Natural", "Attribute", 1, 30, nil, nil, 28, 32, 36, 101, 24}}, `
| Domain | Category | Accuracy | Score | Coverage | of offered | % of Long's gain | Captioners |
| **Short to Simple, level category** |  |  |  |  |  |  |  |
| Natural | Attribute | +30.00 | +28.00 | +32.00 | +36.00 | 101.0 | 24 |
| Natural | Spatial | +20.00 | +18.00 | – | +26.00 | 99.0 | 24 |
| **Simple to Long, level category** |  |  |  |  |  |  |  |
| Natural | Attribute | -0.50 \[-1.00, +0.50\] | -0.40 | +1.00 | +1.50 | – | 24 |`},
		{"short_cannot_categories", "captionqa_category_summary", []string{"prompt", "domain", "category", "cannot_rate", "cannot_rate_offered", "n_models"},
			[][]any{{"Short", "Natural", "Spatial", 70, 80, 24}, {"Short", "Document", "Charts", 70.1, 75, 24}, {"Simple", "Document", "Charts", 20, 30, 24}}, `
| Domain | Category | Cannot (%) | of offered (%) | Captioners |
| **Level category, above 70%** |  |  |  |  |
| Document | Charts | 70.1 | 75.0 | 24 |
| **Level category, at most 70%** |  |  |  |  |
| Natural | Spatial | 70.0 | 80.0 | 24 |
| **Level domain, printed for the questions that offer the option alone** |  |  |  |  |
| Natural |  | – | 70.0 | 2 |`},
	} {
		t.Run(c.name, func(t *testing.T) {
			banks := laketest.Rows(t, "dataset_statistics", []string{"bank", "domain", "provenance", "questions"}, []any{"b", "Natural", "measured", 1})
			marts := map[string]*rows.Rows{"dataset_statistics": banks}
			if c.name == "short_cannot_categories" {
				marts["captionqa_scores"] = laketest.Rows(t, "captionqa_scores", []string{"prompt", "evidence", "level", "domain", "model_type", "score", "accuracy", "cannot_rate_offered"},
					[]any{"Short", "caption", "domain", "Natural", "open", 50, 40, 60}, []any{"Short", "caption", "domain", "Natural", "open", 50, 40, 80})
			}
			marts[c.mart] = laketest.Rows(t, c.mart, c.columns, c.rows...)
			got := lines(tableNamed(t, c.name, marts))
			if want := strings.TrimPrefix(c.want, "\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// Cannot rates 50, 0, 100, 0; difficulties 85, 100, 70, 50. Deviations 12.5, -37.5, 62.5, -37.5 and 8.75, 23.75, -6.25, -26.25: products
// 109.375 - 890.625 - 390.625 + 984.375 = -187.5, squares 6875 and 1368.75: r = -0.0611; interval tanh(atanh(r) -+ 1.96 / sqrt(4 - 3)).
func TestCategorySummaryNamesTheCorrelation(t *testing.T) {
	summary := laketest.Rows(t, "captionqa_category_summary", []string{"prompt", "basis", "domain", "category", "mean_score", "sd", "min_score", "max_score", "cannot_rate", "cannot_rate_offered", "n_questions"},
		[]any{"Simple", "answers", "Natural", "Spatial", 15, 11.6, 12.1, 28.9, 50, 51, 1210}, []any{"Simple", "answers", "Natural", "Scene", 0, 0, 0, 0, 0, nil, 1247},
		[]any{"Simple", "answers", "Document", "Text", 30, 8.1, 25.2, 41.4, 100, 100, 30}, []any{"Simple", "answers", "Document", "Charts", 50, 8.1, 45.2, 61.4, 0, 0, 40})
	g := tableNamed(t, "table_09_categories", map[string]*rows.Rows{"captionqa_category_summary": summary})
	if want := "| Category | Mean | Std | Min | Max | Cannot (%) | of offered (%) | Questions |\n| **Natural. Basis: answers** |  |  |  |  |  |  |  |\n" +
		"| Spatial | 15.0 | 11.6 | 12.1 | 28.9 | 50.0 | 51.0 | 1,210 |\n| Scene | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | – | 1,247 |\n" +
		"| **Document. Basis: answers** |  |  |  |  |  |  |  |\n" +
		"| Charts | 50.0 | 8.1 | 45.2 | 61.4 | 0.0 | 0.0 | 40 |\n| Text | 30.0 | 8.1 | 25.2 | 41.4 | 100.0 | 100.0 | 30 |"; lines(g) != want {
		t.Errorf("got\n%s", lines(g))
	}
	const r = "Basis answers: Pearson's r of the cannot rate of all answers and difficulty (100 minus the mean) over 4 categories is -0.06, 95% interval -0.97 to 0.96."
	if !slices.Equal(g.Notes[1:], []string{r}) || !strings.HasPrefix(g.Notes[0], "Cannot: share of all answers") {
		t.Errorf("notes %q, want the two rates and %q", g.Notes, r)
	}
}

func TestOneCellHasOneValue(t *testing.T) {
	f, err := ggsql.Parse("mine.sql", "", "-- columns: [{name: model}, {name: v, decimals: 0, across: domain}]\nselect 1\n")
	must.Succeed(t, err)
	_, err = Layout(f, laketest.Rows(t, "m", []string{"model", "domain", "v"}, []any{"A", "Natural", 1}, []any{"A", "Natural", 2}))
	if err == nil || err.Error() != "table m has two values of Natural for A" {
		t.Errorf("got %v", err)
	}
}

// A file of one's own needs no columns: numbers have two digits after the point at most.
func TestColumnsOfAnOwnFile(t *testing.T) {
	f := must.Get(ggsql.Parse("mine.sql", "", "select 1\n"))(t)
	g := must.Get(Layout(f, laketest.Rows(t, "m", []string{"model_name", "n", "share"}, []any{"A", 12, 0.12345}, []any{nil, 3, nil})))(t)
	g.print()
	if got, want := lines(g), "| Model name | N | Share |\n| A | 12 | 0.12 |\n|  | 3 | – |"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
