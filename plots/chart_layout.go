package plots

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rows"
)

// drawing lays the chart out: rows of categories with panels side by side, or panels with two axes.
func (c *chart) drawing() (*Drawing, error) {
	if err := c.read(); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(c.layers, func(l layer) bool { return len(l.Mapping) > 0 && len(l.marks) > 0 }) {
		return nil, rows.None("the SELECT of %s gives no values to draw", c.Name)
	}
	d := &Drawing{}
	if polar := c.Project == "polar"; polar && (len(c.x) < 3 || c.y != nil) {
		return nil, rows.None("polar coordinates need numbers on the Y axis and three categories on the X axis")
	} else if c.y != nil {
		c.rowCharts(d)
	} else {
		g := c.grid()
		d.Height, d.Body = g.height, g.draw
	}
	d.Keys = c.keys // without the keys that are written beside their marks
	return d, nil
}

// rowHeight is the height of one of several rows.
func rowHeight(rows int) vg.Length { return min(max(560/vg.Length(rows), 9), 14) }

// rowCharts lays panels out that share their rows, and have the rows again where they do not fit
// side by side. Panels that have rows of their own are two across where there is room. Wide names
// have more lines if all then fits most of a page, and as many lines as make the lowest figure
// otherwise.
func (c *chart) rowCharts(d *Drawing) {
	labels, panels := c.rowPanels()
	groups, across, width := [][]panel{panels}, 1, c.inner()
	if c.free("y") {
		most := 2
		if ncol := c.Setting["ncol"].Number; c.narrow {
			most = len(panels)
		} else if ncol >= 1 {
			most = int(ncol)
		}
		each := vg.Length(104)
		for _, p := range panels {
			each = max(each, p.least()+labelGap)
		}
		groups = slices.Collect(slices.Chunk(panels, 1))
		across, width = c.across(each, pairGap, min(most, len(panels)))
	}
	full, shares := labelColumn(labelSize, labels), []vg.Length{1}
	names := full
	if full > width*mostLabel || c.narrow {
		names = min(labelColumn(tinySize, labels), width*0.6)
	}
	if full > width*mostLabel {
		shares = []vg.Length{0.6, 0.75, 1}
	}
	least := leastRow
	if c.narrow {
		least *= 0.96
	}
	var rows [][]rowChart
	height := func(each vg.Length) vg.Length {
		d.Height = -blockGap
		for _, row := range rows {
			for i := range row {
				row[i].each = max(each, row[i].least)
			}
			d.Height += tallest(row) + blockGap
		}
		return d.Height
	}
	lay := func(share vg.Length) vg.Length {
		var charts []rowChart
		for _, group := range groups {
			parts := strips(group, width-names*share-labelGap)
			for i, part := range parts {
				r := rowChart{panels: part, names: names * share, size: labelSize, least: least}
				if full > r.names+0.1 {
					r.size = tinySize
				}
				for _, l := range part[0].labels {
					if _, lines := l.lines(tinySize, r.names); len(lines) > 1 {
						r.least = max(r.least, tinySize*1.07*vg.Length(len(lines)))
					}
				}
				for k, p := range part {
					part[k].quiet = i < len(parts)-1
					r.above, r.below = max(r.above, p.above(p.to-p.from)), max(r.below, part[k].below())
				}
				charts = append(charts, r)
			}
		}
		rows = slices.Collect(slices.Chunk(charts, across))
		return max(c.height()*0.75, height(0))
	}
	lay(slices.MinFunc(shares, func(a, b vg.Length) int { return cmp.Compare(lay(a), lay(b)) }))
	for _, p := range panels {
		p.axis.width = min(p.axis.width, p.to-p.from)
	}
	height(c.tight(rowHeight(len(c.y)/across), least, height))
	d.Body = stacked(rows, width, pairGap, blockGap)
}

