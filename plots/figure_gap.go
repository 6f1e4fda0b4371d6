package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"

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
	t, err := ts.Get("captionqa_gap")
	if err != nil {
		return nil, err
	}
	prompt := captionqa.PromptSimple
	if t.Has("prompt") {
		if t, prompt, err = onePrompt(t); err != nil {
			return nil, err
		}
	}
	from := Read(t)
	provenance := from.provenance()
	names := from.names()
	groups := from.Text("domain")
	gaps := from.Numbers("gap")
	relative := from.Numbers("relative_gap")
	bounds := from.Interval("gap")
	if from.Err != nil {
		return nil, from.Err
	}
	rowOf := map[[2]string]int{}
	var models, found []string
	for i, n := range names {
		k := [2]string{n, groups[i]}
		if _, ok := rowOf[k]; ok {
			return nil, t.fault("gap", i, "a second gap of %s in %s", n, groups[i])
		}
		rowOf[k] = i
		if !slices.Contains(models, n) {
			models = append(models, n)
		}
		if !slices.Contains(found, groups[i]) {
			found = append(found, groups[i])
		}
	}
	slices.SortFunc(found, func(a, b string) int { // the overall gap first, as the paper has no other
		return cmp.Or(-boolOrder(data.IsDomainSum(a), data.IsDomainSum(b)), compareDomains(a, b))
	})
	value := func(model, domain string) float64 {
		if i, ok := rowOf[[2]string{model, domain}]; ok && gaps[i].Valid {
			return gaps[i].Value
		}
		return math.Inf(1)
	}
	slices.SortStableFunc(models, func(a, b string) int {
		return cmp.Or(cmp.Compare(value(a, found[0]), value(b, found[0])), strings.Compare(a, b))
	})
	var panels []*plot.Plot
	for _, d := range found {
		bars := make([][]Bar, len(models))
		has := false
		for k, m := range models {
			i, ok := rowOf[[2]string{m, d}]
			if !ok || !gaps[i].Valid {
				bars[k] = []Bar{{}}
				continue
			}
			has = true
			label := fmt.Sprintf("%.1f", gaps[i].Value+0)
			if relative[i].Valid {
				label += fmt.Sprintf(" (%.0f %%)", relative[i].Value+0)
			}
			bars[k] = []Bar{{Segments: []Segment{{gaps[i].Value, domains.bar(d)}}, Low: within100(bounds[0][i]), High: within100(bounds[1][i]), Label: label}}
		}
		if !has {
			continue
		}
		p, err := barPanel(bars, 0.95, 4)
		if err != nil {
			return nil, fmt.Errorf("domain %s: %w", d, err)
		}
		panelTitle(p, d, domains.text(d))
		panels = append(panels, p)
	}
	if len(panels) == 0 {
		return nil, noRows("table %s has no gap under the %s prompt", t.Name(), prompt)
	}
	low, high := 0.0, 0.0
	for _, p := range panels {
		low, high = min(low, p.X.Min), max(high, p.X.Max)
	}
	for _, p := range panels {
		p.X.Min, p.X.Max = low, high
		p.X.Tick.Marker = steps(niceStep(high-low, 5))
		unitLabel(p, "points")
	}
	labels := make([]rowLabel, len(models))
	for i, m := range models {
		labels[i] = rowLabel{m, ink}
	}
	chart := newRowChart(labels, 130, 20, panels...)
	return &Drawing{
		Subtitle:   "Accuracy on the image minus accuracy of a reader of the model's own caption (" + prompt + " prompt), in points; in brackets as a share of the accuracy on the image. The gap holds what the caption leaves out and what the reader gets wrong. Smaller is better." + intervalNote(bounds),
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
