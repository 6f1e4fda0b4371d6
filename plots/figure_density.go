package plots

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var densityFigure = Figure{
	Name:  "questions_per_image",
	Title: "Questions per image, by domain",
	Paper: "CaptionQA, Figure 8",
	Needs: []string{"questions_per_image"},
	draw:  drawDensity,
}

func drawDensity(ts Tables, domains domainSet, on Page) (*Drawing, error) {
	from := ts.Read("questions_per_image")
	provenance, found := from.provenance(), from.domains()
	if from.Err != nil {
		return nil, from.Err
	}
	var notes [][]string
	violins := make([]*Violin, len(found))
	low, high := math.Inf(1), 0.0
	rows, across := balanced(len(found), on.across(85, 0, panelsAcross))
	for i, d := range found {
		part := from.Where("domain", d)
		counts := part.Floats("n_questions")
		if part.Err != nil {
			return nil, part.Err
		}
		v, err := NewViolin(float64(i%across), 0.4, domains.color(d), counts)
		if err != nil {
			return nil, fmt.Errorf("domain %s: %w", d, err)
		}
		sum := 0.0
		for _, c := range counts {
			sum += c
		}
		violins[i] = v
		low, high = min(low, v.Min), max(high, v.Max)
		notes = append(notes, []string{fmt.Sprintf("mean %.1f, median %.1f", sum/float64(len(counts)), v.Median), plural(len(counts), "image", "images")})
	}
	step := max(1, niceStep(high-low, 7)) // questions are counted in whole numbers
	panels := make([]*plot.Plot, rows)
	for r := range panels {
		p := newPlot()
		p.Add(horizontalGrid{})
		for _, v := range violins[r*across : min((r+1)*across, len(found))] {
			p.Add(v)
		}
		p.Y.Min, p.Y.Max = max(0, math.Floor(low/step-0.5)*step), math.Ceil(high/step+0.5)*step
		p.Y.Tick.Marker = steps(step)
		p.Y.Label.Text = "questions per image"
		p.X.Min, p.X.Max = -0.5, float64(across)-0.5
		p.HideX()
		panels[r] = p
	}
	return &Drawing{
		Subtitle:   "Density of the number of questions per image (Gaussian kernel, Silverman's bandwidth), box from the first to the third quartile, dot at the median, line from the least to the most.",
		Source:     "mart questions_per_image.",
		Provenance: provenance,
		Height:     vg.Length(rows) * 240,
		Body: func(c draw.Canvas) {
			const foot = 30
			for r, part := range cells(c, 1, rows, 10) {
				upper := area(part, part.Min.X, part.Min.Y+foot, part.Max.X, part.Max.Y)
				panels[r].Draw(upper)
				data := panels[r].DataCanvas(upper)
				tx, _ := panels[r].Transforms(&data)
				width := (tx(1) - tx(0)) - 6
				for i := r * across; i < min((r+1)*across, len(found)); i++ {
					at := vg.Point{X: tx(float64(i % across)), Y: part.Min.Y + foot - 3}
					sty := textStyle(labelSize, domains.text(found[i]), true)
					write(c, sty, []string{fit(sty, found[i], width)}, at, draw.XCenter)
					sty = textStyle(smallSize, softInk, false)
					at.Y -= 11
					write(c, sty, notes[i], at, draw.XCenter)
				}
			}
		},
	}, nil
}
