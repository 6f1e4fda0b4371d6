package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/plots/ggsql"
)

// A chart is the rows of a SELECT as its file has them drawn on a page.
type chart struct {
	*ggsql.File
	*ggsql.Plot
	Page
	rows    *rows.Rows
	domains domainSet
	panels  []string // values of the facet, in the order of the rows; without a facet, one panel without a name
	panelOf []string // of each row
	// categories in the order of the rows; nil for numbers. With rows of its own, the panel stands before each of y
	x, y   []string
	layers []layer
	keys   []Key
	ramp   []Key    // of numbers
	ids    []string // of the captioners of the rows; empty for other rows
	err    error    // the first fault of a column
}

// A layer is its marks, each a row of the SELECT or of values that are placed.
type layer struct {
	ggsql.Layer
	marks []mark
}

// Places are values along axes, by aesthetic.
type places map[string]float64

// A mark holds the values that one row has for the aesthetics.
type mark struct {
	panel        int // -1 for all
	at           places
	label, group string
	row          int      // of the SELECT
	keys         []string // of the legend, that tell its colours
	stroke, fill color.NRGBA
	chosen       bool // to be highlighted by the accent around it
	hollow       bool // of a published captioner beside measured ones
}

// source is the line below the figure: where published rows are printed, what else is said about the
// rows, how many captioners they are of, what lines and marks are, and the notes of the rows.
func (c *chart) source(about string) string {
	var said []string
	say := func(sentence string, holds bool) {
		if holds && sentence != "" && !slices.Contains(said, sentence) {
			said = append(said, sentence)
		}
	}
	say("Source: "+c.Paper+".", slices.Equal(c.Kinds, []string{data.ProvenancePublished}) && c.Paper != "")
	say(c.Note, true)
	ids := slices.Compact(slices.Sorted(slices.Values(c.ids)))
	ids = slices.DeleteFunc(ids, func(id string) bool { return id == "" })
	say(fmt.Sprintf("%d captioners.", len(ids)), len(ids) > 1)
	say(about, true)
	say("Lines: 95% intervals where wider than dots; thick: 50%.", slices.ContainsFunc(c.layers, layer.intervals))
	hollow := slices.ContainsFunc(c.layers,
		func(l layer) bool { return slices.ContainsFunc(l.marks, func(m mark) bool { return m.hollow }) })
	several := len(c.Kinds) > 1
	say(data.Dagger+" and full marks: measured here; hollow marks: as published.", several && hollow)
	say(data.Dagger+" measured here; the others as published.", several && !hollow)
	for _, note := range c.rows.Read().TextIf("note") {
		say(note+".", note != "")
	}
	return strings.Join(said, " ")
}

// apart writes the ids of captioners in place of a name that several have, so that no two look like one.
func apart(t *rows.Rows) *rows.Rows {
	ids, names := t.TextIf("captioner"), t.TextIf("captioner_name")
	owner, shared := map[string]string{}, map[string]bool{}
	for i, name := range names {
		if id, ok := owner[name]; ok && id != ids[i] {
			shared[name] = true
		}
		owner[name] = ids[i]
	}
	if t.Err != nil || len(shared) == 0 || !t.Has("captioner_name") {
		return t
	}
	return t.Set("captioner_name", func(i int, before any) any {
		if shared[names[i]] && ids[i] != "" {
			return ids[i]
		}
		return before
	})
}

// intervals reports whether the layer's marks are intervals.
func (l layer) intervals() bool {
	return l.Form == "range" && len(l.marks) > 0 &&
		strings.HasSuffix(l.Mapping["xmin"].Column+l.Mapping["ymin"].Column, "low")
}

// said returns a title. If the SELECT has a column of its name, the column computes the title;
// otherwise LABEL gives it.
func (c *chart) said(name string) string {
	if words := c.rows.Read().TextIf(name); len(words) > 0 && words[0] != "" {
		return words[0]
	}
	return c.Labels[name]
}

