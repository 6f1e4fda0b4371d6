package plots

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/plot/vg"

	"github.com/captionlake/captionlake/data"
)

// judgesFigure compares judges.
func judgesFigure(b data.Benchmark) Figure {
	return Figure{
		Name:  rubricName(b, "judges"),
		Title: "The same captioners before several judges",
		Paper: b.Title + ", Figure A1",
		Needs: []string{"capability_averages", "capability_judges"},
		All:   true,
		draw:  func(ts Tables, _ domainSet, on Page) (*Drawing, error) { return drawJudges(ts, b.Name, on) },
	}
}

func drawJudges(ts Tables, benchmark string, on Page) (*Drawing, error) {
	from, agreement := completeAverages(ts, benchmark), ts.Read("capability_judges")
	provenance, judges, f1, all := from.provenance(), from.Text("judge"), from.Floats("f1"), from.models()
	if from.Err != nil {
		return nil, from.Err
	}
	found := slices.Compact(slices.Sorted(slices.Values(judges)))
	// Only captioners that every judge has judged: others say nothing about the judges.
	var models []modelRows
	by := map[string]map[string]int{} // rows by captioner and judge; the first repetition of each
	for _, m := range all {
		of := map[string]int{}
		for _, i := range m.rows {
			if _, again := of[judges[i]]; !again {
				of[judges[i]] = i
			}
		}
		if by[m.id] = of; len(of) == len(found) {
			models = append(models, m)
		}
	}
	if len(found) < 2 || len(models) == 0 {
		return nil, noRows("table %s has no captioner that two judges have judged in all dimensions", from.Table.Name())
	}
	models = arranged(on, models, modelRows.modelID, func(a, b modelRows) int {
		return cmp.Or(cmp.Compare(f1[by[b.id][found[0]]], f1[by[a.id][found[0]]]), cmp.Compare(a.id, b.id))
	})
	keys := make([]Key, len(found))
	for k, judge := range found {
		keys[k] = Key{Name: on.Model(judge), Look: Look{Color: palette[k%len(palette)]}, Square: true}
	}
	var panels []panel
	scale := newAxis("", percents)
	for _, m := range rubricMetrics {
		values, rho := from.Floats(m.id), leastAgreement(agreement, benchmark, m.id)
		if err := cmp.Or(from.Err, agreement.Err); err != nil {
			return nil, err
		}
		groups := make([][]Bar, len(models))
		for g, model := range models {
			for k, judge := range found {
				v := values[by[model.id][judge]]
				groups[g] = append(groups[g], Bar{Segments: []Segment{{v, palette[k%len(palette)]}}, Label: fmt.Sprintf("%.1f", v)})
			}
		}
		p, err := barPanel(m.name+rho, ink, scale, groups)
		if err != nil {
			return nil, err
		}
		panels = append(panels, p)
	}
	chart := newRowChart(modelLabels(models), 110, vg.Length(10+8*len(found)), panels...)
	return &Drawing{
		Subtitle:   "Averages over the dimensions (%) of the captioners that every judge has judged, first repetition. Above each panel: the least Spearman rank correlation between two judges.",
		Source:     "marts capability_averages and capability_judges; CAPability appendix A.2.",
		Provenance: provenance, Keys: keys,
		Height: chart.height(on), Body: chart.draw,
	}, nil
}

// completeAverages begins to read the averages over all dimensions of a benchmark.
func completeAverages(ts Tables, benchmark string) *Reading {
	from := ts.Read("capability_averages").Where("benchmark", benchmark).Where("section", "all")
	have, want := from.Floats("n_dimensions"), from.Floats("n_expected")
	return from.Pick(func(i int) bool { return have[i] == want[i] }, "has no captioner with all dimensions of "+benchmark)
}

// leastAgreement words the least rank correlation of the averages between two judges.
func leastAgreement(from *Reading, benchmark, metric string) string {
	benchmarks, dimensions, metrics := from.Text("benchmark"), from.Text("dimension"), from.Text("metric")
	least := Number{}
	for i, r := range from.Numbers("spearman") {
		if benchmarks[i] == benchmark && dimensions[i] == "average" && metrics[i] == metric && r.Valid && (!least.Valid || r.Value < least.Value) {
			least = r
		}
	}
	return formatOf(" (%.2f)", least)
}
