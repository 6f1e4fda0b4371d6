package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

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
	t, err := ts.Get("captionqa_results")
	if err != nil {
		return nil, err
	}
	if t, err = t.whereIf("evidence", captionqa.EvidenceCaption); err != nil {
		return nil, err
	}
	from := Read(t)
	provenance := from.provenance()
	found := from.domains()
	prompts := promptOrder(from.Text("prompt"))
	if from.Err != nil {
		return nil, from.Err
	}
	var panels []*plot.Plot
	var lines []*Lines
	low, high := math.Inf(1), math.Inf(-1)
	most := 0
	for _, d := range found {
		part, err := t.Where("domain", d)
		if err != nil {
			return nil, err
		}
		series, err := promptSeries(part, prompts)
		if err != nil {
			return nil, err
		}
		if len(series) == 0 {
			continue // no captioner has a score
		}
		l, err := NewLines(series)
		if err != nil {
			return nil, fmt.Errorf("domain %s: %w", d, err)
		}
		l.Markers = true
		l.fitGutter(132)
		most = max(most, len(series))
		_, _, ymin, ymax := l.DataRange()
		low, high = min(low, ymin), max(high, ymax)
		p := newPlot()
		panelTitle(p, d, domains.text(d))
		p.Y.Tick.Marker = steps(10)
		p.Add(horizontalGrid{l.Gutter}, l)
		panels, lines = append(panels, p), append(lines, l)
	}
	if len(panels) == 0 {
		return nil, noRows("table %s has no score from captions", t.Name())
	}
	for _, p := range panels {
		p.Y.Min, p.Y.Max = math.Floor(low/10)*10, max(math.Ceil(high/10)*10, math.Floor(low/10)*10+10)
	}
	across := on.across(200, 0, min(2, len(panels)))
	if len(prompts) > 6 {
		across = 1 // names of prompts need room under the axis
	}
	rows := (len(panels) + across - 1) / across
	return &Drawing{
		Subtitle:   "CaptionQA score (%) of each captioner by caption prompt: the published prompts from the shortest captions to the longest, then with the taxonomy as a hint, then other prompts by name.",
		Source:     "mart captionqa_results; CaptionQA paper, Tables 11–26, where published. A missing point is a row that the source does not have.",
		Provenance: provenance,
		Height:     vg.Length(rows) * max(270, vg.Length(most)*labelStep(tinySize)+50),
		Body: func(c draw.Canvas) {
			w, h := (c.Max.X-c.Min.X)/vg.Length(across), (c.Max.Y-c.Min.Y)/vg.Length(rows)
			for i, p := range panels {
				x, y := c.Min.X+vg.Length(i%across)*w, c.Max.Y-vg.Length(i/across+1)*h
				cell := area(c, x, y+4, x+w-4, y+h-4)
				data := p.DataCanvas(cell)
				inner := data.Max.X - data.Min.X
				last := float64(len(prompts)) - 0.9
				lines[i].room(p, -0.25, last, inner)
				p.X.Tick.Marker = promptTicks{prompts, (inner - lines[i].Gutter) / vg.Length(last+0.25)}
				p.Draw(cell)
			}
		},
	}, nil
}

// promptSeries returns a line per model over the prompts, in the order of the table. Models without a score are left out.
func promptSeries(t *Table, prompts []string) ([]LineSeries, error) {
	models, err := byModel(t)
	from := Read(t)
	written := from.Text("prompt")
	scores := from.Numbers("score")
	if err := cmp.Or(err, from.Err); err != nil {
		return nil, err
	}
	var series []LineSeries
	for _, m := range models {
		s := LineSeries{Name: m.name, Look: m.look}
		for j := range prompts {
			s.Points = append(s.Points, LinePoint{X: float64(j)})
		}
		for _, i := range m.rows {
			p := &s.Points[slices.Index(prompts, written[i])]
			if p.Y.Valid {
				return nil, t.fault("score", i, "a second score of %s under the %s prompt", m.name, written[i])
			}
			p.Y = scores[i]
		}
		if slices.ContainsFunc(s.Points, func(p LinePoint) bool { return p.Y.Valid }) {
			series = append(series, s)
		}
	}
	return series, nil
}

// promptTicks names prompts under the axis, each cut to a width.
type promptTicks struct {
	prompts []string
	width   vg.Length
}

// Ticks implements [plot.Ticker].
func (m promptTicks) Ticks(_, _ float64) []plot.Tick {
	out := make([]plot.Tick, len(m.prompts))
	sty := textStyle(smallSize, softInk, false)
	for i, p := range m.prompts {
		if p == captionqa.PromptTaxonomyHinted {
			p = "Hinted"
		}
		out[i] = plot.Tick{Value: float64(i), Label: fit(sty, p, m.width-3)}
	}
	return out
}

// horizontalGrid draws a hairline at every labelled tick of the Y axis, up to a gutter at the right.
type horizontalGrid struct{ gutter vg.Length }

// Plot implements [plot.Plotter].
func (g horizontalGrid) Plot(c draw.Canvas, p *plot.Plot) {
	_, ty := p.Transforms(&c)
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if !t.IsMinor() {
			c.StrokeLine2(lineStyle(gridInk, hairline), c.Min.X, ty(t.Value), c.Max.X-g.gutter, ty(t.Value))
		}
	}
}
