package build

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/ingest"
	"github.com/captionlake/captionlake/sql"
)

// capabilityLake holds the released data, the papers' figures and the registry, with the marts of
// the comparison built.
func capabilityLake(t testing.TB) *data.Lake {
	t.Helper()
	folder := must.Shared(t, "capability")
	lake := referenceLake(t)
	_, _, err := ingest.LoadPaths(t.Context(), lake, []string{folder},
		ingest.Options{Reader: "gpt-4-turbo", Query: ask.ReadFiles})
	must.Succeed(t, err)
	built(t, lake, modelsWith(t, "capability_comparison"))
	return lake
}

// TestCapabilityParity holds what is computed from the released judgments of six models against the
// paper: 78 times three counts, 312 cells of precision, recall, F1 and hit rate, and 24 averages.
func TestCapabilityParity(t *testing.T) {
	must.Slow(t)
	lake := capabilityLake(t)
	// The counts, once more from the table judgments and in Go.
	counts := map[string]map[rubric.Verdict]int{}
	for row, err := range data.Scan(lake, data.Judgments) {
		must.Succeed(t, err)
		key := row.Captioner + "," + row.Dimension
		if counts[key] == nil {
			counts[key] = map[rubric.Verdict]int{}
		}
		counts[key][rubric.Verdict(row.Verdict)]++
	}
	var want []string
	for key, c := range counts {
		hit := c[rubric.Positive] + c[rubric.Negative]
		want = append(want,
			fmt.Sprintf("%s,%d,%d,%d,%d,%d", key, hit+c[rubric.Miss], hit, c[rubric.Positive], c[rubric.Unparsed],
				c[rubric.Failed]))
	}
	slices.Sort(want)
	got := strings.Split(strings.TrimSpace(asked(t, lake, "csv",
		`select captioner, section, n_all, n_hit, n_correct, n_unparsed, n_failed from capability_figures
			where origin = 'judgments' and kind = 'dimension' and metric = 'f1'`)), "\n")[1:]
	slices.Sort(got)
	expect.Equal(t, len(got), 78)
	expect.Equal(t, got, want, "counts of captioners and dimensions")
	summary := `select count(*) as cells, sum(case when agrees then 1 else 0 end) as agree from capability_comparison
		where paper_judge and dimension `
	expect.Equal(t, asked(t, lake, "csv", summary+"<> 'average'"), "cells,agree\n312,301\n")
	expect.Equal(t, asked(t, lake, "csv", summary+"= 'average'"), "cells,agree\n24,23\n")
	const list = `select captioner_name as model, dimension, metric, printed, printf('%.4f', computed) as computed,
		n_missing, coalesce(reason, 'not known') as reason from capability_comparison where not agrees
		order by captioner_name, dimension, metric`
	got = strings.Split(strings.TrimSpace(asked(t, lake, "csv", list)), "\n")
	want = []string{
		"model,dimension,metric,printed,computed,n_missing,reason",
		"Gemini 1.5 Pro,camera_angle,f1,56.4,56.3238,1,missing judgments",
		"Gemini 1.5 Pro,camera_angle,recall,56.4,56.2921,1,not known",
		"Gemini 1.5 Pro,character_identification,recall,36.5,36.4465,0,rounded twice",
		"Gemini 1.5 Pro,dynamic_object_number,hit_rate,48.9,48.8496,0,rounded twice",
		"InternVL2.5 8B,average,precision,68.9,68.8442,14,missing judgments",
		"InternVL2.5 8B,camera_angle,f1,42.5,42.3901,4,missing judgments",
		"InternVL2.5 8B,camera_angle,precision,42.5,42.3901,4,missing judgments",
		"InternVL2.5 8B,camera_angle,recall,42.5,42.3901,4,missing judgments",
		"InternVL2.5 8B,spatial_relation,recall,49.3,49.2492,1,rounded twice or missing judgments",
		"NVILA 8B,scene,precision,95.4,95.3488,0,rounded twice",
		"Qwen2.5-VL 72B,object_color,f1,70.0,69.9168,0,F1 of rounded precision and recall",
		"Qwen2.5-VL 72B,scene,recall,86.9,86.8476,0,rounded twice",
	}
	expect.Equal(t, got, want)
}

// TestCapabilityAverages holds the averages of published rows against the averages that both papers
// print, which the printed cells do not give to the digit.
func TestCapabilityAverages(t *testing.T) {
	laketest.Slow(t, "computes the averages of all printed figures")
	lake := referenceLake(t)
	built(t, lake, modelsWith(t, "capability_figures"))
	metrics := []string{"precision", "recall", "f1", "hit_rate"}
	for _, p := range rubric.Protocols() {
		printed := map[string]map[string]float64{}
		for row, err := range data.Scan(lake, data.PublishedFigures) {
			must.Succeed(t, err)
			if row.Benchmark != p.Benchmark || row.Source != "paper" || row.Category != "average" ||
				!slices.Contains(metrics, row.Metric) {
				continue
			}
			if printed[row.ModelID] == nil {
				printed[row.ModelID] = map[string]float64{}
			}
			printed[row.ModelID][row.Metric] = row.Value
		}
		if len(printed) == 0 {
			t.Fatalf("%s has no printed averages", p.Benchmark)
		}
		for model, averages := range printed {
			query := fmt.Sprintf(`select metric, figure from capability_figures where benchmark = %s and captioner = %s
				and origin = 'published' and section = 'average'`,
				sql.Quote(p.Benchmark), sql.Quote(model))
			lines := strings.Split(strings.TrimSpace(asked(t, lake, "csv", query)), "\n")[1:]
			expect.Equal(t, len(lines), len(metrics), p.Benchmark, model, lines)
			for _, line := range lines {
				metric, text, _ := strings.Cut(line, ",")
				expect.Equal(t, must.Get(strconv.ParseFloat(text, 64))(t), averages[metric], p.Benchmark, model,
					metric)
			}
		}
	}
}

