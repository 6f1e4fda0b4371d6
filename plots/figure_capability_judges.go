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
	t, err := ts.Get("capability_averages")
	if err != nil {
		return nil, err
	}
	if t, err = completeAverages(t, benchmark); err != nil {
		return nil, err
	}
	agreement, err := ts.Get("capability_judges")
	if err != nil {
		return nil, err
	}
	from := Read(t)
	provenance := from.provenance()
	judges := from.Text("judge")
	f1 := from.Floats("f1")
	all, err := byModel(t)
	if err := cmp.Or(from.Err, err); err != nil {
		return nil, err
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
		return nil, noRows("table %s has no captioner that two judges have judged in all dimensions", t.Name())
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
		values, err := t.Floats(m.id)
		if err != nil {
			return nil, err
		}
		groups := make([][]Bar, len(models))
		for g, model := range models {
			for k, judge := range found {
				v := values[by[model.id][judge]]
				groups[g] = append(groups[g], Bar{Segments: []Segment{{v, palette[k%len(palette)]}}, Label: fmt.Sprintf("%.1f", v)})
			}
		}
		rho, err := leastAgreement(agreement, benchmark, m.id)
		if err != nil {
			return nil, err
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

// completeAverages are the averages over all dimensions of a benchmark.
func completeAverages(t *Table, benchmark string) (*Table, error) {
	t, err := t.Where("benchmark", benchmark)
	if err != nil {
		return nil, err
	}
	if t, err = t.Where("section", "all"); err != nil {
		return nil, err
	}
	from := Read(t)
	have := from.Floats("n_dimensions")
	want := from.Floats("n_expected")
	if from.Err != nil {
		return nil, from.Err
	}
	all := t.Pick(func(i int) bool { return have[i] == want[i] })
	if all.Len() == 0 {
		return nil, noRows("table %s has no captioner with all dimensions of %s", t.Name(), benchmark)
	}
	return all, nil
}

// leastAgreement words the least rank correlation of the averages between two judges.
func leastAgreement(t *Table, benchmark, metric string) (string, error) {
	from := Read(t)
	benchmarks := from.Text("benchmark")
	dimensions := from.Text("dimension")
	metrics := from.Text("metric")
	rho := from.Numbers("spearman")
	if from.Err != nil {
		return "", from.Err
	}
	least := Number{}
	for i, r := range rho {
		if benchmarks[i] == benchmark && dimensions[i] == "average" && metrics[i] == metric && r.Valid && (!least.Valid || r.Value < least.Value) {
			least = r
		}
	}
	if !least.Valid {
		return "", nil
	}
	return fmt.Sprintf(" (%.2f)", least.Value), nil
}
