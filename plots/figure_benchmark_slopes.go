package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/captionlake/captionlake/data"
)

var benchmarkSlopes = Figure{
	Name:  "benchmark_slopes",
	Title: "Where benchmarks disagree about captioners",
	Paper: "CaptionQA, CAPability, CV-CapBench and CapArena side by side; no paper has it",
	Needs: []string{"benchmark_places"},
	Also:  []string{"benchmark_agreement"},
	All:   true,
	draw:  drawBenchmarkSlopes,
}

// slopeRoom is the room left of the places on the left, for half of the name below them.
const slopeRoom = vg.Length(40)

// fewestSloped is how many captioners two benchmarks must share to have a panel: of two there is nothing to rank.
const fewestSloped = 3

func drawBenchmarkSlopes(ts Tables, _ domainSet, on Page) (*Drawing, error) {
	from := ts.Read("benchmark_places")
	provenance, made := from.provenance(), from.Text("provenance")
	first, second := from.Text("series_a"), from.Text("series_b")
	names := [2][]string{from.Text("series_a_name"), from.Text("series_b_name")}
	benchmarks, prompts := [2][]string{from.Text("benchmark_a"), from.Text("benchmark_b")}, from.TextOrNone("prompt_a")
	captioners, shown := from.Text("captioner"), from.TextOrNone("captioner_name")
	places := [2][]float64{from.Floats("place_a"), from.Floats("place_b")}
	if from.Err != nil {
		return nil, from.Err
	}
	shown = modelNames(captioners, shown, nil)
	main := data.CaptionQA().MainPrompt(prompts)
	type pair struct{ provenance, a, b string }
	rows := map[pair]map[[2]string][]int{} // by the benchmarks, then by the series
	for i := range captioners {
		if prompts[i] == "" || prompts[i] == main {
			p, s := pair{made[i], benchmarks[0][i], benchmarks[1][i]}, [2]string{first[i], second[i]}
			if rows[p] == nil {
				rows[p] = map[[2]string][]int{}
			}
			rows[p][s] = append(rows[p][s], i)
		}
	}
	// Of several readers and judges, those of most captioners are shown.
	var panels [][]int
	for _, series := range rows {
		var most []int
		for _, r := range series {
			if d := cmp.Compare(len(r), len(most)); d > 0 || d == 0 && slopeOrder(first[r[0]], first[most[0]], second[r[0]], second[most[0]]) < 0 {
				most = r
			}
		}
		if len(most) >= fewestSloped {
			panels = append(panels, most)
		}
	}
	if len(panels) == 0 {
		return nil, noRows("table %s has no two benchmarks that share %d captioners", from.Table.Name(), fewestSloped)
	}
	slices.SortFunc(panels, func(x, y []int) int {
		return cmp.Or(cmp.Compare(len(y), len(x)), slopeOrder(first[x[0]], first[y[0]], second[x[0]], second[y[0]]))
	})
	agreement, err := agreements(ts)
	if err != nil {
		return nil, err
	}
	var plots []*plot.Plot
	var lines []*Lines
	for _, r := range panels {
		var series []LineSeries
		for _, i := range r {
			moved := places[0][i] - places[1][i]
			s := LineSeries{Name: shown[i], Look: Look{Color: softInk, Shape: draw.CircleGlyph{}}}
			if math.Abs(moved) >= 2 {
				s.Name = fmt.Sprintf("%+g %s", moved, shown[i])
				s.Look = Look{Color: palette[0], Shape: draw.CircleGlyph{}}
				if moved < 0 {
					s.Look = Look{Color: palette[1], Shape: draw.CircleGlyph{}, Dashes: []vg.Length{4, 2}}
				}
			}
			s.Points = []LinePoint{{X: 0, Y: Number{-places[0][i], true}}, {X: 1, Y: Number{-places[1][i], true}}}
			series = append(series, s)
		}
		l, err := NewLines(series)
		if err != nil {
			return nil, err
		}
		l.Markers = true
		l.fitGutter(105)
		p := newPlot()
		panelTitle(p, fmt.Sprintf("%d captioners%s", len(r), agreement[[2]string{first[r[0]], second[r[0]]}]), ink)
		p.Add(l)
		p.Y.Min, p.Y.Max, p.Y.Tick.Marker = -float64(len(r))-0.5, -0.5, placeTicks{}
		p.X.Tick.Marker = plot.ConstantTicks{{Value: 0, Label: names[0][r[0]]}, {Value: 1, Label: names[1][r[0]]}}
		plots, lines = append(plots, p), append(lines, l)
	}
	down := Look{Color: palette[1], Shape: draw.CircleGlyph{}, Dashes: []vg.Length{4, 2}}
	across := on.across(200, 14, min(2, len(plots)))
	return &Drawing{
		Subtitle: "Place of each captioner that two benchmarks share, 1 the best, among these captioners alone; above each panel Spearman's rank correlation with its 95 % interval, as if captioners were drawn from many. Few captioners tell little. " +
			"CaptionQA's are of the prompt " + main + ".",
		Source:     "marts benchmark_places and benchmark_agreement; the papers' tables where published. Versions that a paper does not name are different captioners.",
		Provenance: provenance, Derived: true,
		Keys: []Key{{Name: "two places better on the right, or more", Look: Look{Color: palette[0], Shape: draw.CircleGlyph{}}, Line: true},
			{Name: "two places worse, or more", Look: down, Line: true}, {Name: "less than two places apart", Look: Look{Color: softInk, Shape: draw.CircleGlyph{}}, Line: true}},
		Height: vg.Length((len(plots)+across-1)/across) * (vg.Length(len(panels[0]))*labelStep(smallSize) + 60),
		Body: func(c draw.Canvas) {
			for i, cell := range cells(c, across, (len(plots)+across-1)/across, 14) {
				if i >= len(plots) {
					break
				}
				p := plots[i]
				sty, axis := textStyle(smallSize, softInk, false), vg.Length(40)
				ticks := p.X.Tick.Marker.(plot.ConstantTicks)
				for k := range ticks {
					ticks[k].Label = fit(sty, ticks[k].Label, min(2*slopeRoom, cell.Max.X-cell.Min.X-axis-slopeRoom-lines[i].Gutter))
				}
				inner := p.DataCanvas(cell)
				width := inner.Max.X - inner.Min.X
				lines[i].room(p, -float64(slopeRoom/max(width-lines[i].Gutter-slopeRoom, slopeRoom)), 1, width)
				p.Draw(cell)
			}
		},
	}, nil
}

// slopeOrder orders pairs of series by their names.
func slopeOrder(a, b, c, d string) int { return cmp.Or(cmp.Compare(a, b), cmp.Compare(c, d)) }

// agreements are what is written above a panel of two series: their rank correlation with its interval; nothing without the mart.
func agreements(ts Tables) (map[[2]string]string, error) {
	t := ts["benchmark_agreement"]
	if t == nil || t.Len() == 0 {
		return nil, nil
	}
	from := Read(t)
	a, b, rho, ends := from.Text("series_a"), from.TextOrNone("series_b"), from.Numbers("spearman"), from.Interval("spearman")
	out := map[[2]string]string{}
	for i, r := range rho {
		if !r.Valid {
			continue
		}
		text := fmt.Sprintf(", ρ = %.2f", r.Value)
		if ends[0][i].Valid && ends[1][i].Valid {
			text += fmt.Sprintf(" (%.2f to %.2f)", ends[0][i].Value, ends[1][i].Value)
		}
		out[[2]string{a[i], b[i]}] = text
	}
	return out, from.Err
}
