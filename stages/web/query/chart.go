package query

import (
	"math"
	"strconv"

	"github.com/captionlake/captionlake/data"
)

// Sizes of a chart, in units of its drawing.
const (
	chartWidth  = 720
	chartLabels = 200 // room for the names of bars
	chartHeight = 360 // of a chart of dots
	barHeight   = 22
	mostBars    = 60
)

// A chart is a drawing of two columns: bars where the first is text, dots where it is a number.
type chart struct {
	Label, Value  string
	Width, Height float64
	Zero          float64 // where the bars begin
	Bars          []bar
	Dots          []dot
	Ticks         []tick
	Left          int // rows that are not drawn
}

type bar struct {
	X, Y, Width, Middle, End float64
	Name, Value              string
}

type dot struct {
	X, Y        float64
	Name, Value string
}

type tick struct {
	At, X, Y float64
	Down     bool // of the axis at the foot
	Text     string
}

// newChart draws the rows of a result that have a number in the column value.
func newChart(r *result, label, value int) *chart {
	c := &chart{Label: r.Columns[label], Value: r.Columns[value], Width: chartWidth}
	var rows []int
	for i := range r.Rows {
		if !r.Rows[i][value].Null && !(r.Numeric[label] && r.Rows[i][label].Null) {
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	values := r.numbers[value]
	if r.Numeric[label] {
		c.dots(r, rows, r.numbers[label], values, label, value)
		return c
	}
	if len(rows) > mostBars {
		c.Left, rows = len(rows)-mostBars, rows[:mostBars]
	}
	low, high := 0.0, 0.0
	for _, i := range rows {
		low, high = min(low, values[i]), max(high, values[i])
	}
	low, high, step := axis(low, high)
	at := func(x float64) float64 { return chartLabels + (x-low)/(high-low)*(chartWidth-chartLabels-70) }
	c.Zero, c.Height = at(0), float64(len(rows)*barHeight+30)
	for k, i := range rows {
		from, to := at(min(values[i], 0)), at(max(values[i], 0))
		y := float64(k * barHeight)
		c.Bars = append(c.Bars, bar{from, y + 3, max(to-from, 0.5), y + barHeight*0.68, to + 5, shortName(r.Rows[i][label]), r.Rows[i][value].Text})
	}
	for x := low; x <= high+step/2; x += step {
		c.Ticks = append(c.Ticks, tick{at(x), at(x), c.Height - 8, true, number(x)})
	}
	return c
}

func (c *chart) dots(r *result, rows []int, xs, ys []float64, label, value int) {
	lowX, highX, lowY, highY := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, i := range rows {
		lowX, highX, lowY, highY = min(lowX, xs[i]), max(highX, xs[i]), min(lowY, ys[i]), max(highY, ys[i])
	}
	lowX, highX, stepX := axis(lowX, highX)
	lowY, highY, stepY := axis(lowY, highY)
	c.Height = chartHeight
	atX := func(x float64) float64 { return 70 + (x-lowX)/(highX-lowX)*(chartWidth-90) }
	atY := func(y float64) float64 { return chartHeight - 40 - (y-lowY)/(highY-lowY)*(chartHeight-60) }
	for _, i := range rows {
		c.Dots = append(c.Dots, dot{atX(xs[i]), atY(ys[i]), r.Rows[i][label].Text, r.Rows[i][value].Text})
	}
	for x := lowX; x <= highX+stepX/2; x += stepX {
		c.Ticks = append(c.Ticks, tick{atX(x), atX(x), chartHeight - 15, true, number(x)})
	}
	for y := lowY; y <= highY+stepY/2; y += stepY {
		c.Ticks = append(c.Ticks, tick{atY(y), 62, atY(y) + 4, false, number(y)})
	}
}

// axis widens a range to round numbers, about five steps apart.
func axis(low, high float64) (from, to, step float64) {
	if !(high > low) {
		high = low + max(math.Abs(low)*0.1, 1)
	}
	step = math.Pow(10, math.Floor(math.Log10((high-low)/4)))
	for _, m := range []float64{1, 2, 5, 10} {
		if (high-low)/(step*m) <= 6 {
			step *= m
			break
		}
	}
	return math.Floor(low/step) * step, math.Ceil(high/step) * step, step
}

func number(x float64) string {
	if math.Abs(x) < 1e-12 {
		return "0"
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

// shortName is a text that fits before a bar.
func shortName(c cell) string {
	const most = 28
	if c.Null {
		return "null"
	}
	name := []rune(data.Plain(c.Text))
	if len(name) > most {
		return string(name[:most-1]) + "…"
	}
	return string(name)
}
