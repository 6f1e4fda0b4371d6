package plots

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot/vg/draw"
)

var arenaPositions = Figure{
	Name:  "arena_positions",
	Title: "Whether judges prefer the caption that they are shown first",
	Paper: "CapArena; no figure of the paper",
	Needs: []string{"arena_positions"},
	All:   true,
	draw:  drawArenaPositions,
}

func drawArenaPositions(ts Tables, _ domainSet, on Page) (*Drawing, error) {
	from := ts.Read("arena_positions")
	provenance, kinds, names := from.provenance(), from.Text("judge_type"), from.TextOrNone("judge_name")
	benchmarks, first := from.Text("benchmark"), from.Numbers("first_rate")
	if from.Err != nil {
		return nil, from.Err
	}
	order, labels, glyphs := make([]int, len(names)), make([]rowLabel, len(names)), make([]draw.GlyphStyle, len(names))
	for i := range order {
		order[i], glyphs[i] = i, judgeGlyph(kinds[i])
		if several := slices.Compact(slices.Sorted(slices.Values(benchmarks))); len(several) > 1 {
			names[i] += ", " + ArenaTitle(benchmarks[i])
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(first[b].Value, first[a].Value), cmp.Compare(names[a], names[b]))
	})
	for k, i := range order {
		labels[k] = rowLabel{names[i], ink}
	}
	panels, note, err := dotPanels(from.Table, order, glyphs, []dotColumn{
		{column: "first_rate", title: "Prefers the first", format: "%.1f", reference: 50, axis: newAxis("% of votes", percents)},
		{column: "same_rate", title: "Same in both orders", format: "%.1f", reference: noReference, axis: newAxis("% of battles", percents)},
	})
	if err != nil {
		return nil, err
	}
	chart := newRowChart(labels, 190, 14, panels...)
	return &Drawing{
		Subtitle:   "Left: votes for the caption that was shown first, a tie being half; 50 without a position bias where orders are drawn. Right: battles asked in both orders that have one outcome." + note,
		Source:     "mart arena_positions.",
		Provenance: provenance,
		Height:     chart.height(on), Body: chart.draw,
	}, nil
}
