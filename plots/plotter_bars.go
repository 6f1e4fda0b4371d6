package plots

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Bar is the bar of a row, from zero: segments stacked in order, none for an empty row.
type Bar struct {
	Segments []Segment
	Label    string // written past the bar's end; empty for none
}

// Segment is one piece of a bar.
type Segment struct {
	Value float64
	Color color.Color
}

// Bars draws a bar for each row, row 0 at the top. It implements [plot.Plotter] and [plot.DataRanger].
type Bars struct{ Rows []Bar }

var _ marks = (*Bars)(nil)

// NewBars checks the bars: at least one with a segment, all segments finite and not negative.
func NewBars(rows []Bar) (*Bars, error) {
	found := false
	for i, bar := range rows {
		for s, seg := range bar.Segments {
			if found = true; !(seg.Value >= 0) || math.IsInf(seg.Value, 0) {
				return nil, fmt.Errorf("bar %d, segment %d is %v", i+1, s+1, seg.Value)
			}
		}
	}
	if !found {
		return nil, noRows("a bar chart needs at least one bar with a segment")
	}
	return &Bars{rows}, nil
}

// end is the total of a bar.
func (b Bar) end() (total float64) {
	for _, s := range b.Segments {
		total += s.Value
	}
	return total
}

// DataRange returns the range of the bars with zero, and half a unit around the rows.
func (b *Bars) DataRange() (xmin, xmax, ymin, ymax float64) {
	for _, bar := range b.Rows {
		xmax = max(xmax, bar.end())
	}
	return 0, xmax, -0.5, float64(len(b.Rows)) - 0.5
}

// barGap is the room between the end of a bar and its label.
const barGap = vg.Length(2.5)

// beside implements marks.
func (b *Bars) beside() []sideLabel {
	var out []sideLabel
	for _, bar := range b.Rows {
		if bar.Label != "" {
			out = append(out, sideLabel{at: bar.end(), width: barGap + textStyle(tinySize, ink, false).Width(clean(bar.Label)) + 1})
		}
	}
	return out
}

// Plot draws bars, the zero line and labels. Labels need room past the bars: widen the value axis for them.
func (b *Bars) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	const half = 0.4 // of a bar, of the unit between rows
	for i, bar := range b.Rows {
		from, at := 0.0, float64(len(b.Rows)-1-i)
		for _, s := range bar.Segments {
			r := rect(tx(from), ty(at-half), tx(from+s.Value), ty(at+half))
			c.FillPolygon(s.Color, r)
			c.StrokeLines(lineStyle(paper, 0.4), append(r, r[0]))
			from += s.Value
		}
		if bar.Label == "" {
			continue
		}
		sty, label := textStyle(tinySize, softInk, false), clean(bar.Label)
		wide := sty.Width(label) / 2
		mid := vg.Point{X: tx(from) + barGap + wide, Y: ty(at)}
		mid.X = max(min(mid.X, c.Max.X-wide), c.Min.X+wide) // over the bar where there is no room past it
		sty.XAlign = draw.XCenter
		patch(c, sty, mid, label) // a line of the grid stops at the text
		middle(c, sty, mid, label)
	}
	c.StrokeLine2(lineStyle(frameInk, hairline), tx(0), ty(-0.5), tx(0), ty(float64(len(b.Rows))-0.5))
}
