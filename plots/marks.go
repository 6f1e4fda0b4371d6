package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A drawnLayer draws the marks of a layer in a panel.
type drawnLayer struct {
	chart *chart
	layer layer
	panel int
}

var (
	_ plot.Plotter    = drawnLayer{}
	_ plot.GlyphBoxer = drawnLayer{}
)

// marks returns the marks of the layer that belong to the panel.
func (d drawnLayer) marks() []mark {
	return slices.DeleteFunc(slices.Clone(d.layer.marks),
		func(m mark) bool { return m.panel >= 0 && m.panel != d.panel })
}

// number returns a setting that is a number, or else the given number.
func (d drawnLayer) number(name string, otherwise float64) float64 {
	if v, ok := d.layer.Setting[name]; ok && v.Kind == "number" {
		return v.Number
	}
	return otherwise
}

func (d drawnLayer) line(tone color.Color, width float64) draw.LineStyle {
	sty := lineStyle(d.faded(tone), vg.Length(d.number("linewidth", width)))
	switch d.layer.Setting["linetype"].Text {
	case "dashed":
		sty.Dashes = []vg.Length{4, 2}
	case "dotted":
		sty.Dashes = []vg.Length{1, 2}
	}
	return sty
}

// stroke draws a line of a mark through points.
func (d drawnLayer) stroke(c draw.Canvas, m mark, width float64, through []vg.Point) {
	sty := d.line(m.stroke, width)
	if m.chosen {
		c.StrokeLines(lineStyle(accent, sty.Width+1.6), through)
	}
	c.StrokeLines(sty, through)
}

func (d drawnLayer) faded(tone color.Color) color.Color {
	n := color.NRGBAModel.Convert(tone).(color.NRGBA)
	n.A = uint8(math.Round(255 * d.number("opacity", 1)))
	return n
}

// Plot implements [plot.Plotter].
func (d drawnLayer) Plot(c draw.Canvas, p *plot.Plot) {
	fx, fy := p.Transforms(&c)
	at := func(m mark, x, y string) vg.Point { return vg.Point{X: fx(m.at[x]), Y: fy(m.at[y])} }
	all := d.marks()
	switch d.layer.Form {
	case "point":
		for _, m := range all {
			radius := vg.Length(d.number("size", 4.6)) / 2
			if _, ok := m.at["size"]; ok {
				radius = vg.Length(2 + 3*math.Sqrt(max(m.at["size"], 0)))
			}
			pt := at(m, "x", "y")
			if m.chosen {
				c.DrawGlyphNoClip(draw.GlyphStyle{Color: accent, Radius: radius + 1.2, Shape: draw.CircleGlyph{}}, pt)
			}
			c.DrawGlyphNoClip(draw.GlyphStyle{Color: d.faded(m.fill), Radius: radius, Shape: draw.CircleGlyph{}}, pt)
			if m.hollow {
				c.DrawGlyphNoClip(draw.GlyphStyle{Color: paper, Radius: radius - 0.9, Shape: draw.CircleGlyph{}}, pt)
			}
			if m.stroke != m.fill {
				c.DrawGlyphNoClip(draw.GlyphStyle{Color: m.stroke, Radius: radius, Shape: draw.RingGlyph{}}, pt)
			}
		}
	case "segment":
		for _, m := range all {
			a, b := at(m, "x", "y"), at(m, "xend", "yend")
			c.StrokeLine2(d.line(m.stroke, 0.8), a.X, a.Y, b.X, b.Y)
		}
	case "range":
		for _, m := range all {
			a, b := at(m, "xmin", "y"), at(m, "xmax", "y")
			if _, upright := m.at["ymin"]; upright {
				a, b = at(m, "x", "ymin"), at(m, "x", "ymax")
			}
			c.StrokeLine2(d.line(m.stroke, 0.9), a.X, a.Y, b.X, b.Y)
			if value, ok := d.chart.valueOf(m); ok && d.layer.intervals() {
				// The half of a normal distribution lies within 0.344 of the ends of its 95% interval.
				inner := func(end vg.Point) vg.Point {
					v := vg.Point{X: fx(value), Y: end.Y}
					if _, upright := m.at["ymin"]; upright {
						v = vg.Point{X: end.X, Y: fy(value)}
					}
					return vg.Point{X: v.X + (end.X-v.X)*0.344, Y: v.Y + (end.Y-v.Y)*0.344}
				}
				a, b = inner(a), inner(b)
				c.StrokeLine2(d.line(m.stroke, 2.6), a.X, a.Y, b.X, b.Y)
			}
		}
	case "rule":
		for _, m := range all {
			d.rule(c, p, m)
		}
	case "line", "path", "area", "ribbon":
		for _, group := range grouped(all) {
			d.joined(c, p, group)
		}
	case "bar", "tile":
		for _, m := range all {
			a, b := at(m, "xmin", "ymin"), at(m, "xmax", "ymax")
			c.FillPolygon(d.faded(m.fill), rect(a.X, a.Y, b.X, b.Y))
		}
	case "violin":
		for _, group := range grouped(all) {
			violin(c, p, group[0].at["x"], d.number("width", 0.8)/2, group[0].fill, along(group, "y"))
		}
	case "text":
		d.text(c, p, all)
	}
}