// cells are a column of the SELECT, or a constant for each row. A column that cannot be read is a
// fault of the chart, and is NULL.
func (c *chart) cells(v ggsql.Value) []any {
	switch from := c.rows.Read(); {
	case v.Column == "":
	case !from.Has(v.Column):
		c.err = cmp.Or(c.err,
			c.Fault(v.At, "the SELECT has no column %s; it has %s", v.Column, strings.Join(from.Columns(), ", ")))
	case from.Len() > 0:
		if values := from.Values(v.Column); from.Err == nil {
			return values
		}
		c.err = cmp.Or(c.err, from.Err)
	}
	return slices.Repeat([]any{constant(v)}, c.rows.Len())
}

// constant returns the number or the text that a value is, and nil for a value of another kind.
func constant(v ggsql.Value) any { return map[string]any{"number": v.Number, "text": v.Text}[v.Kind] }

// place is where a number or a category is along the axis of an aesthetic.
func (c *chart) place(aesthetic string, v any) (at float64, ok bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case string:
		if slices.Contains(along["y"], aesthetic) {
			return float64(len(c.y) - 1 - slices.Index(c.y, v)), true
		}
		return float64(slices.Index(c.x, v)), true
	}
	return 0, false
}

// paint gives the mark the colour of an aesthetic. A fill is the colour of lines, too, if these
// have no colour of their own.
func (m *mark) paint(aesthetic string, tone color.NRGBA, stroked bool) {
	if aesthetic != "fill" || !stroked {
		m.stroke = tone
	}
	if aesthetic != "stroke" {
		m.fill = tone
	}
}

// tints are the aesthetics of colours. The later ones say more.
var tints = []string{"colour", "fill", "stroke"}

// categories are the texts of the columns that are mapped to aesthetics, in the order of the scale
// or of the rows; nil where these are numbers.
func (c *chart) categories(aesthetics ...string) (out []string) {
	for _, a := range aesthetics {
		for _, v := range c.Scales[a].From {
			if v.Kind == "text" {
				out = append(out, v.Text)
			}
		}
	}
	for _, l := range c.Layers {
		for _, a := range aesthetics {
			v, ok := l.Mapping[a]
			if !ok {
				continue
			}
			for i, cell := range c.cells(v) {
				if s, ok := cell.(string); ok {
					if s = c.rowName(a, i, s); !slices.Contains(out, s) {
						out = append(out, s)
					}
				}
			}
		}
	}
	return out
}

// free reports whether each panel has an axis of its own.
func (c *chart) free(axis string) bool {
	v := c.Setting["free"]
	return v.Text == axis || slices.ContainsFunc(v.List, func(v ggsql.Value) bool { return v.Text == axis })
}

// rowName is the category of a row of the SELECT, with its panel before it where panels have rows of their own.
func (c *chart) rowName(aesthetic string, i int, category string) string {
	if slices.Contains(along["y"], aesthetic) && c.free("y") {
		return c.panelOf[i] + ownRow + category
	}
	return category
}

// ownRow ends the name of a panel.
const ownRow = "\x00"

// along are the aesthetics of the two axes.
var along = map[string][]string{"x": {"x", "xmin", "xmax", "xend"}, "y": {"y", "ymin", "ymax", "yend"}}

// read finds the panels and the categories of both axes, makes the marks of all layers, and keeps
// the legend's keys that a mark uses.
func (c *chart) read() error {
	c.panels, c.panelOf = []string{""}, make([]string, c.rows.Len())
	if facet := c.Facet; facet.Column != "" {
		c.panels = c.categories("panel")
		for i, v := range c.cells(facet) {
			if c.panelOf[i] = fmt.Sprint(v); !slices.Contains(c.panels, c.panelOf[i]) {
				c.panels = append(c.panels, c.panelOf[i])
			}
		}
		// The scale may name panels without rows.
		c.panels = slices.DeleteFunc(c.panels, func(name string) bool { return !slices.Contains(c.panelOf, name) })
	}
	c.x, c.y = c.categories(along["x"]...), c.categories(along["y"]...)
	if c.free("y") {
		slices.SortStableFunc(c.y, func(a, b string) int { return c.panelPlace(a) - c.panelPlace(b) })
	}
	c.err = cmp.Or(c.err, c.positive("x"), c.positive("y"))
	for _, l := range c.Layers {
		made := layer{Layer: l}
		if len(l.Mapping) == 0 { // The layer has settings only, so it is one mark in every panel.
			m := mark{panel: -1, at: places{}, stroke: softInk, fill: softInk}
			c.set(&m, l)
			made.marks = []mark{m}
		} else {
			made.marks = c.marks(l)
		}
		c.layers = append(c.layers, c.computed(made)...)
	}
	c.nameEnds()
	c.keys = slices.DeleteFunc(c.keys, func(k Key) bool {
		return !slices.ContainsFunc(c.layers, func(l layer) bool {
			return slices.ContainsFunc(l.marks, func(m mark) bool { return slices.Contains(m.keys, k.Name) })
		})
	})
	slices.SortStableFunc(c.keys, func(a, b Key) int { return c.domains.place(a.Name) - c.domains.place(b.Name) })
	c.keys = append(c.keys, c.ramp...)
	return c.err
}

