package plots

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// LinePoint is one point of a line: X and Y with an optional band from Low to High at X.
type LinePoint struct {
	X         float64
	Y         Number           // a point without a value leaves a gap
	Low, High Number           // both valid or none
	Shape     draw.GlyphDrawer // marker of the point where markers are drawn; nil for that of the series
}

// LineSeries is a line with its name, which is written at its right end.
type LineSeries struct {
	Name   string
	Look   Look
	Points []LinePoint // by growing X
}

// Lines draws lines with confidence bands and direct labels in a gutter at the right. It implements [plot.Plotter] and [plot.DataRanger].
type Lines struct {
	Series  []LineSeries
	Markers bool
	Gutter  vg.Length // room for direct labels at the right of the canvas; 0 for no labels
}

var (
	_ plot.Plotter    = (*Lines)(nil)
	_ plot.DataRanger = (*Lines)(nil)
)

// NewLines checks the series: at least one value each, growing X, bands that hold their values.
func NewLines(series []LineSeries) (*Lines, error) {
	if len(series) == 0 {
		return nil, noRows("a line chart needs at least one series")
	}
	for _, s := range series {
		found := false
		for i, p := range s.Points {
			found = found || p.Y.Valid
			if i > 0 && !(s.Points[i-1].X < p.X) {
				return nil, fmt.Errorf("series %s: x does not grow from point %d to point %d", s.Name, i, i+1)
			}
			if p.Low.Valid != p.High.Valid {
				return nil, fmt.Errorf("series %s, point %d has half a band", s.Name, i+1)
			}
			if p.Low.Valid && p.Y.Valid && !(p.Low.Value <= p.Y.Value && p.Y.Value <= p.High.Value) {
				return nil, fmt.Errorf("series %s, point %d: %v lies outside its band %v to %v", s.Name, i+1, p.Y.Value, p.Low.Value, p.High.Value)
			}
		}
		if !found {
			return nil, noRows("series %s has no value", s.Name)
		}
	}
	return &Lines{Series: series}, nil
}

// DataRange returns the range of the points and bands.
func (l *Lines) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax, ymin, ymax = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, s := range l.Series {
		for _, p := range s.Points {
			xmin, xmax = min(xmin, p.X), max(xmax, p.X)
			for _, v := range []Number{p.Y, p.Low, p.High} {
				if v.Valid {
					ymin, ymax = min(ymin, v.Value), max(ymax, v.Value)
				}
			}
		}
	}
	return xmin, xmax, ymin, ymax
}

// Plot draws bands, then lines, then labels. The plot's X axis must end where the gutter begins: see [Lines.room].
func (l *Lines) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	for _, s := range l.Series {
		for _, run := range runs(s.Points, func(p LinePoint) bool { return p.Low.Valid }) {
			var poly []vg.Point
			for _, q := range run {
				poly = append(poly, vg.Point{X: tx(q.X), Y: ty(q.High.Value)})
			}
			for i := len(run) - 1; i >= 0; i-- {
				poly = append(poly, vg.Point{X: tx(run[i].X), Y: ty(run[i].Low.Value)})
			}
			c.FillPolygon(fade(s.Look.Color, 0x30), poly)
		}
	}
	for _, s := range l.Series {
		for _, run := range runs(s.Points, func(p LinePoint) bool { return p.Y.Valid }) {
			var line []vg.Point
			for _, q := range run {
				line = append(line, vg.Point{X: tx(q.X), Y: ty(q.Y.Value)})
			}
			if len(line) > 1 {
				c.StrokeLines(s.Look.line(1), line)
			}
			if s.Look.Shape != nil && (l.Markers || len(line) == 1) {
				for i, q := range line {
					glyph := s.Look.glyph(1.8)
					if run[i].Shape != nil {
						glyph.Shape, glyph.Radius = run[i].Shape, 2.2
					}
					c.DrawGlyphNoClip(glyph, q)
				}
			}
		}
	}
	if l.Gutter > 0 {
		l.labels(c, tx, ty)
	}
}

// runs cuts points into stretches that pass a test.
func runs(points []LinePoint, keep func(LinePoint) bool) [][]LinePoint {
	var out [][]LinePoint
	open := false
	for _, p := range points {
		if !keep(p) {
			open = false
			continue
		}
		if !open {
			out, open = append(out, nil), true
		}
		out[len(out)-1] = append(out[len(out)-1], p)
	}
	return out
}

// leader is the room between the end of the lines and their labels.
const leader = 14

// fitGutter makes the gutter as wide as the longest name needs, but at most limit.
func (l *Lines) fitGutter(limit vg.Length) {
	sty := textStyle(smallSize, ink, false)
	for _, s := range l.Series {
		l.Gutter = min(limit, max(l.Gutter, sty.Width(clean(s.Name))+leader+2))
	}
}

// room sets the plot's X axis so that the data end where the gutter of a canvas of the given inner width begins.
func (l *Lines) room(p *plot.Plot, xmin, xmax float64, width vg.Length) {
	p.X.Min = xmin
	p.X.Max = xmin + (xmax-xmin)*float64(width/(width-l.Gutter))
}

// labelStep is the height that a direct label of a type size takes.
func labelStep(size float64) vg.Length { return vg.Points(size * 1.12) }

// labels writes the names at the heights of the last values, spread so that they do not overlap, each with a leader to its line's end.
func (l *Lines) labels(c draw.Canvas, tx, ty func(float64) vg.Length) {
	size := float64(smallSize)
	if float64(len(l.Series))*float64(labelStep(size)) > float64(c.Max.Y-c.Min.Y) {
		size = tinySize
	}
	sty := textStyle(size, ink, false)
	ends := make([]vg.Point, len(l.Series))
	centers, sizes := make([]float64, len(l.Series)), make([]float64, len(l.Series))
	for i, s := range l.Series {
		for _, q := range s.Points {
			if q.Y.Valid {
				ends[i] = vg.Point{X: tx(q.X), Y: ty(q.Y.Value)}
			}
		}
		centers[i], sizes[i] = float64(ends[i].Y), float64(labelStep(size))
	}
	x := c.Max.X - l.Gutter + leader
	for i, y := range spread(centers, sizes, float64(c.Min.Y), float64(c.Max.Y)) {
		s := l.Series[i]
		y := vg.Length(y)
		c.StrokeLines(lineStyle(fade(s.Look.Color, 0x90), 0.5), []vg.Point{{X: ends[i].X + 2.5, Y: ends[i].Y}, {X: x - 3, Y: y}, {X: x - 1, Y: y}})
		sty.Color = s.Look.textColor()
		middle(c, sty, vg.Point{X: x, Y: y}, fit(sty, s.Name, c.Max.X-x))
	}
}
