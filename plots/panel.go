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

// An axis is the X axis of one panel, or of several that can be compared. It reaches over their
// values and no further: labels beside the values stand past its ends.
type axis struct {
	unit      string
	within    [2]float64      // the values that there can be: the axis does not round past them
	low, high float64         // of the values
	labels    []plot.GlyphBox // beside the values X
	width     vg.Length       // of the narrowest panel that has the axis
}

// hiddenAxis is the unit of an axis that is not drawn.
const hiddenAxis = "\x00"

// unlimited is the range of all values.
var unlimited = [2]float64{math.Inf(-1), math.Inf(1)}

func newAxis(unit string, within [2]float64) *axis {
	return &axis{unit: unit, within: within, low: math.Inf(1), high: math.Inf(-1), width: vg.Length(math.Inf(1))}
}

// include makes the axis reach over a range.
func (a *axis) include(low, high float64) { a.low, a.high = min(a.low, low), max(a.high, high) }

// tickRoom is the width that an axis has for each tick at least.
const tickRoom = vg.Length(26)

// lay returns where the axis begins and ends on a panel of its width, the values at the panel's
// edges, and the ticks. The edges leave each label its room.
func (a *axis) lay() (low, high, left, right float64, ticks []plot.Tick) {
	low, high = a.low, a.high
	if low == high { // one value all over
		pad := max(math.Abs(low)*0.1, 1)
		low, high = low-pad, high+pad
	}
	step := niceStep(high-low, max(2, min(8, int(a.width/tickRoom))))
	// The ends move outward to half steps, but not past the limits.
	low = max(math.Floor(low/step*2+1e-6)*step/2, min(a.within[0], a.low))
	high = min(math.Ceil(high/step*2-1e-6)*step/2, max(a.within[1], a.high))
	const markerRoom = 3 // half a marker
	rooms := func(scale float64) (left, right float64) {
		left, right = markerRoom, markerRoom
		for _, l := range a.labels {
			left = max(left, 1-float64(l.Min.X)-(l.X-low)*scale)
			right = max(right, 1+float64(l.Max.X)-(high-l.X)*scale)
		}
		return left, right
	}
	// The scale, in points for one unit, is the greatest at which all fit; labels that no scale has
	// room for get most of the panel.
	top := float64(a.width) / (high - low)
	scale, over := top/8, top
	for range 30 {
		mid := (scale + over) / 2
		if l, r := rooms(mid); l+r+(high-low)*mid <= float64(a.width) {
			scale = mid
		} else {
			over = mid
		}
	}
	before, _ := rooms(scale)
	left = low - before/scale
	sty := textStyle(smallSize, softInk, false)
	tick := sty.Width(strconv.Itoa(int(high))) + 6
	ticks = steps(max(step, niceStep(high-low, max(1, int((high-low)*scale/float64(tick))))), low, high)
	from := low
	if low < 0 && high > 0 {
		from = 0
	}
	ends := []plot.Tick{{Value: from, Label: formatted("{:num %.4g}", from)},
		{Value: high, Label: formatted("{:num %.4g}", high)}}
	// one tick gives no scale
	if room := sty.Width(ends[0].Label+ends[1].Label)/2 + 1; len(ticks) < 2 && (high-from)*scale >= float64(room) {
		ticks = ends
	}
	return low, high, left, left + float64(a.width)/scale, ticks
}

// A panel is one of several charts with the same rows: marks over an axis, or a heat map under the
// heads of its columns.
type panel struct {
	title    string
	tone     color.Color // of the title
	wide     float64     // share of the width, where others have 1
	from, to vg.Length   // places of its sides
	labels   []rowLabel  // of its rows

	axis     *axis
	plotters []plot.Plotter
	names    bool // of series, over the first row
	quiet    bool // the unit is said by a panel below
	narrow   bool

	heads []string // of columns, where there is no axis
	base  int      // number of the lowest row, where others have 0
}

// Measures of panels: the narrowest ones, the height of a title, of an axis and of its unit, and gaps.
const (
	leastPanel, leastNarrow             = vg.Length(36), vg.Length(22)
	titleHeight, axisHeight, unitHeight = vg.Length(10), vg.Length(15), vg.Length(9)
	panelGap, narrowGap                 = vg.Length(10), vg.Length(6)
	blockGap, labelGap, headUp          = vg.Length(10), vg.Length(8), vg.Length(3)
	headRoom                            = vg.Length(92) // upright heads are broken at this
	leastColumn                         = vg.Length(11)
)

// least is the narrowest width of the panel.
func (p panel) least() vg.Length {
	if len(p.heads) > 0 {
		each := leastColumn
		if widest(textStyle(smallSize, ink, false), p.heads) > headRoom { // of two lines
			each *= 1.6
		}
		return each * vg.Length(len(p.heads))
	}
	each, beside := leastPanel, vg.Length(24)
	if p.narrow {
		each, beside = leastNarrow, 4
	}
	least := each * vg.Length(p.wide)
	for _, l := range p.axis.labels { // which stand beside the values and not on them
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

// headStyle is the type of heads on columns of a width, and whether they stand upright because they are wider.
func (p panel) headStyle(cell vg.Length) (sty text.Style, upright bool) {
	sty = textStyle(smallSize, ink, false)
	return sty, slices.ContainsFunc(p.heads, func(h string) bool { return sty.Width(h)+2 > cell })
}

// above and below return the heights over and under the rows of a panel of a width: title, names
// and heads are over the rows, and the axis is under them.
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

// titleLines are the title in a width, and its type.
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
	case len(p.heads) > 0, p.axis.unit == hiddenAxis:
		return 2
	case p.axis.unit != "" && !p.quiet:
		return axisHeight + unitHeight
	}
	return axisHeight
}

