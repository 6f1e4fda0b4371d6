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

// DataRange returns the range of the points and 5 % on each side; one range for both axes where the diagonal is drawn, so that it is seen whole.
func (s *Scatter) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax, ymin, ymax = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, p := range s.Points {
		xmin, xmax, ymin, ymax = min(xmin, p.X), max(xmax, p.X), min(ymin, p.Y), max(ymax, p.Y)
	}
	// A margin keeps markers and labels off the frame.
	dx, dy := (xmax-xmin)*0.05, (ymax-ymin)*0.05
	xmin, xmax, ymin, ymax = xmin-dx, xmax+dx, ymin-dy, ymax+dy
	if s.Diagonal {
		xmin, xmax = min(xmin, ymin), max(xmax, ymax)
		ymin, ymax = xmin, xmax
	}
	return xmin, xmax, ymin, ymax
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
	places, ok := placeLabels(labels, at, radius+0.5, c.Rectangle)
	for i, l := range labels {
		if !ok[i] {
			continue
		}
		near := nearest(places[i], l.at)
		if math.Hypot(float64(near.X-l.at.X), float64(near.Y-l.at.Y)) > float64(radius)+4 {
			c.StrokeLine2(lineStyle(frameInk, 0.4), l.at.X, l.at.Y, near.X, near.Y)
		}
	}
	for i, q := range s.Points {
		line := lineStyle(soften(q.Glyph.Color), 0.5)
		if q.XLow.Valid && q.XHigh.Valid {
			c.StrokeLine2(line, tx(max(q.XLow.Value, p.X.Min)), at[i].Y, tx(min(q.XHigh.Value, p.X.Max)), at[i].Y)
		}
		if q.YLow.Valid && q.YHigh.Valid {
			c.StrokeLine2(line, at[i].X, ty(max(q.YLow.Value, p.Y.Min)), at[i].X, ty(min(q.YHigh.Value, p.Y.Max)))
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
