package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/data/spelling"
	"github.com/captionlake/captionlake/plots/ggsql"
)

// A chart is the rows of a SELECT, to be drawn on a page as the clauses of their file say.
type chart struct {
	*ggsql.File
	*ggsql.Plot
	Page
	rows    *rows.Rows
	domains domainSet
	panels  []string // values of the facet in the order of its scale, then of the rows; [""] without a facet
	panelOf []string // the panel of each row
	// The categories of the axes; nil for an axis of numbers. A category of y begins with its panel
	// if panels have rows of their own.
	x, y   []string
	layers []layer
	keys   []Key    // the legend
	ramp   []Key    // the legend of numbers that become colours
	ids    []string // the captioner of each row; an empty text for a row without a captioner
	err    error    // the first fault of a column
}

// A layer is a layer of the file with its marks: a mark for each row of the SELECT, or one mark at
// the values that PLACE gives.
type layer struct {
	ggsql.Layer
	marks []mark
}

// Places are values along axes, by aesthetic.
type places map[string]float64

// A mark holds the values that one row has for the aesthetics.
type mark struct {
	panel        int // -1 for a mark in all panels
	at           places
	label        string
	group        string   // marks of one group are one line, area or box
	row          int      // of the SELECT
	keys         []string // the names in the legend that explain its colours
	stroke, fill color.NRGBA
	chosen       bool // the accent is drawn around it
	hollow       bool // a published point, in a figure that also has measured captioners
}

// allMarks goes through the marks of all layers, each with its layer.
func (c *chart) allMarks() iter.Seq2[layer, mark] {
	return func(yield func(layer, mark) bool) {
		for _, l := range c.layers {
			for _, m := range l.marks {
				if !yield(l, m) {
					return
				}
			}
		}
	}
}

// source returns the line below the figure: the paper of published rows, the page's note, the
// number of captioners, the text about the figure, how to read lines and marks, and the notes of
// the rows.
func (c *chart) source(about string) string {
	var said []string
	say := func(sentence string, holds bool) {
		if holds && sentence != "" && !slices.Contains(said, sentence) {
			said = append(said, sentence)
		}
	}
	say("Source: "+c.Paper+".", slices.Equal(c.Kinds, []string{data.ProvenancePublished}) && c.Paper != "")
	say(c.Note, true)
	ids := map[string]bool{}
	for _, id := range c.ids {
		ids[id] = true
	}
	delete(ids, "")
	say(fmt.Sprintf("%d captioners.", len(ids)), len(ids) > 1)
	say(about, true)
	say("Lines: 95% intervals where wider than dots; thick: 50%.", slices.ContainsFunc(c.layers, layer.intervals))
	hollow := false
	for _, m := range c.allMarks() {
		hollow = hollow || m.hollow
	}
	say(data.Dagger+" and full marks: measured here; hollow marks: as published.", hollow)
	say(data.Dagger+" measured here; the others as published.", len(c.Kinds) > 1 && !hollow)
	for _, note := range c.rows.Read().TextIf("note") {
		say(note+".", note != "")
	}
	return strings.Join(said, " ")
}

// uniqueNames writes the ids of captioners in place of a name that several captioners have, so that
// no two captioners look like one.
func uniqueNames(t *rows.Rows) *rows.Rows {
	ids, names := t.TextIf("captioner"), t.TextIf("captioner_name")
	owner, shared := map[string]string{}, map[string]bool{}
	for i, name := range names {
		if id, ok := owner[name]; ok && id != ids[i] {
			shared[name] = true
		}
		owner[name] = ids[i]
	}
	// If there is no column captioner_name, all names are empty and so look shared.
	if t.Err != nil || len(shared) == 0 || !t.Has("captioner_name") {
		return t
	}
	return t.Set("captioner_name", func(i int, before any) any {
		if shared[names[i]] && ids[i] != "" { // A row without an id keeps its name.
			return ids[i]
		}
		return before
	})
}

// intervals reports whether the layer's marks are intervals: whether the column with their lower
// ends has a name that ends with "low".
func (l layer) intervals() bool {
	return l.Form == "range" && len(l.marks) > 0 &&
		strings.HasSuffix(l.Mapping["xmin"].Column+l.Mapping["ymin"].Column, "low")
}

