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

func TestGapOrder(t *testing.T) {
	columns := []string{"prompt", "provenance", "captioner", "captioner_name", "domain", "gap", "gap_low", "gap_high", "relative_gap"}
	tb := table(t, "captionqa_gap", columns,
		[]any{"Simple", "measured", "a", "Wide", "Overall", 20, 18, 22, 25.0}, []any{"Simple", "measured", "a", "Wide", "Natural", 30, nil, nil, nil},
		[]any{"Simple", "measured", "b", "Narrow", "Overall", 5, 4, 6, 5.5}, []any{"Long", "measured", "b", "Narrow", "Overall", 1, 1, 1, 1})
	labels := textsOf(t, "utility_gap", Tables{"captionqa_gap": tb})
	inOrder(t, labels, "Overall", "Natural", "Narrow", "5.0 (6 %)", "Wide", "20.0 (25 %)", "30.0")
	tb = table(t, "captionqa_gap", columns, []any{"Simple", "measured", "a", "A", "Natural", 1, nil, nil, nil}, []any{"Simple", "measured", "a", "A", "Natural", 1, nil, nil, nil})
	_, err := gapFigure.Draw(Tables{"captionqa_gap": tb}, Page{})
	refused(t, err, "row 2: a second gap of A in Natural")
}

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

func transitionTables(t *testing.T, rows ...[]any) Tables {
	t.Helper()
	gains := table(t, "prompt_transitions", []string{"provenance", "level", "transition", "domain", "category", "accuracy_gain", "accuracy_gain_low", "accuracy_gain_high", "share_of_long"})
	coverage := table(t, "coverage_accuracy", []string{"provenance", "level", "transition", "domain", "category", "coverage_gain", "accuracy_gain", "place", "rate"})
	summary := table(t, "prompt_transition_summary",
		[]string{"provenance", "origin", "level", "transition", "pearson", "pearson_offered", "mean_coverage_gain", "mean_accuracy_gain", "n_losing"},
		[]any{"simulated", "answers", "category", "Short to Simple", 0.905, 0.7, 1.0, 2.0, 3.0}, []any{"simulated", "answers", "domain", "Short to Simple", nil, nil, nil, nil, nil})
	for i, r := range rows { // level, domain, category, gain
		err := errors.Join(gains.Append("simulated", r[0], "Short to Simple", r[1], r[2], r[3], nil, nil, 90.0+float64(i)),
			coverage.Append("simulated", r[0], "Short to Simple", r[1], r[2], 3*float64(i), r[3], i+1, "all"),
			coverage.Append("simulated", r[0], "Short to Simple", r[1], r[2], 50+3*float64(i), r[3], i+1, "offered"))
		must.Succeed(t, err)
	}
	return Tables{"prompt_transitions": gains, "coverage_accuracy": coverage, "prompt_transition_summary": summary}
}

func TestTransitions(t *testing.T) {
	ts := transitionTables(t, []any{"category", "Natural", "Up", 30.0}, []any{"category", "Document", "Down", -6.0}, []any{"category", "Natural", "Most", 36.0}, []any{"domain", "Natural", "", 99.0})
	labels := textsOf(t, "transition_short_to_simple", ts)
	inOrder(t, labels, "Most", "+36.0", "Up", "+30.0", "-6.0")
	// (30 − 6 + 36) / 3 = 20.
	if want := "Change of the mean accuracy over captioners, points. Mean over 3 categories +20.0; one of them loses."; !slices.Contains(labels, want) {
		t.Errorf("%q is not among %q", want, labels)
	}
	if slices.Contains(labels, "+99.0") {
		t.Error("a domain stands among the categories")
	}
	inOrder(t, textsOf(t, "share_of_long_gain", ts), "Most", "92.0 %", "Down", "91.0 %", "Up", "90.0 %")
	text := strings.Join(textsOf(t, "coverage_short_to_simple", ts), " ")
	for _, want := range []string{"Pearson's r = 0.905 over 3 categories", "Up (+0.0, +30.0)", "Down (+3.0, -6.0)", "share of all answers that chose"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %q", want, text)
		}
	}
	_, err := figureNamed(t, "transition_simple_to_long").Draw(ts, Page{})
	if !errors.Is(err, ErrNoRows) {
		t.Errorf("a step without rows gives %v, want an ErrNoRows", err)
	}
	_, err = figureNamed(t, "transition_short_to_simple").Draw(transitionTables(t, []any{"category", "Natural", "Up", 1.0}, []any{"category", "Natural", "Up", 2.0}), Page{})
	refused(t, err, "row 2: a second row for Up of Natural")
}

