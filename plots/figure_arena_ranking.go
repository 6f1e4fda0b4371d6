package plots

import (
	"cmp"
)

var arenaRanking = Figure{
	Name:  "arena_ranking",
	Title: "Captioners ranked by people who compared their captions",
	Paper: "CapArena, Figure 1",
	Needs: []string{"arena_ranking"},
	All:   true,
	draw:  drawArenaRanking,
}

func drawArenaRanking(ts Tables, _ domainSet, on Page) (*Drawing, error) {
	from := arenaTable(ts, "arena_ranking").Where("judge", arenaPeople)
	provenance, places := from.provenance(), from.Numbers("place")
	if from.Err != nil {
		return nil, from.Err
	}
	order, labels, glyphs, keys, err := arenaCaptioners(on, from.Table, func(a, b int) int {
		return cmp.Or(-boolOrder(places[a].Valid, places[b].Valid), cmp.Compare(places[a].Value, places[b].Value))
	})
	if err != nil {
		return nil, err
	}
	placeAxis := newAxis("", [2]float64{1, float64(len(order))})
	placeAxis.ticks = placeTicks{up: true}
	ratings := newAxis("", anywhere)
	panels, note, err := dotPanels(from.Table, order, glyphs, []dotColumn{
		{column: "place", title: "Place", reference: noReference, format: "%.0f", axis: placeAxis},
		{column: "elo", title: "Elo", reference: 1000, format: "%.0f", axis: ratings},
		{column: "bradley_terry", title: "Bradley-Terry", reference: 1000, format: "%.0f", axis: ratings},
		{column: "style", title: "Equal lengths", reference: 1000, format: "%.0f", axis: ratings},
	})
	if err != nil {
		return nil, err
	}
	subtitle := "Place and rating by sequential Elo as in the released code; by Bradley and Terry's model, ties as half wins; and by the same with the difference of lengths held equal. 1000 is the mean of the captioners, 400 points are odds of 10 to 1." + note
	if len(panels) == 1 {
		subtitle = "The order alone: the paper prints ratings as a drawing."
	}
	chart := newRowChart(labels, 150, 13, panels...)
	return &Drawing{
		Subtitle:   subtitle,
		Source:     "mart arena_ranking; where published, the order with which the paper's released code compares judges.",
		Provenance: provenance, Keys: keys,
		Height: chart.height(on), Body: chart.draw,
	}, nil
}
