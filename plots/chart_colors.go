package plots

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/captionlake/captionlake/plots/ggsql"
)

// highlight gives the marks of chosen captioners the accent and makes others paler. If the layer
// maps a colour, all colours stay as the legend has them, and the accent is around chosen marks.
func (c *chart) highlight(m *mark, l ggsql.Layer) {
	chosen := func(id string) bool { return slices.Contains(c.Highlight, id) }
	// Tiles stay as they are. If no row is of a chosen captioner, nothing gets paler.
	if l.Form == "tile" || !slices.ContainsFunc(c.ids, chosen) {
		return
	}
	mapped := l.Mapping["colour"].Kind+l.Mapping["stroke"].Kind+l.Mapping["fill"].Kind != ""
	switch ours := chosen(c.ids[m.row]); {
	case mapped:
		m.chosen = ours
	case ours:
		m.stroke, m.fill = accent, accent
	case c.ids[m.row] != "" && l.Form != "text": // Rows without a captioner, such as means, keep their colours.
		m.stroke, m.fill = tint(m.stroke, 0.5), tint(m.fill, 0.5)
	}
}

// hex reads a colour. Errors are left out, because the parser has checked the form of the colour.
func hex(v ggsql.Value) color.NRGBA {
	c := color.NRGBA{A: 0xff}
	_, _ = fmt.Sscanf(v.Text, "#%2x%2x%2x", &c.R, &c.G, &c.B)
	return c
}

// filled are the forms of layers that have squares in the legend.
var filled = []string{"bar", "area", "tile", "histogram", "density", "boxplot"}

// tones returns a function that gives the colour of a value of a column. It also adds keys to the
// legend: five for numbers, one for each category, or none if the keys would say nothing.
func (c *chart) tones(aesthetic string, v ggsql.Value, form string) func(any) color.NRGBA {
	scale := c.Scales[aesthetic]
	var to []color.NRGBA // the colours that the file gives
	for _, t := range scale.To {
		to = append(to, hex(t))
	}
	values, cells := c.categories(aesthetic), c.cells(v)
	if values == nil { // The column has numbers.
		return c.gradient(append(cells, bounds(scale)...), to)
	}
	// Bars and areas are stacked in the order of the names, unless the scale gives an order.
	if (form == "bar" || form == "area" || form == "histogram") && scale.From == nil {
		slices.Sort(values)
	}
	least := 1.0 // The least possible contrast: areas keep the colours of the palette.
	if slices.Contains([]string{"point", "line", "path", "range", "segment"}, form) {
		least = leastContrast
	}
	tone := func(v any) color.NRGBA {
		s, _ := v.(string)
		i := slices.Index(values, s)
		switch {
		case i < 0: // NULL
			return ink
		case len(to) > 0:
			return to[i%len(to)]
		case c.domains.color(s) != ink:
			return darkened(c.domains.color(s), least)
		}
		return darkened(palette[i%len(palette)], least)
	}
	drawn := slices.DeleteFunc(slices.Clone(values), func(s string) bool { return !slices.Contains(cells, any(s)) })
	// Keys are needless if an axis or the panels show the same names, or if there is one colour. A
	// constant names its whole layer beside the constants of other layers, so it has a key.
	named := sameNames(values, c.y) || sameNames(values, c.x) || sameNames(values, c.panels)
	single := len(values) < 2 || v.Column != "" && len(drawn) < 2
	if named || single {
		return tone
	}
	for _, s := range drawn {
		name := c.renamed(aesthetic, s) // A category that is renamed to an empty text has no key.
		if name != "" && !slices.ContainsFunc(c.keys, func(k Key) bool { return k.Name == name }) {
			c.keys = append(c.keys, Key{Name: name, Color: tone(s), Form: form})
		}
	}
	return tone
}

// gradient returns the colours of numbers between the least and the greatest one of values, blended
// from colours in equal steps. The legend gets five keys, which replace the keys of an earlier
// gradient.
func (c *chart) gradient(values []any, colors []color.NRGBA) func(any) color.NRGBA {
	if len(colors) < 2 {
		colors = []color.NRGBA{paper, palette[0]}
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if n, ok := v.(float64); ok {
			low, high = min(low, n), max(high, n)
		}
	}
	tone := func(v any) color.NRGBA {
		n, ok := v.(float64)
		if !ok || high == low { // A missing value has no place in the scale, nor have values that are all equal.
			return paper
		}
		at := (n - low) / (high - low) * float64(len(colors)-1)
		k := min(int(at), len(colors)-2)
		return blend(colors[k], colors[k+1], at-float64(k))
	}
	c.ramp = nil
	for k := 0; k <= 4 && high > low; k++ {
		n := low + (high-low)*float64(k)/4
		c.ramp = append(c.ramp, Key{Name: formatted("{:num %.3g}", n), Color: tone(n), Form: "tile"})
	}
	return tone
}

// sameNames reports whether two lists have the same names, in any order.
func sameNames(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// blend is the colour that is a share t of the way from colour a to colour b.
func blend(a, b color.NRGBA, t float64) color.NRGBA {
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + (float64(b)-float64(a))*t)) }
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xff}
}

// tonesOf returns the colours of the values that a layer maps to colours, by aesthetic.
func (c *chart) tonesOf(l ggsql.Layer) map[string]func(any) color.NRGBA {
	tones, form := map[string]func(any) color.NRGBA{}, l.Form
	if form == "range" && l.Setting["linewidth"].Number > 4 { // It looks like a bar.
		form = "bar"
	}
	for _, a := range tints {
		if v, mapped := l.Mapping[a]; mapped && (a != "fill" || l.Form != "range") { // A range has no fill.
			tones[a] = c.tones(a, v, form)
		}
	}
	return tones
}

// paint gives the mark the colour of an aesthetic. A fill is the colour of lines, too, unless the
// layer gives lines a colour of their own (stroked).
func (m *mark) paint(aesthetic string, tone color.NRGBA, stroked bool) {
	if aesthetic != "fill" || !stroked {
		m.stroke = tone
	}
	if aesthetic != "stroke" {
		m.fill = tone
	}
}
