package plots

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var promptsFigure = Figure{
	Name:  "prompts",
	Title: "How the caption prompt moves the score",
	Paper: "CaptionQA, Tables 11–26 and Section 5",
	Needs: []string{"captionqa_results"},
	draw:  drawPrompts,
}

func drawPrompts(ts Tables) (*Drawing, error) {
	t, err := ts.Get("captionqa_results")
	if err != nil {
		return nil, err
	}
	if t, err = t.whereIf("evidence", "caption"); err != nil {
		return nil, err
	}
	from := read(t)
	provenance := from.provenance()
	found := from.distinct("domain")
	if from.err != nil {
		return nil, from.err
	}
	var panels []*plot.Plot
	var lines []*Lines
	low, high := math.Inf(1), math.Inf(-1)
	most := 0
	for _, d := range domains {
		if !slices.Contains(found, d) {
			continue
		}
		part, err := t.Where("domain", d)
		if err != nil {
			return nil, err
		}
		series, err := promptSeries(part)
		if err != nil {
			return nil, err
		}
		if len(series) == 0 {
			continue // no captioner has a score under a prompt of the paper
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
		p.Title.Text = d
		p.Title.TextStyle = textStyle(labelSize+1, deepDomainColor(d), true)
		p.Title.TextStyle.XAlign, p.Title.TextStyle.YAlign = draw.XCenter, draw.YTop
		p.Title.Padding = 4
		p.X.Tick.Marker = promptTicks{}
		p.Y.Tick.Marker = steps(10)
		p.Add(horizontalGrid{l.Gutter}, l)
		panels, lines = append(panels, p), append(lines, l)
	}
	if len(panels) == 0 {
		return nil, noRows("table %s has no score of %v under %v", t.Name(), domains, prompts)
	}
	for _, p := range panels {
		p.Y.Min, p.Y.Max = math.Floor(low/10)*10, math.Ceil(high/10)*10
	}
	return &Drawing{
		Subtitle:   "CaptionQA score (%) of each captioner under the four caption prompts, from the shortest captions to the longest, then with the taxonomy as a hint.",
		Source:     "mart captionqa_results; CaptionQA paper, Tables 11–26, where published. A missing point is a row that the source lacks.",
		Provenance: provenance,
		Width:      fullWidth, Height: 100 + vg.Length((len(panels)+1)/2)*max(270, vg.Length(most)*labelStep(tinySize)+50),
		Body: func(c draw.Canvas) {
			rows := (len(panels) + 1) / 2
			w, h := (c.Max.X-c.Min.X)/2, (c.Max.Y-c.Min.Y)/vg.Length(rows)
			for i, p := range panels {
				x, y := c.Min.X+vg.Length(i%2)*w, c.Max.Y-vg.Length(i/2+1)*h
				cell := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: x, Y: y + 4}, Max: vg.Point{X: x + w - 4, Y: y + h - 4}}}
				data := p.DataCanvas(cell)
				lines[i].room(p, -0.25, float64(len(prompts))-0.9, data.Max.X-data.Min.X)
				p.Draw(cell)
			}
		},
	}, nil
}

// promptSeries returns a line per model over the prompts, in the order of the table.
func promptSeries(t *Table) ([]LineSeries, error) {
	from := read(t)
	names := from.names()
	ids := from.text("model_id")
	rows := from.text("prompt")
	scores := from.numbers("score")
	if from.err != nil {
		return nil, from.err
	}
	var series []LineSeries
	var owners []string
	at := map[string]int{}
	for i, n := range names {
		x := slices.Index(prompts, rows[i])
		if x < 0 {
			continue // a prompt of one's own has no place in the paper's order
		}
		k, ok := at[n]
		if !ok {
			k = len(series)
			at[n] = k
			s := LineSeries{Name: n}
			for j := range prompts {
				s.Points = append(s.Points, LinePoint{X: float64(j)})
			}
			series, owners = append(series, s), append(owners, ids[i])
		}
		if series[k].Points[x].Y.Valid {
			return nil, t.fault("score", i, "a second score of %s under the %s prompt", n, rows[i])
		}
		series[k].Points[x].Y = scores[i]
	}
	looks := Looks(owners)
	kept := series[:0]
	for i, s := range series {
		s.Look = looks[i]
		if slices.ContainsFunc(s.Points, func(p LinePoint) bool { return p.Y.Valid }) {
			kept = append(kept, s)
		}
	}
	return kept, nil
}

// promptTicks names the prompts under the axis.
type promptTicks struct{}

// Ticks implements [plot.Ticker].
func (promptTicks) Ticks(_, _ float64) []plot.Tick {
	out := make([]plot.Tick, len(prompts))
	for i, p := range prompts {
		out[i] = plot.Tick{Value: float64(i), Label: map[string]string{"Taxonomy-Hinted": "Hinted"}[p]}
		if out[i].Label == "" {
			out[i].Label = p
		}
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
