package plots

import (
	"cmp"
	"math"
	"slices"
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
	switch {
	case c.polar() && (len(c.x) < 3 || c.y != nil):
		return nil, rows.None("polar coordinates need numbers on the Y axis and three categories on the X axis")
	case c.y != nil:
		c.rowCharts(d)
	default:
		g := c.grid()
		d.Height, d.Body = g.height, g.draw
	}
	d.Keys = c.keys // The layout has removed keys that it writes beside their marks.
	return d, nil
}

// polar reports whether the chart is a radar chart.
func (c *chart) polar() bool { return c.Project == "polar" }

// rowCharts lays out panels that share their rows. Panels that do not fit side by side stand in
// strips below each other, and each strip has the labels of the rows.
func (c *chart) rowCharts(d *Drawing) {
	labels, panels := c.rowPanels()
	groups, across, width := c.rowGroups(panels)
	fullLabels := labelColumn(labelSize, labels) // the width of labels of one line
	// Labels that are too wide, and labels beside narrow panels, get the smallest type. Labels that
	// are too wide may also get more lines, in a share of their column.
	column, shares := fullLabels, []vg.Length{1}
	if wide := fullLabels > width*mostLabel; wide || c.narrow {
		column = min(labelColumn(tinySize, labels), width*0.6)
		if wide {
			shares = []vg.Length{0.6, 0.75, 1}
		}
	}
	least := leastRow // height of a row
	// The layout with narrow panels is the last try, so its rows may be a little lower.
	if c.narrow {
		least *= 0.96
	}
	var rows [][]rowChart
	// setRows gives the rows of all charts a height, and returns the height of the figure.
	setRows := func(each vg.Length) vg.Length {
		d.Height = -blockGap
		for _, charts := range rows {
			for i := range charts {
				charts[i].each = max(each, charts[i].least)
			}
			d.Height += tallest(charts) + blockGap
		}
		return d.Height
	}
	// lay lays the charts out with labels in a share of their column. A smaller share leaves the
	// panels more width, but labels may need more lines. lay returns the height of the figure if each
	// row has its least height. Heights up to three quarters of a page count as equal, so that the
	// smallest share wins among them.
	lay := func(share vg.Length) vg.Length {
		var charts []rowChart
		for _, group := range groups {
			inStrips := strips(group, width-column*share-labelGap)
			for i, strip := range inStrips {
				for k := range strip {
					strip[k].quiet = i < len(inStrips)-1
				}
				charts = append(charts, newRowChart(strip, column*share, fullLabels, least))
			}
		}
		rows = slices.Collect(slices.Chunk(charts, across))
		return max(c.height()*0.75, setRows(0))
	}
	// The search lays all shares out, and then the share of the lowest figure is laid out again.
	lay(slices.MinFunc(shares, func(a, b vg.Length) int { return cmp.Compare(lay(a), lay(b)) }))
	for _, p := range panels { // strips has set from and to.
		p.axis.width = min(p.axis.width, p.to-p.from)
	}
	// A row is 14 points high at most. The more rows are below each other, the lower is each row, but
	// 9 points or more while the page has room.
	most := min(max(560/vg.Length(len(c.y)/across), 9), 14)
	setRows(c.tight(most, least, setRows))
	d.Body = stacked(rows, width, pairGap, blockGap)
}

// rowGroups groups panels that share their labels: all panels, or each panel if it has rows of its
// own. rowGroups also returns how many groups stand side by side, and how wide each group is.
func (c *chart) rowGroups(panels []panel) (groups [][]panel, across int, width vg.Length) {
	if !c.free("y") {
		return [][]panel{panels}, 1, c.inner()
	}
	most := 2
	if ncol := c.Setting["ncol"].Number; c.narrow { // To fit the page counts more than ncol.
		most = len(panels)
	} else if ncol >= 1 {
		most = int(ncol)
	}
	least := vg.Length(104) // the least width of a group
	for _, p := range panels {
		least = max(least, p.least()+labelGap)
	}
	across, width = c.across(least, pairGap, min(most, len(panels)))
	return slices.Collect(slices.Chunk(panels, 1)), across, width
}

