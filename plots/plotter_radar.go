package plots

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// RadarAxis is one spoke of a radar chart. Neighbouring axes of one group share a colour and are set apart from others by a black spoke.
type RadarAxis struct {
	Label, Group string
}

// RadarSeries is one closed line. Values has one number per axis; one that is not valid leaves a gap in the line.
type RadarSeries struct {
	ID     string // of the captioner
	Name   string
	Look   Look
	Values []Number
}

func (s RadarSeries) modelID() string { return s.ID }

// Radar is a radar chart: axes clockwise from the top, values from Min at the centre to Max at the rim, labels around the rim.
// It implements [plot.Plotter] and fills the canvas that it is given.
type Radar struct {
	Axes       []RadarAxis
	Series     []RadarSeries
	Min, Max   float64
	Rings      []float64                      // values at which rings are drawn and labelled
	GroupColor func(group string) color.NRGBA // colour of a group's spokes and labels; nil for the ink
}

var _ plot.Plotter = (*Radar)(nil)

// NewRadar checks the data: at least three axes, at least one series, a value per axis, values between min and max.
func NewRadar(axes []RadarAxis, series []RadarSeries, low, high float64) (*Radar, error) {
	if len(axes) < 3 {
		return nil, noRows("a radar chart needs at least 3 axes, not %d", len(axes))
	}
	if len(series) == 0 {
		return nil, noRows("a radar chart needs at least one series")
	}
	if !(low < high) || math.IsInf(low, 0) || math.IsInf(high, 0) {
		return nil, fmt.Errorf("a radar chart cannot run from %v to %v", low, high)
	}
	for _, s := range series {
		if len(s.Values) != len(axes) {
			return nil, fmt.Errorf("series %s has %d values for %d axes", s.Name, len(s.Values), len(axes))
		}
		for i, v := range s.Values {
			if v.Valid && !(v.Value >= low && v.Value <= high) {
				return nil, fmt.Errorf("series %s, axis %s: %v lies outside %v to %v", s.Name, axes[i].Label, v.Value, low, high)
			}
		}
	}
	return &Radar{Axes: axes, Series: series, Min: low, Max: high}, nil
}

// angle is the direction of an axis: the first points up, the others follow clockwise.
func (r *Radar) angle(axis int) float64 {
	return math.Pi/2 - 2*math.Pi*float64(axis)/float64(len(r.Axes))
}

// point returns where a value of an axis lies around the centre for a rim of the given radius.
func (r *Radar) point(center vg.Point, radius vg.Length, axis int, value float64) vg.Point {
	sin, cos := math.Sincos(r.angle(axis))
	d := radius * vg.Length((value-r.Min)/(r.Max-r.Min))
	return vg.Point{X: center.X + d*vg.Length(cos), Y: center.Y + d*vg.Length(sin)}
}

// lines returns the polylines of a series: one closed line when every value is valid, else the stretches between gaps. A valid value
// between two gaps is a line of one point.
func (r *Radar) lines(s RadarSeries, center vg.Point, radius vg.Length) [][]vg.Point {
	n := len(s.Values)
	start := 0
	for start < n && s.Values[start].Valid {
		start++
	}
	if start == n {
		var all []vg.Point
		for i := range n + 1 {
			all = append(all, r.point(center, radius, i%n, s.Values[i%n].Value))
		}
		return [][]vg.Point{all}
	}
	var out [][]vg.Point
	var run []vg.Point
	for k := 1; k <= n; k++ { // from the gap once around, so that a stretch over the top stays whole
		i := (start + k) % n
		if s.Values[i].Valid {
			run = append(run, r.point(center, radius, i, s.Values[i].Value))
		}
		if (!s.Values[i].Valid || k == n) && len(run) > 0 {
			out, run = append(out, run), nil
		}
	}
	return out
}

func (r *Radar) color(group string) color.NRGBA {
	if r.GroupColor == nil {
		return ink
	}
	return r.GroupColor(group)
}

// crowded reports whether labels are written along the spokes of a chart of a width: beside the rim they would not fit.
func crowded(axes int, width vg.Length) bool { return float64(axes) >= float64(width)/15 }

// mostSpokes is the number of axes whose names fit around a chart of a width, each with room for a short word.
func mostSpokes(width vg.Length) int {
	const word = 34
	return int(2 * math.Pi * (float64(width)/2 - word) / float64(leading(textStyle(tinySize, ink, false))))
}

