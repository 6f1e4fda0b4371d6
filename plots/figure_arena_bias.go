package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

var arenaBias = Figure{
	Name:  "arena_bias",
	Title: "Which captioners a judge prefers more often than people do",
	Paper: "CapArena, Figure 5",
	Needs: []string{"arena_bias"},
	All:   true,
	draw:  drawArenaBias,
}

func drawArenaBias(ts Tables, _ domainSet, on Page) (*Drawing, error) {
	from := arenaTable(ts, "arena_bias")
	provenance, captioners, judges := from.provenance(), from.Text("captioner"), from.Text("judge")
	protocols, biases, rates := from.Text("protocol"), from.Floats("bias"), from.Floats("people_rate")
	names, judgeNames, ends := from.TextOrNone("captioner_name"), from.TextOrNone("judge_name"), from.Interval("bias")
	if from.Err != nil {
		return nil, from.Err
	}
	names = modelNames(captioners, names, nil)
	var rows, columns []string // captioners by the win rate that people give them; judges by their mean absolute bias
	name, rate, n, size := map[string]string{}, map[string]float64{}, map[string]float64{}, map[string]float64{}
	for i, id := range captioners {
		judge := judges[i] + " " + protocols[i]
		if !slices.Contains(rows, id) {
			rows = append(rows, id)
		}
		if !slices.Contains(columns, judge) {
			columns = append(columns, judge)
		}
		name[id], rate[id], name[judge] = names[i], max(rate[id], rates[i]), cmp.Or(judgeNames[i], judges[i])
		n[judge]++
		size[judge] += math.Abs(biases[i])
	}
	rows = arranged(on, rows, itself, func(a, b string) int {
		return cmp.Or(cmp.Compare(rate[b], rate[a]), cmp.Compare(a, b))
	})
	slices.SortFunc(columns, func(a, b string) int { return cmp.Or(cmp.Compare(size[a]/n[a], size[b]/n[b]), cmp.Compare(a, b)) })
	cellsOf := make([][]Number, len(rows)+1)
	for r := range cellsOf {
		cellsOf[r] = make([]Number, len(columns))
	}
	widest, unsure := 0.0, 0
	for i, id := range captioners {
		k := slices.Index(columns, judges[i]+" "+protocols[i])
		cellsOf[slices.Index(rows, id)][k] = Number{biases[i], true}
		widest = max(widest, math.Abs(biases[i]))
		if ends[0][i].Valid && ends[0][i].Value <= 0 && ends[1][i].Value >= 0 {
			unsure++
		}
	}
	labels, heads := make([]string, len(rows)+1), make([]string, len(columns))
	for r, id := range rows {
		labels[r] = name[id]
	}
	labels[len(rows)] = "Mean absolute bias"
	for k, judge := range columns {
		heads[k], cellsOf[len(rows)][k] = name[judge], Number{size[judge] / n[judge], true}
	}
	heat, err := NewHeat(cellsOf, "%+.1f")
	if err != nil {
		return nil, err
	}
	heat.Low, heat.High, heat.Diverging = -max(widest, 1), max(widest, 1), true
	heat.plain = map[int]bool{len(rows): true}
	chart := newRowChart(inkLabels(labels...), 150, 14, heatPanel("", ink, heat, inkLabels(heads...)))
	return &Drawing{
		Subtitle: fmt.Sprintf("Win rate by the judge less win rate by people on the same battles, in points: blue where the judge overestimates a captioner, orange where it underestimates it. Captioners by people's win rate, judges by their mean absolute bias. The 95 %% intervals of %d of %d hold 0.",
			unsure, len(captioners)),
		Source:     "mart arena_bias.",
		Provenance: provenance,
		Height:     chart.height(on), Body: chart.draw,
	}, nil
}
