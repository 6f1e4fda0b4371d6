package plots

import (
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// An axis is the X axis of one panel, or of several panels that can be compared. The axis reaches
// over the values of its panels, to the next half of a step between ticks. Labels beside the values
// may stand past the ends of the axis.
type axis struct {
	unit      string          // words under the axis; may be empty
	hidden    bool            // the axis is not drawn
	within    [2]float64      // the limits of FROM: the ends of the axis are not rounded past these limits
	low, high float64         // of the values
	labels    []plot.GlyphBox // that stand beside values; X is the value
	width     vg.Length       // of the narrowest panel that has the axis
}

// unlimited is the range of all values.
var unlimited = [2]float64{math.Inf(-1), math.Inf(1)}

// newAxis returns an axis without values, on a panel of any width.
func newAxis(unit string, within [2]float64) *axis {
	return &axis{unit: unit, within: within, low: math.Inf(1), high: math.Inf(-1), width: vg.Length(math.Inf(1))}
}

// include makes the axis reach over a range.
func (a *axis) include(low, high float64) { a.low, a.high = min(a.low, low), max(a.high, high) }

// tickRoom is the least width of an axis for each of its ticks.
const tickRoom = vg.Length(26)

// lay lays the axis out on a panel of its width: the values at which it begins and ends (low,
// high), the values at the panel's edges (left, right), and the ticks. The edges leave each label
// its room.
func (a *axis) lay() (low, high, left, right float64, ticks []plot.Tick) {
	low, high, step := a.ends()
	scale := a.scale(low, high)
	before, _ := a.room(low, high, scale)
	left = low - before/scale
	return low, high, left, left + float64(a.width)/scale, a.ticks(low, high, step, scale)
}

// ends returns the values at which the axis begins and ends, and the step between its ticks.
func (a *axis) ends() (low, high, step float64) {
	low, high = a.low, a.high
	if low == high { // Even the axis of one value has a length.
		pad := max(math.Abs(low)*0.1, 1)
		low, high = low-pad, high+pad
	}
	step = niceStep(high-low, max(2, min(8, int(a.width/tickRoom))))
	// The ends move outward to half steps, but not past the limits. A value past a limit is still on
	// the axis.
	low = max(math.Floor(low/step*2+1e-6)*step/2, min(a.within[0], a.low))
	high = min(math.Ceil(high/step*2-1e-6)*step/2, max(a.within[1], a.high))
	return low, high, step
}

// room returns how many points markers and labels need before the axis and behind it, at a scale of
// so many points for a unit.
func (a *axis) room(low, high, scale float64) (before, behind float64) {
	const halfMarker = 3
	before, behind = halfMarker, halfMarker
	for _, l := range a.labels {
		before = max(before, 1-float64(l.Min.X)-(l.X-low)*scale)
		behind = max(behind, 1+float64(l.Max.X)-(high-l.X)*scale)
	}
	return before, behind
}

// scale returns the greatest scale, in points for a unit, at which the axis and all labels fit the
// panel. Labels that no scale has room for get most of the panel.
func (a *axis) scale(low, high float64) float64 {
	tooLarge := float64(a.width) / (high - low)
	// The axis gets an eighth of the panel at least.
	scale := tooLarge / 8
	for range 30 { // bisection
		middle := (scale + tooLarge) / 2
		if before, behind := a.room(low, high, middle); before+behind+(high-low)*middle <= float64(a.width) {
			scale = middle
		} else {
			tooLarge = middle
		}
	}
	return scale
}

// ticks returns ticks at multiples of a step, or of a larger step if the labels need more room.
// A single tick says nothing about distances: the ends of the axis have ticks instead, if there is
// room. If the axis passes 0, these ticks are at 0 and at the high end.
func (a *axis) ticks(low, high, step, scale float64) []plot.Tick {
	sty := textStyle(smallSize, softInk, false)
	labelWidth := sty.Width(strconv.Itoa(int(high))) + 6
	most := max(1, int((high-low)*scale/float64(labelWidth)))
	ticks := steps(max(step, niceStep(high-low, most)), low, high)
	first := low
	if low < 0 && high > 0 {
		first = 0
	}
	ends := []plot.Tick{{Value: first, Label: formatted("{:num %.4g}", first)},
		{Value: high, Label: formatted("{:num %.4g}", high)}}
	room := sty.Width(ends[0].Label+ends[1].Label)/2 + 1
	if len(ticks) < 2 && (high-first)*scale >= float64(room) {
		return ends
	}
	return ticks
}

// A panel is one of several charts with the same rows: marks over an axis, or a heat map under the
// heads of its columns.
type panel struct {
	title    string
	tone     color.Color // of the title
	wide     float64     // its share of the width: 1, or 2 for the panel that readers look at most
	from, to vg.Length   // its sides, from the left side of the first panel
	labels   []rowLabel  // of its rows

	axis     *axis
	plotters []plot.Plotter
	names    bool // the names of series stand over the first row
	quiet    bool // a panel below has the unit of the axis
	narrow   bool // for a page that has no room for normal panels

	heads []string // of the columns of a heat map, which has no axis
	base  int      // the Y value of the lowest row: 0, unless panels have rows of their own
}

// Measures of panels: least widths, the heights of titles, axes and units, and gaps.
const (
	leastPanel, leastNarrow             = vg.Length(36), vg.Length(22)
	titleHeight, axisHeight, unitHeight = vg.Length(10), vg.Length(15), vg.Length(9)
	panelGap, narrowGap                 = vg.Length(10), vg.Length(6)
	blockGap, labelGap, headUp          = vg.Length(10), vg.Length(8), vg.Length(3)
	headRoom                            = vg.Length(92) // the longest line of an upright head
	leastColumn                         = vg.Length(11) // of a heat map
)

// least is the least width of the panel.
func (p panel) least() vg.Length {
	if len(p.heads) > 0 {
		each := leastColumn
		if widest(textStyle(smallSize, ink, false), p.heads) > headRoom { // A head has two lines.
			each *= 1.6
		}
		return each * vg.Length(len(p.heads))
	}
	each, beside := leastPanel, vg.Length(24) // beside is the least room for marks next to a label.
	if p.narrow {
		each, beside = leastNarrow, 4
	}
	least := each * vg.Length(p.wide)
	for _, l := range p.axis.labels {
		least = max(least, 1+max(l.Max.X, -l.Min.X)+beside)
	}
	return least
}

// gap is the room between panels.
func (p panel) gap() vg.Length {
	if p.narrow {
		return narrowGap
	}
	return panelGap
}

// headStyle is the type of the heads of columns. All heads stand upright if any head is wider than
// its column.
func (p panel) headStyle(column vg.Length) (sty text.Style, upright bool) {
	sty = textStyle(smallSize, ink, false)
	return sty, slices.ContainsFunc(p.heads, func(h string) bool { return sty.Width(h)+2 > column })
}

// above is the height of title, names and heads over the rows of a panel of a width.
func (p panel) above(width vg.Length) vg.Length {
	height := vg.Length(0)
	if p.title != "" {
		sty, lines := p.titleLines(width)
		height = min(titleHeight, leading(sty)+1)*vg.Length(len(lines)) + 4
	}
	if p.names {
		height += namesHeight
	}
	if len(p.heads) == 0 {
		return height
	}
	sty, upright := p.headStyle(width / vg.Length(len(p.heads)))
	if !upright {
		return height + leading(sty) + headUp
	}
	tallest := vg.Length(0)
	for _, h := range p.heads {
		tallest = max(tallest, widest(sty, wrap(sty, h, headRoom, 2)))
	}
	return height + tallest + headUp
}

// titleLines are the lines of the title over a panel of a width, and their type.
func (p panel) titleLines(width vg.Length) (text.Style, []string) {
	sty := textStyle(labelSize, p.tone, true)
	if p.narrow {
		sty = textStyle(tinySize, p.tone, false)
	}
	return sty, wrap(sty, p.title, width+p.gap()-1, 3)
}

// below is the height under the rows: room for the axis and its unit, or a gap without an axis.
func (p panel) below() vg.Length {
	switch {
	case len(p.heads) > 0, p.axis.hidden:
		return 2
	case p.axis.unit != "" && !p.quiet:
		return axisHeight + unitHeight
	}
	return axisHeight
}

// draw draws the panel: its rows in a canvas, and title, heads and axis around it.
func (p panel) draw(c draw.Canvas) {
	width := c.Size().X
	plt := newPlot()
	plt.Y.Min, plt.Y.Max = float64(p.base)-0.5, float64(p.base+max(1, len(p.labels)))-0.5
	if len(p.heads) > 0 {
		plt.X.Min, plt.X.Max = -0.5, float64(len(p.heads))-0.5
	} else {
		_, _, plt.X.Min, plt.X.Max, _ = p.axis.lay()
		p.drawGuides(c, plt)
	}
	for _, q := range p.plotters {
		q.Plot(c, plt)
	}
	if len(p.heads) > 0 {
		p.drawHeads(c)
	} else if !p.axis.hidden {
		p.drawAxis(c, plt)
	}
	if p.title != "" {
		sty, lines := p.titleLines(width)
		write(c, sty, lines, point(c.Center().X, c.Max.Y+p.above(width)), draw.XCenter)
	}
}

// drawGuides draws a faint line along each row, from its label to its marks.
func (p panel) drawGuides(c draw.Canvas, plt *plot.Plot) {
	_, height := plt.Transforms(&c)
	sty := lineStyle(gridInk, 0.4)
	sty.Dashes = []vg.Length{0.8, 1.6}
	for row := range p.labels {
		y := height(float64(p.base + row))
		c.StrokeLine2(sty, c.Min.X, y, c.Max.X, y)
	}
}

// drawHeads writes the heads of the columns. An upright head needs a column as wide as a line of
// text is high. If columns are narrower, only every second or third column, and so on, has a head.
func (p panel) drawHeads(c draw.Canvas) {
	column := c.Size().X / vg.Length(len(p.heads))
	sty, upright := p.headStyle(column)
	every := 1
	if upright {
		every = max(1, int(math.Ceil(float64(leading(sty)/column))))
	}
	for k, h := range p.heads {
		at := point(c.Min.X+column*(vg.Length(k)+0.5), c.Max.Y+headUp)
		switch {
		case k%every != 0: // The column has no head.
		case upright:
			c.Push()
			c.Translate(at)
			c.Rotate(math.Pi / 2)
			lines := wrap(sty, h, headRoom, 2)
			for i, line := range lines {
				middle(c, sty, vg.Point{Y: leading(sty) * (vg.Length(len(lines)-1)/2 - vg.Length(i))}, line)
			}
			c.Pop()
		default:
			sty.XAlign = draw.XCenter
			middle(c, sty, point(at.X, at.Y+sty.Font.Size/2), h)
		}
	}
}

// drawAxis draws the axis under a canvas, with its ticks and its unit.
func (p panel) drawAxis(c draw.Canvas, plt *plot.Plot) {
	low, high, _, _, ticks := p.axis.lay()
	x, _ := plt.Transforms(&c)
	line, y := lineStyle(frameInk, hairline), c.Min.Y-2
	c.StrokeLine2(line, x(low), y, x(high), y)
	sty := textStyle(smallSize, softInk, false)
	sty.XAlign = draw.XCenter
	for _, t := range ticks {
		c.StrokeLine2(line, x(t.Value), y, x(t.Value), y-3)
		middle(c, sty, point(x(t.Value), y-8), t.Label)
	}
	if unit := p.axis.unit; unit != "" && !p.quiet {
		middle(c, sty, point(c.Center().X, y-axisHeight-1.5), wrap(sty, unit, c.Size().X+p.gap()-3, 1)[0])
	}
}

// A rowChart is panels side by side with the same rows, the first row at the top, and the labels of
// the rows at their left.
type rowChart struct {
	panels       []panel
	names        vg.Length // width of the labels
	size         float64   // of the labels' type, unless the rows are close
	above, below vg.Length // heights over and under the rows
	least, each  vg.Length // the least height of a row, and its height on this page
}

// mostLabel is the share of the width that labels of one line may take. Wider labels get smaller
// type and more lines.
const mostLabel = 0.4

// panelsAcross is the greatest number of panels with an axis side by side.
const panelsAcross = 5

// strips gives panels their places (from, to) in a width. All panels stand side by side if there is
// room for them and at most panelsAcross of them have an axis. Otherwise a wide first panel stands
// alone, and the other panels stand in strips of equal numbers.
func strips(panels []panel, width vg.Length) [][]panel {
	gap, across := panels[0].gap(), len(panels)
	needed, leastWidth, axes := -gap, vg.Length(0), 0
	for _, p := range panels {
		needed += p.least() + gap
		leastWidth = max(leastWidth, p.least())
		if len(p.heads) == 0 {
			axes++
		}
	}
	if needed > width || axes > panelsAcross {
		if panels[0].wide > 1 && across > 1 {
			return slices.Concat(strips(panels[:1], width), strips(panels[1:], width))
		}
		most := max(1, min(panelsAcross, int((width+gap)/(leastWidth+gap))))
		stripCount := (across + most - 1) / most
		across = (across + stripCount - 1) / stripCount
	}
	// Every strip has the widths of the first one, so that panels stand below each other.
	shares, x := 0.0, vg.Length(0)
	for _, p := range panels[:across] {
		shares += p.wide
	}
	for k, p := range panels {
		if k%across == 0 {
			x = 0
		}
		w := (width - gap*vg.Length(across-1)) * vg.Length(p.wide/shares)
		panels[k].from, panels[k].to = x, x+w
		x += w + gap
	}
	return slices.Collect(slices.Chunk(panels, across))
}

// newRowChart makes a chart of panels, and of labels in a column of a width. The labels are small
// if the column is narrower than fullLabels, the width of the longest label in one line. least is
// the least height of a row with one line.
func newRowChart(panels []panel, column, fullLabels, least vg.Length) rowChart {
	r := rowChart{panels: panels, names: column, size: labelSize, least: least}
	if fullLabels > column+0.1 { // 0.1 makes up for errors of rounding.
		r.size = tinySize
	}
	for _, l := range panels[0].labels {
		if _, lines := l.lines(tinySize, column); len(lines) > 1 {
			r.least = max(r.least, tinySize*1.07*vg.Length(len(lines)))
		}
	}
	for _, p := range panels {
		r.above, r.below = max(r.above, p.above(p.to-p.from)), max(r.below, p.below())
	}
	return r
}

// height implements [block].
func (r rowChart) height() vg.Length {
	return r.above + vg.Length(len(r.panels[0].labels))*r.each + r.below
}

// leastRow is the least height of a line of a row.
const leastRow = vg.Length(6)

// lines are the lines of a row's name in a width, and their type.
func (l rowLabel) lines(size float64, width vg.Length) (text.Style, []string) {
	sty := textStyle(size, l.color, l.bold)
	sty.XAlign = draw.XRight
	return sty, wrap(sty, l.text, width+0.1, 3)
}

// draw draws the chart at the top of a canvas. Labels are small if rows are close.
func (r rowChart) draw(c draw.Canvas) {
	bottom := c.Max.Y - r.height() // The chart beside this one may be taller.
	top, left := c.Max.Y-r.above, c.Min.X+r.names+labelGap
	for _, p := range r.panels {
		p.draw(area(c, left+p.from, bottom+r.below, left+p.to, top))
	}
	if r.each < 9 {
		r.size = tinySize
	}
	for row, l := range r.panels[0].labels {
		sty, lines := l.lines(r.size, r.names)
		for i, line := range lines {
			down := r.each*(vg.Length(row)+0.5) - sty.Font.Size*1.08*(vg.Length(len(lines)-1)/2-vg.Length(i))
			middle(c, sty, point(left-4, top-down), line)
		}
	}
}
