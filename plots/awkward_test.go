package plots

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/plots/ggsql"
)

// What cannot be drawn because there is too little of it is an ErrNoRows, so that a report goes on without it.
func TestTooLittleToDrawIsNoFault(t *testing.T) {
	two := table(t, "captionqa_categories", []string{"domain", "category", "captioner_name", "captioner", "score", "provenance"},
		[]any{"Natural", "A", "M", "m", 50, "measured"}, []any{"Natural", "B", "M", "m", 60, "measured"})
	tied := table(t, "ranking_stability", []string{"provenance", "domain", "metric", "n_images", "n_models", "n_trials", "spearman", "spearman_sd", "kendall", "kendall_sd"},
		[]any{"measured", "Natural", "score", 1, 2, 10, nil, nil, nil, nil})
	summary := table(t, "ranking_stability_summary", []string{"domain", "metric", "mean_images", "mean_share"}, []any{"Natural", "score", nil, nil})
	none := table(t, "captionqa_results", []string{"evidence", "captioner", "captioner_name", "prompt", "domain", "score", "provenance"},
		[]any{"caption", "m", "M", "one's own", "Natural", nil, "measured"})
	for name, ts := range map[string]Tables{
		"radar_natural": {"captionqa_categories": two}, "radar_all": {"captionqa_categories": two},
		"ranking_stability": {"ranking_stability": tied, "ranking_stability_summary": summary},
		"prompts":           {"captionqa_results": none},
	} {
		if _, err := figureNamed(t, name).Draw(ts, Page{}); !errors.Is(err, ErrNoRows) {
			t.Errorf("figure %s gives %v, want an ErrNoRows", name, err)
		}
	}
}

// A prompt of one's own stands after the published ones, and by itself where there are no others.
func TestPromptsOfOnesOwn(t *testing.T) {
	columns := []string{"evidence", "captioner", "captioner_name", "prompt", "domain", "score", "provenance"}
	row := func(prompt string, score int) []any {
		return []any{"caption", "m", "M", prompt, "Natural", score, "measured"}
	}
	labels := textsOf(t, "prompts", Tables{"captionqa_results": table(t, "captionqa_results", columns, row("Short", 50), row("one's own", 77), row("Long", 60), row("a haiku", 55))})
	inOrder(t, labels, "Short", "Long", "a haiku", "one's own", "M", "50.0", "60.0", "55.0", "77.0")
	labels = textsOf(t, "prompts", Tables{"captionqa_results": table(t, "captionqa_results", columns, row("one's own", 77))})
	if inOrder(t, labels, "one's own", "M", "77.0"); slices.Contains(labels, "Short") {
		t.Errorf("a prompt that nobody used is drawn: %q", labels)
	}
}

// Ticks are told apart at every size of the step.
func TestStepsHaveTheDigitsThatTheyNeed(t *testing.T) {
	for _, c := range []struct {
		step, low, high float64
		want            string
	}{
		{0.05, 99.9, 100.1, "99.90 99.95 100.00 100.05 100.10"},
		{0.5, -0.6, 0.6, "−0.5 0.0 0.5"},
		{20, 0, 100, "0 20 40 60 80 100"},
		{20000, 0, 40000, "0 20000 40000"},
	} {
		var got []string
		for _, tick := range steps(c.step).Ticks(c.low, c.high) {
			got = append(got, tick.Label)
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("steps of %v: %s, want %s", c.step, text, c.want)
		}
	}
}

// A radar of the paper's size has its longest labels in full, and none leaves the page.
func TestCrowdedRadarShowsLongLabels(t *testing.T) {
	tb := table(t, "captionqa_subcategories", []string{"domain", "category", "subcategory", "captioner_name", "captioner", "score", "provenance"})
	for i := range 69 {
		category, name := "C", fmt.Sprintf("Subcategory %d", i)
		if i > 66 {
			category, name = []string{"Table-Specific Elements", "Diagram-Specific Elements"}[i-67], "Relationships"
		}
		must.Succeed(t, tb.Append("Document", category, name, "M", "m", 50, "measured"))
	}
	d, err := figureNamed(t, "radar_all").Draw(Tables{"captionqa_subcategories": tb, "captionqa_categories": tb}, Page{})
	must.Succeed(t, err)
	if err := d.Check(); err != nil {
		t.Error(err)
	}
	labels, err := d.Labels()
	must.Succeed(t, err)
	for _, want := range []string{"Relationships (Diagram-Specific Elements)", "Relationships (Table-Specific Elements)", "Captioners over all subcategories of all domains"} {
		if !slices.ContainsFunc(labels, func(l Label) bool { return l.Text == want }) {
			t.Errorf("%q is not drawn in full", want)
		}
	}
}

// Names that differ at their ends differ where they are cut.
func TestLongNamesStayApart(t *testing.T) {
	tb := table(t, "captionqa_main", []string{"prompt", "captioner_name", "captioner", "model_type", "provenance", "natural_score", "document_score", "ecommerce_score", "embodied_ai_score", "overall"})
	for i := range 40 {
		name := fmt.Sprintf("organisation-with-a-rather-long-name/Multimodal-Captioner-XXL-Instruct-Preview-%02d", i)
		must.Succeed(t, tb.Append("Simple", name, name, "open", "measured", 50, 50, 50, 50, 50+float64(i)/10))
	}
	seen := map[string]int{}
	for _, l := range textsOf(t, "leaderboard", Tables{"captionqa_main": tb}) {
		if strings.HasPrefix(l, "organisation") {
			seen[l]++
		}
	}
	if len(seen) != 40 {
		t.Errorf("%d different names are drawn, want 40: %v", len(seen), seen)
	}
}

// The key tells proprietary models from others where there are both; rehearsal models are not called open.
func TestTypeKeys(t *testing.T) {
	for _, c := range []struct {
		types []string
		want  string
	}{
		{[]string{"open", "proprietary"}, "open model|proprietary model"}, {[]string{"open", "stub", "proprietary"}, "other model|proprietary model"},
		{[]string{"open"}, ""}, {[]string{"stub", ""}, ""},
	} {
		var got []string
		for _, k := range typeKeys(c.types) {
			got = append(got, k.Name)
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%q have the keys %q, want %s", c.types, got, c.want)
		}
	}
}

// A logarithmic axis of one value, or of values with a zero, is drawn: it had endlessly many marks.
func TestLogarithmicAxes(t *testing.T) {
	f, err := ggsql.Parse("mine.sql", "", "select x, y, provenance from t\n\nVISUALISE x AS x, y AS y\nDRAW point\nSCALE x VIA log10\nLABEL title => 'Mine'\n")
	must.Succeed(t, err)
	figure, err := FileFigure(f)
	must.Succeed(t, err)
	for _, rows := range []string{`[{"x": null, "y": 2, "provenance": "measured"}]`, `[{"x": 1, "y": 2, "provenance": "measured"}]`, `[{"x": 0, "y": 2, "provenance": "measured"}, {"x": 30, "y": 3, "provenance": "measured"}]`} {
		name := f.Rows()
		table, err := ReadJSON(name, []byte(rows))
		must.Succeed(t, err)
		d, err := figure.Draw(Tables{name: table}, Page{})
		if errors.Is(err, ErrNoRows) {
			continue
		}
		must.Succeed(t, err)
		_, err = d.Encode("svg")
		must.Succeed(t, err)
	}
}
