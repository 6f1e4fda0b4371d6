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

// A drawnLayer draws the marks of a layer in one panel of a chart.
type drawnLayer struct {
	chart *chart
	layer
	panel int
}

// marks returns the marks of the layer that belong to the panel.
func (d drawnLayer) marks() []mark {
	return slices.DeleteFunc(slices.Clone(d.layer.marks),
		func(m mark) bool { return m.panel >= 0 && m.panel != d.panel })
}

// number returns a setting that is a number, or else the given number.
func (l layer) number(name string, otherwise float64) float64 {
	if v := l.Setting[name]; v.Kind == "number" {
		return v.Number
	}
	return otherwise
}

// line is the style of the layer's lines. The width holds unless the setting linewidth gives
// another width.
func (d drawnLayer) line(tone color.NRGBA, width float64) draw.LineStyle {
	sty := lineStyle(d.faded(tone), vg.Length(d.number("linewidth", width)))
	sty.Dashes = map[string][]vg.Length{"dashed": {4, 2}, "dotted": {1, 2}}[d.Setting["linetype"].Text]
	return sty
}

// stroke draws the line of a mark through points, with the accent around it if the mark is chosen.
func (d drawnLayer) stroke(c draw.Canvas, m mark, width float64, through []vg.Point) {
	sty := d.line(m.stroke, width)
	if m.chosen {
		c.StrokeLines(lineStyle(accent, sty.Width+1.6), through)
	}
	c.StrokeLines(sty, through)
}

// faded is a colour with the opacity of the layer.
func (d drawnLayer) faded(tone color.NRGBA) color.NRGBA {
	return fade(tone, uint8(math.Round(255*d.number("opacity", 1))))
}

// dot draws a full circle.
func dot(c draw.Canvas, tone color.Color, radius vg.Length, at vg.Point) {
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: tone, Radius: radius, Shape: draw.CircleGlyph{}}, at)
}

// A projection returns the point of a canvas for two values along the axes.
type projection func(x, y float64) vg.Point

// at returns the point for two places of a mark, by aesthetic.
func (p projection) at(m mark, x, y string) vg.Point { return p(m.at[x], m.at[y]) }

// Plot implements [plot.Plotter].
func (d drawnLayer) Plot(c draw.Canvas, p *plot.Plot) {
	fx, fy := p.Transforms(&c)
	place := projection(func(x, y float64) vg.Point { return point(fx(x), fy(y)) })
	at := place.at
	all := d.marks()
	switch d.Form {
	case "point":
		for _, m := range all {
			d.point(c, m, at(m, "x", "y"))
		}
	case "segment":
		for _, m := range all {
			c.StrokeLines(d.line(m.stroke, 0.8), []vg.Point{at(m, "x", "y"), at(m, "xend", "yend")})
		}
	case "range":
		for _, m := range all {
			from, to := m.ends(place)
			c.StrokeLines(d.line(m.stroke, 0.9), []vg.Point{from, to})
			if center, ok := d.chart.pointOf(m); ok && d.intervals() {
				// The thick line covers the middle half of a normal distribution: from the mean, 0.344
				// of the way to each end of the 95% interval.
				mid := at(center, "x", "y")
				inner := func(end vg.Point) vg.Point { return mid.Add(end.Sub(mid).Scale(0.344)) }
				c.StrokeLines(d.line(m.stroke, 2.6), []vg.Point{inner(from), inner(to)})
			}
		}
	case "rule": // a line through the whole panel
		for _, m := range all {
			var from, to vg.Point
			if x, upright := m.at["x"]; upright {
				from, to = place(x, p.Y.Min), place(x, p.Y.Max)
			} else {
				y, slope := m.at["y"], m.at["slope"]
				from, to = place(p.X.Min, y+slope*p.X.Min), place(p.X.Max, y+slope*p.X.Max)
			}
			c.StrokeLines(d.line(m.stroke, 0.7), c.ClipLinesXY([]vg.Point{from, to})...)
		}
	case "line", "path", "outline": // outlines are the shapes of violins
		for _, group := range d.series() {
			through := make([]vg.Point, len(group))
			for i, m := range group {
				through[i] = at(m, "x", "y")
			}
			if d.Form == "outline" {
				c.FillPolygon(fade(group[0].fill, 0x60), through)
			}
			d.stroke(c, group[0], 1, through)
		}
	case "area", "ribbon":
		for _, group := range d.series() {
			var edge []vg.Point // along the top, and back along the bottom
			for _, m := range group {
				edge = append(edge, at(m, "x", "ymax"))
			}
			for _, m := range slices.Backward(group) {
				edge = append(edge, at(m, "x", "ymin"))
			}
			c.FillPolygon(d.faded(group[0].fill), edge)
		}
	case "bar", "tile":
		for _, m := range all {
			low, high := at(m, "xmin", "ymin"), at(m, "xmax", "ymax")
			c.FillPolygon(d.faded(m.fill), rect(low.X, low.Y, high.X, high.Y))
		}
	case "text":
		d.text(c, place, all)
	}
}