// rowPanels are the panels where the Y axis has categories, and the labels of these. Where the X
// axis has categories, too, they head the columns of each panel.
func (c *chart) rowPanels() ([]rowLabel, []panel) {
	labels := make([]rowLabel, len(c.y))
	for i, name := range c.y {
		labels[i] = rowLabel{text: c.renamed("y", name[strings.Index(name, ownRow)+1:]), color: ink}
	}
	// if the marks of a row have the colour of a domain, the label of the row has it, too
	chosen := map[int]bool{} // whether all marks of a row are of highlighted captioners
	for _, l := range c.layers {
		for _, m := range l.marks {
			i := len(c.y) - 1 - int(m.at["y"])
			if strings.HasPrefix(l.Mapping["fill"].Column+l.Mapping["colour"].Column, "domain") {
				labels[i].color = readable(m.fill)
			}
			if before, seen := chosen[i]; m.panel >= 0 {
				chosen[i] = (before || !seen) && slices.Contains(c.Highlight, c.ids[m.row])
			}
		}
	}
	for i, all := range chosen {
		if all {
			labels[i].color, labels[i].bold = accent, true
		}
	}
	ownAxis := func() *axis {
		a := newAxis(strings.TrimSpace(c.Labels["x"]), c.within("x"))
		a.hidden = c.renamed("x", "*") == ""
		return a
	}
	shared := ownAxis()
	var panels []panel
	names := c.directRow()
	for k, name := range c.panels {
		p := panel{title: c.renamed("panel", name), tone: c.domains.text(name), wide: 1, axis: shared,
			narrow: c.narrow}
		if len(c.panels) > 1 && data.IsDomainSum(name) { // readers look at the sum most, so it has the most room
			p.wide, p.axis = 2, ownAxis()
			p.axis.include(c.reach(-1, "x"))
		}
		if c.free("x") {
			p.axis = ownAxis()
		}
		for i, y := range c.y {
			if !c.free("y") || c.panelPlace(y) == k {
				p.labels, p.base = append(p.labels, labels[i]), len(c.y)-1-i
			}
		}
		a := p.axis
		a.include(c.reach(k, "x"))
		if c.x != nil {
			for _, name := range c.x {
				p.heads = append(p.heads, clean(name))
			}
		} else {
			p.plotters = append(p.plotters, rowGuides{})
		}
		for _, l := range c.layers {
			drawn := drawnLayer{c, l, k}
			p.plotters = append(p.plotters, drawn)
			for _, l := range drawn.beside() {
				if p.narrow { // it may reach into the gap
					l.Min.X, l.Max.X = l.Min.X+narrowGap-1, l.Max.X-narrowGap+1
				}
				a.labels = append(a.labels, l)
			}
		}
		if k == 0 && names != nil {
			p.plotters, p.names = append(p.plotters, names), true
		}
		panels = append(panels, p)
	}
	return labels, panels
}

// renamed returns the name to print for a value of an axis.
func (c *chart) renamed(axis, value string) string {
	for _, v := range []string{value, "*"} {
		if name, ok := c.Scales[axis].Renaming[v]; ok {
			return formatted(name, value)
		}
	}
	return c.Names.Model(value)
}

// within are the limits that FROM of a scale sets for an axis: rounding to ticks does not pass them.
func (c *chart) within(axis string) [2]float64 {
	out := unlimited
	for i, v := range c.Scales[axis].From {
		if v.Kind == "number" && i < 2 {
			out[i] = v.Number
		}
	}
	return out
}

// rowGuides are faint lines from the names of rows to their marks.
type rowGuides struct{}

// Plot implements [plot.Plotter].
func (rowGuides) Plot(c draw.Canvas, p *plot.Plot) {
	_, ty := p.Transforms(&c)
	sty := lineStyle(gridInk, 0.4)
	sty.Dashes = []vg.Length{0.8, 1.6}
	for y := math.Ceil(p.Y.Min); y < p.Y.Max; y++ {
		c.StrokeLine2(sty, c.Min.X, ty(y), c.Max.X, ty(y))
	}
}

// A grid is panels with two axes, row by row.
type grid struct {
	plots        []*plot.Plot
	across       int
	each, height vg.Length
	square       bool
	columns      [][]rowLabel // of names, below all panels
}

// names is the height of the columns of names.
func (g grid) names() (height vg.Length) {
	for _, column := range g.columns {
		height = max(height, leading(textStyle(tinySize, ink, false))*vg.Length(len(column)))
	}
	return height
}

