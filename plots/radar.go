package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/captionlake/captionlake/data/rows"
)

// A radar is one panel of a chart in polar coordinates: categories of the X axis around, clockwise
// from the top, and values of the Y axis outwards. The centre is 0, unless values are negative.
type radar struct {
	chart     *chart
	panel     int
	low, high float64 // values at the centre and at the rim
	names     []rowLabel
	side      vg.Length // room for a name at the left and at the right
}

// Room around a radar: for names at its sides, at its top and foot, and between the rim and the names.
const radarSide, radarEnd, radarOff = vg.Length(64), vg.Length(26), vg.Length(9)

// radar lays the chart out in polar coordinates.
func (c *chart) radar(d *Drawing) (*Drawing, error) {
	on := c.on
	if len(c.x) < 3 || c.y != nil {
		return nil, rows.None("polar coordinates need numbers on the Y axis and three categories on the X axis")
	}
	low, high := 0.0, 0.0
	c.reach(-1, alongY, func(values ...float64) {
		low, high = min(low, slices.Min(values)), max(high, slices.Max(values))
	})
	step := niceStep(high-low, 4)
	low, high = math.Floor(low/step)*step, math.Ceil(high/step)*step
	across := on.across(230, pairGap, len(c.panels))
	rows := (len(c.panels) + across - 1) / across
	side := (on.inner() - pairGap*vg.Length(across-1)) / vg.Length(across)
	tiny := textStyle(tinySize, ink, false)
	r := radar{chart: c, low: low, high: high, names: c.around(), side: radarSide}
	var columns [][]rowLabel // of the names that the numbers stand for
	if room := side - 2*radarSide; room*2 < vg.Length(len(c.x))*leading(tiny) {
		r.side = 22
		columns = numbered(r.names, on.inner())
		for i := range r.names {
			r.names[i].text = strconv.Itoa(i + 1)
		}
	}
	under := vg.Length(0)
	for _, column := range columns {
		under = max(under, leading(tiny)*vg.Length(len(column)))
	}
	height := func(each vg.Length) vg.Length { return vg.Length(rows)*(each+titleHeight+4+pairGap) - pairGap + under }
	d.Height = height(on.tight(min(side-2*r.side, 250)+2*radarEnd, 2*radarEnd+60, height))
	d.Body = func(canvas draw.Canvas) {
		for i, column := range columns {
			left := canvas.Min.X + (on.inner()+pairGap)/vg.Length(len(columns))*vg.Length(i)
			for k, line := range column {
				write(canvas, textStyle(tinySize, line.color, false), []string{line.text},
					vg.Point{X: left, Y: canvas.Min.Y + under - leading(tiny)*vg.Length(k)}, 0)
			}
		}
		canvas.Min.Y += under
		tiles := draw.Tiles{Cols: across, Rows: rows, PadX: pairGap, PadY: pairGap}
		for i, name := range c.panels {
			part := tiles.At(canvas, i%across, i/across)
			if name != "" {
				sty := textStyle(labelSize, ink, true)
				write(part, sty, wrap(sty, c.renamed("panel", name), side, 2),
					vg.Point{X: part.Center().X, Y: part.Max.Y}, draw.XCenter)
			}
			part.Max.Y -= titleHeight + 4
			r.panel = i
			r.draw(part, step)
		}
	}
	return d, nil
}

// direction returns the sine and cosine of the direction of a category.
func (r radar) direction(category float64) (sin, cos float64) {
	return math.Sincos(math.Pi/2 - 2*math.Pi*category/float64(len(r.chart.x)))
}

func (r radar) draw(c draw.Canvas, step float64) {
	radius := min((c.Max.X-c.Min.X)/2-r.side, (c.Max.Y-c.Min.Y)/2-radarEnd)
	place := func(category, value float64) vg.Point {
		sin, cos := r.direction(category)
		far := radius * vg.Length((value-r.low)/(r.high-r.low))
		return vg.Point{X: c.Center().X + far*vg.Length(cos), Y: c.Center().Y + far*vg.Length(sin)}
	}
	ring := func(value float64) (out []vg.Point) {
		for i := range len(r.chart.x) + 1 {
			out = append(out, place(float64(i), value))
		}
		return out
	}
	for i := range r.chart.x {
		c.StrokeLines(lineStyle(gridInk, hairline), []vg.Point{c.Center(), place(float64(i), r.high)})
	}
	for v := r.low + step; v <= r.high+step/2; v += step {
		c.StrokeLines(lineStyle(gridInk, hairline), ring(v))
	}
	for _, l := range r.chart.layers {
		layer := drawnLayer{r.chart, l, r.panel}
		for _, group := range grouped(layer.marks()) {
			r.line(c, layer, group, place)
		}
	}
	sty := textStyle(tinySize, softInk, false)
	sty.XAlign = draw.XCenter
	for v := r.low; v <= r.high+step/2; v += step {
		label := formatted("{}", v)
		patch(c, sty, place(0, v), label)
		middle(c, sty, place(0, v), label)
	}
	r.label(c, radius)
}

