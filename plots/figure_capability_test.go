package plots

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rubric"
)

// rubricTables are the marts of a benchmark of three dimensions and three captioners, made by hand, with the columns that
// the models of the same names give. Judge b ranks the captioners the other way round.
func rubricTables(t testing.TB) Tables {
	t.Helper()
	ts := Tables{}
	add := func(name string, columns string, rows ...[]any) {
		ts[name] = table(t, name, strings.Fields(columns), rows...)
	}
	dimensions := []string{"object_color", "style", "event"}
	add("capability_rubric", "benchmark dimension place name view",
		[]any{"capability", "event", 13, "Event", "temporal"},
		[]any{"capability", "object_color", 3, "Object Color", "object"},
		[]any{"capability", "style", 8, "Style", "global"},
		[]any{"capability", "scene", 5, "Scene", "global"})
	var cells, values [][]any
	for j, judge := range []string{"judge-a", "judge-b"} {
		for i, id := range []string{"gpt-4o-0806", "nvila-8b", "unheard-of-3b"} {
			f := 80 - 10*float64(i)
			if j == 1 {
				f = 55 + 10*float64(i)
			}
			for k, d := range dimensions {
				cells = append(cells, []any{"capability", judge, id, "Model " + id, 0, d, f + float64(k), "measured"})
			}
		}
	}
	cells = append(cells, []any{"capability", "judge-a", "gpt-4o-0806", "Model gpt-4o-0806", 1, "style", 1.0, "measured"}) // a repetition
	add("capability_dimensions", "benchmark judge captioner captioner_name repeat dimension f1 provenance", cells...)
	for _, d := range dimensions {
		for k := range 12 {
			values = append(values, []any{"capability", d, fmt.Sprintf("%s value number %d", d, k), 30 - 2*k, k + 1, "published"})
		}
	}
	add("capability_values", "benchmark dimension value n_elements rank provenance", values...)
	return ts
}

func TestRubricFigures(t *testing.T) {
	ts := rubricTables(t)
	drawings := map[string]*Drawing{}
	capability, _ := data.BenchmarkOf(rubric.BenchmarkCAPability)
	for _, f := range rubricFigures(capability) {
		d, err := f.Draw(ts, Page{})
		must.Succeed(t, err)
		drawings[f.Name] = d
		must.Succeed(t, d.keep(f.Name))
	}
	for name, want := range map[string][]string{
		// Of judge-a the first repetition: 80, 81, 82 have the mean 81.
		"capability_radar": {"Model gpt-4o-0806 (81.0)", "Model nvila-8b (71.0)", "Object Color", "Style", "Event", "judge-a"},
		// 12 values, 30 + 28 + … + 8 = 228 elements; nine are shown, the ninth with 14.
		"capability_annotations": {"Object Color", "228 elements, 12 values", "14"},
	} {
		d := drawings[name]
		if d == nil {
			t.Errorf("figure %s is not drawn", name)
			continue
		}
		if err := d.Check(); err != nil {
			t.Errorf("figure %s: %v", name, err)
		}
		labels, err := d.Labels()
		must.Succeed(t, err)
		text := ""
		for _, l := range labels {
			text += l.Text + "\n"
		}
		for _, w := range want {
			if !strings.Contains(strings.Join(strings.Fields(text), " "), w) {
				t.Errorf("figure %s does not say %q:\n%s", name, w, text)
			}
		}
		if strings.Contains(text, "Half") || strings.Contains(text, "Scene") || strings.Contains(text, "number 9") {
			t.Errorf("figure %s draws what it should leave out:\n%s", name, text)
		}
	}
}

func TestRubricFiguresSayWhatIsMissing(t *testing.T) {
	if _, err := figureNamed(t, "cv_capbench_scores").Draw(rubricTables(t), Page{}); !errors.Is(err, ErrNoRows) {
		t.Errorf("another benchmark: %v", err)
	}
	for name, column := range map[string]string{"capability_dimensions": "f1", "capability_values": "n_elements"} {
		ts := rubricTables(t)
		k, err := ts[name].index(column)
		must.Succeed(t, err)
		ts[name].rows[0][k] = math.NaN()
		stopped := false
		for _, f := range byHand() {
			if slices.Contains(f.Needs, name) && !strings.HasPrefix(f.Name, "cv_") {
				_, err := f.Draw(ts, Page{})
				stopped = stopped || err != nil && strings.Contains(err.Error(), "table "+name+", column "+column+", row 1: NaN cannot be drawn")
			}
		}
		if !stopped {
			t.Errorf("a NaN in %s.%s is drawn", name, column)
		}
	}
}