func (g grid) draw(c draw.Canvas) {
	for i, column := range g.columns {
		left, y := c.Min.X+(c.Max.X-c.Min.X+pairGap)/vg.Length(len(g.columns))*vg.Length(i), c.Min.Y+g.names()
		for _, line := range column {
			y -= write(c, textStyle(tinySize, line.color, false), []string{line.text}, point(left, y), 0)
		}
	}
	c.Min.Y += g.names()
	tiles := draw.Tiles{Cols: g.across, Rows: (len(g.plots) + g.across - 1) / g.across, PadX: pairGap, PadY: pairGap}
	for i, p := range g.plots {
		cell := tiles.At(c, i%g.across, i/g.across)
		if more := cell.Max.X - cell.Min.X - cell.Max.Y + cell.Min.Y; g.square && more > 0 {
			cell.Min.X, cell.Max.X = cell.Min.X+more/2, cell.Max.X-more/2
		}
		p.Draw(cell)
	}
}

// leastGrid is the least height of a panel with two axes.
func (c *chart) leastGrid() vg.Length {
	if c.Project == "polar" {
		return 2*radarEnd + 60 + titleHeight + 4
	}
	least := vg.Length(64)
	for _, l := range c.layers {
		if l.Form == "text" && l.Setting["hjust"].Text != "" { // labels that are moved apart
			at := map[[2]float64]vg.Length{}
			for _, m := range l.marks {
				place := [2]float64{float64(m.panel), m.at["x"]}
				at[place] += tinySize * 1.1
				least = max(least, at[place])
			}
		}
	}
	return least
}

// largestSquares returns how many of several squares are side by side when they are as large as they can be.
func largestSquares(n, most int, width, height vg.Length) (across int) {
	side := vg.Length(0)
	for each := 1; each <= most; each++ {
		rows := (n + each - 1) / each
		if s := min(width/vg.Length(each), height/vg.Length(rows)) - pairGap; s >= side {
			across, side = each, s
		}
	}
	return across
}

// namesBeside is the least width of a panel with two axes and labels at its sides.
func (c *chart) namesBeside() vg.Length {
	left, right := vg.Length(0), vg.Length(0)
	for _, l := range c.layers {
		for _, beside := range (drawnLayer{chart: c, layer: l}).beside() {
			left, right = max(left, 1-beside.Min.X), max(right, 1+beside.Max.X)
		}
	}
	return left + right + 50
}

// grid is the chart where the Y axis has numbers.
func (c *chart) grid() grid {
	least := max(150, c.namesBeside())
	if len(c.x) > 5 {
		least = vg.Length(len(c.x)) * 24
	}
	polar := c.Project == "polar"
	if polar {
		least = 230
	}
	square := c.Setting["ratio"].Number == 1 && !polar
	most := len(c.panels)
	if ncol := c.Setting["ncol"].Number; ncol >= 1 && !c.narrow {
		most = min(most, int(ncol))
	}
	if square {
		least, most = 0, largestSquares(len(c.panels), most, c.inner(), cmp.Or(c.body, c.height()*0.7))
	}
	across, width := c.across(least, pairGap, most)
	g := grid{across: across, square: square}
	g.each = min(max(width*0.72, 150), 300)
	if square {
		g.each = min(width+titleHeight, 330)
	}
	var around radar
	if polar {
		around, g.columns = c.radar(width)
		g.each = min(width-2*around.side, 250) + 2*radarEnd + titleHeight + 4
	}
	c.directLines()
	for k, name := range c.panels {
		p := newPlot()
		if polar {
			p.HideAxes()
			around.panel = k
			p.Add(around)
		} else {
			c.axis(&p.X, "x", k, width)
			c.axis(&p.Y, "y", k, fullWidth)
			for _, l := range c.layers {
				p.Add(drawnLayer{c, l, k})
			}
		}
		if square {
			p.X.Min = min(p.X.Min, p.Y.Min)
			p.X.Max = max(p.X.Max, p.Y.Max)
			p.Y.Min, p.Y.Max = p.X.Min, p.X.Max
		}
		if name != "" {
			p.Title.TextStyle = textStyle(labelSize, ink, true)
			p.Title.Text = strings.Join(wrap(p.Title.TextStyle, c.renamed("panel", name), width, 3), "\n")
			p.Title.TextStyle.XAlign, p.Title.TextStyle.YAlign = draw.XCenter, draw.YTop
			p.Title.Padding = 4
		}
		g.plots = append(g.plots, p)
	}
	rows := vg.Length((len(g.plots) + g.across - 1) / g.across)
	height := func(each vg.Length) vg.Length {
		g.each = each
		return rows*(each+pairGap) - pairGap + g.names()
	}
	g.height = height(c.tight(g.each, c.leastGrid(), height))
	for _, p := range g.plots {
		for axis, room := range map[*plot.Axis]vg.Length{&p.X: width, &p.Y: g.each} {
			axis.Label.Text = strings.Join(wrap(axis.Label.TextStyle, axis.Label.Text, room-30, 2), "\n")
		}
	}
	return g
}