// nameEnds leaves labels with PARTITION BY one label for each group: at the height of the group's
// last mark along X, and where the panel's last mark is, so that names of lines stand below each
// other.
func (c *chart) nameEnds() {
	byX := func(a, b mark) int { return cmp.Compare(a.at["x"], b.at["x"]) }
	for i, l := range c.layers {
		if l.Form != "text" || len(l.Partition) == 0 {
			continue
		}
		c.layers[i].marks = nil
		for _, group := range grouped(l.marks) {
			label := slices.MaxFunc(group, byX)
			for _, other := range c.layers {
				for _, m := range other.marks {
					if x, ok := m.at["x"]; ok && m.panel == label.panel {
						label.at["x"] = max(label.at["x"], x)
					}
				}
			}
			c.layers[i].marks = append(c.layers[i].marks, label)
		}
	}
}

// positive refuses an axis of powers of ten for layers and values that have no place on it, such as
// values that are not positive.
func (c *chart) positive(axis string) error {
	scale := c.Scales[axis]
	if scale.Via != "log10" {
		return nil
	}
	values := c.bounds(scale)
	for _, l := range c.Layers {
		if slices.Contains([]string{"histogram", "density", "smooth", "boxplot"}, l.Form) {
			return data.WithHint(c.Fault(scale.At,
				"a layer %s is computed of the numbers, not of their logarithms", l.Form),
				"leave VIA out, and SELECT log10(x)")
		}
		if l.Form == "bar" || l.Form == "area" && axis == "y" {
			return data.WithHint(c.Fault(scale.At, "a layer %s begins at 0, which an axis VIA log10 does not have",
				l.Form), "leave VIA out, or DRAW point")
		}
		if l.Form == "rule" && l.Mapping["slope"].Kind+l.Setting["slope"].Kind != "" {
			return c.Fault(scale.At, "a rule with a slope is no line on an axis VIA log10")
		}
		for _, a := range along[axis] {
			values = append(values, constant(l.Setting[a]))
			if v, ok := l.Mapping[a]; ok {
				values = append(values, c.cells(v)...)
			}
		}
	}
	for _, v := range values {
		if n, ok := v.(float64); v != nil && (!ok || n <= 0) {
			return data.WithHint(c.Fault(scale.At, "%v has no place on an axis VIA log10", v),
				"leave such rows out with WHERE, or VIA log10")
		}
	}
	return nil
}

// panelPlace returns the place of the panel that a row belongs to.
func (c *chart) panelPlace(row string) int {
	name, _, _ := strings.Cut(row, ownRow)
	return slices.Index(c.panels, name)
}