// TestRubricErrorsAreThoseOfTheFormula: the error of a share is sqrt(p(1-p)/(n-1)) where each media
// file has one element, and the error of the files where all elements of a file have one verdict.
func TestRubricErrorsAreThoseOfTheFormula(t *testing.T) {
	lake := laketest.New(t)
	var annotations []data.Annotation
	var judgments []data.Judgment
	add := func(dimension, sample, element, verdict string) {
		d, _ := rubric.ByID(dimension)
		annotations = append(annotations,
			data.Annotation{Benchmark: "capability", SampleID: sample, Element: element, Dimension: dimension,
				View: d.View, Dynamic: d.Dynamic, MediaType: d.Media, Media: sample + ".jpg", Value: "v"})
		judgments = append(judgments,
			data.Judgment{Benchmark: "capability", Judge: "j", Captioner: "m-1", SampleID: sample, Element: element,
				Dimension: dimension, Verdict: verdict, Provenance: data.ProvenanceSimulated})
	}
	for i := range 400 { // 120 of 400 are right: 30 %
		verdict := "miss"
		if i%10 < 3 {
			verdict = "positive"
		}
		add("scene", fmt.Sprintf("s%d", i), "", verdict)
	}
	for i := range 100 { // 100 videos of four elements with one verdict each: 30 %
		verdict := "miss"
		if i%10 < 3 {
			verdict = "positive"
		}
		for k := range 4 {
			add("dynamic_object_number", fmt.Sprintf("d%d", i), fmt.Sprintf("e%d", k), verdict)
		}
	}
	addRows(t, lake, data.Annotations, "a", annotations...)
	addRows(t, lake, data.Judgments, "j", judgments...)
	built(t, lake, modelsWith(t, "capability_figures"))
	for dimension, n := range map[string]float64{"scene": 400, "dynamic_object_number": 100} {
		query := `select printf('%.9f', figure_se) as se from capability_figures where captioner = 'm-1'
			and metric = 'recall' and section = ` + sql.Quote(dimension)
		expect.Equal(t, asked(t, lake, "csv", query), fmt.Sprintf("se\n%.9f\n", 100*math.Sqrt(0.3*0.7/(n-1))), dimension)
	}
}

// TestJudgmentsAndAnswersThatCountNowhere: each of them is seen, because an audit stops the models
// for it.
func TestJudgmentsAndAnswersThatCountNowhere(t *testing.T) {
	models := sqlmodel.All()
	e := testEngine(t, engine.Config{})
	loadFixture(t, e, &txtar.Archive{})
	for _, m := range models[:slices.IndexFunc(models,
		func(m sqlmodel.Model) bool { return m.Name == "capability_figures" })] {
		if slices.Contains(m.Inputs, "judgments") || slices.Contains(m.Inputs, "element_answers") ||
			m.Name == "capability_rubric" {
			buildModel(t, e, m)
		}
	}
	for i, c := range []struct{ mart, want, statement string }{
		{"capability_verdicts", "1 0",
			"insert into judgments (benchmark, dimension, sample_id, verdict) values ('capability', 'scene', 's', 'maybe')"},
		{"capability_verdicts", "1 0",
			"insert into judgments (benchmark, dimension, sample_id, verdict) values ('capability', 'scene', 'none', 'miss')"},
		{"capability_verdicts", "0 1",
			`insert into judgments (benchmark, dimension, sample_id, verdict, predicted) values ('capability', 'style', 's',
				'negative', ['realistic', 'sketch art'])`},
		{"capability_verdicts", "0 1",
			`insert into judgments (benchmark, dimension, sample_id, verdict, predicted) values ('capability', 'style', 's',
				'negative', ['N/A', 'N/A'])`},
		{"capability_verdicts", "0 0",
			`insert into judgments (benchmark, dimension, sample_id, verdict, predicted) values ('capability', 'style', 's',
				'negative', ['N/A', 'realistic'])`},
		{"capability_outcomes", "1 0",
			`insert into element_answers (benchmark, dimension, sample_id, outcome) values ('capability', 'scene', 's',
				'cannot')`},
		{"capability_outcomes", "1 0",
			`insert into element_answers (benchmark, dimension, sample_id, outcome) values ('capability', 'scene', 'none',
				'correct')`},
	} {
		m := sqlmodel.Named([]string{c.mart})[0]
		contradicted := "0"
		if c.mart == "capability_verdicts" {
			contradicted = "n_contradicted"
		}
		for _, statement := range []string{"begin", "delete from annotations",
			`insert into annotations (benchmark, dimension, sample_id, value) values ('capability', 'scene', 's',
				'harbour'), ('capability', 'style', 's', 'sketch art')`, c.statement} {
			must.Succeed(t, e.Exec(t.Context(), statement))
		}
		got := selected(t, e, fmt.Sprintf("select n_unknown || ' ' || %s from (%s)", contradicted, m.Select))
		expect.Equal(t, fmt.Sprint(got), "[["+c.want+"]]", i)
		must.Succeed(t, e.Exec(t.Context(), "rollback"))
	}
}
