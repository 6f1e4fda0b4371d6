package plots

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// cells cuts a canvas into columns and rows of one size with a gap between them, row by row from the upper left.
func cells(c draw.Canvas, columns, rows int, gap vg.Length) []draw.Canvas {
	w := (c.Max.X - c.Min.X - vg.Length(columns-1)*gap) / vg.Length(columns)
	h := (c.Max.Y - c.Min.Y - vg.Length(rows-1)*gap) / vg.Length(rows)
	var out []draw.Canvas
	for r := range rows {
		for k := range columns {
			x, y := c.Min.X+vg.Length(k)*(w+gap), c.Max.Y-vg.Length(r)*(h+gap)
			out = append(out, area(c, x, y-h, x+w, y))
		}
	}
	return out
}

// area is a part of a canvas.
func area(c draw.Canvas, x0, y0, x1, y1 vg.Length) draw.Canvas {
	return draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: x0, Y: y0}, Max: vg.Point{X: x1, Y: y1}}}
}

// panelTitle heads a plot that is one of several on a page.
func panelTitle(p *plot.Plot, title string, c color.Color) {
	p.Title.Text = clean(title)
	p.Title.TextStyle = textStyle(labelSize+0.5, c, true)
	p.Title.TextStyle.XAlign, p.Title.TextStyle.YAlign = draw.XCenter, draw.YTop
	p.Title.Padding = 4
}

// shorterThanMark ends a sentence about intervals: with many images an interval is shorter than the dot that it belongs to.
const shorterThanMark = "; where none is seen, it is shorter than its mark."

// intervalNote is the sentence for the subtitle that says what the lines of intervals are, where there are any.
func intervalNote(intervals ...[2][]Number) string {
	for _, ends := range intervals {
		if slices.ContainsFunc(ends[0], func(n Number) bool { return n.Valid }) {
			return " Lines are 95 % intervals" + shorterThanMark
		}
	}
	return ""
}

// rowLabel names a row of a chart, in the colour of what it belongs to.
type rowLabel struct {
	text  string
	color color.Color
}

// labelColumn is the width that a column of row labels takes: that of the widest, at most limit.
func labelColumn(labels []rowLabel, limit vg.Length) vg.Length {
	sty := textStyle(labelSize, ink, false)
	widest := vg.Length(0)
	for _, l := range labels {
		widest = max(widest, min(sty.Width(clean(l.text)), limit))
	}
	return widest
}

// balanced is how many rows a number of panels takes where most fit side by side, and how many of them are in a row.
func balanced(panels, most int) (rows, across int) {
	rows = (panels + most - 1) / most
	return rows, (panels + rows - 1) / rows
}

// pairChart is plots two to a row, or one where a page has room for no more.
type pairChart struct {
	each   vg.Length // height of a row of two on a page of the full width
	panels []*plot.Plot
}

const pairGap = vg.Length(14)

// lay returns the rows and columns of panels on a body of a width, and the height of a row.
func (r pairChart) lay(width vg.Length) (rows, across int, each vg.Length) {
	most, each := 2, r.each
	if width < narrowWidth {
		most, each = 1, r.each*0.8
	}
	rows, across = balanced(len(r.panels), most)
	return rows, across, each
}

// height is the height of the chart on a page.
func (r pairChart) height(on Page) vg.Length {
	rows, _, each := r.lay(on.inner())
	return vg.Length(rows)*(each+pairGap) - pairGap
}

// draw fills a canvas with the chart.
func (r pairChart) draw(c draw.Canvas) {
	rows, across, _ := r.lay(c.Max.X - c.Min.X)
	for i, cell := range cells(c, across, rows, pairGap)[:len(r.panels)] {
		r.panels[i].Draw(cell)
	}
}

// verticalGrid draws a hairline at every labelled tick of the X axis.
type verticalGrid struct{}

// Plot implements [plot.Plotter].
func (verticalGrid) Plot(c draw.Canvas, p *plot.Plot) {
	tx, _ := p.Transforms(&c)
	for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		if !t.IsMinor() {
			c.StrokeLine2(lineStyle(gridInk, hairline), tx(t.Value), c.Min.Y, tx(t.Value), c.Max.Y)
		}
	}
}

// marker is a vertical or horizontal line at a value, with a label. It is not drawn outside of the axis.
type marker struct {
	at       float64
	label    string
	vertical bool
}

// Plot implements [plot.Plotter].
func (m marker) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	sty := textStyle(smallSize, softInk, false)
	line := lineStyle(softInk, 0.8, 3, 2)
	axis := p.Y
	if m.vertical {
		axis = p.X
	}
	if m.at < axis.Min || m.at > axis.Max {
		return
	}
	if m.vertical {
		c.StrokeLine2(line, tx(m.at), c.Min.Y, tx(m.at), c.Max.Y)
		label := clean(m.label)
		w := sty.Width(label)
		x := min(max(tx(m.at)+3, c.Min.X+2), c.Max.X-w) // a label without room on the right lies over the line
		if tx(m.at)+3+w > c.Max.X && tx(m.at)-3-w >= c.Min.X {
			x = tx(m.at) - 3 - w
		}
		sty.XAlign = draw.XCenter
		mid := vg.Point{X: x + w/2, Y: c.Min.Y + 7}
		patch(c, sty, mid, label)
		middle(c, sty, mid, label)
		return
	}
	c.StrokeLine2(line, c.Min.X, ty(m.at), c.Max.X, ty(m.at))
	c.FillText(sty, vg.Point{X: c.Min.X + 3, Y: ty(m.at) + 2}, clean(m.label))
}

// niceStep is the step of 1, 2 or 5 times a power of ten that cuts a range into at most n parts.
func niceStep(span float64, n int) float64 {
	if !(span > 0) {
		return 1
	}
	raw := span / float64(n)
	base := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 5} {
		if m*base >= raw*(1-1e-9) {
			return m * base
		}
	}
	return 10 * base
}
