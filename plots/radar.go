package plots

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A radar is one panel of a chart in polar coordinates: categories of the X axis around, clockwise
// from the top, and values of the Y axis outwards. The centre is 0, unless values are negative.
type radar struct {
	*chart
	panel           int
	low, high, step float64 // values at the centre and at the rim, and from ring to ring
	names           []rowLabel
	side            vg.Length // room for a name at the left and at the right
}

// Room around a radar: for names at its sides, at its top and foot, and between the rim and the
// names.
const radarSide, radarEnd, radarOff = vg.Length(64), vg.Length(26), vg.Length(9)

// radar lays the chart out in polar coordinates, in panels of a width. If the names have no room
// around the chart, numbers stand there instead, and the result has columns of numbered names.
func (c *chart) radar(width vg.Length) (r radar, columns [][]rowLabel) {
	r = radar{chart: c, names: c.radarNames(), side: radarSide}
	low, high := c.reach(-1, "y")
	r.low, r.high = min(0, low), max(0, high)
	r.step = niceStep(r.high-r.low, 4)
	r.low = math.Floor(r.low/r.step) * r.step
	r.high = max(math.Ceil(r.high/r.step)*r.step, r.low+r.step) // Values that are all 0 have a ring, too.
	// Names stand left and right of the chart, in two columns that are as high as the chart.
	if room := width - 2*radarSide; room*2 < vg.Length(len(c.x))*leading(textStyle(tinySize, ink, false)) {
		r.side = 22 // room for a number
		columns = numbered(r.names, c.inner())
		for i := range r.names {
			r.names[i].text = strconv.Itoa(i + 1)
		}
	}
	return r, columns
}

// towards is the direction from the centre to a category, as a step of one point.
func (r radar) towards(category float64) vg.Point {
	sin, cos := math.Sincos(math.Pi/2 - 2*math.Pi*category/float64(len(r.x)))
	return point(vg.Length(cos), vg.Length(sin))
}

// Plot implements [plot.Plotter].
func (r radar) Plot(c draw.Canvas, _ *plot.Plot) {
	radius := min(c.Size().X/2-r.side, c.Size().Y/2-radarEnd)
	place := func(category, value float64) vg.Point {
		outwards := radius * vg.Length((value-r.low)/(r.high-r.low))
		return c.Center().Add(r.towards(category).Scale(outwards))
	}
	for i := range r.x {
		c.StrokeLines(lineStyle(gridInk, hairline), []vg.Point{c.Center(), place(float64(i), r.high)})
	}
	// The half step makes up for errors of rounding: the last ring is at the rim.
	for v := r.low + r.step; v <= r.high+r.step/2; v += r.step {
		var ring []vg.Point
		for i := range len(r.x) + 1 {
			ring = append(ring, place(float64(i), v))
		}
		c.StrokeLines(lineStyle(gridInk, hairline), ring)
	}
	for _, l := range r.layers {
		drawn := drawnLayer{r.chart, l, r.panel}
		for _, group := range drawn.series() {
			r.line(c, drawn, group, place)
		}
	}
	sty := textStyle(tinySize, softInk, false)
	sty.XAlign = draw.XCenter
	for v := r.low; v <= r.high+r.step/2; v += r.step {
		onPatch(c, sty, place(0, v), formatted("{}", v))
	}
	r.label(c, radius)
}

// line joins the marks of a group. Categories without a mark leave a gap in the line.
func (r radar) line(c draw.Canvas, layer drawnLayer, group []mark, place projection) {
	for i, m := range group {
		next := group[(i+1)%len(group)]
		if neighbours := int(m.at["x"]+1)%len(r.x) == int(next.at["x"]); neighbours {
			layer.stroke(c, m, 1.1, []vg.Point{place.at(m, "x", "y"), place.at(next, "x", "y")})
		}
	}
}

// label writes the names of the categories around the rim: first the names at the right, then the
// names at the left. Names of one side are moved so that they do not overlap.
func (r radar) label(c draw.Canvas, radius vg.Length) {
	for _, align := range []text.XAlignment{draw.XLeft, draw.XRight} {
		var centers, sizes []vg.Length
		var labels []boxLabel
		for i, name := range r.names {
			direction := r.towards(float64(i))
			// Names at the top and at the foot, where X is 0 but for rounding, count as names at the right.
			if right := direction.X >= -1e-9; right != (align == draw.XLeft) { // Names at the right are aligned left.
				continue
			}
			at := c.Center().Add(direction.Scale(radius + radarOff))
			room := c.Max.X - at.X
			if align == draw.XRight {
				room = at.X - c.Min.X
			}
			sty := textStyle(tinySize, name.color, false)
			lines := wrap(sty, name.text, room, 3)
			labels = append(labels, boxLabel{style: sty, lines: lines, at: at})
			centers, sizes = append(centers, at.Y), append(sizes, leading(sty)*vg.Length(len(lines))+1)
		}
		for k, y := range spread(centers, sizes, c.Min.Y, c.Max.Y) {
			write(c, labels[k].style, labels[k].lines, point(labels[k].at.X, y+sizes[k]/2), align)
		}
	}
}

// radarNames returns the names of the categories. If there are several domains, the names have the
// colours of their domains, and the legend explains them.
func (c *chart) radarNames() []rowLabel {
	names, domains := make([]rowLabel, len(c.x)), c.rows.Read().TextIf("domain")
	for i, name := range c.x {
		names[i] = rowLabel{text: c.renamed("x", name), color: ink}
	}
	several := slices.ContainsFunc(domains, func(d string) bool { return d != domains[0] })
	for _, m := range c.allMarks() {
		tone := c.domains.text(domains[m.row]) // ink for a name that is no domain
		if !several || tone == ink {
			continue
		}
		names[int(m.at["x"])].color = tone
		// A key of the form bar is a square.
		if key := (Key{Name: domains[m.row], Color: tone, Form: "bar"}); !slices.Contains(c.keys, key) {
			c.keys = append(c.keys, key)
		}
	}
	return names
}

// numbered puts names with their numbers into as many columns as fit, two at least. Names that are
// wider than their column get more lines.
func numbered(names []rowLabel, room vg.Length) (columns [][]rowLabel) {
	list := slices.Clone(names)
	for i := range list {
		list[i].text = fmt.Sprint(i+1, " ", names[i].text)
	}
	across := max(2, int((room+pairGap)/(labelColumn(tinySize, list)+pairGap)))
	width := (room+pairGap)/vg.Length(across) - pairGap
	for names := range slices.Chunk(list, (len(list)+across-1)/across) {
		var column []rowLabel
		for _, name := range names {
			for _, line := range wrap(textStyle(tinySize, ink, false), name.text, width, 3) {
				column = append(column, rowLabel{text: line, color: name.color})
			}
		}
		columns = append(columns, column)
	}
	return columns
}
