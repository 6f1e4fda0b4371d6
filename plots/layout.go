package plots

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

func point(x, y vg.Length) vg.Point { return vg.Point{X: x, Y: y} }

// area is a part of a canvas.
func area(c draw.Canvas, x0, y0, x1, y1 vg.Length) draw.Canvas {
	return draw.Canvas{Canvas: c.Canvas,
		Rectangle: vg.Rectangle{Min: point(x0, y0), Max: point(x1, y1)}}
}

// A block is a part of a body: a chart of rows, or a card.
type block interface {
	height() vg.Length
	draw(c draw.Canvas)
}

// tallest is the height of the tallest of several blocks.
func tallest[B block](row []B) (height vg.Length) {
	for _, b := range row {
		height = max(height, b.height())
	}
	return height
}

// stacked returns a body that draws rows of blocks below each other. All blocks have one width.
// beside is the gap between the blocks of a row, below the gap between rows.
func stacked[B block](rows [][]B, width, beside, below vg.Length) func(draw.Canvas) {
	return func(c draw.Canvas) {
		top := c.Max.Y
		for _, row := range rows {
			for i, b := range row {
				left := c.Min.X + (width+beside)*vg.Length(i)
				b.draw(area(c, left, top-tallest(row), left+width, top))
			}
			top -= tallest(row) + below
		}
	}
}

// rowLabel names a row of a chart, in the colour of the row: the accent, the colour of its domain,
// or the ink.
type rowLabel struct {
	text  string
	color color.NRGBA
	bold  bool
}

// labelColumn is the width of a column of row labels of one line each, in type of a size.
func labelColumn(size float64, labels []rowLabel) (width vg.Length) {
	for _, l := range labels {
		width = max(width, textStyle(size, l.color, l.bold).Width(clean(l.text)))
	}
	return width
}

// niceStep is the step of 1, 2 or 5 times a power of ten that cuts a range into at most n parts.
func niceStep(span float64, n int) float64 {
	if !(span > 0) { // There is at most one value.
		return 1
	}
	raw := span / float64(n)
	base := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, factor := range []float64{1, 2, 5} {
		if factor*base >= raw*(1-1e-9) {
			return factor * base
		}
	}
	return 10 * base
}

// steps are ticks at the multiples of a step from low to high, with as many decimals as the step
// has.
func steps(step, low, high float64) (out []plot.Tick) {
	decimals := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	format := fmt.Sprintf("{:num %%.%df}", decimals)
	for k := math.Ceil(low/step - 1e-9); k*step <= high+1e-9; k++ {
		out = append(out, plot.Tick{Value: k * step, Label: formatted(format, k*step)})
	}
	return out
}

// pairGap is the room between panels with axes of their own.
const pairGap = vg.Length(14)
