package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/captionlake/captionlake/data"
)

var arenaBenchmarks = Figure{
	Name:  "arena_benchmarks",
	Title: "What benchmarks say of captioners, and what people say",
	Paper: "CapArena, Figure 4 and Table 3",
	Needs: []string{"arena_benchmarks"},
	Also:  []string{"arena_correlations"},
	All:   true,
	draw:  drawArenaBenchmarks,
}

func drawArenaBenchmarks(ts Tables, _ domainSet, on Page) (*Drawing, error) {
	from := ts.Read("arena_benchmarks")
	provenance, names, judges, protocols := from.provenance(), from.Text("name"), from.TextOrNone("judge"), from.TextOrNone("protocol")
	by := from.Text("people_provenance")
	captioners, shown, types := from.Text("captioner"), from.TextOrNone("captioner_name"), from.TextOrNone("model_type")
	scores, ratings, places := from.Floats("score"), from.Numbers("rating"), from.Floats("place")
	billions, scoreEnds, ratingEnds := from.Numbers("billions"), from.Interval("score"), from.Interval("rating")
	if from.Err != nil {
		return nil, from.Err
	}
	shown = modelNames(captioners, shown, nil)
	type series struct{ name, judge, protocol, people string }
	rows := map[series][]int{}
	for i, n := range names {
		s := series{n, judges[i], protocols[i], by[i]}
		rows[s] = append(rows[s], i)
	}
	rho, err := correlationsOf(ts)
	if err != nil {
		return nil, err
	}
	var all []series
	for s, r := range rows {
		if len(r) >= 3 {
			all = append(all, s)
		}
	}
	if len(all) == 0 {
		return nil, noRows("table %s has no score of three captioners that people ranked", from.Table.Name())
	}
	// CapArena-Auto, other benchmarks, then metrics.
	rank := func(s series) int {
		switch {
		case s.judge == "":
			return 1
		case s.name == "CapArena-Auto":
			return 0
		}
		return 2
	}
	slices.SortFunc(all, func(a, b series) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.name, b.name), cmp.Compare(a.judge, b.judge), cmp.Compare(a.protocol, b.protocol), cmp.Compare(a.people, b.people))
	})
	var panels []*plot.Plot
	for _, s := range all {
		rated := !slices.ContainsFunc(rows[s], func(i int) bool { return !ratings[i].Valid })
		var points []ScatterPoint
		for _, i := range rows[s] {
			g := filled(palette[0])
			if types[i] == data.ModelProprietary {
				g = hollow(palette[0])
			}
			g.Radius = 2.4
			if billions[i].Valid {
				g.Radius = vg.Length(1.6 + 0.9*math.Log10(max(billions[i].Value, 1))*1.6)
			}
			q := ScatterPoint{X: scores[i], Y: -places[i], Name: fit(textStyle(smallSize, ink, false), shown[i], 95), Glyph: g, XLow: scoreEnds[0][i], XHigh: scoreEnds[1][i]}
			if rated {
				q.Y, q.YLow, q.YHigh = ratings[i].Value, ratingEnds[0][i], ratingEnds[1][i]
			}
			points = append(points, q)
		}
		scatter, err := NewScatter(points)
		if err != nil {
			return nil, err
		}
		p := newPlot()
		title := s.name
		if r, ok := rho[[4]string{s.name, s.judge, s.protocol, s.people}]; ok {
			title += fmt.Sprintf(" (ρ = %.2f)", r)
		}
		panelTitle(p, title, ink)
		p.Add(horizontalGrid{}, scatter)
		xmin, xmax, ymin, ymax := scatter.DataRange()
		dx, dy := max((xmax-xmin)*0.04, 1e-9), max((ymax-ymin)*0.04, 0.5)
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = xmin-dx, xmax+dx, ymin-dy, ymax+dy
		p.X.Tick.Marker, p.Y.Tick.Marker = steps(niceStep(p.X.Max-p.X.Min, 5)), steps(niceStep(p.Y.Max-p.Y.Min, 5))
		p.X.Label.Text, p.Y.Label.Text = "score", "Elo by people"
		if !rated {
			p.Y.Label.Text, p.Y.Tick.Marker = "place by people", placeTicks{}
		}
		panels = append(panels, p)
	}
	pairs := pairChart{220, panels}
	return &Drawing{
		Subtitle:   "Score of a captioner against what people's votes make of it; above each panel Spearman's rank correlation. Points grow with the number of parameters where it is known." + intervalNote(scoreEnds, ratingEnds),
		Source:     "mart arena_benchmarks; CapArena Table 8 and the order of Figure 1 where published.",
		Provenance: provenance, Derived: true,
		Keys:   typeKeys(types),
		Height: pairs.height(on), Body: pairs.draw,
	}, nil
}

// placeTicks ticks an axis of places, the first and every fifth one. Unless places go up, the axis is of their negatives, so that the
// best is at the top.
type placeTicks struct{ up bool }

// Ticks implements [plot.Ticker].
func (t placeTicks) Ticks(low, high float64) []plot.Tick {
	sign := 1.0
	if !t.up {
		low, high, sign = -high, -low, -1
	}
	var out []plot.Tick
	for place := math.Max(1, math.Ceil(low)); place <= high; place++ {
		if place == 1 || math.Mod(place, 5) == 0 {
			out = append(out, plot.Tick{Value: sign * place, Label: fmt.Sprintf("%.0f", place)})
		}
	}
	return out
}

// correlationsOf are the rank correlations of benchmarks by name, judge, protocol and whose votes they are compared with; none where there is no such mart.
func correlationsOf(ts Tables) (map[[4]string]float64, error) {
	t := ts["arena_correlations"]
	if t == nil || t.Len() == 0 {
		return nil, nil
	}
	from := Read(t)
	origins, kinds, rho := from.Text("origin"), from.Text("kind"), from.Numbers("spearman")
	names, judges, protocols, people := from.Text("name"), from.TextOrNone("judge"), from.TextOrNone("protocol"), from.Text("people_provenance")
	out := map[[4]string]float64{}
	for i, r := range rho {
		if r.Valid && kinds[i] == "benchmark" && origins[i] != data.ProvenancePublished {
			out[[4]string{names[i], judges[i], protocols[i], people[i]}] = r.Value
		}
	}
	return out, from.Err
}
