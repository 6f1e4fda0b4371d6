package plots

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// ScatterPoint is one point. Points with a name are labelled, in the order given, where the labels find room.
type ScatterPoint struct {
	X, Y  float64
	Name  string
	Glyph draw.GlyphStyle
	// Intervals of X and Y, drawn as far as the axes reach; not valid for none.
	XLow, XHigh, YLow, YHigh Number
}

// Scatter draws points with the identity diagonal and labels that overlap neither points nor each other. It implements [plot.Plotter]
// and [plot.DataRanger].
type Scatter struct {
	Points   []ScatterPoint
	Diagonal bool
}

var (
	_ plot.Plotter    = (*Scatter)(nil)
	_ plot.DataRanger = (*Scatter)(nil)
)

// NewScatter checks the points: at least one, all finite.
func NewScatter(points []ScatterPoint) (*Scatter, error) {
	if len(points) == 0 {
		return nil, noRows("a scatter plot needs at least one point")
	}
	for i, p := range points {
		if math.IsNaN(p.X+p.Y) || math.IsInf(p.X, 0) || math.IsInf(p.Y, 0) {
			return nil, fmt.Errorf("point %d (%s) lies at %v, %v", i+1, p.Name, p.X, p.Y)
		}
	}
	return &Scatter{Points: points}, nil
}

// DataRange returns the range of the points, with their intervals as far as these leave the points most of it, and 5 % on each side; one
// range for both axes where the diagonal is drawn, so that it is seen whole.
func (s *Scatter) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax = spanOf(s.Points, func(p ScatterPoint) (v float64, low, high Number) { return p.X, p.XLow, p.XHigh })
	ymin, ymax = spanOf(s.Points, func(p ScatterPoint) (v float64, low, high Number) { return p.Y, p.YLow, p.YHigh })
	if s.Diagonal {
		xmin, xmax = min(xmin, ymin), max(xmax, ymax)
		ymin, ymax = xmin, xmax
	}
	return xmin, xmax, ymin, ymax
}

// spanOf is the range of one coordinate of points.
func spanOf(points []ScatterPoint, of func(ScatterPoint) (v float64, low, high Number)) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, p := range points {
		v, _, _ := of(p)
		low, high = min(low, v), max(high, v)
	}
	most := reach(low, high, 0.3)
	for _, p := range points {
		if _, l, h := of(p); l.Valid && h.Valid {
			low, high = min(low, max(l.Value, most[0])), max(high, min(h.Value, most[1]))
		}
	}
	by := (high - low) * 0.05 // keeps markers and labels off the frame
	return low - by, high + by
}

// soften is a colour for lines that must not hide what they cross.
func soften(c color.Color) color.Color {
	n, ok := color.NRGBAModel.Convert(c).(color.NRGBA)
	if !ok {
		return c
	}
	return fade(n, uint8(int(n.A)*0x60/0xff))
}

// Plot draws the diagonal, the points, and the labels with a leader where a label is away from its point.
func (s *Scatter) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	if s.Diagonal {
		from, to := max(p.X.Min, p.Y.Min), min(p.X.Max, p.Y.Max)
		if from < to {
			c.StrokeLine2(lineStyle(frameInk, 0.8, 4, 2), tx(from), ty(from), tx(to), ty(to))
		}
	}
	at := make([]vg.Point, len(s.Points))
	radius := vg.Length(0)
	for i, q := range s.Points {
		at[i] = vg.Point{X: tx(q.X), Y: ty(q.Y)}
		radius = max(radius, q.Glyph.Radius)
	}
	var along []vg.Point // of the intervals
	for i, q := range s.Points {
		line := lineStyle(soften(q.Glyph.Color), 0.6)
		interval := func(low, high Number, from, to float64, at func(float64) vg.Point) {
			if !low.Valid || !high.Valid {
				return
			}
			a, b := at(max(low.Value, from)), at(min(high.Value, to))
			whisker(c, line, a, b, low.Value < from, high.Value > to)
			for k := range 13 {
				share := vg.Length(k) / 12
				along = append(along, vg.Point{X: a.X + (b.X-a.X)*share, Y: a.Y + (b.Y-a.Y)*share})
			}
		}
		interval(q.XLow, q.XHigh, p.X.Min, p.X.Max, func(v float64) vg.Point { return vg.Point{X: tx(v), Y: at[i].Y} })
		interval(q.YLow, q.YHigh, p.Y.Min, p.Y.Max, func(v float64) vg.Point { return vg.Point{X: at[i].X, Y: ty(v)} })
	}
	sty := textStyle(smallSize, ink, false)
	var labels []boxLabel
	var names []string
	for i, q := range s.Points {
		if q.Name != "" {
			name := fit(sty, q.Name, 190)
			names = append(names, name)
			labels = append(labels, boxLabel{at[i], sty.Width(name) + 2, sty.Font.Size + 1})
		}
	}
	places, ok := placeLabels(labels, at, along, radius+0.5, c.Rectangle)
	for i, l := range labels {
		if !ok[i] {
			continue
		}
		// A label that touches its point needs no line to it.
		near := nearest(places[i], l.at)
		if math.Hypot(float64(near.X-l.at.X), float64(near.Y-l.at.Y)) > float64(radius)+2.5 {
			c.StrokeLine2(lineStyle(softInk, 0.4), l.at.X, l.at.Y, near.X, near.Y)
		}
	}
	for i, q := range s.Points {
		c.DrawGlyphNoClip(q.Glyph, at[i])
	}
	sty.XAlign = draw.XCenter
	for i, n := range names {
		if ok[i] {
			r := places[i]
			mid := vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}
			patch(c, sty, mid, n)
			middle(c, sty, mid, n)
		}
	}
}

// reach widens a range of values by what intervals may take of an axis on each side: a share of the range, and of five points at least.
func reach(low, high, share float64) [2]float64 {
	by := max(high-low, 5) * share
	return [2]float64{low - by, high + by}
}