// rowLabels are the labels of the categories of Y. A label has the colour of the domain if the
// marks of its row have this colour, and the accent if all marks of the row are of highlighted
// captioners.
func (c *chart) rowLabels() []rowLabel {
	labels := make([]rowLabel, len(c.y))
	for i, name := range c.y { // A name may begin with its panel and ownRow, which is one byte.
		labels[i] = rowLabel{text: c.renamed("y", name[strings.Index(name, ownRow)+1:]), color: ink}
	}
	chosen := map[int]bool{} // by row
	for l, m := range c.allMarks() {
		i := len(c.y) - 1 - int(m.at["y"])
		if strings.HasPrefix(l.Mapping["fill"].Column+l.Mapping["colour"].Column, "domain") {
			labels[i].color = readable(m.fill)
		}
		if before, seen := chosen[i]; m.panel >= 0 { // A mark in all panels belongs to no row.
			chosen[i] = (before || !seen) && slices.Contains(c.Highlight, c.ids[m.row])
		}
	}
	for i, all := range chosen {
		if all {
			labels[i].color, labels[i].bold = accent, true
		}
	}
	return labels
}

// rowPanels are the panels where the Y axis has categories, and the labels of the rows. If the X
// axis has categories, too, the categories of X head the columns of each panel.
func (c *chart) rowPanels() ([]rowLabel, []panel) {
	labels := c.rowLabels()
	ownAxis := func() *axis {
		a := newAxis(strings.TrimSpace(c.Labels["x"]), c.within("x"))
		a.hidden = c.renamed("x", "*") == "" // RENAMING * => '' hides the numbers.
		return a
	}
	shared := ownAxis()
	var panels []panel
	names := c.directRow()
	for k, name := range c.panels {
		p := panel{title: c.renamed("panel", name), tone: c.domains.text(name), wide: 1, axis: shared,
			narrow: c.narrow}
		if len(c.panels) > 1 && data.IsDomainSum(name) { // Readers look at the sum most.
			p.wide, p.axis = 2, ownAxis() // A shared axis would be as short as in the narrow panels.
			// The axis still reaches over the values of all panels (-1).
			p.axis.include(c.reach(-1, "x"))
		}
		if c.free("x") {
			p.axis = ownAxis()
		}
		p.axis.include(c.reach(k, "x"))
		for i, y := range c.y {
			if !c.free("y") || c.panelPlace(y) == k {
				p.labels, p.base = append(p.labels, labels[i]), len(c.y)-1-i // The last row is the lowest.
			}
		}
		for _, name := range c.x {
			p.heads = append(p.heads, clean(c.renamed("x", name)))
		}
		for _, l := range c.layers {
			drawn := drawnLayer{c, l, k}
			p.plotters = append(p.plotters, drawn)
			for _, label := range drawn.beside() {
				if p.narrow { // The label may reach into the gap.
					label.Min.X, label.Max.X = label.Min.X+narrowGap-1, label.Max.X-narrowGap+1
				}
				p.axis.labels = append(p.axis.labels, label)
			}
		}
		if k == 0 && names != nil {
			p.plotters, p.names = append(p.plotters, names), true
		}
		panels = append(panels, p)
	}
	return labels, panels
}

// renamed returns the name to print for a value of an aesthetic, as its scale or the page has it.
func (c *chart) renamed(axis, value string) string {
	for _, v := range []string{value, "*"} {
		if name, ok := c.Scales[axis].Renaming[v]; ok {
			return formatted(name, value)
		}
	}
	return c.Names.Model(value)
}

// within are the limits that FROM sets for an axis. The ends of the axis are not rounded past these
// limits.
func (c *chart) within(axis string) [2]float64 {
	out := unlimited
	for i, v := range c.Scales[axis].From {
		if v.Kind == "number" {
			out[i] = v.Number
		}
	}
	return out
}

// A grid is panels with two axes, row by row.
type grid struct {
	plots        []*plot.Plot
	across       int
	each, height vg.Length // heights of a panel and of the whole grid
	square       bool
	columns      [][]rowLabel // of names, below all panels
}

// rows is the number of rows of panels.
func (g grid) rows() int { return (len(g.plots) + g.across - 1) / g.across }

// names is the height of the columns of names.
func (g grid) names() (height vg.Length) {
	for _, column := range g.columns {
		height = max(height, leading(textStyle(tinySize, ink, false))*vg.Length(len(column)))
	}
	return height
}