// Printed tables have the rate of the questions that offer the option alone. A figure of it says so.
func TestCoverageOfPrintedTables(t *testing.T) {
	ts := transitionTables(t, []any{"domain", "Natural", "", 30.0}, []any{"domain", "Document", "", 40.0})
	var err error
	if ts["coverage_accuracy"], err = ts["coverage_accuracy"].Where("rate", "offered"); err != nil {
		t.Fatal(err)
	}
	// What the paper prints over its categories stands beside what its tables give over domains, and the stamp says which is drawn.
	summary := ts["prompt_transition_summary"]
	must.Succeed(t, summary.Append("published", "published", "category", "Short to Simple", 0.902, nil, 32.8, 33.8, 2.0))
	gains := strings.Join(textsOf(t, "transition_short_to_simple", ts), " ")
	for _, want := range []string{"The paper prints, over its categories, a mean gain of +33.8 in accuracy, 2 that lose.", "Mean over 2 domains +35.0"} {
		if !strings.Contains(gains, want) {
			t.Errorf("%q is not in %q", want, gains)
		}
	}
	text := strings.Join(textsOf(t, "coverage_short_to_simple", ts), " ")
	for _, want := range []string{"Natural (+50.0, +30.0)", "share of the answers to questions offering", "not the rate of CaptionQA's figure",
		"The paper prints, over its categories, r = 0.902, a mean gain of +32.8 in coverage, a mean gain of +33.8 in accuracy."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %q", want, text)
		}
	}
}

// An interval over two images can be hundreds of points wide; it must not squeeze the bars.
func TestWideIntervalsEndAtAHundred(t *testing.T) {
	tb := table(t, "prompt_transitions", []string{"provenance", "level", "transition", "domain", "category", "accuracy_gain", "accuracy_gain_low", "accuracy_gain_high", "share_of_long"},
		[]any{"simulated", "category", "Short to Simple", "Natural", "A", 10, -900, 920, nil}, []any{"simulated", "category", "Short to Simple", "Natural", "B", 12, 11, 13, nil})
	labels := textsOf(t, "transition_short_to_simple", Tables{"prompt_transitions": tb, "prompt_transition_summary": transitionTables(t)["prompt_transition_summary"]})
	inOrder(t, labels, "B", "+12.0", "A", "+10.0", "-100", "0", "100")
	if slices.Contains(labels, "500") || slices.Contains(labels, "200") {
		t.Errorf("the axis reaches past what can be: %q", labels)
	}
}

// Printed figures have no categories; domains take their place.
func TestTransitionsOverDomains(t *testing.T) {
	ts := transitionTables(t, []any{"domain", "Natural", "", 30.0}, []any{"domain", "Document", "", 40.0})
	labels := textsOf(t, "transition_short_to_simple", ts)
	inOrder(t, labels, "Change of the mean accuracy over captioners, points. Mean over 2 domains +35.0; none loses.")
	if text := strings.Join(textsOf(t, "coverage_short_to_simple", ts), " "); !strings.Contains(text, "Pearson's r is not defined over 2 domains") {
		t.Errorf("the correlation without a value: %q", text)
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
		{"transition_short_to_simple", "prompt_transitions", "accuracy_gain"}, {"coverage_short_to_simple", "coverage_accuracy", "coverage_gain"},
	} {
		ts := stabilityTables(t, 3)
		for n, tb := range transitionTables(t, []any{"category", "Natural", "Up", 30.0}, []any{"category", "Natural", "Down", -3.0}) {
			ts[n] = tb
		}
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
