package plots

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

func TestReaders(t *testing.T) {
	tb := table(t, "reader_comparison", []string{"protocol", "reader", "provenance", "reader_name", "faithfulness", "faithfulness_low", "faithfulness_high", "accuracy", "accuracy_low", "accuracy_high", "accuracy_sd", "questions_per_second"},
		[]any{"captionqa/upstream", "s", "measured", "Slow", 99, 98, 99.5, 68, 67, 69, 0.02, nil}, []any{"captionqa/upstream", "q", "measured", "Quick", 90, nil, nil, 70, nil, nil, nil, nil})
	labels := textsOf(t, "readers", Tables{"reader_comparison": tb})
	inOrder(t, labels, "Faithfulness", "Accuracy", "Stability", "Quick", "90.0", "70.0", "Slow", "99.0", "68.0", "0.02")
	if slices.Contains(labels, "Throughput") {
		t.Error("a panel without a value is drawn")
	}
	if !strings.Contains(strings.Join(labels, " "), "95 % intervals") {
		t.Error("nothing says what the lines are")
	}
	stated := textsOf(t, "readers", Tables{"reader_comparison": table(t, "reader_comparison", []string{"protocol", "reader", "provenance", "reader_name", "faithfulness", "faithfulness_low", "faithfulness_high", "accuracy", "accuracy_low", "accuracy_high", "accuracy_sd", "questions_per_second"},
		[]any{"captionqa/upstream", "qwen2.5-72b", "published", "Qwen2.5 72B", 92.61, nil, nil, 68.98, nil, nil, 0.02, 21.14})})
	inOrder(t, stated, "Faithfulness", "Throughput", "Qwen2.5 72B")
	if strings.Contains(strings.Join(stated, " "), "intervals") {
		t.Error("intervals are promised where none is drawn")
	}
}

func TestLengths(t *testing.T) {
	tb := table(t, "caption_lengths", []string{"provenance", "origin", "captioner", "prompt", "domain", "captioner_name", "mean_words", "mean_words_low", "mean_words_high"},
		[]any{"measured", "captions", "a", "Short", "Overall", "Brief", 20, 19, 21}, []any{"measured", "captions", "a", "Long", "Overall", "Brief", 300, 290, 310},
		[]any{"measured", "captions", "b", "Long", "Overall", "Wordy", 700, nil, nil}, []any{"measured", "captions", "", "Long", "Overall", "", 500, 480, 520},
		[]any{"measured", "captions", "a", "Long", "Natural", "Brief", 999, nil, nil}, []any{"published", "published", "", "Long", "Overall", "", 510, nil, nil})
	labels := textsOf(t, "caption_lengths", Tables{"caption_lengths": tb})
	inOrder(t, labels, "Short", "Long", "All captioners, stated", "510", "Mean of the captioners", "500", "Wordy", "700", "Brief", "20", "300")
	if slices.Contains(labels, "999") {
		t.Error("the length in one domain is drawn")
	}
}

// What simulated captions are worth is not what the captions behind published scores are worth.
func TestUtilityKeepsKindsApart(t *testing.T) {
	columns := []string{"provenance", "caption_provenance", "captioner", "captioner_name", "domain", "prompt", "mean_words", "score"}
	mixed := []any{"published", "simulated", "a", "A", "Natural", "Long", 500, 80}
	_, err := utilityFigure.Draw(Tables{"utility_per_word": table(t, "utility_per_word", columns, mixed)}, Page{})
	if !errors.Is(err, ErrNoRows) {
		t.Errorf("got %v, want an ErrNoRows", err)
	}
	labels := textsOf(t, "utility_per_word", Tables{"utility_per_word": table(t, "utility_per_word", columns, mixed,
		[]any{"simulated", "simulated", "b", "B", "Natural", "Short", 20, 40}, []any{"simulated", "simulated", "b", "B", "Natural", "Long", 500, 80}, []any{"simulated", "simulated", "b", "B", "Natural", "Odd", 500, 70})})
	if slices.Contains(labels, "A") || !slices.Contains(labels, "B") {
		t.Errorf("the captioners drawn are not those of one kind: %q", labels)
	}
}

// The paper states lengths as means over captioners and domains alone: one line, whose points are named.
func TestUtilityOfPrintedLengths(t *testing.T) {
	columns := []string{"provenance", "caption_provenance", "captioner", "captioner_name", "domain", "prompt", "mean_words", "score"}
	labels := textsOf(t, "utility_per_word", Tables{"utility_per_word": table(t, "utility_per_word", columns,
		[]any{"published", "published", "", "all captioners", "Overall", "Short", 22, 51.35}, []any{"published", "published", "", "all captioners", "Overall", "Long", 510, 75.66})})
	for _, want := range []string{"all captioners", "Overall", "Short (51.4)", "Long (75.7)"} {
		if !slices.Contains(labels, want) {
			t.Errorf("%q is not drawn: %q", want, labels)
		}
	}
}

