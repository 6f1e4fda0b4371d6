package plots

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"github.com/captionlake/captionlake/data/must"
)

// page wraps a plot in a drawing as figures do.
func page(title string, p *plot.Plot) *Drawing {
	return &Drawing{Title: title, Subtitle: "Rows made for a test.", Source: "a generator with a fixed seed", Provenance: []string{"simulated"},
		Page: Page{Width: 360}, Height: 200, Body: func(c draw.Canvas) { p.Draw(c) }}
}

func num(v float64) Number { return Number{v, true} }

// gallery draws each plotter once, on more than it meets in a figure.
func gallery(t *testing.T) map[string]*Drawing {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	out := map[string]*Drawing{}

	violins := newPlot()
	for i, d := range domains {
		var values []float64
		for range 200 {
			values = append(values, 60+float64(i)*5+r.NormFloat64()*(4+float64(i))+float64(r.IntN(2))*15)
		}
		switch i {
		case 2:
			values = []float64{70, 70, 70}
		case 3:
			values = []float64{80}
		}
		v, err := NewViolin(float64(i), 0.4, domainsOf().color(d), values)
		must.Succeed(t, err)
		violins.Add(v)
	}
	violins.NominalX(domains...)
	violins.X.Min, violins.X.Max = -0.5, 3.5
	out["violins"] = page("Violins, two of them degenerate", violins)

	stacks := make([]Bar, 5)
	for i := range stacks {
		a, b, c := 20+r.Float64()*30, 10+r.Float64()*20, r.Float64()*15
		stacks[i] = Bar{Segments: []Segment{{a, palette[0]}, {b, palette[1]}, {c, palette[2]}}, Label: fmt.Sprintf("%.0f", a+b+c)}
	}
	bars, err := NewBars(stacks)
	must.Succeed(t, err)
	p := newPlot()
	p.Add(bars)
	p.NominalY("one", "two", "three", "four", "five")
	p.Y.Min, p.Y.Max, p.X.Max = -0.5, 4.5, 110
	out["bars"] = page("Stacks", p)
	out["bars"].Keys = []Key{{Name: "first", Look: Look{Color: palette[0]}, Square: true}, {Name: "second", Look: Look{Color: palette[1]}, Square: true}, {Name: "third", Look: Look{Color: palette[2]}, Square: true}}

	var points []ScatterPoint
	for i := range 40 {
		x := r.Float64() * 30
		q := ScatterPoint{X: x, Y: x + r.NormFloat64()*3, Glyph: draw.GlyphStyle{Color: domainsOf().color(domains[i%4]), Radius: 2.2, Shape: draw.CircleGlyph{}}}
		if i%4 == 0 {
			q.Name = fmt.Sprintf("Outlying category %d", i)
		}
		points = append(points, q)
	}
	scatter, err := NewScatter(points)
	must.Succeed(t, err)
	scatter.Diagonal = true
	p = newPlot()
	p.Add(scatter)
	p.X.Label.Text, p.Y.Label.Text = "coverage gain (points)", "accuracy gain (points)"
	out["scatter"] = page("Scatter with diagonal and outliers", p)

	var series []LineSeries
	for i, id := range []string{"gpt-5", "gemini-2.5-pro", "qwen3-vl-8b", "glm-4.1v-9b", "internvl3-78b"} {
		s := LineSeries{Name: id, Look: Looks([]string{id})[0]}
		for k := range 20 {
			y := 0.9 + 0.1*float64(k)/20 - 0.01*float64(i%2)
			s.Points = append(s.Points, LinePoint{X: float64(k), Y: num(y), Low: num(y - 0.2/float64(k+2)), High: num(y + 0.2/float64(k+2))})
		}
		series = append(series, s)
	}
	lines, err := NewLines(series)
	must.Succeed(t, err)
	lines.fitGutter(90)
	chart := newPlot()
	chart.Add(horizontalGrid{}, lines)
	chart.X.Label.Text = "images"
	d := page("Lines with bands and direct labels", chart)
	d.Body = func(c draw.Canvas) {
		data := chart.DataCanvas(c)
		lines.room(chart, 0, 19, data.Max.X-data.Min.X)
		chart.X.Tick.Marker = between{steps(5), 0, 19}
		chart.Draw(c)
	}
	out["lines"] = d

	var cells [][]Number
	for i := range 8 {
		var row []Number
		for j := range 10 {
			v := num(30 + 70*r.Float64())
			v.Valid = i != 3 || j != 4
			row = append(row, v)
		}
		cells = append(cells, row)
	}
	heat, err := NewHeat(cells, "%.0f")
	must.Succeed(t, err)
	p = newPlot()
	p.Add(heat)
	p.HideAxes()
	out["heat"] = page("Heat map", p)

	// The paper's size: 69 subcategories of four domains, 24 captioners.
	var axes []RadarAxis
	for i, n := range []int{22, 15, 16, 16} {
		for k := range n {
			axes = append(axes, RadarAxis{fmt.Sprintf("%s: subcategory number %d", domains[i], k+1), domains[i]})
		}
	}
	var rs []RadarSeries
	for _, f := range families {
		for _, id := range f.members {
			s := RadarSeries{Name: id, Look: Looks([]string{id})[0]}
			for range axes {
				s.Values = append(s.Values, num(40+55*r.Float64()))
			}
			rs = append(rs, s)
		}
	}
	radar, err := NewRadar(axes, rs[:3], 20, 100)
	must.Succeed(t, err)
	radar.Rings, radar.GroupColor = []float64{40, 60, 80, 100}, domainsOf().text
	out["radar"] = &Drawing{Title: "A radar of the paper's size", Provenance: provenances, Source: "rows of all three kinds",
		Height: radarHeight(len(axes), Page{}), Body: func(c draw.Canvas) { radar.Plot(c, nil) }}

	var rows []Dot
	for i := range 10 {
		v := 50 + 5*float64(i)
		rows = append(rows, Dot{Value: num(v), Low: num(v - 3), High: num(v + 4), Glyph: filled(palette[0]), Label: fmt.Sprintf("%.1f", v)})
	}
	dots, err := NewDots(rows)
	must.Succeed(t, err)
	p = newPlot()
	p.Add(dots)
	p.HideY()
	p.X.Min, p.X.Max = 40, 100
	out["dots"] = page("Dots with intervals", p)
	return out
}

// TestGallery checks the text of every plotter. With PLOTS_OUT set the files are kept there.
func TestGallery(t *testing.T) {
	for name, d := range gallery(t) {
		t.Run(name, func(t *testing.T) {
			if err := d.Check(); err != nil {
				t.Error(err)
			}
			must.Succeed(t, d.keep("gallery_"+name))
		})
	}
}
