package plots

import (
	"cmp"
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg/draw"

	"github.com/captionlake/captionlake/data"
)

var arenaAgreement = Figure{
	Name:  "arena_agreement",
	Title: "How often judges and people prefer the same caption",
	Paper: "CapArena, Table 2",
	Needs: []string{"arena_judges"},
	All:   true,
	draw: func(ts Tables, _ domainSet, on Page) (*Drawing, error) {
		return drawArenaJudges(ts, on, "Share of the battles (%) with the same outcome by the judge and by people, a tie being a third one; by level, from unequal captioners (1) to close ones (4).",
			dotColumn{column: "agreement", title: "All levels"}, dotColumn{column: "agreement_1", title: "Level 1"}, dotColumn{column: "agreement_2", title: "Level 2"},
			dotColumn{column: "agreement_3", title: "Level 3"}, dotColumn{column: "agreement_4", title: "Level 4"})
	},
}

var arenaRankAgreement = Figure{
	Name:  "arena_rank_agreement",
	Title: "Whether judges rank captioners as people do",
	Paper: "CapArena, Table 2 and Section 4.3",
	Needs: []string{"arena_judges"},
	All:   true,
	draw: func(ts Tables, _ domainSet, on Page) (*Drawing, error) {
		return drawArenaJudges(ts, on, "Rank correlations of the captioners' Elo ratings by the judge and by people on the same battles, as if captioners were drawn from many; agreement without ties (%); and the mean absolute difference of win rates (points).",
			dotColumn{column: "spearman", title: "Spearman's ρ"}, dotColumn{column: "kendall", title: "Kendall's τ"}, dotColumn{column: "without_ties", title: "Without ties"},
			dotColumn{column: "mean_bias", title: "Mean bias"})
	},
}

// judgeGlyph tells the kinds of judges apart.
func judgeGlyph(kind string) draw.GlyphStyle {
	switch kind {
	case data.ModelHuman:
		return filled(palette[1])
	case data.ModelMetric:
		return hollow(palette[2])
	}
	return filled(palette[0])
}

func drawArenaJudges(ts Tables, on Page, subtitle string, columns ...dotColumn) (*Drawing, error) {
	from := arenaTable(ts, "arena_judges")
	provenance, kinds, names, ids := from.provenance(), from.Text("judge_type"), from.TextOrNone("judge_name"), from.Text("judge")
	overall := from.Numbers("agreement")
	if from.Err != nil {
		return nil, from.Err
	}
	order, keys := make([]int, len(ids)), []Key{}
	labels, glyphs := make([]rowLabel, len(ids)), make([]draw.GlyphStyle, len(ids))
	seen := map[string]bool{}
	for i := range order {
		order[i], glyphs[i], seen[kinds[i]] = i, judgeGlyph(kinds[i]), true
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(overall[b].Value, overall[a].Value), cmp.Compare(names[a], names[b]), cmp.Compare(ids[a], ids[b]))
	})
	for k, i := range order {
		labels[k] = rowLabel{cmp.Or(names[i], ids[i]), ink}
	}
	for _, k := range []struct{ kind, name string }{{data.ModelHuman, "people among themselves"}, {"model", "model"}, {data.ModelMetric, "metric"}} {
		if seen[k.kind] && len(seen) > 1 {
			g := judgeGlyph(k.kind)
			keys = append(keys, Key{Name: k.name, Look: Look{Color: g.Color.(color.NRGBA), Shape: g.Shape}})
		}
	}
	correlation, agreement := newAxis("", [2]float64{-1, 1}), newAxis("", percents)
	for k := range columns {
		c := &columns[k]
		c.reference, c.format, c.axis = noReference, "%.1f", agreement
		switch c.column {
		case "spearman", "kendall":
			c.format, c.reference, c.axis = "%.2f", 0, correlation
		case "mean_bias", "without_ties":
			c.axis = newAxis("", percents)
		}
	}
	panels, note, err := dotPanels(from.Table, order, glyphs, columns)
	if err != nil {
		return nil, err
	}
	chart := newRowChart(labels, 130, 13, panels...)
	return &Drawing{
		Subtitle:   subtitle + note,
		Source:     "mart arena_judges. Battles with a person's caption are left out.",
		Provenance: provenance, Keys: keys,
		Height: chart.height(on), Body: chart.draw,
	}, nil
}
