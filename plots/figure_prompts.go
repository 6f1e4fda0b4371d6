package plots

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

var promptsFigure = Figure{
	Name:  "prompts",
	Title: "How the caption prompt moves the score",
	Paper: "CaptionQA, Tables 11–26 and Section 5",
	Needs: []string{"captionqa_results"},
	draw:  drawPrompts,
}

func drawPrompts(ts Tables, domains domainSet, on Page) (*Drawing, error) {
	from := ts.Read("captionqa_results").whereIf("evidence", captionqa.EvidenceCaption)
	provenance, found := from.provenance(), from.domains()
	groups, written, values := from.Text("domain"), from.Text("prompt"), from.Numbers("score")
	prompts, models := promptOrder(written), from.models()
	if from.Err != nil {
		return nil, from.Err
	}
	type score struct{ model, domain, prompt string }
	scores := map[score]Number{}
	for _, m := range models {
		for _, i := range m.rows {
			k := score{m.name, groups[i], written[i]}
			if scores[k].Valid {
				return nil, from.Table.fault("score", i, "a second score of %s under the %s prompt", m.name, written[i])
			}
			scores[k] = values[i]
		}
	}
	models = slices.DeleteFunc(models, func(m modelRows) bool { return !meanOf(pick(values, m.rows)).Valid })
	// Captioners as on the leaderboard: by their mean over the domains under the main prompt.
	main := data.CaptionQA().MainPrompt(written)
	over := func(m modelRows) float64 {
		values := make([]Number, len(found))
		for k, d := range found {
			values[k] = scores[score{m.name, d, main}]
		}
		return meanOf(values).Value
	}
	models = arranged(on, models, modelRows.modelID, func(a, b modelRows) int {
		return cmp.Or(cmp.Compare(over(b), over(a)), strings.Compare(a.name, b.name))
	})
	low, high := crowdRange(values)
	var panels []panel
	cut := ""
	for _, d := range found {
		var means []Number
		cells := make([][]Number, len(models))
		for _, p := range prompts {
			column := make([]Number, len(models))
			for r, m := range models {
				column[r] = scores[score{m.name, d, p}]
				cells[r] = append(cells[r], column[r])
			}
			means = append(means, meanOf(column))
		}
		if len(models) > 1 {
			cells = append([][]Number{means}, cells...)
		}
		heat, err := NewHeat(cells, "%.1f")
		if errors.Is(err, ErrNoRows) {
			continue // no captioner has a score
		}
		if err != nil {
			return nil, fmt.Errorf("domain %s: %w", d, err)
		}
		heat.Low, heat.High = low, high
		if len(models) > 1 {
			heat.plain, heat.Cuts = map[int]bool{0: true}, []int{1}
		}
		cut = cmp.Or(cut, heat.cutWords())
		panels = append(panels, heatPanel(d, domains.text(d), heat, inkLabels(prompts...)))
	}
	if len(panels) == 0 {
		return nil, noRows("table %s has no score from captions", from.Table.Name())
	}
	labels := modelLabels(models)
	if len(models) > 1 {
		labels = append(inkLabels("Mean of the captioners"), labels...)
	}
	chart := newRowChart(labels, 150, 13, panels...)
	return &Drawing{
		Subtitle:   "CaptionQA score (%) of each captioner by caption prompt: the published prompts from the shortest captions to the longest, then with the taxonomy as a hint, then other prompts by name. Captioners by their mean under the " + main + " prompt." + cut,
		Source:     "mart captionqa_results; CaptionQA paper, Tables 11–26, where published. A stroke is a row that the source does not have.",
		Provenance: provenance, Keys: panels[0].heat.keys(" %"),
		Height: chart.height(on), Body: chart.draw,
	}, nil
}

// horizontalGrid draws a hairline at every labelled tick of the Y axis.
type horizontalGrid struct{}

// Plot implements [plot.Plotter].
func (horizontalGrid) Plot(c draw.Canvas, p *plot.Plot) {
	_, ty := p.Transforms(&c)
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if !t.IsMinor() {
			c.StrokeLine2(lineStyle(gridInk, hairline), c.Min.X, ty(t.Value), c.Max.X, ty(t.Value))
		}
	}
}
