package plots

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/captionlake/captionlake/data"
)

// rubricMap sets the correctness of captioners against their thoroughness.
func rubricMap(b data.Benchmark) Figure {
	return Figure{
		Name:  rubricName(b, "map"),
		Title: "Correctness against thoroughness of captioners on " + b.Title,
		Paper: b.Title + "; no figure of the paper",
		Needs: []string{"capability_averages"},
		All:   true,
		draw:  func(ts Tables, _ domainSet, on Page) (*Drawing, error) { return drawRubricMap(ts, b.Name, on) },
	}
}

func drawRubricMap(ts Tables, benchmark string, on Page) (*Drawing, error) {
	t, err := ts.Get("capability_averages")
	if err != nil {
		return nil, err
	}
	if t, err = completeAverages(t, benchmark); err != nil {
		return nil, err
	}
	t, judge, err := oneJudge(t)
	if err != nil {
		return nil, err
	}
	provenance, err := t.Provenance()
	if err != nil {
		return nil, err
	}
	_, names, looks, err := captionerLooks(t)
	if err != nil {
		return nil, err
	}
	from := Read(t)
	ids := from.Text("captioner")
	xs := from.Floats("hit_rate")
	ys := from.Floats("precision")
	if from.Err != nil {
		return nil, from.Err
	}
	bars := map[string][]Number{}
	for _, name := range []string{"precision_low", "precision_high", "hit_rate_low", "hit_rate_high"} {
		if bars[name], err = t.numbersIf(name); err != nil {
			return nil, err
		}
	}
	points := make([]ScatterPoint, len(ids))
	crosses := make([]cross, 0, len(ids))
	for i, id := range ids {
		points[i] = ScatterPoint{X: xs[i], Y: ys[i], Name: names[id], Glyph: looks[id].glyph(3)}
		c := cross{xs[i], ys[i], bars["hit_rate_low"][i], bars["hit_rate_high"][i], bars["precision_low"][i], bars["precision_high"][i], fade(looks[id].Color, 0x90)}
		if c.xlow.Valid && c.xhigh.Valid && c.ylow.Valid && c.yhigh.Valid {
			crosses = append(crosses, c)
		}
	}
	scatter, err := NewScatter(points)
	if err != nil {
		return nil, err
	}
	p := newPlot()
	xmin, xmax, ymin, ymax := scatter.DataRange()
	for _, c := range crosses {
		xmin, xmax, ymin, ymax = min(xmin, c.xlow.Value), max(xmax, c.xhigh.Value), min(ymin, c.ylow.Value), max(ymax, c.yhigh.Value)
	}
	xmin, xmax = around100(xmin, xmax)
	ymin, ymax = around100(ymin, ymax)
	p.Add(recallLines{})
	for _, c := range crosses {
		p.Add(c)
	}
	p.Add(scatter)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = xmin, xmax, ymin, ymax
	p.X.Tick.Marker, p.Y.Tick.Marker = steps(niceStep(xmax-xmin, 8)), steps(niceStep(ymax-ymin, 8))
	p.X.Label.Text, p.Y.Label.Text = "thoroughness: hit rate, %", "correctness: precision, %"
	with := ""
	if len(crosses) > 0 {
		with = " Crosses are 95 % intervals over media files" + shorterThanMark
	}
	return &Drawing{
		Subtitle: fmt.Sprintf("Averages over the dimensions, judged by %s. Right: a caption speaks of more of what is annotated; up: what it says is right more often.%s On a dashed line precision times hit rate, which in one dimension is the recall, is the same.",
			judge, with),
		Source:     "mart capability_averages.",
		Provenance: provenance,
		Height:     min(on.inner()*0.7, 340),
		Body:       func(c draw.Canvas) { p.Draw(c) },
	}, nil
}

// around100 widens a range of percentages a little, within 0 to 100, and to at least four points.
func around100(low, high float64) (float64, float64) {
	margin := max((high-low)*0.06, (4-(high-low))/2)
	return max(0, low-margin), min(100, high+margin)
}

// cross is the intervals of a point in both directions.
type cross struct {
	x, y                     float64
	xlow, xhigh, ylow, yhigh Number
	color                    color.Color
}

// Plot implements [plot.Plotter].
func (r cross) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	c.StrokeLine2(lineStyle(r.color, 0.8), tx(r.xlow.Value), ty(r.y), tx(r.xhigh.Value), ty(r.y))
	c.StrokeLine2(lineStyle(r.color, 0.8), tx(r.x), ty(r.ylow.Value), tx(r.x), ty(r.yhigh.Value))
}

// recallLines are the lines of equal product of precision and hit rate, at every fifth percent.
type recallLines struct{}

// Plot implements [plot.Plotter].
func (recallLines) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	sty := textStyle(tinySize, softInk, false)
	for recall := 5.0; recall < 100; recall += 5 {
		var line []vg.Point
		for k := range 101 {
			x := p.X.Min + (p.X.Max-p.X.Min)*float64(k)/100
			if y := 100 * recall / math.Max(x, 1e-9); y >= p.Y.Min && y <= p.Y.Max {
				line = append(line, vg.Point{X: tx(x), Y: ty(y)})
			}
		}
		if len(line) < 8 {
			continue // a line through a corner would have its label on the frame
		}
		c.StrokeLines(lineStyle(gridInk, 0.7, 4, 3), line)
		s := sty
		s.XAlign = draw.XRight
		at := line[len(line)-1]
		at.X -= 2
		if at.Y-c.Min.Y < 8 {
			at.Y += 6
		}
		middle(c, s, at, fmt.Sprintf("%g", recall))
	}
}