// radarHeight is a height of canvas on which a radar chart has room for its labels.
func radarHeight(axes int, on Page) vg.Length {
	if crowded(axes, on.inner()) {
		return on.inner()
	}
	return min(350, on.inner()*0.95)
}

// Plot draws the chart. The plot's axes are not used.
func (r *Radar) Plot(c draw.Canvas, _ *plot.Plot) {
	size, crowd := float64(labelSize), crowded(len(r.Axes), c.Max.X-c.Min.X)
	if crowd {
		size = tinySize
	} else if len(r.Axes) > 16 {
		size = smallSize
	}
	sty := textStyle(size, ink, false)
	// Labels take up to a fifth of the width on each side, in up to three lines, the circle what is left.
	side := (c.Max.X - c.Min.X) * 0.2
	longest := vg.Length(0)
	for _, a := range r.Axes {
		longest = max(longest, sty.Width(clean(a.Label)))
	}
	side = min(side, longest+1)
	const off = 12
	radius := min((c.Max.X-c.Min.X)/2-side-off, (c.Max.Y-c.Min.Y)/2-off-3*leading(sty))
	if crowd {
		radius = r.crowdRadius(sty, c)
	}
	center := c.Center()
	r.grid(c, center, radius)
	for k := range r.Series { // from the last series to the first, so that the first lies on top
		s := r.Series[len(r.Series)-1-k]
		for _, l := range r.lines(s, center, radius) {
			if len(l) > 1 {
				c.StrokeLines(s.Look.line(0.9), l)
			}
		}
		for i, v := range s.Values {
			if v.Valid && s.Look.Shape != nil {
				c.DrawGlyphNoClip(s.Look.glyph(1.7), r.point(center, radius, i, v.Value))
			}
		}
	}
	r.ringLabels(c, center, radius)
	if crowd {
		r.spokeLabels(c, sty, center, radius+spokeGap)
		return
	}
	for _, l := range r.layout(sty, center, radius, side, c.Rectangle) {
		if l.moved {
			c.StrokeLine2(lineStyle(frameInk, 0.4), l.tip.X, l.tip.Y, l.foot.X, l.foot.Y)
		}
		s := sty
		s.Color = r.color(r.Axes[l.axis].Group)
		write(c, s, l.lines, l.at, l.align)
	}
}

// spokeGap is how far off the rim labels along spokes begin.
const spokeGap = vg.Length(7)

// longestSpoke is the length at which labels along spokes are cut.
func longestSpoke(c draw.Canvas) vg.Length { return (c.Max.X - c.Min.X) * 0.245 }

// spokeReach is how far from the centre a label along a spoke may reach. Half a line's height keeps the corners of a slanting label inside.
func (r *Radar) spokeReach(axis int, sty text.Style, c draw.Canvas) vg.Length {
	sin, cos := math.Sincos(r.angle(axis))
	reach := vg.Length(math.Inf(1)) // to the canvas's edge
	if math.Abs(cos) > 1e-9 {
		reach = (c.Max.X - c.Min.X) / 2 / vg.Length(math.Abs(cos))
	}
	if math.Abs(sin) > 1e-9 {
		reach = min(reach, (c.Max.Y-c.Min.Y)/2/vg.Length(math.Abs(sin)))
	}
	return reach - leading(sty)/2
}

// crowdRadius is the greatest radius at which every label along its spoke ends inside the canvas, and at least the one at which labels
// do not touch each other.
func (r *Radar) crowdRadius(sty text.Style, c draw.Canvas) vg.Length {
	radius := min(c.Max.X-c.Min.X, c.Max.Y-c.Min.Y) / 2
	for i, a := range r.Axes {
		radius = min(radius, r.spokeReach(i, sty, c)-spokeGap-min(sty.Width(clean(a.Label)), longestSpoke(c)))
	}
	return max(radius, vg.Length(len(r.Axes))*leading(sty)/(2*math.Pi)-spokeGap, 20)
}

// spokeLabels writes each label along its spoke, outwards on the right half and inwards on the left, so that each can be read.
func (r *Radar) spokeLabels(c draw.Canvas, sty text.Style, center vg.Point, from vg.Length) {
	for i, a := range r.Axes {
		sin, cos := math.Sincos(r.angle(i))
		turn := r.angle(i)
		s := sty
		s.Color = r.color(a.Group)
		if cos < -1e-9 {
			s.XAlign, turn = draw.XRight, turn+math.Pi
		}
		c.Push()
		c.Translate(vg.Point{X: center.X + from*vg.Length(cos), Y: center.Y + from*vg.Length(sin)})
		c.Rotate(turn)
		middle(c, s, vg.Point{}, fit(s, a.Label, min(longestSpoke(c), r.spokeReach(i, sty, c)-from)))
		c.Pop()
	}
}

