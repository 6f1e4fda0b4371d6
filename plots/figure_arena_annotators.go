package plots

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot/vg/draw"
)

var arenaAnnotators = Figure{
	Name:  "arena_annotators",
	Title: "Annotators: how far they agree, and how long they take",
	Paper: "CapArena, Section 3.2 and appendix E",
	Needs: []string{"arena_annotators"},
	All:   true,
	draw:  drawArenaAnnotators,
}

func drawArenaAnnotators(ts Tables, _ domainSet, on Page) (*Drawing, error) {
	from := arenaTable(ts, "arena_annotators").Where("level", "all")
	provenance, names, votes := from.provenance(), from.TextOrNone("annotator"), from.Numbers("n_votes")
	faster, slower := from.Numbers("n_speed_ups"), from.Numbers("n_slow_downs")
	if from.Err != nil {
		return nil, from.Err
	}
	order, labels, glyphs := make([]int, len(names)), make([]rowLabel, len(names)), make([]draw.GlyphStyle, len(names))
	for i := range order {
		order[i], glyphs[i] = i, filled(palette[0])
		if names[i] == "" {
			glyphs[i] = filled(palette[1])
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(-boolOrder(names[a] == "", names[b] == ""), cmp.Compare(votes[b].Value, votes[a].Value), cmp.Compare(names[a], names[b]))
	})
	for k, i := range order {
		labels[k] = rowLabel{Annotator(names[i]), ink}
		switch {
		case names[i] == "":
		case faster[i].Value > 0:
			labels[k] = rowLabel{names[i] + " (faster)", alarm}
		case slower[i].Value > 0:
			labels[k] = rowLabel{names[i] + " (slower)", alarm}
		}
	}
	panels, note, err := dotPanels(from.Table, order, glyphs, []dotColumn{
		{column: "agreement", title: "Agreement with others", format: "%.1f", reference: noReference, axis: newAxis("% of shared votes", percents)},
		{column: "median_seconds", title: "Median time", format: "%.0f", reference: noReference, axis: newAxis("seconds", counted)},
		{column: "n_counted", title: "Votes that count", format: "%.0f", reference: noReference, axis: newAxis("votes", counted)},
	})
	if err != nil {
		return nil, err
	}
	chart := newRowChart(labels, 150, 14, panels...)
	return &Drawing{
		Subtitle:   "Pairs of votes of two annotators on one battle that say the same, a tie being a third answer. In red: at least 18 of the annotator's last 20 votes were faster, or slower, than the median of all at some point." + note,
		Source:     "mart arena_annotators.",
		Provenance: provenance,
		Height:     chart.height(on), Body: chart.draw,
	}, nil
}
