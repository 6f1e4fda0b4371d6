package plots

import (
	"cmp"
	"errors"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var arenaLengths = Figure{
	Name:  "arena_lengths",
	Title: "How long the captions are that were compared",
	Paper: "CapArena, Figure 2",
	Needs: []string{"arena_lengths"},
	All:   true,
	draw:  drawArenaLengths,
}

// A quantileBox is a distribution by its quantiles: a line from 5 to 95 %, a bar from 25 to 75 %, the median, and the mean with its
// interval. What is not valid is not drawn.
type quantileBox struct {
	quantiles       [5]Number
	mean, low, high Number
	glyph           draw.GlyphStyle
}

// quantileBoxes draws distributions in rows, row 0 at the top.
type quantileBoxes []quantileBox

var _ marks = quantileBoxes{}

// end is the value that the number of a distribution is right of.
func (b quantileBox) end() float64 { return max(b.mean.Value, b.high.Value, b.quantiles[4].Value) }

// DataRange implements [plot.DataRanger]: from 0.
func (q quantileBoxes) DataRange() (xmin, xmax, ymin, ymax float64) {
	for _, b := range q {
		xmax = max(xmax, b.end())
	}
	return 0, xmax, -0.5, float64(len(q)) - 0.5
}

// beside implements marks.
func (q quantileBoxes) beside() []sideLabel {
	var out []sideLabel
	for _, b := range q {
		out = append(out, sideLabel{at: b.end(), width: 6 + textStyle(tinySize, ink, false).Width(formatOf("%.0f", b.mean))})
	}
	return out
}

// Plot implements [plot.Plotter].
func (q quantileBoxes) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	for i, b := range q {
		y := ty(float64(len(q) - 1 - i))
		if b.quantiles[0].Valid {
			at := func(k int) vg.Length { return tx(b.quantiles[k].Value) }
			c.StrokeLine2(lineStyle(softInk, 0.8), at(0), y, at(4), y)
			c.FillPolygon(tint(palette[0], 0.55), rect(at(1), y-3.2, at(3), y+3.2))
			c.StrokeLine2(lineStyle(ink, 1.2), at(2), y-3.2, at(2), y+3.2)
		}
		if b.low.Valid {
			c.StrokeLine2(lineStyle(b.glyph.Color, 0.9), tx(b.low.Value), y, tx(b.high.Value), y)
		}
		if b.mean.Valid {
			c.DrawGlyphNoClip(b.glyph, vg.Point{X: tx(b.mean.Value), Y: y})
			middle(c, textStyle(tinySize, softInk, false), vg.Point{X: tx(b.end()) + 5, Y: y}, formatOf("%.0f", b.mean))
		}
	}
}

func drawArenaLengths(ts Tables, _ domainSet, on Page) (*Drawing, error) {
	from := arenaTable(ts, "arena_lengths")
	if errors.Is(from.Err, ErrNoRows) { // then of CapArena-Auto
		from = ts.Read("arena_lengths")
	}
	provenance, means, ends := from.provenance(), from.Numbers("mean_words"), from.Interval("mean_words")
	benchmark := from.Distinct("benchmark")
	var quantiles [5][]Number
	for k, name := range []string{"words_05", "words_25", "words_50", "words_75", "words_95"} {
		quantiles[k] = from.Numbers(name)
	}
	if from.Err != nil {
		return nil, from.Err
	}
	order, labels, glyphs, keys, err := arenaCaptioners(on, from.Table, func(a, b int) int { return cmp.Compare(means[b].Value, means[a].Value) })
	if err != nil {
		return nil, err
	}
	boxes := make(quantileBoxes, len(order))
	spread := false
	for k, i := range order {
		boxes[k] = quantileBox{mean: means[i], low: ends[0][i], high: ends[1][i], glyph: glyphs[i]}
		for j := range quantiles {
			boxes[k].quantiles[j] = quantiles[j][i]
			spread = spread || quantiles[j][i].Valid
		}
	}
	subtitle := "Words of the captions in battles; one caption counts once. Line: from 5 to 95 % of the captions; bar: from 25 to 75 %; dash: median; dot and number: mean, with its 95 % interval where that is wider than the dot."
	if !spread {
		subtitle = "Mean number of words, as printed."
	}
	chart := newRowChart(labels, 150, 13, newPanel("", ink, newAxis("words", counted), boxes))
	return &Drawing{
		Subtitle:   subtitle,
		Source:     "mart arena_lengths, " + benchmark[0] + "; CapArena Table 8 where published.",
		Provenance: provenance, Keys: keys,
		Height: chart.height(on), Body: chart.draw,
	}, nil
}
