package plots

import (
	"cmp"
	"slices"
)

var arenaAuto = Figure{
	Name:  "arena_auto",
	Title: "CapArena-Auto: how often a judge prefers a captioner to three baselines",
	Paper: "CapArena, Table 8",
	Needs: []string{"arena_auto"},
	All:   true,
	draw:  drawArenaAuto,
}

func drawArenaAuto(ts Tables, _ domainSet, on Page) (*Drawing, error) {
	from, chosen := ts.Read("arena_auto").most("judge_name")
	provenance, baselines, names := from.provenance(), from.TextOrNone("baseline"), from.Text("baseline_name")
	ids, scores := from.Text("captioner"), from.Numbers("score")
	bounds := from.Interval("score")
	if from.Err != nil {
		return nil, from.Err
	}
	average := map[string]Number{}
	var order []string // of the captioners
	var panes []string // the average, then baselines
	for i, id := range ids {
		if !slices.Contains(order, id) {
			order = append(order, id)
		}
		if baselines[i] == "" {
			average[id] = scores[i]
		} else if !slices.Contains(panes, names[i]) {
			panes = append(panes, names[i])
		}
	}
	order = arranged(on, order, itself, func(a, b string) int {
		x, y := average[a], average[b]
		return cmp.Or(-boolOrder(x.Valid, y.Valid), cmp.Compare(y.Value, x.Value), cmp.Compare(a, b))
	})
	slices.Sort(panes)
	first := map[string]int{} // the row that names a captioner
	for i, id := range ids {
		if _, ok := first[id]; !ok {
			first[id] = i
		}
	}
	captioners := from.Table.Pick(func(i int) bool { return first[ids[i]] == i })
	own, err := captioners.Strings("captioner")
	if err != nil {
		return nil, err
	}
	picked, labels, glyphs, keys, err := arenaCaptioners(on, captioners, func(a, b int) int {
		return cmp.Compare(slices.Index(order, own[a]), slices.Index(order, own[b]))
	})
	if err != nil {
		return nil, err
	}
	var panels []panel
	scale := newAxis("", [2]float64{-100, 100})
	scale.include(0)
	for _, pane := range append([]string{"Average"}, panes...) {
		rows := make([]Dot, len(order))
		for k, id := range order {
			for i := range ids {
				if ids[i] == id && (names[i] == pane) && (baselines[i] == "") == (pane == "Average") {
					rows[k] = Dot{Value: scores[i], Low: bounds[0][i], High: bounds[1][i], Glyph: glyphs[picked[k]], Label: formatOf("%.1f", scores[i])}
				}
			}
		}
		dots, err := NewDots(rows)
		if err != nil {
			continue // nobody has met this baseline
		}
		panels = append(panels, newPanel(pane, ink, scale, dots, marker{at: 0, vertical: true}))
	}
	if len(panels) == 0 {
		return nil, noRows("table %s has no score", from.Table.Name())
	}
	chart := newRowChart(labels, 140, 12, panels...)
	return &Drawing{
		Subtitle: "Wins less losses in percent of the battles, judged by " + chosen[0] + ", against each baseline and on average; 0 against itself." +
			intervalNote(bounds) + " With the benchmark's 200 images for a baseline, 95 % intervals reach up to 14 points to each side, and that of the average up to 8.",
		Source:     "mart arena_auto; CapArena Table 8, which has no intervals, where published.",
		Provenance: provenance, Keys: keys,
		Height: chart.height(on), Body: chart.draw,
	}, nil
}