func stabilityTables(t *testing.T, sizes int) Tables {
	t.Helper()
	paths := table(t, "ranking_trajectories", []string{"provenance", "domain", "captioner", "captioner_name", "n_images", "n_trials", "accuracy", "score"})
	stability := table(t, "ranking_stability", []string{"provenance", "domain", "metric", "n_images", "n_trials", "n_models", "spearman", "spearman_sd", "kendall", "kendall_sd"})
	summary := table(t, "ranking_stability_summary", []string{"provenance", "domain", "metric", "mean_images", "mean_share"})
	for _, d := range domains {
		for k := sizes; k >= 1; k-- { // rows may come in any order
			for m := range 12 {
				v := 50 + 3*float64(m) + 5/float64(k)
				must.Succeed(t, paths.Append("simulated", d, fmt.Sprintf("model-%02d", m), fmt.Sprintf("Model %02d", m), k, 10, v, v+1))
			}
			for _, metric := range []string{"accuracy", "score"} {
				must.Succeed(t, stability.Append("simulated", d, metric, k, 100, 12, 1-0.5/float64(k), 0.3/float64(k), 1-0.7/float64(k), nil))
			}
		}
		for _, metric := range []string{"accuracy", "score"} {
			must.Succeed(t, summary.Append("simulated", d, metric, 11, 55.0))
		}
	}
	return Tables{"ranking_trajectories": paths, "ranking_stability": stability, "ranking_stability_summary": summary}
}

func TestStabilityFigures(t *testing.T) {
	for _, sizes := range []int{1, 2, 20, 200} {
		ts := stabilityTables(t, sizes)
		labels := textsOf(t, "stability_accuracy", ts)
		// Model 11 is the best of twelve, and the tenth best is Model 02.
		if !slices.Contains(labels, "Model 11") || !slices.Contains(labels, "Model 02") || slices.Contains(labels, "Model 01") {
			t.Errorf("not the ten best captioners are drawn: %q", labels)
		}
		textsOf(t, "stability_score", ts)
		labels = textsOf(t, "ranking_stability", ts)
		if sizes >= 20 && !slices.Contains(labels, "11 images (55 %)") {
			t.Errorf("the smallest size that keeps the ranking is not named: %q", labels)
		}
	}
}

func TestFiguresOfAnswersRefuseNaN(t *testing.T) {
	for _, c := range []struct{ figure, mart, column string }{
		{"stability_accuracy", "ranking_trajectories", "accuracy"}, {"stability_score", "ranking_trajectories", "score"}, {"ranking_stability", "ranking_stability", "kendall"},
	} {
		ts := stabilityTables(t, 3)
		k, err := ts[c.mart].index(c.column)
		must.Succeed(t, err)
		ts[c.mart].rows[0][k] = math.NaN()
		_, err = figureNamed(t, c.figure).Draw(ts, Page{})
		refused(t, err, fmt.Sprintf("table %s, column %s, row 1: NaN cannot be drawn", c.mart, c.column))
	}
}

func TestNiceStep(t *testing.T) {
	for _, c := range []struct {
		span float64
		n    int
		want float64
	}{{100, 10, 10}, {100, 7, 20}, {7, 7, 1}, {0.3, 4, 0.1}, {0, 5, 1}, {90, 3, 50}} {
		if got := niceStep(c.span, c.n); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("niceStep(%v, %d) = %v, want %v", c.span, c.n, got, c.want)
		}
	}
}

// A subcategory whose name two categories share is two axes, each with its category.
func TestRadarTellsNamesakesApart(t *testing.T) {
	tb := table(t, "captionqa_subcategories", []string{"domain", "category", "subcategory", "captioner_name", "captioner", "score", "provenance"})
	for _, r := range [][2]string{{"Tables", "Layout"}, {"Charts", "Layout"}, {"Charts", "Axes"}} {
		must.Succeed(t, tb.Append("Document", r[0], r[1], "M", "m", 70.0, "measured"))
	}
	old := table(t, "captionqa_categories", []string{"domain", "category", "captioner_name", "captioner", "score", "provenance"}, []any{"Document", "Old", "M", "m", 50.0, "measured"})
	labels := textsOf(t, "radar_document", Tables{"captionqa_subcategories": tb, "captionqa_categories": old})
	for _, want := range []string{"Layout (Tables)", "Layout (Charts)", "Axes"} {
		if !slices.Contains(labels, want) {
			t.Errorf("%q is not among the axes: %q", want, labels)
		}
	}
}