// draw fills a canvas with the panels, and with the columns of names below them.
func (g grid) draw(c draw.Canvas) {
	for i, column := range g.columns {
		left, y := c.Min.X+(c.Size().X+pairGap)/vg.Length(len(g.columns))*vg.Length(i), c.Min.Y+g.names()
		for _, line := range column {
			y -= write(c, textStyle(tinySize, line.color, false), []string{line.text}, point(left, y), 0)
		}
	}
	c.Min.Y += g.names()
	tiles := draw.Tiles{Cols: g.across, Rows: g.rows(), PadX: pairGap, PadY: pairGap}
	for i, p := range g.plots {
		cell := tiles.At(c, i%g.across, i/g.across)
		if tooWide := cell.Max.X - cell.Min.X - cell.Max.Y + cell.Min.Y; g.square && tooWide > 0 {
			cell.Min.X, cell.Max.X = cell.Min.X+tooWide/2, cell.Max.X-tooWide/2
		}
		p.Draw(cell)
	}
}

// leastGrid is the least height of a panel with two axes.
func (c *chart) leastGrid() vg.Length {
	if c.polar() { // 60 is the least diameter.
		return 2*radarEnd + 60 + titleHeight + 4
	}
	least := vg.Length(64)
	for _, l := range c.layers {
		if l.Form == "text" && l.Setting["hjust"].Text != "" { // Its labels are moved apart.
			heights := map[[2]float64]vg.Length{} // of all labels of a panel at one place
			for _, m := range l.marks {
				place := [2]float64{float64(m.panel), m.at["x"]}
				heights[place] += tinySize * 1.1
				least = max(least, heights[place])
			}
		}
	}
	return least
}

// largestSquares returns how many of n squares stand side by side if the squares are as large as
// they can be in a width and a height. No more than most squares stand side by side.
func largestSquares(n, most int, width, height vg.Length) (across int) {
	largest := vg.Length(0)
	for columns := 1; columns <= most; columns++ {
		rows := (n + columns - 1) / columns
		side := min(width/vg.Length(columns), height/vg.Length(rows)) - pairGap
		if side >= largest {
			across, largest = columns, side
		}
	}
	return across
}

// namesBeside is the least width of a panel with two axes: the labels at its sides, and 50 points
// between the labels.
func (c *chart) namesBeside() vg.Length {
	left, right := vg.Length(0), vg.Length(0)
	for _, l := range c.layers {
		for panel := range c.panels {
			for _, beside := range (drawnLayer{c, l, panel}).beside() {
				left, right = max(left, 1-beside.Min.X), max(right, 1+beside.Max.X)
			}
		}
	}
	return left + right + 50
}

