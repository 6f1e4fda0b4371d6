package plots

import (
	"fmt"
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
	from, judge := completeAverages(ts, benchmark).oneJudge()
	models, provenance := from.models(), from.provenance()
	xs, ys := from.Floats("hit_rate"), from.Floats("precision")
	hits, right := from.Interval("hit_rate"), from.Interval("precision")
	if from.Err != nil {
		return nil, from.Err
	}
	var points []ScatterPoint
	for _, m := range models {
		for _, i := range m.rows {
			points = append(points, ScatterPoint{X: xs[i], Y: ys[i], Name: m.name, Glyph: m.look.glyph(3),
				XLow: hits[0][i], XHigh: hits[1][i], YLow: right[0][i], YHigh: right[1][i]})
		}
	}
	scatter, err := NewScatter(points)
	if err != nil {
		return nil, err
	}
	p := newPlot()
	xmin, xmax, ymin, ymax := scatter.DataRange()
	xmin, xmax = within100s(xmin, xmax)
	ymin, ymax = within100s(ymin, ymax)
	p.Add(recallLines{}, scatter)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = xmin, xmax, ymin, ymax
	p.X.Tick.Marker, p.Y.Tick.Marker = steps(niceStep(xmax-xmin, 8)), steps(niceStep(ymax-ymin, 8))
	p.X.Label.Text, p.Y.Label.Text = "thoroughness: hit rate, %", "correctness: precision, %"
	return &Drawing{
		Subtitle: fmt.Sprintf("Averages over the dimensions, judged by %s. Right: a caption speaks of more of what is annotated; up: what it says is right more often.%s On a dashed line precision times hit rate, which in one dimension is the recall, is the same.",
			on.Model(judge), intervalNote(hits, right)),
		Source:     "mart capability_averages.",
		Provenance: provenance,
		Height:     min(on.inner()*0.7, 340),
		Body:       func(c draw.Canvas) { p.Draw(c) },
	}, nil
}

// within100s widens a range of percentages to at least four points, within 0 to 100.
func within100s(low, high float64) (float64, float64) {
	by := max(0, (4-(high-low))/2)
	return max(0, low-by), min(100, high+by)
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
