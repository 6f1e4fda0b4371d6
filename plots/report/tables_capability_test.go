package report

import (
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/rows"
)

// rubricMarts are figures of two captioners before one judge, and of a repetition, in one dimension and in the mean of all.
func rubricMarts(t *testing.T, name, part, value string) map[string]*rows.Rows {
	t.Helper()
	var figures [][]any
	for _, r := range []struct {
		model          string
		repeat         int
		first, average float64
	}{{"Second", 0, 40, 50}, {"First", 0, 41.25, 60.5}, {"First", 1, 42, 61}} {
		figures = append(figures, []any{"capability", "judge-a", r.model, r.model, r.repeat, "f1", "scene", 1, 1, r.first, nil, nil})
		figures = append(figures, []any{"capability", "judge-a", r.model, r.model, r.repeat, "f1", "average", 13, 13, r.average, nil, nil})
	}
	return map[string]*rows.Rows{name: laketest.Rows(t, name, []string{"benchmark", "judge", "captioner", "captioner_name", "repeat", "metric", part, "n_dimensions", "n_expected", value, value + "_low", value + "_high"}, figures...),
		"capability_rubric": laketest.Rows(t, "capability_rubric",
			[]string{"benchmark", "dimension", "heading", "place", "in_tables"}, []any{"capability", "scene", "Scene", 5, true})}
}

func TestRubricTables(t *testing.T) {
	// Best first; what is best is bold within the judge and repetition alone.
	got := lines(tableNamed(t, "capability_f1", rubricMarts(t, "capability_figures", "section", "figure")))
	for _, want := range []string{"Judge judge-a", "Judge judge-a, repetition 1", "**41.3**", "**60.5**", "| 61.0 |", "40.0"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if strings.Index(got, "First") > strings.Index(got, "Second") {
		t.Errorf("not by average:\n%s", got)
	}
	// Of what is known but not told, less is better.
	got = lines(tableNamed(t, "capability_know_cannot_tell", rubricMarts(t, "capability_know_cannot_tell", "dimension", "know_cannot_tell")))
	if !strings.Contains(got, "**40.0**") || strings.Index(got, "First") < strings.Index(got, "Second") {
		t.Errorf("got\n%s", got)
	}
}

func TestRubricDifferences(t *testing.T) {
	mart := func(agrees ...bool) map[string]*rows.Rows {
		var given [][]any
		for i, a := range agrees {
			given = append(given, []any{"capability", "judge-a", "M", []string{"scene", "style"}[i], "recall", 33.4, 33.3333, a, true, 1, "missing judgments"})
		}
		given = append(given, []any{"capability", "judge-b", "M", "event", "recall", 33.4, 10.0, false, false, 0, ""}) // not the paper's judge
		return map[string]*rows.Rows{"capability_comparison": laketest.Rows(t, "capability_comparison",
			[]string{"benchmark", "judge", "captioner_name", "dimension", "metric", "printed", "computed", "agrees", "paper_judge", "n_missing", "reason"}, given...)}
	}
	got := lines(tableNamed(t, "capability_differences", mart(true, false)))
	if strings.Contains(got, "scene") || strings.Contains(got, "event") || !strings.Contains(got, "style") || !strings.Contains(got, "33.3333") {
		t.Errorf("got\n%s", got)
	}
}
