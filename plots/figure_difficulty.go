package plots

import (
	"fmt"
	"image/color"
)

var difficultyFigure = Figure{
	Name:  "difficulty_bins",
	Title: "How hard the questions are, by domain",
	Paper: "CaptionQA, Figure 29 and Table 10",
	Needs: []string{"difficulty_bins"},
	draw:  drawDifficulty,
}

// difficultyBins are the bins of the paper with their colours: light for easy, dark for hard.
var difficultyBins = []struct{ column, label string }{
	{"easy_share", "easy: at least 80 % of the captioners correct"}, {"medium_share", "medium: 50 to 80 %"}, {"hard_share", "hard: below 50 %"},
}

var difficultyColors = []color.NRGBA{{0xcf, 0xe8, 0xc9, 0xff}, {0xe8, 0xa3, 0x3d, 0xff}, {0x7a, 0x1f, 0x24, 0xff}}

func drawDifficulty(ts Tables, domains domainSet, on Page) (*Drawing, error) {
	from, prompt := ts.Read("difficulty_bins").onePrompt()
	provenance, found := from.provenance(), from.domains()
	if from.Err != nil {
		return nil, from.Err
	}
	var labels []rowLabel
	var groups [][]Bar
	var rows [][]float64
	for _, d := range found {
		part := from.Where("domain", d)
		if part.Len() > 1 {
			return nil, part.Table.fault("domain", 1, "a second row for %s", d)
		}
		bar, row := Bar{}, []float64{}
		for k, b := range difficultyBins {
			for _, share := range part.Floats(b.column) {
				row = append(row, share)
				bar.Segments = append(bar.Segments, Segment{share, difficultyColors[k]})
			}
		}
		counts := part.NumbersIf("n_questions")
		if part.Err != nil {
			return nil, part.Err
		}
		name := d
		if counts[0].Valid {
			name = fmt.Sprintf("%s (%s)", name, grouped(counts[0].Value))
		}
		labels, groups, rows = append(labels, rowLabel{name, domains.text(d)}), append(groups, []Bar{bar}), append(rows, row)
	}
	p, err := barPanel("", ink, newAxis("share of the questions, %", percents), groups)
	if err != nil {
		return nil, err
	}
	p.plotters = append(p.plotters, segmentLabels{rows, difficultyColors})
	var keys []Key
	for k, b := range difficultyBins {
		keys = append(keys, Key{Name: b.label, Look: Look{Color: difficultyColors[k]}, Square: true})
	}
	chart := newRowChart(labels, 130, 34, p)
	return &Drawing{
		Subtitle:   "Share of the questions (%) by the share of captioners whose caption under the " + prompt + " prompt led to the right answer; in brackets the number of questions.",
		Source:     "mart difficulty_bins; CaptionQA Table 10 where published.",
		Provenance: provenance, Keys: keys,
		Height: chart.height(on), Body: chart.draw,
	}, nil
}