func (r *Radar) grid(c draw.Canvas, center vg.Point, radius vg.Length) {
	for _, v := range r.Rings {
		var ring vg.Path
		d := radius * vg.Length((v-r.Min)/(r.Max-r.Min))
		ring.Move(vg.Point{X: center.X + d, Y: center.Y})
		ring.Arc(center, d, 0, 2*math.Pi)
		ring.Close()
		c.SetLineStyle(lineStyle(gridInk, hairline))
		c.Stroke(ring)
	}
	for i, a := range r.Axes {
		tip := r.point(center, radius, i, r.Max)
		c.StrokeLine2(lineStyle(fade(r.color(a.Group), 0xa0), hairline), center.X, center.Y, tip.X, tip.Y)
		before := (i + len(r.Axes) - 1) % len(r.Axes)
		if a.Group != r.Axes[before].Group { // the border runs half way between the two axes
			sin, cos := math.Sincos((r.angle(i) + r.angle(i-1)) / 2)
			far := radius + 5
			c.StrokeLine2(lineStyle(ink, 1.1), center.X, center.Y, center.X+far*vg.Length(cos), center.Y+far*vg.Length(sin))
		}
	}
}

// ringLabels writes the rings' values half way between the first axis and the next, over a patch of paper.
func (r *Radar) ringLabels(c draw.Canvas, center vg.Point, radius vg.Length) {
	sty := textStyle(tinySize, softInk, false)
	sty.XAlign = draw.XCenter
	sin, cos := math.Sincos((r.angle(0) + r.angle(1)) / 2)
	for _, v := range r.Rings {
		d := radius * vg.Length((v-r.Min)/(r.Max-r.Min))
		p := vg.Point{X: center.X + d*vg.Length(cos), Y: center.Y + d*vg.Length(sin)}
		label := fmt.Sprintf("%g", v)
		patch(c, sty, p, label)
		middle(c, sty, p, label)
	}
}

type radarLabel struct {
	axis      int
	lines     []string
	at        vg.Point // upper left corner, upper right for labels on the left
	align     text.XAlignment
	tip, foot vg.Point // ends of the leader
	moved     bool     // the label is too far from its axis to do without a leader
}

// layout puts the labels outside the rim, right of the centre line flush left and left of it flush right, each side spread so that
// labels do not overlap.
func (r *Radar) layout(sty text.Style, center vg.Point, radius, side vg.Length, bounds vg.Rectangle) []radarLabel {
	const off = 6
	var out []radarLabel
	for _, right := range []bool{true, false} {
		var at []radarLabel
		var centers, heights []float64
		for i, a := range r.Axes {
			sin, cos := math.Sincos(r.angle(i))
			if (cos > -1e-9) != right {
				continue
			}
			lines := wrap(sty, a.Label, side, 3)
			tip := vg.Point{X: center.X + (radius+1)*vg.Length(cos), Y: center.Y + (radius+1)*vg.Length(sin)}
			at = append(at, radarLabel{axis: i, lines: lines, tip: tip})
			h := float64(vg.Length(len(lines)) * leading(sty))
			heights = append(heights, h)
			// Near the poles a label is above or below the rim instead of beside it.
			centers = append(centers, float64(center.Y)+float64(radius+off)*sin+h/2*sin)
		}
		for k, y := range spread(centers, heights, float64(bounds.Min.Y), float64(bounds.Max.Y)) {
			l, h := at[k], vg.Length(heights[k])
			// The label keeps clear of the circle over its whole height; its height nearest to the centre decides.
			near := max(0, math.Abs(y-float64(center.Y))-float64(h)/2)
			rim, gap := float64(radius+off), 3.0
			if near < rim {
				gap = max(gap, math.Sqrt(rim*rim-near*near))
			}
			l.at = vg.Point{X: center.X + vg.Length(gap), Y: vg.Length(y) + h/2}
			l.foot = vg.Point{X: l.at.X - 1, Y: vg.Length(y)}
			if !right {
				l.align = draw.XRight
				l.at.X = center.X - vg.Length(gap)
				l.foot.X = l.at.X + 1
			}
			l.moved = math.Hypot(float64(l.foot.X-l.tip.X), float64(l.foot.Y-l.tip.Y)) > 20
			out = append(out, l)
		}
	}
	return out
}
