package plots

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/captionlake/captionlake/data/rows"
)

// Violin is one distribution drawn upright at X: the mirrored kernel density, a box from the first to the third quartile and the median.
type Violin struct {
	X       float64
	Half    float64 // half of the violin's greatest width, in units of the X axis
	Color   color.Color
	Density []DensityPoint // by growing value; a single point when all values are equal
	// Quartiles are linear interpolations of the order statistics (type 7), with the extremes.
	Min, Q1, Median, Q3, Max float64
	N                        int
}

// DensityPoint is the estimated density at a value.
type DensityPoint struct{ Value, Density float64 }

var _ plot.Plotter = (*Violin)(nil)

// densitySteps is the number of points at which a density is drawn.
const densitySteps = 128

// NewViolin estimates the density of values with a Gaussian kernel. The bandwidth is Silverman's,
// 0.9 min(s, IQR/1.34) n^(-1/5). The violin is drawn on the range of the values, not past the
// smallest and the greatest value. Where the quartiles coincide but the values do not, s alone is
// the scale. Values that are all equal have no density to estimate, and neither has a single value:
// they are drawn as a line across.
func NewViolin(x, half float64, c color.Color, values []float64) (*Violin, error) {
	if len(values) == 0 {
		return nil, rows.None("a violin needs at least one value")
	}
	s := slices.Sorted(slices.Values(values))
	v := &Violin{
		X: x, Half: half, Color: c, N: len(s),
		Min: s[0], Q1: quantile(s, 0.25), Median: quantile(s, 0.5), Q3: quantile(s, 0.75), Max: s[len(s)-1],
	}
	if v.Min == v.Max {
		v.Density = []DensityPoint{{v.Min, 1}}
		return v, nil
	}
	h := silverman(s)
	for i := range densitySteps + 1 {
		at := v.Min + (v.Max-v.Min)*float64(i)/densitySteps
		v.Density = append(v.Density, DensityPoint{at, density(s, h, at)})
	}
	return v, nil
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

// silverman is the bandwidth of a Gaussian kernel by Silverman (1986), equation 3.31. The values are sorted and not all equal.
func silverman(sorted []float64) float64 {
	n := float64(len(sorted))
	mean, sum := 0.0, 0.0
	for _, v := range sorted {
		mean += v / n
	}
	for _, v := range sorted {
		sum += (v - mean) * (v - mean)
	}
	scale := math.Sqrt(sum / (n - 1))
	if iqr := (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 1.34; iqr > 0 {
		scale = min(scale, iqr)
	}
	return 0.9 * scale * math.Pow(n, -0.2)
}

// density is the Gaussian kernel estimate at a point. Kernels further than six bandwidths add nothing that can be seen and are left out.
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

// outline returns the violin's closed outline in data coordinates, up the right side and down the left.
func (v *Violin) outline() [][2]float64 {
	top := 0.0
	for _, d := range v.Density {
		top = max(top, d.Density)
	}
	var out [][2]float64
	for _, d := range v.Density {
		out = append(out, [2]float64{v.X + v.Half*d.Density/top, d.Value})
	}
	for i := len(v.Density) - 1; i >= 0; i-- {
		d := v.Density[i]
		out = append(out, [2]float64{v.X - v.Half*d.Density/top, d.Value})
	}
	return out
}

// Plot draws the violin.
func (v *Violin) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	var pts []vg.Point
	for _, q := range v.outline() {
		pts = append(pts, vg.Point{X: tx(q[0]), Y: ty(q[1])})
	}
	if len(v.Density) == 1 {
		c.StrokeLines(lineStyle(v.Color, 1.4), pts)
	} else {
		r, g, b, _ := v.Color.RGBA()
		c.FillPolygon(color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 0x60}, pts)
		c.StrokeLines(lineStyle(v.Color, 0.8), append(pts, pts[0]))
		w := max(1.5, (tx(v.X+v.Half)-tx(v.X))*0.12)
		x := tx(v.X)
		c.StrokeLine2(lineStyle(ink, 0.6), x, ty(v.Min), x, ty(v.Max))
		c.FillPolygon(ink, rect(x-w, ty(v.Q1), x+w, ty(v.Q3)))
	}
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: ink, Radius: 2.4, Shape: draw.CircleGlyph{}}, vg.Point{X: tx(v.X), Y: ty(v.Median)})
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: paper, Radius: 1.6, Shape: draw.CircleGlyph{}}, vg.Point{X: tx(v.X), Y: ty(v.Median)})
}
