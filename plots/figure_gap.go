package plots

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

var gapFigure = Figure{
	Name:  "utility_gap",
	Title: "Accuracy on the image and on the model's own caption: the utility gap",
	Paper: "CaptionQA, Figure 4 and Table 4",
	Needs: []string{"captionqa_gap"},
	draw:  drawGap,
}

func drawGap(ts Tables, domains domainSet, on Page) (*Drawing, error) {
	from, prompt := ts.Read("captionqa_gap"), captionqa.PromptSimple
	if from.Has("prompt") {
		from, prompt = from.onePrompt()
	}
	provenance, groups, found := from.provenance(), from.Text("domain"), from.Distinct("domain")
	gaps, relative, bounds := from.Numbers("gap"), from.Numbers("relative_gap"), from.Interval("gap")
	models := from.models()
	if from.Err != nil {
		return nil, from.Err
	}
	rowOf := map[[2]string]int{}
	for _, m := range models {
		for _, i := range m.rows {
			k := [2]string{m.name, groups[i]}
			if _, ok := rowOf[k]; ok {
				return nil, from.Table.fault("gap", i, "a second gap of %s in %s", m.name, groups[i])
			}
			rowOf[k] = i
		}
	}
	slices.SortFunc(found, func(a, b string) int { // the overall gap first, as the paper has no other
		return cmp.Or(-boolOrder(data.IsDomainSum(a), data.IsDomainSum(b)), compareDomains(a, b))
	})
	value := func(m modelRows) float64 {
		if i, ok := rowOf[[2]string{m.name, found[0]}]; ok && gaps[i].Valid {
			return gaps[i].Value
		}
		return math.Inf(1)
	}
	models = arranged(on, models, modelRows.modelID, func(a, b modelRows) int {
		return cmp.Or(cmp.Compare(value(a), value(b)), strings.Compare(a.name, b.name))
	})
	board := overview{each: 18, labels: modelLabels(models)}
	most := 0.0
	for _, d := range found {
		c := overviewColumn{d, d, domains.text(d), make([]Number, len(models)), make([]Number, len(models)), make([]Number, len(models))}
		for k, m := range models {
			if i, ok := rowOf[[2]string{m.name, d}]; ok {
				c.values[k], c.low[k], c.high[k] = gaps[i], within100(bounds[0][i]), within100(bounds[1][i])
				most = max(most, gaps[i].Value)
			}
		}
		if slices.ContainsFunc(c.values, func(n Number) bool { return n.Valid }) {
			board.columns = append(board.columns, c)
		}
	}
	if len(board.columns) == 0 {
		return nil, noRows("table %s has no gap under the %s prompt", from.Table.Name(), prompt)
	}
	first := board.columns[0]
	bars := make([][]Bar, len(models))
	for k, m := range models {
		bars[k] = []Bar{{}}
		if v := first.values[k]; v.Valid {
			label := formatOf("%.1f", v)
			if of := relative[rowOf[[2]string{m.name, first.domain}]]; of.Valid {
				label += formatOf(" (%.0f %%)", of)
			}
			bars[k] = []Bar{{Segments: []Segment{{v.Value, domains.bar(first.domain)}}, Low: first.low[k], High: first.high[k], Label: label}}
		}
	}
	p, err := barPanel(first.name, first.tone, newAxis("points", [2]float64{-100, 100}), bars)
	if err != nil {
		return nil, err
	}
	chart, err := board.chart([]panel{p}, 0, most)
	if err != nil {
		return nil, err
	}
	return &Drawing{
		Subtitle:   "Accuracy on the image minus accuracy of a reader of the model's own caption (" + prompt + " prompt), in points; in brackets as a share of the accuracy on the image. The gap holds what the caption leaves out and what the reader gets wrong. Smaller is better." + board.intervalWords(),
		Source:     "mart captionqa_gap; CaptionQA Table 4 where published.",
		Provenance: provenance,
		Height:     chart.height(on), Body: chart.draw,
	}, nil
}

// boolOrder compares truth values, false before true.
func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