// said returns the title or the subtitle. If the SELECT has a column of that name, its first row
// gives the text; otherwise LABEL does.
func (c *chart) said(name string) string {
	if words := c.rows.Read().TextIf(name); len(words) > 0 && words[0] != "" {
		return words[0]
	}
	return c.Labels[name]
}

// cells are the values of a column for each row, or a constant repeated. A column that cannot be
// read is a fault of the chart, and all its values are NULL.
func (c *chart) cells(v ggsql.Value) []any {
	switch table := c.rows.Read(); {
	case v.Column == "": // a constant
	case !table.Has(v.Column):
		c.err = cmp.Or(c.err,
			c.Fault(v.At, "the SELECT has no column %s; it has %s", v.Column, strings.Join(table.Columns(), ", ")))
	case table.Len() > 0:
		if values := table.Values(v.Column); table.Err == nil {
			return values
		}
		c.err = cmp.Or(c.err, table.Err)
	}
	return slices.Repeat([]any{constant(v)}, c.rows.Len())
}

// fault keeps the first fault of the chart, with the next step. at is a byte of the file.
func (c *chart) fault(at int, hint, format string, args ...any) {
	c.err = cmp.Or(c.err, data.WithHint(c.Fault(at, format, args...), "%s", hint))
}

// constant returns the number or the text of a constant, and nil for other values.
func constant(v ggsql.Value) any { return map[string]any{"number": v.Number, "text": v.Text}[v.Kind] }

// place is where a number or a category is along the axis of an aesthetic. The first category of Y
// is on top.
func (c *chart) place(aesthetic string, v any) (at float64, ok bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case string:
		if aesthetic[0] == 'y' {
			return float64(len(c.y) - 1 - slices.Index(c.y, v)), true
		}
		return float64(slices.Index(c.x, v)), true
	}
	return 0, false
}

// tints are the aesthetics of colours. A later aesthetic replaces the colour of an earlier one.
var tints = []string{"colour", "fill", "stroke"}

