package plots

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// densitySteps is the number of points at which a density is drawn.
const densitySteps = 128

// outline is the closed outline of the distribution of sorted values about x, up the right side and
// down the left. half is half of its greatest width, in units of the X axis. It is the mirrored
// density on the range of the values, not past the smallest and the greatest value. Values that are
// all equal have no density to estimate: their outline is a line across.
func outline(x, half float64, sorted []float64) (out [][2]float64) {
	low, high := sorted[0], sorted[len(sorted)-1]
	if low == high {
		return [][2]float64{{x + half, low}, {x - half, low}}
	}
	top, h := 0.0, silverman(sorted)
	var left [][2]float64
	for _, at := range floats.Span(make([]float64, densitySteps+1), low, high) {
		d := density(sorted, h, at)
		out, left, top = append(out, [2]float64{d, at}), append(left, [2]float64{-d, at}), max(top, d)
	}
	slices.Reverse(left)
	out = append(out, left...)
	for i := range out {
		out[i][0] = x + half*out[i][0]/top
	}
	return out
}

// violin draws the distribution of values at x: its [outline], a box from the first to the third
// quartile and the median.
func violin(c draw.Canvas, place func(x, y float64) vg.Point, x, half float64, tone color.NRGBA, values []float64) {
	s := slices.Sorted(slices.Values(values))
	var pts []vg.Point
	for _, q := range outline(x, half, s) {
		pts = append(pts, place(q[0], q[1]))
	}
	if len(pts) == 2 {
		c.StrokeLines(lineStyle(tone, 1.4), pts)
	} else {
		c.FillPolygon(fade(tone, 0x60), pts)
		c.StrokeLines(lineStyle(tone, 0.8), append(pts, pts[0]))
		c.StrokeLines(lineStyle(ink, 0.6), []vg.Point{place(x, s[0]), place(x, s[len(s)-1])})
		q1, q3 := place(x, quantile(s, 0.25)), place(x, quantile(s, 0.75))
		w := max(1.5, (place(x+half, s[0]).X-q1.X)*0.12)
		c.FillPolygon(ink, rect(q1.X-w, q1.Y, q3.X+w, q3.Y))
	}
	median := place(x, quantile(s, 0.5))
	dot(c, ink, 2.4, median)
	dot(c, paper, 1.6, median)
}

// quantile is the linear interpolation between the order statistics around position (n-1)p.
func quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// silverman is the bandwidth of a Gaussian kernel by Silverman (1986), equation 3.31:
// 0.9 min(s, IQR/1.34) n^(-1/5). Where the quartiles coincide, s alone is the scale. It is 0 of
// equal values, which are sorted like others, and not a number of one value.
func silverman(sorted []float64) float64 {
	scale := stat.StdDev(sorted, nil)
	if iqr := (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 1.34; iqr > 0 {
		scale = min(scale, iqr)
	}
	return 0.9 * scale * math.Pow(float64(len(sorted)), -0.2)
}

// density is the Gaussian kernel estimate at a point. Kernels further than six bandwidths add
// nothing that can be seen and are left out.
func density(sorted []float64, h, at float64) float64 {
	from, _ := slices.BinarySearch(sorted, at-6*h)
	sum := 0.0
	for _, v := range sorted[from:] {
		if v > at+6*h {
			break
		}
		z := (at - v) / h
		sum += math.Exp(-z * z / 2)
	}
	return sum / (float64(len(sorted)) * h * math.Sqrt(2*math.Pi))
}
