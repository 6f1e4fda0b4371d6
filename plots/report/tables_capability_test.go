package report

import (
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/plots"
)

// rubricMart is a mart in the shape of CAPability's tables: two captioners before one judge, and a repetition.
func rubricMart(t *testing.T, name, metric string) plots.Tables {
	t.Helper()
	columns := []string{"benchmark", "judge", "captioner_name", "repeat", "metric"}
	for _, d := range rubric.Dimensions() {
		columns = append(columns, strings.ToLower(d.ID))
	}
	columns = append(columns, "average")
	row := func(judge, model string, repeat int, first, average any) []any {
		out := []any{"capability", judge, model, repeat, metric, first}
		for range rubric.Dimensions()[1:] {
			out = append(out, nil)
		}
		return append(out, average)
	}
	return plots.Tables{name: table(t, name, columns,
		row("judge-a", "Second", 0, 40.0, 50.0), row("judge-a", "First", 0, 41.25, 60.5), row("judge-a", "First", 1, 42.0, 61.0))}
}

func TestRubricTables(t *testing.T) {
	// Best first; what is best is bold within the judge and repetition alone.
	got := lines(tableNamed(t, "capability_f1", rubricMart(t, "capability_main", "f1")))
	for _, want := range []string{"Judge judge-a", "Judge judge-a, repetition 1", "**41.3**", "**60.5**", "| 61.0 |", "40.0"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if strings.Index(got, "First") > strings.Index(got, "Second") {
		t.Errorf("not by average:\n%s", got)
	}
	// Of what is known but not told, less is better.
	got = lines(tableNamed(t, "capability_know_cannot_tell", rubricMart(t, "capability_know_cannot_tell_main", "know_cannot_tell")))
	if !strings.Contains(got, "**40.0**") || strings.Index(got, "First") < strings.Index(got, "Second") {
		t.Errorf("got\n%s", got)
	}
}

func TestRubricDifferences(t *testing.T) {
	mart := func(agrees ...bool) plots.Tables {
		var rows [][]any
		for i, a := range agrees {
			rows = append(rows, []any{"capability", "judge-a", "M", []string{"scene", "style"}[i], "recall", 33.4, 33.3333, a, true, 1, "missing judgments"})
		}
		rows = append(rows, []any{"capability", "judge-b", "M", "event", "recall", 33.4, 10.0, false, false, 0, ""}) // not the paper's judge
		return plots.Tables{"capability_comparison": table(t, "capability_comparison",
			[]string{"benchmark", "judge", "captioner_name", "dimension", "metric", "printed", "computed", "agrees", "paper_judge", "n_missing", "reason"}, rows...)}
	}
	got := lines(tableNamed(t, "capability_differences", mart(true, false)))
	if strings.Contains(got, "scene") || strings.Contains(got, "event") || !strings.Contains(got, "style") || !strings.Contains(got, "33.3333") {
		t.Errorf("got\n%s", got)
	}
}