// categories are the texts of the columns that are mapped to aesthetics: first the texts of the
// scale, then the others in the order of the rows. The result is nil if the columns have no texts.
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
			// If the layer does not map the aesthetic, all cells are nil.
			for i, cell := range c.cells(l.Mapping[a]) {
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

// free reports whether each panel has its own axis x, or its own rows (y). The setting free is one
// text or a list of texts.
func (c *chart) free(axis string) bool {
	v := c.Setting["free"]
	return slices.ContainsFunc(append(v.List, v), func(v ggsql.Value) bool { return v.Text == axis })
}

// rowName is the category of a row of the SELECT. Along Y the category begins with the panel of the
// row if panels have rows of their own.
func (c *chart) rowName(aesthetic string, row int, category string) string {
	if aesthetic[0] == 'y' && c.free("y") {
		return c.panelOf[row] + ownRow + category
	}
	return category
}

// ownRow stands between panel and category in the names of rows.
const ownRow = "\x00"

// along are the aesthetics of the two axes. No other aesthetic begins with x or y.
var along = map[string][]string{"x": {"x", "xmin", "xmax", "xend"}, "y": {"y", "ymin", "ymax", "yend"}}

// read finds the panels and the categories of both axes, makes the marks of all layers, and keeps
// the legend's keys that a mark uses.
func (c *chart) read() error {
	c.panels, c.panelOf = []string{""}, make([]string, c.rows.Len())
	if facet := c.Facet; facet.Column != "" {
		c.panels = c.categories("panel") // the texts of the scale alone, since no layer maps a panel
		for i, v := range c.cells(facet) {
			if c.panelOf[i] = fmt.Sprint(v); !slices.Contains(c.panels, c.panelOf[i]) {
				c.panels = append(c.panels, c.panelOf[i])
			}
		}
		// The scale may name panels that have no rows.
		c.panels = slices.DeleteFunc(c.panels, func(name string) bool { return !slices.Contains(c.panelOf, name) })
	}
	c.x, c.y = c.categories(along["x"]...), c.categories(along["y"]...)
	if c.free("y") { // The rows of each panel come together, as rowPanels expects.
		slices.SortStableFunc(c.y, func(a, b string) int { return c.panelPlace(a) - c.panelPlace(b) })
	}
	c.logarithmic("x")
	c.logarithmic("y")
	for _, l := range c.Layers {
		made := layer{Layer: l}
		if len(l.Mapping) == 0 { // Without columns the layer is one mark in every panel.
			m := mark{panel: -1, at: places{}, stroke: softInk, fill: softInk}
			c.set(&m, l)
			made.marks = []mark{m}
		} else {
			made.marks = c.marks(l)
		}
		c.layers = append(c.layers, c.computed(made)...)
	}
	c.nameEnds() // comes after the loop, because it reads the marks of all layers
	var used []string
	for _, m := range c.allMarks() {
		used = append(used, m.keys...)
	}
	c.keys = slices.DeleteFunc(c.keys, func(k Key) bool { return !slices.Contains(used, k.Name) })
	// Domains have their usual order in the legend.
	slices.SortStableFunc(c.keys, func(a, b Key) int { return c.domains.place(a.Name) - c.domains.place(b.Name) })
	c.keys = append(c.keys, c.ramp...)
	return c.err
}

// nameEnds reduces labels with PARTITION BY to one label for each group, the name of a line. The
// label has the Y value of the group's last mark along X, and the greatest X value in the panel, so
// that the labels of a panel are below each other.
func (c *chart) nameEnds() {
	for i, l := range c.layers {
		if l.Form != "text" || len(l.Partition) == 0 {
			continue
		}
		c.layers[i].marks = nil
		for _, group := range grouped(l.marks) {
			label := slices.MaxFunc(group, func(a, b mark) int { return cmp.Compare(a.at["x"], b.at["x"]) })
			for _, m := range c.allMarks() {
				if x, ok := m.at["x"]; ok && m.panel == label.panel {
					label.at["x"] = max(label.at["x"], x)
				}
			}
			c.layers[i].marks = append(c.layers[i].marks, label)
		}
	}
}

// logarithmic refuses layers and values that have no place on an axis VIA log10, such as bars,
// which begin at 0, and values that are not positive.
func (c *chart) logarithmic(axis string) {
	scale := c.Scales[axis]
	if scale.Via != "log10" {
		return
	}
	values := bounds(scale)
	for _, l := range c.Layers {
		if slices.Contains([]string{"histogram", "density", "smooth", "boxplot"}, l.Form) {
			c.fault(scale.At, "leave VIA out, and SELECT log10(x)",
				"a layer %s is computed of the numbers, not of their logarithms", l.Form)
		}
		// Bars are refused on both axes, since they may stand or lie. Areas begin at 0 only along Y.
		if l.Form == "bar" || l.Form == "area" && axis == "y" {
			c.fault(scale.At, "leave VIA out, or DRAW point",
				"a layer %s begins at 0, which an axis VIA log10 does not have", l.Form)
		}
		if l.Form == "rule" && l.Mapping["slope"].Kind+l.Setting["slope"].Kind != "" {
			c.fault(scale.At, "leave VIA or the slope out", "a rule with a slope is no line on an axis VIA log10")
		}
		for _, a := range along[axis] {
			values = append(append(values, constant(l.Setting[a])), c.cells(l.Mapping[a])...)
		}
	}
	for _, v := range values {
		if n, ok := v.(float64); v != nil && (!ok || n <= 0) {
			c.fault(scale.At, "leave such rows out with WHERE, or VIA log10", "%v has no place on an axis VIA log10", v)
		}
	}
}

// panelPlace returns the place of the panel that a row belongs to.
func (c *chart) panelPlace(row string) int {
	name, _, _ := strings.Cut(row, ownRow)
	return slices.Index(c.panels, name)
}

// marks returns the marks of a layer's rows. A row has no mark if FILTER leaves it out, or if a
// value that the mark needs is missing.
func (c *chart) marks(l ggsql.Layer) (out []mark) {
	columns := map[string][]any{}
	for a, v := range l.Mapping {
		columns[a] = c.cells(v)
	}
	groups := make([]string, c.rows.Len())
	for _, p := range l.Partition {
		for i, cell := range c.cells(p) {
			groups[i] += fmt.Sprint(cell) + "\x00" // The zero byte keeps the cells a, bc apart from ab, c.
		}
	}
	tones := c.tonesOf(l)
	stroked := l.Setting["stroke"].Text+l.Mapping["stroke"].Text != "" // Lines have a colour of their own.
	leftOut := map[int]bool{}
	for _, f := range l.Filter {
		for i, cell := range c.cells(f.Column) {
			holds, err := f.Holds(cell)
			if leftOut[i] = leftOut[i] || !holds; err != nil {
				c.fault(f.Value.At, "compare a number with a number", "%v", err)
			}
		}
	}
	captioners := c.rows.Read().TextIf("captioner_name")
	// Each row becomes a mark: its places, its label and its colours. The settings of the layer may
	// replace places, label and colours. The highlight comes after the settings, because it changes
	// the final colours.
	for i, group := range groups {
		m := mark{at: places{}, row: i, group: group, stroke: ink, fill: ink,
			panel: slices.Index(c.panels, c.panelOf[i])}
		missing := leftOut[i]
		for a, cells := range columns {
			cell := cells[i]
			if s, ok := cell.(string); ok {
				cell = c.rowName(a, i, s)
			}
			// A label also gets a place here, which nothing reads. A row without a label is left out.
			if at, ok := c.place(a, cell); ok {
				m.at[a] = at
			} else if !slices.Contains(tints, a) {
				missing = true
			}
		}
		if label, mapped := columns["label"]; mapped {
			m.label, missing = c.labelOf(l, label[i]), missing || label[i] == ""
		}
		for _, a := range tints {
			if tones[a] == nil {
				continue
			}
			m.paint(a, tones[a](columns[a][i]), stroked)
			if s, ok := columns[a][i].(string); ok {
				m.group += s + "\x00"
				m.keys = append(m.keys, c.renamed(a, s))
			}
		}
		c.set(&m, l)
		c.highlight(&m, l)
		measured := strings.HasSuffix(captioners[i], data.Dagger)
		mean := strings.HasPrefix(l.Mapping["x"].Column, "mean") // over captioners of all kinds
		m.hollow = len(c.Kinds) > 1 && l.Form == "point" && captioners[i] != "" && !measured && !mean
		if !missing {
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

// formatted puts a value into a format of ggsql. In place of {} the value stands as it is, and in
// place of {:num %.1f} as a number with the digits of %.1f. Negative numbers have the minus sign of
// print. If the format has no brackets, or v is nil, the format is returned as it is.
func formatted(format string, v any) string {
	start, stop := strings.Index(format, "{"), strings.Index(format, "}")
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

// set gives a mark the places, the colours and the label that the layer's SETTING has. A category
// that the axis does not have is a fault of the chart.
func (c *chart) set(m *mark, l ggsql.Layer) {
	for _, a := range slices.Concat(along["x"], along["y"], []string{"slope"}) {
		v, names := l.Setting[a], map[string][]string{"x": c.x, "y": c.y}[a[:1]]
		if at, ok := c.place(a, constant(v)); ok {
			m.at[a] = at
		}
		if v.Kind == "text" && !slices.Contains(names, v.Text) {
			names = strings.Split(strings.Join(names, ownRow), ownRow) // panels and categories apart, for the hint
			c.fault(v.At, spelling.Meant("write a number, or a category that all panels have", names, v.Text),
				"the axis %s has no category %q", a[:1], v.Text)
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
func bounds(s ggsql.Scale) (out []any) {
	for _, v := range s.From {
		if v.Kind == "number" {
			out = append(out, v.Number)
		}
	}
	return out
}

// reach returns the least and the greatest value along an axis, of the marks of a panel and of the
// scale. Panel -1 stands for all panels, and so does a panel without values. Both are 1 if no panel
// has a value.
func (c *chart) reach(panel int, axis string) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for l, m := range c.allMarks() {
		ofPanel := panel < 0 || m.panel < 0 || m.panel == panel
		steep := l.Form == "rule" && m.at["slope"] != 0 // The line reaches as far as the panel does.
		for _, a := range along[axis] {
			if v, ok := m.at[a]; ok && ofPanel && !steep {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	for _, v := range bounds(c.Scales[axis]) {
		low, high = min(low, v.(float64)), max(high, v.(float64))
	}
	switch {
	case low <= high:
		return low, high
	case panel >= 0:
		return c.reach(-1, axis)
	}
	return 1, 1
}