// valueOf returns the value that the interval of a mark belongs to: the value of the point of the
// same row, along the same axis.
func (c *chart) valueOf(interval mark) (float64, bool) {
	along := "x"
	if _, upright := interval.at["ymin"]; upright {
		along = "y"
	}
	for _, l := range c.layers {
		for _, m := range l.marks {
			if l.Form == "point" && m.row == interval.row && m.panel >= 0 {
				return m.at[along], true
			}
		}
	}
	return 0, false
}

// grouped are marks of one panel, group and place along axes each, in the order of the rows.
func grouped(all []mark, axes ...string) (out [][]mark) {
	place := map[string]int{}
	for _, m := range all {
		key := fmt.Sprint(m.panel, m.group)
		for _, a := range axes {
			key += fmt.Sprint("\x00", m.at[a])
		}
		i, ok := place[key]
		if !ok {
			i, place[key] = len(out), len(out)
			out = append(out, nil)
		}
		out[i] = append(out[i], m)
	}
	return out
}

// rule draws a line across the panel, upright, level or with a slope.
func (d drawnLayer) rule(c draw.Canvas, p *plot.Plot, m mark) {
	fx, fy := p.Transforms(&c)
	sty := d.line(m.stroke, 0.7)
	x, upright := m.at["x"]
	switch slope := m.at["slope"]; {
	case upright:
		c.StrokeLine2(sty, fx(x), c.Min.Y, fx(x), c.Max.Y)
	case slope == 0:
		c.StrokeLine2(sty, c.Min.X, fy(m.at["y"]), c.Max.X, fy(m.at["y"]))
	default:
		from, to := vg.Point{X: fx(p.X.Min), Y: fy(m.at["y"] + slope*p.X.Min)}, vg.Point{X: fx(p.X.Max),
			Y: fy(m.at["y"] + slope*p.X.Max)}
		c.StrokeLines(sty, c.ClipLinesXY([]vg.Point{from, to})...)
	}
}

// joined draws what joins the marks of a group: a line by growing x, a path in the order of the rows, or an area.
func (d drawnLayer) joined(c draw.Canvas, p *plot.Plot, group []mark) {
	fx, fy := p.Transforms(&c)
	if d.layer.Form != "path" {
		slices.SortStableFunc(group, func(a, b mark) int { return cmp.Compare(a.at["x"], b.at["x"]) })
	}
	var upper, lower []vg.Point
	for _, m := range group {
		switch d.layer.Form {
		case "ribbon", "area":
			upper, lower = append(upper, vg.Point{X: fx(m.at["x"]), Y: fy(m.at["ymax"])}), append(lower,
				vg.Point{X: fx(m.at["x"]), Y: fy(m.at["ymin"])})
		default:
			upper = append(upper, vg.Point{X: fx(m.at["x"]), Y: fy(m.at["y"])})
		}
	}
	if lower == nil {
		d.stroke(c, group[0], 1, upper)
		return
	}
	slices.Reverse(lower)
	c.FillPolygon(d.faded(group[0].fill), append(upper, lower...))
}

// A textBox is where a label stands.
func (d drawnLayer) textBox(m mark) (sty text.Style, width, dx, dy vg.Length) {
	sty = textStyle(d.number("fontsize", tinySize), m.fill, d.layer.Setting["fontweight"].Text == "bold")
	sty.XAlign = map[string]text.XAlignment{"": -0.5, "centre": -0.5, "right": -1}[d.layer.Setting["hjust"].Text]
	width = sty.Width(clean(m.label))
	if list := d.layer.Setting["offset"].List; len(list) == 2 {
		dx, dy = vg.Length(list[0].Number), vg.Length(list[1].Number)
	}
	return sty, width, dx, dy
}