// draw draws the panel with its rows in a canvas, and title, heads and axis around it.
func (p panel) draw(c draw.Canvas) {
	width := c.Max.X - c.Min.X
	plt := newPlot()
	plt.Y.Min, plt.Y.Max = float64(p.base)-0.5, float64(p.base+len(p.labels))-0.5
	if len(p.heads) > 0 {
		plt.X.Min, plt.X.Max = -0.5, float64(len(p.heads))-0.5
		for _, q := range p.plotters {
			q.Plot(c, plt)
		}
		p.drawHeads(c)
	} else {
		var low, high float64
		var ticks []plot.Tick
		low, high, plt.X.Min, plt.X.Max, ticks = p.axis.lay()
		for _, q := range p.plotters {
			q.Plot(c, plt)
		}
		p.axis.draw(c, plt, low, high, ticks, p)
	}
	if p.title != "" {
		sty, lines := p.titleLines(width)
		write(c, sty, lines, point(c.Center().X, c.Max.Y+p.above(width)), draw.XCenter)
	}
}

// drawHeads writes the heads of the columns. Where columns are narrower than a line of text is high, some go without.
func (p panel) drawHeads(c draw.Canvas) {
	cell := (c.Max.X - c.Min.X) / vg.Length(len(p.heads))
	sty, upright := p.headStyle(cell)
	every := 1
	if upright {
		every = max(1, int(math.Ceil(float64(leading(sty)/cell))))
	}
	for k, h := range p.heads {
		at := point(c.Min.X+cell*(vg.Length(k)+0.5), c.Max.Y+headUp)
		switch {
		case k%every != 0:
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

// draw draws the axis from its beginning to its end under a canvas.
func (a *axis) draw(c draw.Canvas, p *plot.Plot, low, high float64, ticks []plot.Tick, of panel) {
	if a.unit == hiddenAxis {
		return
	}
	tx, _ := p.Transforms(&c)
	line, y := lineStyle(frameInk, hairline), c.Min.Y-2
	c.StrokeLine2(line, tx(low), y, tx(high), y)
	sty := textStyle(smallSize, softInk, false)
	sty.XAlign = draw.XCenter
	for _, t := range ticks {
		c.StrokeLine2(line, tx(t.Value), y, tx(t.Value), y-3)
		middle(c, sty, point(tx(t.Value), y-8), t.Label)
	}
	if a.unit != "" && !of.quiet {
		middle(c, sty, point(c.Center().X, y-axisHeight-1.5),
			wrap(sty, a.unit, c.Max.X-c.Min.X+of.gap()-3, 1)[0])
	}
}

// A rowChart is panels side by side with the same rows, the first at the top, and the labels of the
// rows left of them.
type rowChart struct {
	panels       []panel
	names        vg.Length // width of the labels
	size         float64   // of their type, where rows are not close
	above, below vg.Length // heights over and under the rows
	least, each  vg.Length // the least height of a row, and its height
}

// mostLabel is the share of the width that labels take at most, where smaller type or more lines have room for them.
const mostLabel = 0.4

// panelsAcross is how many panels with an axis a page has side by side at most.
const panelsAcross = 5

// strips lays panels out in a width: all side by side, or else a panel that is wider than others by
// itself and the others in strips of one size.
func strips(panels []panel, width vg.Length) [][]panel {
	gap := panels[0].gap()
	need, axes, most, across := -gap, 0, vg.Length(0), len(panels)
	for _, p := range panels {
		need += p.least() + gap
		most = max(most, p.least())
		if len(p.heads) == 0 {
			axes++
		}
	}
	if need > width || axes > panelsAcross {
		if panels[0].wide > 1 && across > 1 {
			return slices.Concat(strips(panels[:1], width), strips(panels[1:], width))
		}
		most := max(1, min(panelsAcross, int((width+gap)/(most+gap))))
		rows := (across + most - 1) / most
		across = (across + rows - 1) / rows
	}
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

func (r rowChart) height() vg.Length {
	return r.above + vg.Length(len(r.panels[0].labels))*r.each + r.below
}

// leastRow is the least height of a line of a row.
const leastRow = vg.Length(6)

// lines are the name of a row in a width, in type of a size.
func (l rowLabel) lines(size float64, width vg.Length) (text.Style, []string) {
	sty := textStyle(size, l.color, l.bold)
	sty.XAlign = draw.XRight
	return sty, wrap(sty, l.text, width+0.1, 3)
}

// draw fills a canvas with the chart. Labels are small where rows are close.
func (r rowChart) draw(c draw.Canvas) {
	c.Min.Y = c.Max.Y - r.height() // the chart beside it may be taller
	y, left := c.Max.Y-r.above, c.Min.X+r.names+labelGap
	for _, p := range r.panels {
		p.draw(area(c, left+p.from, c.Min.Y+r.below, left+p.to, y))
	}
	if r.each < 9 {
		r.size = tinySize
	}
	for k, l := range r.panels[0].labels {
		sty, lines := l.lines(r.size, r.names)
		for i, line := range lines {
			up := r.each*(vg.Length(k)+0.5) - sty.Font.Size*1.08*(vg.Length(len(lines)-1)/2-vg.Length(i))
			middle(c, sty, point(left-4, y-up), line)
		}
	}
}
