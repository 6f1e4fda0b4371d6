package plots

import (
	"fmt"
	"math"

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

func drawDensity(ts Tables) (*Drawing, error) {
	t, err := ts.Get("questions_per_image")
	if err != nil {
		return nil, err
	}
	from := read(t)
	provenance := from.provenance()
	found := from.domains()
	if from.err != nil {
		return nil, from.err
	}
	p := newPlot()
	p.Add(horizontalGrid{})
	var notes [][]string
	low, high := math.Inf(1), 0.0
	for i, d := range found {
		part, err := t.Where("domain", d)
		if err != nil {
			return nil, err
		}
		counts, err := part.Floats("n_questions")
		if err != nil {
			return nil, err
		}
		v, err := NewViolin(float64(i), 0.4, DomainColor(d), counts)
		if err != nil {
			return nil, fmt.Errorf("domain %s: %w", d, err)
		}
		p.Add(v)
		sum := 0.0
		for _, c := range counts {
			sum += c
		}
		low, high = min(low, v.Min), max(high, v.Max)
		notes = append(notes, []string{fmt.Sprintf("mean %.1f, median %.1f", sum/float64(len(counts)), v.Median), plural(len(counts), "image", "images")})
	}
	step := max(1, niceStep(high-low, 7)) // questions are counted in whole numbers
	p.Y.Min, p.Y.Max = max(0, math.Floor(low/step-0.5)*step), math.Ceil(high/step+0.5)*step
	p.Y.Tick.Marker = steps(step)
	p.Y.Label.Text = "questions per image"
	p.X.Min, p.X.Max = -0.5, float64(len(found))-0.5
	p.HideX()
	return &Drawing{
		Subtitle:   "Density of the number of questions per image (Gaussian kernel, Silverman's bandwidth), box from the first to the third quartile, dot at the median, line from the least to the most.",
		Source:     "mart questions_per_image.",
		Provenance: provenance,
		Width:      fullWidth, Height: 340,
		Body: func(c draw.Canvas) {
			const foot = 30
			upper := area(c, c.Min.X, c.Min.Y+foot, c.Max.X, c.Max.Y)
			p.Draw(upper)
			data := p.DataCanvas(upper)
			tx, _ := p.Transforms(&data)
			width := (tx(1) - tx(0)) - 6
			for i, d := range found {
				sty := textStyle(labelSize, deepDomainColor(d), true)
				write(c, sty, []string{fit(sty, d, width)}, vg.Point{X: tx(float64(i)), Y: c.Min.Y + foot - 3}, draw.XCenter)
				sty = textStyle(smallSize, softInk, false)
				write(c, sty, notes[i], vg.Point{X: tx(float64(i)), Y: c.Min.Y + foot - 14}, draw.XCenter)
			}
		},
	}, nil
}