// beside is the room that labels take on the sides of rows.
func (d drawnLayer) beside() (out []sideLabel) {
	for _, m := range d.marks() {
		if x, ok := m.at["x"]; ok && d.layer.Form == "text" {
			sty, width, dx, _ := d.textBox(m)
			if sty.XAlign == 0 {
				out = append(out, sideLabel{at: x, width: dx + width + 1})
			} else if sty.XAlign == -1 {
				out = append(out, sideLabel{at: x, width: width - dx + 1, left: true})
			}
		}
	}
	return out
}

// GlyphBoxes implements [plot.GlyphBoxer]: a panel leaves room for labels at its sides.
func (d drawnLayer) GlyphBoxes(p *plot.Plot) (out []plot.GlyphBox) {
	for _, m := range d.marks() {
		if d.layer.Form == "text" && d.layer.Setting["hjust"].Text != "" { // others are put within the panel
			sty, width, dx, dy := d.textBox(m)
			width = min(width, d.chart.on.inner()*0.4) // gonum has no end of a panel without room
			left := dx + width*vg.Length(sty.XAlign)
			out = append(out, plot.GlyphBox{X: p.X.Norm(m.at["x"]), Y: p.Y.Norm(m.at["y"]), Rectangle: vg.Rectangle{
				Min: vg.Point{X: left, Y: dy - 3}, Max: vg.Point{X: left + width, Y: dy + 3},
			}})
		}
	}
	return out
}

// text writes labels. Labels at one place of the X axis are moved apart. Labels of points are put
// where they cover neither each other nor the points.
func (d drawnLayer) text(c draw.Canvas, p *plot.Plot, all []mark) {
	fx, fy := p.Transforms(&c)
	if d.chart.y != nil {
		for _, m := range all {
			sty, width, dx, dy := d.textBox(m)
			at := vg.Point{X: fx(m.at["x"]) + dx, Y: fy(m.at["y"]) + dy}
			if sty.XAlign != -0.5 { // the guide line stops at the text
				left := at.X + width*vg.Length(sty.XAlign)
				c.FillPolygon(paper, rect(left-1, at.Y-3, left+width+1, at.Y+3))
			}
			middle(c, sty, at, clean(m.label))
		}
		return
	}
	if d.layer.Setting["hjust"].Text != "" {
		columns := map[float64][]mark{}
		for _, m := range all {
			columns[m.at["x"]] = append(columns[m.at["x"]], m)
		}
		for _, x := range slices.Sorted(maps.Keys(columns)) {
			marks := columns[x]
			centers, sizes := make([]float64, len(marks)), make([]float64, len(marks))
			for i, m := range marks {
				centers[i], sizes[i] = float64(fy(m.at["y"])), d.number("fontsize", tinySize)*1.08
			}
			for i, y := range spread(centers, sizes, float64(c.Min.Y), float64(c.Max.Y)) {
				sty, _, dx, dy := d.textBox(marks[i])
				if moved := math.Abs(y - centers[i]); moved > 2 && sty.XAlign != -0.5 {
					c.StrokeLine2(lineStyle(softInk, 0.4), fx(x)+dx/6, vg.Length(centers[i])+dy, fx(x)+dx*0.9,
						vg.Length(y)+dy)
				}
				middle(c, sty, vg.Point{X: fx(x) + dx, Y: vg.Length(y) + dy}, clean(marks[i].label))
			}
		}
		return
	}
	labels, points := make([]boxLabel, len(all)), []vg.Point{}
	lines := make([][]string, len(all))
	for i, m := range all {
		sty, _, _, _ := d.textBox(m)
		lines[i] = wrap(sty, m.label, (c.Max.X-c.Min.X)*0.7, 5)
		labels[i] = boxLabel{vg.Point{X: fx(m.at["x"]), Y: fy(m.at["y"])}, widest(sty, lines[i]),
			7 * vg.Length(len(lines[i]))}
	}
	for _, l := range d.chart.layers {
		for _, m := range (drawnLayer{d.chart, l, d.panel}).marks() {
			if l.Form == "point" {
				points = append(points, vg.Point{X: fx(m.at["x"]), Y: fy(m.at["y"])})
			}
		}
	}
	places := placeLabels(labels, points, 4, c.Rectangle)
	leaders(c, labels, places)
	for i, m := range all {
		if places[i].found {
			sty, _, _, _ := d.textBox(m)
			for k, line := range lines[i] {
				at := places[i].middle()
				at.Y += 7 * (vg.Length(len(lines[i])-1)/2 - vg.Length(k))
				patch(c, sty, at, line) // covers lines of layers before, never marks after
				middle(c, sty, at, line)
			}
		}
	}
}