// point draws the point of a mark. If the layer maps a column to size, the radius grows with the
// square root of the value.
func (d drawnLayer) point(c draw.Canvas, m mark, at vg.Point) {
	radius := vg.Length(d.number("size", 4.6)) / 2
	if size, mapped := m.at["size"]; mapped {
		radius = vg.Length(2 + 3*math.Sqrt(max(size, 0)))
	}
	if m.chosen {
		dot(c, accent, radius+1.2, at)
	}
	dot(c, d.faded(m.fill), radius, at)
	if m.hollow {
		dot(c, paper, radius-0.9, at)
	}
	if m.stroke != m.fill {
		c.DrawGlyphNoClip(draw.GlyphStyle{Color: m.stroke, Radius: radius, Shape: draw.RingGlyph{}}, at)
	}
}

// pointOf returns the point that is drawn for the same row as an interval. Marks in all panels (-1)
// belong to no row.
func (c *chart) pointOf(interval mark) (mark, bool) {
	for l, m := range c.allMarks() {
		if l.Form == "point" && m.row == interval.row && m.panel >= 0 {
			return m, true
		}
	}
	return mark{}, false
}

// grouped puts marks into lists, one for each panel, group and place along the axes. Lists and
// marks stay in the order of the rows.
func grouped(all []mark, axes ...string) (out [][]mark) {
	place := map[string]int{}
	for _, m := range all {
		key := fmt.Sprint(m.panel, "\x00", m.group)
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

// series are the marks of each group, sorted by x. The marks of a path or an outline keep the order
// of the rows.
func (d drawnLayer) series() [][]mark {
	groups := grouped(d.marks())
	for _, group := range groups {
		if d.Form != "path" && d.Form != "outline" {
			slices.SortStableFunc(group, func(a, b mark) int { return cmp.Compare(a.at["x"], b.at["x"]) })
		}
	}
	return groups
}

// label returns the style of a mark's label, the point where the label is anchored, and the box
// around it. Point and box are relative to the place of the mark.
func (d drawnLayer) label(m mark) (sty text.Style, anchor vg.Point, box vg.Rectangle) {
	sty = textStyle(d.number("fontsize", tinySize), m.fill, d.Setting["fontweight"].Text == "bold")
	// The label begins at its anchor (left, 0), has its middle there (-0.5) or ends there (-1).
	sty.XAlign = map[string]text.XAlignment{"": -0.5, "centre": -0.5, "right": -1}[d.Setting["hjust"].Text]
	if list := d.Setting["offset"].List; len(list) == 2 {
		anchor = point(vg.Length(list[0].Number), vg.Length(list[1].Number))
	}
	width := sty.Width(clean(m.label))
	left := width * vg.Length(sty.XAlign) // XAlign is the share of the label left of its anchor, negative
	box = vg.Rectangle{Min: point(left, -3), Max: point(left+width, 3)}
	return sty, anchor, box.Add(anchor)
}

// beside are the boxes around the labels that have a side (hjust), which may reach past the panel.
// Labels without a side are put within the panel.
func (d drawnLayer) beside() (out []plot.GlyphBox) {
	for _, m := range d.marks() {
		if d.Form == "text" && d.Setting["hjust"].Text != "" {
			_, _, box := d.label(m)
			out = append(out, plot.GlyphBox{X: m.at["x"], Y: m.at["y"], Rectangle: box})
		}
	}
	return out
}

// GlyphBoxes implements [plot.GlyphBoxer]: a panel leaves room for labels at its sides. The boxes
// are cut, because gonum puts the ends of a panel in the wrong order if labels take all its width.
func (d drawnLayer) GlyphBoxes(p *plot.Plot) []plot.GlyphBox {
	out, most := d.beside(), d.chart.inner()*0.46
	for i := range out {
		b := &out[i]
		b.X, b.Y = p.X.Norm(b.X), p.Y.Norm(b.Y)
		b.Min.X, b.Max.X = max(b.Min.X, -most), min(b.Max.X, most)
	}
	return out
}

// text writes labels: beside their marks in a chart of rows, near their marks if they have no side,
// and otherwise moved apart from each other.
func (d drawnLayer) text(c draw.Canvas, place projection, all []mark) {
	switch {
	case d.chart.y != nil:
		for _, m := range all {
			sty, anchor, box := d.label(m)
			from := place.at(m, "x", "y")
			if sty.XAlign != draw.XCenter { // The guide line of the row stops at the text.
				box = box.Add(from)
				c.FillPolygon(paper, rect(box.Min.X-1, box.Min.Y, box.Max.X+1, box.Max.Y))
			}
			middle(c, sty, from.Add(anchor), clean(m.label))
		}
	case d.Setting["hjust"].Text == "":
		d.near(c, place, all)
	default:
		d.apart(c, place, all)
	}
}

// apart writes labels that have a side. Labels at one place of the X axis are moved up and down so
// that they do not overlap, and a line joins a moved label with its mark.
func (d drawnLayer) apart(c draw.Canvas, place projection, all []mark) {
	columns := map[float64][]mark{}
	for _, m := range all {
		columns[m.at["x"]] = append(columns[m.at["x"]], m)
	}
	for _, x := range slices.Sorted(maps.Keys(columns)) {
		marks := columns[x]
		centers, sizes := make([]vg.Length, len(marks)), make([]vg.Length, len(marks))
		for i, m := range marks {
			centers[i], sizes[i] = place(x, m.at["y"]).Y, vg.Length(d.number("fontsize", tinySize)*1.08)
		}
		for i, y := range spread(centers, sizes, c.Min.Y, c.Max.Y) {
			sty, anchor, _ := d.label(marks[i])
			from := place.at(marks[i], "x", "y")
			to := point(from.X, y).Add(anchor)
			if moved := math.Abs(float64(y - centers[i])); moved > 2 && sty.XAlign != draw.XCenter {
				c.StrokeLine2(lineStyle(softInk, 0.4), from.X+anchor.X/6, from.Y+anchor.Y, from.X+anchor.X*0.9, to.Y)
			}
			middle(c, sty, to, clean(marks[i].label))
		}
	}
}

// ends are the two ends of a range.
func (m mark) ends(place projection) (from, to vg.Point) {
	if _, upright := m.at["ymin"]; upright {
		return place.at(m, "x", "ymin"), place.at(m, "x", "ymax")
	}
	return place.at(m, "xmin", "y"), place.at(m, "xmax", "y")
}

// between are twenty points of the line from one place to another, with the first end and without
// the second.
func between(from, to vg.Point) []vg.Point {
	out := make([]vg.Point, 20)
	for k := range out {
		out[k] = from.Add(to.Sub(from).Scale(vg.Length(k) / 20))
	}
	return out
}

// near puts labels near their marks, where they cover neither each other nor points, lines and
// intervals.
func (d drawnLayer) near(c draw.Canvas, place projection, all []mark) {
	const lineHeight = vg.Length(7)
	// First come the labels with their sizes, and the points that labels must not cover. Then
	// placeLabels finds the places of the labels.
	at := func(m mark) vg.Point { return place.at(m, "x", "y") }
	labels := make([]boxLabel, len(all))
	for i, m := range all {
		sty, _, _ := d.label(m)
		lines := wrap(sty, m.label, c.Size().X*0.7, 5)
		size := point(widest(sty, lines), lineHeight*vg.Length(len(lines)))
		labels[i] = boxLabel{style: sty, lines: lines, at: at(m), size: size}
	}
	var points, intervals []vg.Point
	for _, l := range d.chart.layers {
		for _, group := range (drawnLayer{d.chart, l, d.panel}).series() {
			for i, m := range group {
				switch l.Form {
				case "point":
					points = append(points, at(m))
				case "line", "path":
					points = append(points, between(at(m), at(group[min(i+1, len(group)-1)]))...)
				case "range":
					intervals = append(intervals, between(m.ends(place))...)
				}
			}
		}
	}
	placeLabels(labels, points, intervals, c.Rectangle)
	for _, l := range labels { // All leaders are under all labels.
		if end := nearest(l.box, l.at); l.found && l.leader {
			c.StrokeLine2(lineStyle(softInk, 0.4), l.at.X, l.at.Y, end.X, end.Y)
		}
	}
	for _, l := range labels {
		if !l.found {
			continue
		}
		line := point((l.box.Min.X+l.box.Max.X)/2, l.box.Max.Y-lineHeight/2)
		for _, words := range l.lines {
			onPatch(c, l.style, line, words) // The patch covers earlier layers, and never later ones.
			line.Y -= lineHeight
		}
	}
}
