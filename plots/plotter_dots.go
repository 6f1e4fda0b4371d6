package plots

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Dot is a value with an optional interval on one row of a dot plot.
type Dot struct {
	Value     Number // a row without a value stays empty
	Low, High Number // both valid or none
	Glyph     draw.GlyphStyle
	Label     string // written beside the dot; empty for none
}

// Dots is a horizontal dot plot with intervals: row 0 at the top. It implements [plot.Plotter] and [plot.DataRanger].
type Dots struct {
	Rows []Dot
}

var (
	_ plot.Plotter    = (*Dots)(nil)
	_ plot.DataRanger = (*Dots)(nil)
)

// NewDots checks the rows: at least one value, and intervals that hold their values.
func NewDots(rows []Dot) (*Dots, error) {
	found := false
	for i, d := range rows {
		found = found || d.Value.Valid
		if d.Low.Valid != d.High.Valid {
			return nil, fmt.Errorf("row %d of the dot plot has half an interval", i+1)
		}
		if d.Low.Valid && d.Value.Valid && !(d.Low.Value <= d.Value.Value && d.Value.Value <= d.High.Value) {
			return nil, fmt.Errorf("row %d of the dot plot: %v lies outside its interval %v to %v", i+1, d.Value.Value, d.Low.Value, d.High.Value)
		}
	}
	if !found {
		return nil, noRows("a dot plot needs at least one value")
	}
	return &Dots{Rows: rows}, nil
}

// y is the height of a row in data coordinates.
func (d *Dots) y(row int) float64 { return float64(len(d.Rows) - 1 - row) }

// DataRange returns the range of values and intervals, and half a row above and below the rows.
func (d *Dots) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax = math.Inf(1), math.Inf(-1)
	for _, r := range d.Rows {
		for _, v := range []Number{r.Value, r.Low, r.High} {
			if v.Valid {
				xmin, xmax = min(xmin, v.Value), max(xmax, v.Value)
			}
		}
	}
	return xmin, xmax, -0.5, float64(len(d.Rows)) - 0.5
}

// Plot draws guide lines, intervals, dots and labels. A label is left of its dot and interval, or right of them where there is no room on the left.
func (d *Dots) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	sty := textStyle(tinySize, softInk, false)
	for i, r := range d.Rows {
		y := ty(d.y(i))
		c.StrokeLine2(lineStyle(gridInk, 0.4, 0.8, 1.6), c.Min.X, y, c.Max.X, y)
		if !r.Value.Valid {
			s := sty
			s.XAlign = draw.XCenter
			patch(c, s, vg.Point{X: c.Center().X, Y: y}, "not given")
			middle(c, s, vg.Point{X: c.Center().X, Y: y}, "not given")
			continue
		}
		x := tx(r.Value.Value)
		left, right := x-r.Glyph.Radius, x+r.Glyph.Radius
		if r.Low.Valid {
			low, high := max(tx(r.Low.Value), c.Min.X), min(tx(r.High.Value), c.Max.X)
			left, right = min(left, low), max(right, high)
			c.StrokeLine2(lineStyle(r.Glyph.Color, 0.9), low, y, high, y)
			for _, e := range []float64{r.Low.Value, r.High.Value} {
				if x := tx(e); x >= c.Min.X && x <= c.Max.X { // an interval that leaves the axis has no end to show
					c.StrokeLine2(lineStyle(r.Glyph.Color, 0.9), x, y-1.6, x, y+1.6)
				}
			}
		}
		c.DrawGlyphNoClip(r.Glyph, vg.Point{X: x, Y: y})
		if r.Label == "" {
			continue
		}
		s, label := sty, clean(r.Label)
		w := s.Width(label)
		x0 := left - 3 - w
		if x0 < c.Min.X {
			x0 = right + 3
		}
		if x0+w > c.Max.X { // an interval over the whole axis has room on neither side
			x0 = x - r.Glyph.Radius - 3 - w
		}
		c.FillPolygon(paper, rect(x0-1, y-3, x0+w+1, y+3)) // the guide line stops at the text
		middle(c, s, vg.Point{X: x0, Y: y}, label)
	}
}

// hollow and filled are the markers that tell proprietary from open models where colour tells something else.
func hollow(c color.Color) draw.GlyphStyle {
	return draw.GlyphStyle{Color: c, Radius: 2.4, Shape: hollowCircle{}}
}

func filled(c color.Color) draw.GlyphStyle {
	return draw.GlyphStyle{Color: c, Radius: 2.6, Shape: draw.CircleGlyph{}}
}

// hollowCircle is a ring whose inside is paper, so that lines under it do not show.
type hollowCircle struct{}

func (hollowCircle) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, pt vg.Point) {
	var p vg.Path
	p.Move(vg.Point{X: pt.X + sty.Radius, Y: pt.Y})
	p.Arc(pt, sty.Radius, 0, 2*math.Pi)
	p.Close()
	c.SetColor(paper)
	c.Fill(p)
	c.SetLineStyle(lineStyle(sty.Color, 1.2))
	c.Stroke(p)
}
