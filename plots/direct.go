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

// A directName is a series' name that is written beside its marks, where a legend would make the eye go back and forth.
type directName struct {
	name string
	tone color.NRGBA
	at   mark
}

// mostDirect is how many series have names beside them; more have a legend.
const mostDirect = 5

// named puts a name beside a mark of each key. find finds the mark. Either all keys get names or no
// key does.
func (c *chart) named(find func(k Key) (mark, bool)) {
	if len(c.keys) < 2 || len(c.keys) > mostDirect {
		return
	}
	var out []directName
	room := vg.Length(0)
	for _, k := range c.keys {
		m, ok := find(k)
		if !ok {
			return
		}
		room += nameStyle(k.Color).Width(k.Name) + 6
		out = append(out, directName{k.Name, readable(k.Color), m})
	}
	if room < c.on.inner()*0.45 {
		c.direct, c.keys = out, nil
	}
}

func nameStyle(tone color.NRGBA) text.Style { return textStyle(tinySize, tone, true) }

// directRow names points and bars over the first row of the first panel, if it has one of each key.
func (c *chart) directRow() {
	c.named(func(k Key) (mark, bool) {
		for _, l := range c.layers {
			for _, m := range l.marks {
				if (l.Form == "point" || l.Form == "bar" || l.Form == "range") && slices.Contains(m.keys, k.Name) &&
					m.panel == 0 && int(m.at["y"]) == len(c.y)-1 {
					if from, ok := m.at["xmin"]; ok { // the middle of a part of a bar
						m.at = map[string]float64{"x": (from + m.at["xmax"]) / 2, "y": m.at["y"]}
					}
					return m, true
				}
			}
		}
		return mark{}, false
	})
}

// A plotter draws in a panel.
type plotter func(c draw.Canvas, p *plot.Plot)

// Plot implements [plot.Plotter].
func (f plotter) Plot(c draw.Canvas, p *plot.Plot) { f(c, p) }

// rowNames writes the names over the first row.
func (c *chart) rowNames(canvas draw.Canvas, p *plot.Plot) {
	fx, _ := p.Transforms(&canvas)
	var centers, sizes []float64
	for _, d := range c.direct {
		centers = append(centers, float64(fx(d.at.at["x"])))
		sizes = append(sizes, float64(nameStyle(d.tone).Width(d.name)+6))
	}
	for i, x := range spread(centers, sizes, float64(canvas.Min.X)-10, float64(canvas.Max.X)+5) {
		sty := nameStyle(c.direct[i].tone)
		sty.XAlign = draw.XCenter
		middle(canvas, sty, vg.Point{X: vg.Length(x), Y: canvas.Max.Y + namesHeight/2 - 1}, c.direct[i].name)
	}
}

// namesHeight is the room of the names over a first row.
const namesHeight = vg.Length(9)

// directLines names lines where others are farthest, if each key is one line. Densities lie on each other.
func (c *chart) directLines() {
	if slices.ContainsFunc(c.plot.Layers, func(l ggsql.Layer) bool { return l.Form == "density" }) {
		return
	}
	c.named(func(k Key) (mark, bool) {
		for _, l := range c.layers {
			if l.Form != "line" && l.Form != "path" {
				continue
			}
			series := grouped(slices.DeleteFunc(slices.Clone(l.marks),
				func(m mark) bool { return !slices.Contains(m.keys, k.Name) || m.panel > 0 }))
			apart := func(m mark) float64 { // from the other lines
				near := math.Inf(1)
				for _, o := range l.marks {
					if o.group != m.group && o.at["x"] == m.at["x"] {
						near = min(near, math.Abs(o.at["y"]-m.at["y"]))
					}
				}
				return near
			}
			if len(series) == 1 {
				return slices.MaxFunc(series[0], func(a, b mark) int { return cmp.Compare(apart(a), apart(b)) }), true
			}
		}
		return mark{}, false
	})
}

// lineNames writes the names beside the lines.
func (c *chart) lineNames(canvas draw.Canvas, p *plot.Plot) {
	fx, fy := p.Transforms(&canvas)
	var labels []boxLabel
	var lines []vg.Point
	for _, d := range c.direct {
		labels = append(labels,
			boxLabel{vg.Point{X: fx(d.at.at["x"]), Y: fy(d.at.at["y"])}, nameStyle(d.tone).Width(d.name), 8})
	}
	const steps = 20 // from one mark of a line to the next
	for _, l := range c.layers {
		if l.Form != "line" && l.Form != "path" {
			continue
		}
		for _, group := range grouped((drawnLayer{c, l, 0}).marks()) {
			for i, m := range group {
				at, next := vg.Point{X: fx(m.at["x"]), Y: fy(m.at["y"])}, group[min(i+1, len(group)-1)]
				to := vg.Point{X: fx(next.at["x"]), Y: fy(next.at["y"])}
				for k := range steps {
					t := vg.Length(k) / steps
					lines = append(lines, vg.Point{X: at.X + (to.X-at.X)*t, Y: at.Y + (to.Y-at.Y)*t})
				}
			}
		}
	}
	places := placeLabels(labels, lines, 3, canvas.Rectangle)
	leaders(canvas, labels, places)
	for i, d := range c.direct {
		if places[i].found {
			sty, at := nameStyle(d.tone), places[i].middle()
			sty.XAlign = draw.XCenter
			patch(canvas, sty, at, d.name)
			middle(canvas, sty, at, d.name)
		}
	}
}