// marks returns the marks of a layer's rows. A row has no mark if a number that the mark needs is
// missing.
func (c *chart) marks(l ggsql.Layer) (out []mark) {
	columns := map[string][]any{}
	for a, v := range l.Mapping {
		columns[a] = c.cells(v)
	}
	group := make([]string, c.rows.Len())
	for _, p := range l.Partition {
		for i, cell := range c.cells(p) {
			group[i] += fmt.Sprint(cell) + "\x00"
		}
	}
	tones := map[string]func(any) color.NRGBA{}
	for _, a := range tints {
		if v, ok := l.Mapping[a]; ok && (a != "fill" || l.Form != "range") { // which is a line
			form := l.Form
			if form == "range" && l.Setting["linewidth"].Number > 4 { // wide as a bar
				form = "bar"
			}
			tones[a] = c.tones(a, v, form)
		}
	}
	taken := slices.Repeat([]bool{true}, len(group))
	for _, f := range l.Filter {
		for i, cell := range c.cells(f.Column) {
			taken[i] = taken[i] && f.Holds(cell)
		}
	}
	captioners := c.rows.Read().TextIf("captioner_name")
	for i := range group {
		m := mark{at: places{}, row: i, group: group[i], stroke: ink, fill: ink,
			panel: max(slices.Index(c.panels, c.panelOf[i]), 0)}
		whole := true
		for a, cells := range columns {
			cell := cells[i]
			if s, ok := cell.(string); ok {
				cell = c.rowName(a, i, s)
			}
			if at, ok := c.place(a, cell); ok {
				m.at[a] = at
			} else if !slices.Contains(tints, a) {
				whole = false
			}
		}
		if label, ok := columns["label"]; ok {
			m.label, whole = c.labelOf(l, label[i]), whole && label[i] != nil && label[i] != ""
		}
		for _, a := range tints {
			if tones[a] == nil {
				continue
			}
			m.paint(a, tones[a](columns[a][i]), l.Setting["stroke"].Text+l.Mapping["stroke"].Text != "")
			if s, ok := columns[a][i].(string); ok {
				m.group += s + "\x00"
				m.keys = append(m.keys, c.renamed(a, s))
			}
		}
		c.set(&m, l)
		c.highlight(&m, l)
		m.hollow = len(c.Kinds) > 1 && l.Form == "point" && captioners[i] != "" &&
			!strings.HasSuffix(captioners[i], data.Dagger) &&
			!strings.HasPrefix(l.Mapping["x"].Column, "mean") // over captioners
		if whole && taken[i] {
			out = append(out, m)
		}
	}
	return out
}

// labelOf writes a label in the layer's format.
func (c *chart) labelOf(l ggsql.Layer, v any) string {
	format := "{}"
	if f, ok := l.Setting["format"]; ok {
		format = f.Text
	}
	if s, ok := v.(string); ok {
		v = c.Names.Model(s)
	}
	return formatted(format, v)
}

// formatted puts a value into a format of ggsql: {} as it is, {:num %.1f} as a number. Minus signs
// are the minus signs of print.
func formatted(format string, v any) string {
	start := strings.Index(format, "{")
	stop := strings.Index(format, "}")
	if start < 0 || stop < start || v == nil {
		return format
	}
	word := fmt.Sprint(v)
	if n, ok := v.(float64); ok {
		word = strconv.FormatFloat(n, 'f', -1, 64)
		if verb, ok := strings.CutPrefix(format[start+1:stop], ":num "); ok {
			word = fmt.Sprintf(verb, n)
		}
		if strings.Trim(word, "-0.") == "" {
			word = strings.TrimPrefix(word, "-") // no negative zero
		}
		word = strings.Replace(word, "-", "−", 1)
	}
	return format[:start] + word + format[stop+1:]
}

// set gives a mark the values that SETTING has for it.
func (c *chart) set(m *mark, l ggsql.Layer) {
	for _, a := range slices.Concat(along["x"], along["y"], []string{"slope"}) {
		if at, ok := c.place(a, constant(l.Setting[a])); ok {
			m.at[a] = at
		}
	}
	for _, a := range tints {
		if v, ok := l.Setting[a]; ok {
			m.paint(a, hex(v), l.Setting["stroke"].Text != "")
		}
	}
	m.label = cmp.Or(l.Setting["label"].Text, m.label)
}

// bounds are the numbers that a scale begins and ends with.
func (c *chart) bounds(s ggsql.Scale) (out []any) {
	for _, v := range s.From {
		if v.Kind == "number" {
			out = append(out, v.Number)
		}
	}
	return out
}

// reach returns from where to where the marks of a panel and the scale reach along an axis. Panel -1
// stands for all panels.
func (c *chart) reach(panel int, axis string) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, l := range c.layers {
		for _, m := range l.marks {
			for _, a := range along[axis] {
				if v, ok := m.at[a]; ok && (panel < 0 || m.panel < 0 || m.panel == panel) &&
					(l.Form != "rule" || m.at["slope"] == 0) {
					low, high = min(low, v), max(high, v)
				}
			}
		}
	}
	for _, v := range c.bounds(c.Scales[axis]) {
		low, high = min(low, v.(float64)), max(high, v.(float64))
	}
	return low, high
}
