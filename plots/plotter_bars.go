package plots

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Bar is one bar of a group: segments stacked in order. Positive segments grow upwards from zero, negative ones downwards.
type Bar struct {
	Segments  []Segment
	Low, High Number // interval of the bar's total; both valid or none
	Label     string // written past the bar's end; empty for none
}

// Segment is one piece of a bar.
type Segment struct {
	Value float64
	Color color.Color
}

// Bars draws groups of stacked bars: group g takes the unit interval around g on the category axis, its bars side by side. A group
// with one bar of one segment is a plain bar chart, one bar of several a stack, several bars of several a grouped stack.
// It implements [plot.Plotter] and [plot.DataRanger].
type Bars struct {
	Groups     [][]Bar
	Fill       float64 // share of the unit interval that bars take, above 0 to 1
	Horizontal bool    // categories on the Y axis, group 0 at the top
}

var _ marks = (*Bars)(nil)

// NewBars checks the groups: at least one bar, finite segments, intervals that hold the totals.
func NewBars(groups [][]Bar) (*Bars, error) {
	found := false
	for g, bars := range groups {
		for b, bar := range bars {
			found = found || len(bar.Segments) > 0
			total := 0.0
			for s, seg := range bar.Segments {
				if math.IsNaN(seg.Value) || math.IsInf(seg.Value, 0) {
					return nil, fmt.Errorf("group %d, bar %d, segment %d is %v", g+1, b+1, s+1, seg.Value)
				}
				total += seg.Value
			}
			if bar.Low.Valid != bar.High.Valid {
				return nil, fmt.Errorf("group %d, bar %d has half an interval", g+1, b+1)
			}
			if bar.Low.Valid && !(bar.Low.Value <= total && total <= bar.High.Value) {
				return nil, fmt.Errorf("group %d, bar %d: %v lies outside its interval %v to %v", g+1, b+1, total, bar.Low.Value, bar.High.Value)
			}
		}
	}
	if !found {
		return nil, noRows("a bar chart needs at least one bar with a segment")
	}
	return &Bars{Groups: groups, Fill: 0.8}, nil
}

// box is a rectangle in data coordinates: from a to b on the category axis, from v0 to v1 on the value axis.
type box struct {
	a, b, v0, v1 float64
	color        color.Color
}

// boxes returns the segments of a bar, which is the i-th of n in group g.
func (b *Bars) boxes(g, i, n int, bar Bar) []box {
	w := b.Fill / float64(n)
	at := b.center(g) - b.Fill/2 + float64(i)*w
	if b.Horizontal { // the first bar of a group is the upper one
		at = b.center(g) + b.Fill/2 - float64(i+1)*w
	}
	up, down := 0.0, 0.0
	var out []box
	for _, s := range bar.Segments {
		from := &up
		if s.Value < 0 {
			from = &down
		}
		out = append(out, box{at, at + w, *from, *from + s.Value, s.Color})
		*from += s.Value
	}
	return out
}

// center is a group's place on the category axis.
func (b *Bars) center(g int) float64 {
	if b.Horizontal {
		return float64(len(b.Groups) - 1 - g)
	}
	return float64(g)
}

// DataRange returns the range of bars and intervals with zero, and half a unit around the groups.
func (b *Bars) DataRange() (xmin, xmax, ymin, ymax float64) {
	low, high := 0.0, 0.0
	for g, bars := range b.Groups {
		for i, bar := range bars {
			for _, x := range b.boxes(g, i, len(bars), bar) {
				low, high = min(low, x.v1), max(high, x.v1)
			}
			if bar.Low.Valid {
				low, high = min(low, bar.Low.Value), max(high, bar.High.Value)
			}
		}
	}
	if b.Horizontal {
		return low, high, -0.5, float64(len(b.Groups)) - 0.5
	}
	return -0.5, float64(len(b.Groups)) - 0.5, low, high
}

// barGap is the room between the end of a bar, or of its interval, and its label.
const barGap = vg.Length(2.5)

// end returns the total of a bar, and the value that its label is beside.
func (b *Bars) end(bar Bar) (total, at float64) {
	for _, s := range bar.Segments {
		total += s.Value
	}
	switch {
	case !bar.Low.Valid:
		return total, total
	case total < 0:
		return total, bar.Low.Value
	}
	return total, bar.High.Value
}

// beside implements marks.
func (b *Bars) beside() []sideLabel {
	var out []sideLabel
	for _, bars := range b.Groups {
		for _, bar := range bars {
			if total, at := b.end(bar); bar.Label != "" {
				out = append(out, sideLabel{at, barGap + textStyle(tinySize, ink, false).Width(clean(bar.Label)) + 1, total < 0})
			}
		}
	}
	return out
}

// Plot draws bars, intervals, the zero line and labels. Labels need room past the bars: widen the value axis for them.
func (b *Bars) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	at := func(category, value float64) vg.Point { return vg.Point{X: tx(category), Y: ty(value)} }
	if b.Horizontal {
		at = func(category, value float64) vg.Point { return vg.Point{X: tx(value), Y: ty(category)} }
	}
	stroke := func(sty draw.LineStyle, p, q vg.Point) { c.StrokeLine2(sty, p.X, p.Y, q.X, q.Y) }
	for g, bars := range b.Groups {
		for i, bar := range bars {
			mid := 0.0
			for _, x := range b.boxes(g, i, len(bars), bar) {
				p, q := at(x.a, x.v0), at(x.b, x.v1)
				r := rect(p.X, p.Y, q.X, q.Y)
				c.FillPolygon(x.color, r)
				c.StrokeLines(lineStyle(paper, 0.4), append(r, r[0]))
				mid = (x.a + x.b) / 2
			}
			if bar.Low.Valid {
				p, q := at(mid, bar.Low.Value), at(mid, bar.High.Value)
				whisker(c, lineStyle(paper, 2), p, q, false, false) // an edge of paper, so that it is seen on dark bars, too
				whisker(c, lineStyle(ink, 0.8), p, q, false, false)
			}
			total, end := b.end(bar)
			if bar.Label != "" {
				b.label(c, at(mid, end), total < 0, bar.Label)
			}
		}
	}
	stroke(lineStyle(frameInk, hairline), at(-0.5, 0), at(float64(len(b.Groups))-0.5, 0))
}

func (b *Bars) label(c draw.Canvas, end vg.Point, negative bool, label string) {
	sty := textStyle(tinySize, softInk, false)
	const gap = barGap
	switch {
	case b.Horizontal:
		label = clean(label)
		half := sty.Width(label) / 2
		mid := vg.Point{X: end.X + gap + half, Y: end.Y}
		if negative {
			mid.X = end.X - gap - half
		}
		mid.X = max(min(mid.X, c.Max.X-half), c.Min.X+half) // over the bar where there is no room past it
		sty.XAlign = draw.XCenter
		patch(c, sty, mid, label) // a line of the grid stops at the text
		middle(c, sty, mid, label)
		return
	case negative:
		sty.XAlign, sty.YAlign, end.Y = draw.XCenter, draw.YTop, end.Y-gap
	default:
		sty.XAlign, end.Y = draw.XCenter, end.Y+gap
	}
	c.FillText(sty, end, clean(label))
}
