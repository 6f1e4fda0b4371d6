package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/captionlake/captionlake/data"
)

// What the figures of CapArena share: rows of captioners, judges or annotators with values and intervals in several panels.

// arenaPeople is the judge that stands for all people in the marts of CapArena.
const arenaPeople = "human"

// ArenaTitle is the name of an arena to show to people, by the benchmark that its battles carry.
func ArenaTitle(benchmark string) string {
	b, _ := data.BenchmarkOf(data.BenchmarkCapArena)
	return b.Title + map[bool]string{true: "", false: "-Auto"}[benchmark == data.BenchmarkCapArena]
}

// Annotator names an annotator of votes: released votes are by people who are not named, and all annotators together are named so.
func Annotator(name string) string {
	switch name {
	case "":
		return "All together"
	case arenaPeople:
		return "Not named (released votes)"
	}
	return name
}

// arenaTable returns the rows of CapArena of a mart that also has those of CapArena-Auto.
func arenaTable(ts Tables, mart string) (*Table, error) {
	t, err := ts.Get(mart)
	if err != nil {
		return nil, err
	}
	return t.Where("benchmark", data.BenchmarkCapArena)
}

// arenaCaptioners returns the rows of a table of captioners in an order, their labels, the place in front where it is asked for, and
// markers: hollow ones for proprietary models, as in other figures, and another colour for people.
func arenaCaptioners(t *Table, compare func(a, b int) int) (order []int, labels []rowLabel, glyphs []draw.GlyphStyle, keys []Key, err error) {
	from := Read(t)
	ids, names := from.Text("captioner"), from.TextOrNone("captioner_name")
	types := make([]string, t.Len())
	if t.Has("model_type") {
		types = from.TextOrNone("model_type")
	}
	if from.Err != nil {
		return nil, nil, nil, nil, from.Err
	}
	names = modelNames(ids, names, nil)
	for i := range ids {
		order = append(order, i)
		g := filled(palette[0])
		switch {
		case ids[i] == arenaPeople:
			g = filled(palette[1])
		case types[i] == data.ModelProprietary:
			g = hollow(palette[0])
		}
		glyphs = append(glyphs, g)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(compare(a, b), cmp.Compare(names[a], names[b]), cmp.Compare(ids[a], ids[b]))
	})
	for _, i := range order {
		labels = append(labels, rowLabel{names[i], ink})
	}
	if models := slices.DeleteFunc(slices.Clone(types), func(s string) bool { return s == data.ModelHuman }); slices.Contains(models, data.ModelProprietary) {
		for _, k := range typeKeys(models) {
			k.Look.Color = palette[0]
			keys = append(keys, k)
		}
		if slices.Contains(ids, arenaPeople) {
			keys = append(keys, Key{Name: "person's caption", Look: Look{Color: palette[1], Shape: draw.CircleGlyph{}}})
		}
	}
	return order, labels, glyphs, keys, nil
}

// A dotColumn is a panel: a column of a mart as dots with its interval.
type dotColumn struct {
	column, title, unit string
	format              string  // of the label beside a dot; empty for none
	reference           float64 // where a line is drawn, such as at what chance gives; NaN for none
	group               string  // panels of one group have one axis
	within              [2]float64
	ticks               plot.Ticker // of the axis; nil for steps that fit
}

// noReference is the reference of a panel without one; anywhere is the range of an axis without bounds.
var (
	noReference = math.NaN()
	anywhere    = [2]float64{math.Inf(-1), math.Inf(1)}
	percents    = [2]float64{0, 100}
)

// dotPanels draws columns of a table as panels with the same rows. Columns without a value are left out; it is an ErrNoRows when none has
// one.
func dotPanels(t *Table, order []int, glyphs []draw.GlyphStyle, columns []dotColumn) (panels []*plot.Plot, note string, err error) {
	type span struct{ low, high float64 }
	spans := map[string]span{}
	var shown []dotColumn
	var bounds [][2][]Number
	for _, c := range columns {
		from := Read(t)
		values, ends := from.Numbers(c.column), from.Interval(c.column)
		if from.Err != nil {
			return nil, "", from.Err
		}
		if !slices.ContainsFunc(values, func(n Number) bool { return n.Valid }) {
			continue
		}
		rows := make([]Dot, len(order))
		for k, i := range order {
			rows[k] = Dot{Value: values[i], Low: ends[0][i], High: ends[1][i], Glyph: glyphs[i]}
			if values[i].Valid && c.format != "" {
				rows[k].Label = fmt.Sprintf(c.format, values[i].Value)
			}
			if !values[i].Valid {
				rows[k].Low, rows[k].High = Number{}, Number{}
			}
		}
		dots, err := NewDots(rows)
		if err != nil {
			return nil, "", fmt.Errorf("column %s: %w", c.column, err)
		}
		low, high, _, _ := dots.DataRange()
		if !math.IsNaN(c.reference) {
			low, high = min(low, c.reference), max(high, c.reference)
		}
		key := cmp.Or(c.group, c.column)
		s, ok := spans[key]
		if !ok {
			s = span{low, high}
		}
		spans[key] = span{min(s.low, low), max(s.high, high)}
		p := newPlot()
		panelTitle(p, c.title, ink)
		p.Add(verticalGrid{})
		if !math.IsNaN(c.reference) {
			p.Add(marker{at: c.reference, vertical: true})
		}
		p.Add(dots)
		p.HideY()
		if c.unit != "" {
			unitLabel(p, c.unit)
		}
		panels, shown, bounds = append(panels, p), append(shown, c), append(bounds, ends)
	}
	if len(panels) == 0 {
		return nil, "", noRows("table %s has no value to draw", t.Name())
	}
	for k, p := range panels {
		s := spans[cmp.Or(shown[k].group, shown[k].column)]
		if s.high == s.low { // one value all over
			s.low, s.high = s.low-max(math.Abs(s.low)*0.1, 1), s.high+max(math.Abs(s.high)*0.1, 1)
		}
		room := (s.high - s.low) * 0.06
		left := room
		if shown[k].format != "" {
			left = (s.high - s.low) * 0.3 // for the labels
		}
		p.X.Min, p.X.Max = max(s.low-left, shown[k].within[0]-left), min(s.high+room, shown[k].within[1]+room)
		p.X.Tick.Marker = within{steps(niceStep(p.X.Max-p.X.Min, 3)), shown[k].within}
		if shown[k].ticks != nil {
			p.X.Tick.Marker = shown[k].ticks
		}
		p.Y.Min, p.Y.Max = -0.5, float64(len(order))-0.5
	}
	return panels, intervalNote(bounds...), nil
}