// grid lays out panels with two axes, or radars.
func (c *chart) grid() grid {
	// First, how many panels stand side by side: as many of width least as fit, but no more than most.
	least, most := max(150, c.namesBeside()), len(c.panels)
	if len(c.x) > 5 {
		least = vg.Length(len(c.x)) * 24 // points for each category
	}
	if c.polar() {
		least = 230
	}
	if ncol := c.Setting["ncol"].Number; ncol >= 1 && !c.narrow {
		most = min(most, int(ncol))
	}
	square := c.Setting["ratio"].Number == 1 && !c.polar()
	if square { // In the first layout, which has no limit (0), squares take seven tenths of the page's height.
		least, most = 0, largestSquares(len(c.panels), most, c.inner(), cmp.Or(c.body, c.height()*0.7))
	}
	across, width := c.across(least, pairGap, most)
	// Second, the height of the panels on a page that is high enough.
	g := grid{across: across, square: square, each: min(max(width*0.72, 150), 300)}
	if square {
		g.each = min(width+titleHeight, 330)
	}
	var polarPanel radar
	if c.polar() {
		polarPanel, g.columns = c.radar(width) // columns: of names that have no room around the radars
		g.each = min(width-2*polarPanel.side, 250) + 2*radarEnd + titleHeight + 4
	}
	c.directLines() // directLines adds a layer of names, so it comes before the panels.
	// Third, the panels with their axes and titles.
	for k, name := range c.panels {
		p := newPlot()
		if c.polar() {
			p.HideAxes()
			polarPanel.panel = k
			p.Add(polarPanel)
		} else {
			c.axis(&p.X, "x", k, width)
			c.axis(&p.Y, "y", k, fullWidth) // The height is still open; fullWidth allows the most ticks.
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
	// Last, the height that fits the page. setPanels gives the panels a height, and returns the
	// height of the grid.
	setPanels := func(each vg.Length) vg.Length {
		g.each = each
		return vg.Length(g.rows())*(each+pairGap) - pairGap + g.names()
	}
	g.height = setPanels(c.tight(g.each, c.leastGrid(), setPanels))
	for _, p := range g.plots { // The titles of the axes are wrapped last, because the height is known only now.
		for axis, room := range map[*plot.Axis]vg.Length{&p.X: width, &p.Y: g.each} {
			axis.Label.Text = strings.Join(wrap(axis.Label.TextStyle, axis.Label.Text, room-30, 2), "\n")
		}
	}
	return g
}

// axis lays out the axis x or y of a panel. room is the length that its ticks share.
func (c *chart) axis(a *plot.Axis, name string, panel int, room vg.Length) {
	a.Label.Text, a.Label.Padding = c.Labels[name], 3
	if name == "x" && c.x != nil {
		c.categoryAxis(a, room)
		return
	}
	scale := c.Scales[name]
	if scale.Via == "log10" {
		a.Scale, a.Tick.Marker = plot.LogScale{}, plot.TickerFunc(decades)
	}
	reversed := scale.Setting["reverse"].Kind == "true"
	if reversed {
		a.Scale = plot.InvertedScale{Normalizer: a.Scale}
	}
	if !c.free(name) {
		panel = -1 // The axis is the same in all panels.
	}
	low, high := c.reach(panel, name)
	if scale.Via == "log10" { // The axis ends at the values and at FROM, without more room.
		if a.Min, a.Max = low, high; low == high {
			a.Min, a.Max = low/2, high*2
		}
		return
	}
	pad, within := (high-low)*0.04, c.within(name)
	if low == high {
		pad = max(math.Abs(low)*0.1, 1)
	}
	// The ends do not pass the limits of FROM, but the axis has room for values past these limits.
	a.Min, a.Max = max(low-pad, min(within[0], low)), min(high+pad, max(within[1], high))
	format, renamed := scale.Renaming["*"]
	if !renamed {
		format = "{}"
	}
	step := niceStep(a.Max-a.Min, max(2, min(6, int(room/tickRoom)-1)))
	// A reversed axis of values from 1 on has places in a ranking.
	a.Tick.Marker = labelled(step, format, reversed && low == 1)
	if format == "" { // The file asks for no numbers.
		a.LineStyle.Width, a.Tick.Length = 0, 0
	}
}

// categoryAxis lays out the X axis with a tick for each category. If the names have too little
// room, every second name stands a line lower.
func (c *chart) categoryAxis(a *plot.Axis, room vg.Length) {
	n := len(c.x)
	a.Min, a.Max = -0.5, float64(n)-0.5
	filled := slices.ContainsFunc(c.layers, func(l layer) bool { return l.Form == "bar" || l.Form == "tile" })
	if n <= 5 && !filled { // Points and lines need little room at the ends.
		a.Min, a.Max = -0.15, float64(n)-0.85
	}
	names := make([]string, n)
	for i, category := range c.x {
		names[i] = c.renamed("x", category)
	}
	// each is the room of a name. The names share the room without the labels at the sides, and
	// without 30 points: the 50 points of namesBeside less 20. turns is the number of lines on which
	// the names stand in turn.
	each, turns := (room-c.namesBeside()+20)/vg.Length(n), 1
	widestWord := widest(a.Tick.Label, strings.Fields(strings.Join(names, " ")))
	if widestWord > each {
		turns = 2
	}
	ticks := make([]plot.Tick, n)
	for i, name := range names {
		lines := wrap(a.Tick.Label, name, max(widestWord, each*vg.Length(turns)-6), 3)
		lines = slices.Insert(lines, 0, make([]string, i%turns)...)
		ticks[i] = plot.Tick{Value: float64(i), Label: strings.Join(lines, "\n")}
	}
	a.Tick.Marker, a.Tick.Length = plot.ConstantTicks(ticks), 0
	if widestWord == 0 { // No category has a name.
		a.LineStyle.Width = 0
	}
}

// labelled ticks an axis in steps and writes the ticks in a format. Places in a ranking begin at 1.
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

// decades ticks a logarithmic axis at 1, 2 and 5 times powers of ten, or in equal steps if the axis
// is too short for two such ticks.
func decades(low, high float64) (out []plot.Tick) {
	for power := math.Pow(10, math.Floor(math.Log10(low))); power <= high; power *= 10 {
		for _, m := range []float64{1, 2, 5} {
			if v := power * m; v >= low*0.999 && v <= high*1.001 {
				out = append(out, plot.Tick{Value: v, Label: formatted("{}", v)})
			}
		}
	}
	if len(out) < 2 {
		return steps(niceStep(high-low, 6), low, high)
	}
	return out
}
