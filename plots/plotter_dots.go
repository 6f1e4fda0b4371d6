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
	// Ends are where values and intervals are cut, an arrowhead at the cut.
	Ends [2]float64
}

var _ marks = (*Dots)(nil)

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
	return &Dots{Rows: rows, Ends: anywhere}, nil
}

// y is the height of a row in data coordinates.
func (d *Dots) y(row int) float64 { return float64(len(d.Rows) - 1 - row) }

// cut is a value, or the end that it lies past.
func (d *Dots) cut(v float64) float64 { return min(max(v, d.Ends[0]), d.Ends[1]) }

// DataRange returns the range of values and intervals as far as they are drawn, and half a row above and below the rows.
func (d *Dots) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax = math.Inf(1), math.Inf(-1)
	for _, r := range d.Rows {
		for _, v := range []Number{r.Value, r.Low, r.High} {
			if v.Valid {
				xmin, xmax = min(xmin, d.cut(v.Value)), max(xmax, d.cut(v.Value))
			}
		}
	}
	return xmin, xmax, -0.5, float64(len(d.Rows)) - 0.5
}

// dotGap is the room between a dot, or the end of its interval, and its label.
const dotGap = vg.Length(3)

// end returns the value that the label of a row is right of, and how far from it.
func (d *Dots) end(r Dot) (at float64, gap vg.Length) {
	if r.High.Valid && r.High.Value > r.Value.Value {
		return d.cut(r.High.Value), max(dotGap, r.Glyph.Radius+1)
	}
	if r.Value.Value < d.Ends[0] {
		return d.Ends[0], arrowLong + dotGap
	}
	return d.cut(r.Value.Value), r.Glyph.Radius + dotGap
}

// beside implements marks: labels are right of the dots and their intervals.
func (d *Dots) beside() []sideLabel {
	var out []sideLabel
	for _, r := range d.Rows {
		if r.Value.Valid && r.Label != "" {
			at, gap := d.end(r)
			out = append(out, sideLabel{at: at, width: gap + textStyle(tinySize, ink, false).Width(clean(r.Label)) + 1})
		}
	}
	return out
}

// Plot draws guide lines, intervals, dots and labels.
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
		at := func(v float64) vg.Point { return vg.Point{X: tx(d.cut(v)), Y: y} }
		switch v := r.Value.Value; {
		case v < d.Ends[0]:
			arrowhead(c, r.Glyph.Color, at(v), -1, 0)
		case v > d.Ends[1]:
			arrowhead(c, r.Glyph.Color, at(v), 1, 0)
		default:
			if r.Low.Valid {
				whisker(c, lineStyle(r.Glyph.Color, 0.9), at(r.Low.Value), at(r.High.Value), r.Low.Value < d.Ends[0], r.High.Value > d.Ends[1])
			}
			c.DrawGlyphNoClip(r.Glyph, at(v))
		}
		if r.Label == "" {
			continue
		}
		label := clean(r.Label)
		end, gap := d.end(r)
		w := sty.Width(label)
		x := min(tx(end)+gap, c.Max.X-w)
		c.FillPolygon(paper, rect(x-1, y-3, x+w+1, y+3)) // the guide line stops at the text
		middle(c, sty, vg.Point{X: x, Y: y}, label)
	}
}

// below is the number of rows that lie left of where the axis is cut.
func (d *Dots) below() int {
	n := 0
	for _, r := range d.Rows {
		if r.Value.Valid && r.Value.Value < d.Ends[0] {
			n++
		}
	}
	return n
}

// small is a marker that leaves more of an interval to be seen.
func small(g draw.GlyphStyle) draw.GlyphStyle {
	g.Radius *= 0.65
	return g
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