// within leaves out the ticks past the values that there can be: the axis goes on for the labels of dots.
type within struct {
	steps
	bounds [2]float64
}

// Ticks implements [plot.Ticker].
func (w within) Ticks(low, high float64) []plot.Tick {
	return slices.DeleteFunc(w.steps.Ticks(low, high), func(t plot.Tick) bool {
		return t.Value < w.bounds[0]-1e-9 || t.Value > w.bounds[1]+1e-9
	})
}

// headedHeat draws a heat map with labels of its rows on the left and of its columns above, upright as far as they are long.
type headedHeat struct {
	heat          *Heat
	rows, columns []string
	title         string
}

// headRoom is the height that the heads of columns take at most.
const headRoom = vg.Length(92)

// headsHeight is the height of the tallest of some heads, which stand upright.
func headsHeight(heads []string) vg.Length {
	sty := textStyle(smallSize, ink, false)
	tallest := vg.Length(0)
	for _, h := range heads {
		tallest = max(tallest, sty.Width(fit(sty, h, headRoom)))
	}
	if tallest < 14 {
		return 10 // numbers and the like lie
	}
	return tallest
}

// draw fills a canvas.
func (h headedHeat) draw(c draw.Canvas) {
	labels := make([]rowLabel, len(h.rows))
	for i, r := range h.rows {
		labels[i] = rowLabel{r, ink}
	}
	limit := min(150, (c.Max.X-c.Min.X)*0.43)
	left := c.Min.X + labelColumn(labels, limit) + 6
	top := c.Max.Y
	if h.title != "" {
		sty := textStyle(labelSize+0.5, ink, true)
		sty.XAlign, sty.YAlign = draw.XCenter, draw.YTop
		c.FillText(sty, vg.Point{X: (left + c.Max.X) / 2, Y: top}, h.title)
		top -= 14
	}
	heads := headsHeight(h.columns)
	body := area(c, left, c.Min.Y, c.Max.X, top-heads-4)
	p := newPlot()
	p.HideAxes()
	p.Add(h.heat)
	xmin, xmax, ymin, ymax := h.heat.DataRange()
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = xmin, xmax, ymin, ymax
	p.X.Padding, p.Y.Padding = 0, 0
	p.Draw(body)
	data := p.DataCanvas(body)
	tx, ty := p.Transforms(&data)
	for i, l := range labels {
		sty := textStyle(labelSize, ink, false)
		sty.XAlign = draw.XRight
		middle(c, sty, vg.Point{X: left - 4, Y: ty(float64(len(labels) - 1 - i))}, fit(sty, l.text, limit))
	}
	sty, every := textStyle(smallSize, ink, false), 1 // column of several that is headed
	for _, text := range h.columns {
		room := leading(sty)
		if heads <= 10 {
			room = sty.Width(text) + 2
		}
		every = max(every, int(math.Ceil(float64(room/(tx(1)-tx(0))))))
	}
	for k, text := range h.columns {
		if k%every != 0 {
			continue
		}
		sty := textStyle(smallSize, ink, false)
		at := vg.Point{X: tx(float64(k)), Y: data.Max.Y + 3}
		if heads <= 10 {
			sty.XAlign, sty.YAlign = draw.XCenter, draw.YBottom
		} else {
			sty.Rotation, sty.XAlign, sty.YAlign = math.Pi/2, draw.XLeft, draw.YCenter
		}
		c.FillText(sty, at, fit(sty, text, headRoom))
	}
}

// softColor is the colour of what is behind others.
func softColor(c color.NRGBA) color.NRGBA { return tint(c, 0.55) }
