package plots

import (
	"cmp"
	"slices"
	"strconv"
)

var arenaMatrix = Figure{
	Name:  "arena_matrix",
	Title: "Battles and win rates of captioners against each other",
	Paper: "CapArena, Figure 3",
	Needs: []string{"arena_pairs"},
	All:   true,
	draw:  drawArenaMatrix,
}

func drawArenaMatrix(ts Tables, _ domainSet, on Page) (*Drawing, error) {
	from := arenaTable(ts, "arena_pairs").Where("judge", arenaPeople)
	provenance, others, rates, battles := from.provenance(), from.TextOrNone("other"), from.Numbers("win_rate"), from.Numbers("n_battles")
	ids, names := from.Text("captioner"), from.TextOrNone("captioner_name")
	if from.Err != nil {
		return nil, from.Err
	}
	names = modelNames(ids, names, nil)
	overall, shown := map[string]float64{}, map[string]string{}
	var order []string
	for i, id := range ids {
		if others[i] == "" {
			overall[id] = rates[i].Value
		}
		if shown[id] = names[i]; !slices.Contains(order, id) {
			order = append(order, id)
		}
	}
	order = arranged(on, order, itself, func(a, b string) int {
		return cmp.Or(cmp.Compare(overall[b], overall[a]), cmp.Compare(a, b))
	})
	counts, wins := make([][]Number, len(order)), make([][]Number, len(order))
	heads, labels := make([]string, len(order)), make([]string, len(order))
	for k, id := range order {
		counts[k], wins[k] = make([]Number, len(order)), make([]Number, len(order))
		heads[k] = strconv.Itoa(k + 1)
		labels[k] = shown[id] + "  " + heads[k]
	}
	for i, id := range ids {
		if row, column := slices.Index(order, id), slices.Index(order, others[i]); column >= 0 {
			counts[row][column], wins[row][column] = battles[i], rates[i]
		}
	}
	count, err := NewHeat(counts, "%.0f")
	if err != nil {
		return nil, err
	}
	count.Low = 0
	win, err := NewHeat(wins, "%.0f")
	if err != nil {
		return nil, err
	}
	win.Low, win.High, win.Diverging = 0, 100, true
	chart := newRowChart(inkLabels(labels...), 150, 13,
		heatPanel("Battles", ink, count, inkLabels(heads...)), heatPanel("Win rate, %", ink, win, inkLabels(heads...)))
	return &Drawing{
		Subtitle:   "By people's votes. Columns are numbered as the rows are, captioners by win rate over all of their battles. Win rate: how often the captioner of the row wins against that of the column, in percent, a tie being half a win: blue above 50, orange below. A stroke: no battle.",
		Source:     "mart arena_pairs.",
		Provenance: provenance,
		Height:     chart.height(on), Body: chart.draw,
	}, nil
}