// line joins the marks of a group where neighbouring categories have one each.
func (r radar) line(c draw.Canvas, layer drawnLayer, group []mark, place func(category, value float64) vg.Point) {
	slices.SortStableFunc(group, func(a, b mark) int { return cmp.Compare(a.at["x"], b.at["x"]) })
	n := len(r.chart.x)
	for i, m := range group {
		next := group[(i+1)%len(group)]
		if int(m.at["x"]+1)%n == int(next.at["x"]) {
			layer.stroke(c, m, 1.1, []vg.Point{place(m.at["x"], m.at["y"]), place(next.at["x"], next.at["y"])})
		}
	}
}

// label writes the names of the categories around the rim. Names on the same side are kept apart
// from each other.
func (r radar) label(c draw.Canvas, radius vg.Length) {
	sty := textStyle(tinySize, ink, false)
	for _, right := range []bool{true, false} {
		var centers, sizes []float64
		var at []vg.Point
		var names [][]string
		var tones []color.Color
		for i, name := range r.names {
			sin, cos := r.direction(float64(i))
			if cos >= -1e-9 != right {
				continue
			}
			p := vg.Point{X: c.Center().X + (radius+radarOff)*vg.Length(cos),
				Y: c.Center().Y + (radius+radarOff)*vg.Length(sin)}
			room := c.Max.X - p.X
			if !right {
				room = p.X - c.Min.X
			}
			lines := wrap(sty, name.text, room, 3)
			at, names, tones = append(at, p), append(names, lines), append(tones, name.color)
			centers, sizes = append(centers, float64(p.Y)), append(sizes, float64(leading(sty))*float64(len(lines))+1)
		}
		for k, y := range spread(centers, sizes, float64(c.Min.Y), float64(c.Max.Y)) {
			align := draw.XLeft
			if !right {
				align = draw.XRight
			}
			sty.Color = tones[k]
			write(c, sty, names[k], vg.Point{X: at[k].X, Y: vg.Length(y + sizes[k]/2)}, align)
		}
	}
}

// around returns the names of the categories, in the colours of their domains where there are several
// domains. The domains are then in the legend.
func (c *chart) around() []rowLabel {
	names, domains := make([]rowLabel, len(c.x)), c.rows.Read().TextIf("domain")
	for i, name := range c.x {
		names[i] = rowLabel{text: c.renamed("x", name), color: ink}
	}
	several := slices.ContainsFunc(domains, func(d string) bool { return d != domains[0] })
	for _, l := range c.layers {
		for _, m := range l.marks {
			i, tone := int(m.at["x"]), c.domains.text(domains[m.row])
			if !several || tone == ink {
				continue
			}
			names[i].color = tone
			if key := (Key{Name: domains[m.row], Color: tone, Square: true}); !slices.Contains(c.keys, key) {
				c.keys = append(c.keys, key)
			}
		}
	}
	return names
}

// numbered puts names with their numbers into columns: as many as fit, or two with broken names.
func numbered(names []rowLabel, room vg.Length) (columns [][]rowLabel) {
	list := slices.Clone(names)
	for i := range list {
		list[i].text = fmt.Sprint(i+1, " ", names[i].text)
	}
	across := max(2, int((room+pairGap)/(labelColumn(tinySize, list)+pairGap)))
	width := (room+pairGap)/vg.Length(across) - pairGap
	for part := range slices.Chunk(list, (len(list)+across-1)/across) {
		var column []rowLabel
		for _, n := range part {
			for _, line := range wrap(textStyle(tinySize, ink, false), n.text, width, 3) {
				column = append(column, rowLabel{text: line, color: n.color})
			}
		}
		columns = append(columns, column)
	}
	return columns
}