// axis lays one axis of a panel out, on which ticks have so much room.
func (c *chart) axis(a *plot.Axis, name string, panel int, room vg.Length) {
	scale, categories := c.Scales[name], map[string][]string{"x": c.x}[name]
	a.Label.Text, a.Label.Padding = c.Labels[name], 3
	if categories != nil {
		a.Min, a.Max = -0.5, float64(len(categories))-0.5
		if len(categories) <= 5 &&
			!slices.ContainsFunc(c.layers,
				func(l layer) bool { return slices.Contains([]string{"bar", "tile"}, l.Form) }) {
			a.Min, a.Max = -0.15, float64(len(categories))-0.85
		}
		var ticks []plot.Tick
		each, turns := (room-c.namesBeside()+20)/vg.Length(len(categories)), 1
		names := slices.Clone(categories)
		for i, text := range names {
			names[i] = c.renamed(name, text)
		}
		word := widest(a.Tick.Label, strings.Fields(strings.Join(names, " ")))
		if word > each {
			turns = 2 // every second name stands a line lower
		}
		for i, text := range names {
			lines := wrap(a.Tick.Label, text, max(word, each*vg.Length(turns)-6), 3)
			lines = slices.Insert(lines, 0, make([]string, i%turns)...)
			ticks = append(ticks, plot.Tick{Value: float64(i), Label: strings.Join(lines, "\n")})
		}
		a.Tick.Marker, a.Tick.Length = plot.ConstantTicks(ticks), 0
		if !slices.ContainsFunc(ticks, func(t plot.Tick) bool { return t.Label != "" }) {
			a.LineStyle.Width = 0
		}
		return
	}
	if !c.free(name) {
		panel = -1
	}
	if scale.Setting["reverse"].Kind == "true" {
		a.Scale = plot.InvertedScale{Normalizer: a.Scale}
	}
	low, high := c.reach(panel, name)
	if scale.Via == "log10" && low <= high { // of nothing there are no powers of ten
		a.Scale, a.Tick.Marker = plot.LogScale{}, plot.TickerFunc(decades)
		if a.Min, a.Max = low, high; low == high {
			a.Min, a.Max = low/2, high*2
		}
		return
	}
	pad := max((high-low)*0.04, 1e-9)
	within := c.within(name)
	a.Min, a.Max = max(low-pad, min(within[0], low)), min(high+pad, max(within[1], high))
	format, renamed := scale.Renaming["*"]
	if !renamed {
		format = "{}"
	}
	step := niceStep(a.Max-a.Min, max(2, min(6, int(room/tickRoom)-1)))
	a.Tick.Marker = labelled(step, format, scale.Setting["reverse"].Kind == "true" && low == 1)
	if format == "" {
		a.LineStyle.Width, a.Tick.Length = 0, 0
	}
}

// labelled ticks an axis in steps and writes the ticks in a format. Places begin at 1.
func labelled(step float64, format string, places bool) plot.TickerFunc {
	return func(low, high float64) []plot.Tick {
		ticks := steps(step, low, high)
		if places {
			ticks = append([]plot.Tick{{Value: 1, Label: "1"}},
				slices.DeleteFunc(ticks, func(t plot.Tick) bool { return t.Value < 2 })...)
		}
		for i := range ticks {
			if format != "{}" {
				ticks[i].Label = formatted(format, ticks[i].Value)
			}
		}
		return ticks
	}
}

// decades ticks a logarithmic axis at 1, 2 and 5 times powers of ten.
func decades(low, high float64) (out []plot.Tick) {
	for power := math.Pow(10, math.Floor(math.Log10(low))); power <= high; power *= 10 {
		for _, m := range []float64{1, 2, 5} {
			if v := power * m; v >= low*0.999 && v <= high*1.001 {
				out = append(out, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'f', -1, 64)})
			}
		}
	}
	return out
}
