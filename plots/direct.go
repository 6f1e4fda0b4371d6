package plots

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/captionlake/captionlake/plots/ggsql"
)

// mostDirect is the greatest number of series that have their names beside them. More series have a
// legend.
const mostDirect = 5

// named returns a label for each key, to be written beside the mark that find finds for the key,
// and removes the keys from the legend. If a key has no such mark, or the names are too many or too
// long, there are no labels, and the legend stays.
func (c *chart) named(find func(k Key) (mark, bool)) (out []mark) {
	if len(c.keys) < 2 || len(c.keys) > mostDirect {
		return nil
	}
	room := vg.Length(0)
	for _, k := range c.keys {
		m, ok := find(k)
		if !ok {
			return nil
		}
		room += nameStyle(k.Color).Width(k.Name) + 6
		m.label, m.fill = k.Name, readable(k.Color)
		out = append(out, m)
	}
	if room >= c.inner()*0.45 {
		return nil
	}
	c.keys = nil
	return out
}

// nameStyle is the type of a name that stands beside a mark.
func nameStyle(tone color.NRGBA) text.Style { return textStyle(tinySize, tone, true) }

// rowNames are the names of series, written over the first row of a panel.
type rowNames []mark

// directRow names points, bars and ranges over the first row of the first panel, if the row has a
// mark of each key.
func (c *chart) directRow() rowNames {
	return c.named(func(k Key) (mark, bool) {
		for l, m := range c.allMarks() {
			// The first row is on top, so its Y value is the greatest.
			firstRow := m.panel == 0 && int(m.at["y"]) == len(c.y)-1
			if firstRow && slices.Contains(m.keys, k.Name) && slices.Contains([]string{"point", "bar", "range"}, l.Form) {
				if from, ok := m.at["xmin"]; ok { // The name stands over the middle of a bar or range.
					m.at = places{"x": (from + m.at["xmax"]) / 2}
				}
				return m, true
			}
		}
		return mark{}, false
	})
}

// Plot implements [plot.Plotter].
func (names rowNames) Plot(canvas draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&canvas)
	var centers, sizes []vg.Length
	for _, m := range names {
		centers = append(centers, x(m.at["x"]))
		sizes = append(sizes, nameStyle(m.fill).Width(m.label)+6)
	}
	// Names at the ends may stand out over the sides of the panel.
	for i, center := range spread(centers, sizes, canvas.Min.X-10, canvas.Max.X+5) {
		sty := nameStyle(names[i].fill)
		sty.XAlign = draw.XCenter
		middle(canvas, sty, point(center, canvas.Max.Y+namesHeight/2-1), names[i].label)
	}
}

// namesHeight is the room of the names over a first row.
const namesHeight = vg.Length(9)

// directLines names each line at the mark that is farthest from the other lines, if every key has
// one line in the first panel. Densities lie on each other, and the lines of a radar go around, so
// densities and radars get no names.
func (c *chart) directLines() {
	if c.polar() ||
		slices.ContainsFunc(c.Layers, func(l ggsql.Layer) bool { return l.Form == "density" }) {
		return
	}
	names := c.named(func(k Key) (mark, bool) {
		for _, l := range c.layers {
			if l.Form != "line" && l.Form != "path" {
				continue
			}
			series := grouped(slices.DeleteFunc(slices.Clone(l.marks),
				func(m mark) bool { return !slices.Contains(m.keys, k.Name) || m.panel > 0 }))
			// apart is the distance of a mark from the nearest other line.
			apart := func(m mark) float64 {
				nearest := math.Inf(1)
				for _, other := range l.marks {
					if other.group != m.group && other.at["x"] == m.at["x"] {
						nearest = min(nearest, math.Abs(other.at["y"]-m.at["y"]))
					}
				}
				return nearest
			}
			if len(series) == 1 {
				return slices.MaxFunc(series[0], func(a, b mark) int { return cmp.Compare(apart(a), apart(b)) }), true
			}
		}
		return mark{}, false
	})
	c.layers = append(c.layers, layer{marks: names,
		Layer: ggsql.Layer{Form: "text", Setting: map[string]ggsql.Value{"fontweight": {Text: "bold"}}}})
}
