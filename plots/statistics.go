package plots

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/captionlake/captionlake/plots/ggsql"
)

// valuesOf are the places of marks on an axis.
func valuesOf(all []mark, axis string) (out []float64) {
	for _, m := range all {
		out = append(out, m.at[axis])
	}
	return out
}

// add adds a mark at other places.
func (l *layer) add(m mark, at places) {
	m.at = at
	l.marks = append(l.marks, m)
}

// set makes a setting of a number.
func (l layer) set(name string, n float64) { l.Setting[name] = ggsql.Value{Kind: "number", Number: n} }

// as returns a layer of another form, without marks. The marks that are added to the new layer keep
// the colours of the first row of their group.
func (l layer) as(form string) layer {
	l.Form, l.marks, l.Setting = form, nil, maps.Clone(l.Setting)
	return l
}

// computed returns the layers to draw for a layer. For a layer that shows statistics of the rows,
// such as a histogram, it returns the layers of marks that ggsql draws for it.
func (c *chart) computed(l layer) []layer {
	if l.Form == "histogram" {
		l = c.histogram(l)
	}
	switch l.Form {
	case "tile", "bar", "area":
		c.setEnds(l)
	case "density":
		return l.densities()
	case "smooth":
		return l.smooth()
	case "boxplot", "violin":
		return c.boxplots(l)
	}
	return []layer{l}
}

// mostBins is the greatest number of bins of a histogram.
const mostBins = 10_000

// histogram returns bars that count the marks of each group in bins of one width. The middle of the
// first bin is the least value.
func (c *chart) histogram(l layer) layer {
	first, last := extent(l.marks, "x")
	// The middle of the last bin is the greatest value, so the values reach over bins - 1 widths.
	width := l.number("binwidth", (last-first)/(l.number("bins", 30)-1))
	if width == 0 || math.IsInf(width, 0) { // All values are equal, or too far apart.
		width = 1
	}
	if bins := (last-first)/width + 1; bins > mostBins {
		c.fault(l.At, "set a greater binwidth, or fewer bins", "a histogram has at most %d bins, not %.0f", mostBins, bins)
		return l
	}
	// A value between two bins belongs to the left one.
	bin := func(x float64) int { return max(0, int(math.Ceil((x-first)/width+0.5))-1) }
	bars := l.as("bar")
	for _, group := range grouped(l.marks) {
		firstBar := len(bars.marks)
		for k := range bin(last) + 1 {
			bars.add(group[0], places{"x": first + float64(k)*width, "y": 0})
		}
		for _, row := range group {
			bars.marks[firstBar+bin(row.at["x"])].at["y"]++
		}
	}
	bars.set("width", 1) // Bars touch.
	return bars
}

// densities returns a line for the density of each group, and the area under it. The lines reach
// past the values by three times the greatest bandwidth. A group of equal values has no density.
func (l layer) densities() []layer {
	first, last := extent(l.marks, "x")
	groups := grouped(l.marks)
	values, bandwidths, past := make([][]float64, len(groups)), make([]float64, len(groups)), 0.0
	for i, group := range groups {
		values[i] = slices.Sorted(slices.Values(valuesOf(group, "x")))
		h := l.number("bandwidth", silverman(values[i])) * l.number("adjust", 1)
		if h > 0 {
			bandwidths[i], past = h, max(past, 3*h)
		}
	}
	under, line := l.as("ribbon"), l.as("line")
	for i, group := range groups {
		for _, x := range floats.Span(make([]float64, densitySteps+1), first-past, last+past) {
			if h := bandwidths[i]; h > 0 {
				y := density(values[i], h, x)
				under.add(group[0], places{"x": x, "ymin": 0, "ymax": y})
				line.add(group[0], places{"x": x, "y": y})
			}
		}
	}
	under.set("opacity", l.number("opacity", 0.25))
	return []layer{under, line}
}

// smooth returns a straight line through the marks of each group, and a band for its interval.
func (l layer) smooth() []layer {
	band, line := l.as("ribbon"), l.as("line")
	for _, group := range grouped(l.marks) {
		fit := leastSquares(valuesOf(group, "x"), valuesOf(group, "y"))
		first, last := extent(group, "x")
		for _, x := range floats.Span(make([]float64, 41), first, last) {
			y, half := fit(x)
			if !math.IsNaN(y) {
				line.add(group[0], places{"x": x, "y": y})
			}
			if !math.IsNaN(half) {
				band.add(group[0], places{"x": x, "ymin": y - half, "ymax": y + half})
			}
		}
	}
	band.set("opacity", 0.2)
	return []layer{band, line}
}

// boxplots returns the layers of boxplots or violins. A violin is an outline with a narrow box in
// it; its whiskers reach over all values, and a point is at its median.
func (c *chart) boxplots(l layer) []layer {
	place, value := c.axes()
	outlines, whiskers, boxes := l.as("outline"), l.as("segment"), l.as("tile")
	medians, points := l.as("segment"), l.as("point")
	// line goes from one point to another: left and right are on the axis place, from and to on value.
	line := func(left, from, right, to float64) places {
		return places{place: left, value: from, place + "end": right, value + "end": to}
	}
	violin := l.Form == "violin"
	slots, width := c.slots(l.marks, place), l.number("width", 0.7)
	for _, rows := range grouped(l.marks, place) {
		sorted := slices.Sorted(slices.Values(valuesOf(rows, value)))
		least, greatest := sorted[0], sorted[len(sorted)-1]
		q1, median, q3 := quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75)
		low, high := max(least, q1-1.5*(q3-q1)), min(greatest, q3+1.5*(q3-q1)) // ends of the whiskers
		m := rows[0]                                                           // gives the colours
		shift, share := slots(m)
		at, half := m.at[place]+shift*width, share*width/2
		if l.Mapping["fill"].Kind+l.Setting["fill"].Kind == "" {
			m.fill = tint(m.stroke, 0.75)
		}
		if violin { // The outline goes up on one side, down on the other, and back to its beginning.
			m.group = fmt.Sprint(m.group, "\x00", at) // Each place has an outline of its own.
			values, widths := outline(half, sorted)
			for i, v := range values {
				outlines.add(m, places{place: at + widths[i], value: v})
			}
			for i, v := range slices.Backward(values) {
				outlines.add(m, places{place: at - widths[i], value: v})
			}
			outlines.add(m, places{place: at + widths[0], value: values[0]})
			low, high, half = least, greatest, half*0.12
			m.stroke, m.fill = ink, ink
		}
		whiskers.add(m, line(at, low, at, q1))
		whiskers.add(m, line(at, q3, at, high))
		boxes.add(m, places{place + "min": at - half, place + "max": at + half, value + "min": q1, value + "max": q3})
		if violin {
			m.fill = paper
			points.add(m, places{place: at, value: median})
			continue
		}
		m.fill = m.stroke
		medians.add(m, line(at-half, median, at+half, median))
		for _, v := range sorted {
			if v < low || v > high {
				points.add(m, places{place: at, value: v})
			}
		}
	}
	medians.set("linewidth", 1.6)
	points.set("size", map[bool]float64{false: 3, true: 4.8}[violin])
	return []layer{outlines, whiskers, boxes, medians, points}
}

// extent is from where to where marks reach along an axis.
func extent(all []mark, axis string) (first, last float64) {
	if len(all) == 0 {
		return 0, 0
	}
	return floats.Min(valuesOf(all, axis)), floats.Max(valuesOf(all, axis))
}

// slots puts groups that share a place side by side, in the order of the legend. The result says
// how far the group of a mark is from the middle of its place, and how wide it is; 1 is the width
// of the place.
func (c *chart) slots(marks []mark, place string) func(mark) (shift, share float64) {
	// ungrouped are copies of the marks without their groups, in the order of the legend. groups has
	// the names of the groups, each once.
	var groups []string
	ungrouped := slices.SortedStableFunc(slices.Values(marks), func(a, b mark) int { return c.key(a) - c.key(b) })
	for i, m := range ungrouped {
		if ungrouped[i].group = ""; !slices.Contains(groups, m.group) {
			groups = append(groups, m.group)
		}
	}
	n := float64(len(groups))
	if len(grouped(marks, place)) == len(grouped(ungrouped, place)) { // No two groups share a place.
		return func(mark) (float64, float64) { return 0, 1 }
	}
	side := map[string]float64{"x": 1, "y": -1}[place] // The first group is on the left or on top.
	return func(m mark) (float64, float64) {
		return side * ((float64(slices.Index(groups, m.group))+0.5)/n - 0.5), 1 / n
	}
}

// leastSquares fits a straight line to points. The result gives the line's height at a place, and
// half the width of the 95% interval of the mean there, by Student's t with n - 2 degrees of
// freedom. A value that the points do not determine is NaN.
func leastSquares(x, y []float64) func(at float64) (height, half float64) {
	n := float64(len(x))
	a, b := stat.LinearRegression(x, y, nil, false) // no weights (nil); the line need not pass the origin (false)
	mean, variance := stat.MeanVariance(x, nil)
	squares, residuals := variance*(n-1), 0.0 // sums of squares
	for i := range x {
		residuals += (y[i] - a - b*x[i]) * (y[i] - a - b*x[i])
	}
	t := math.NaN()
	if n > 2 && squares > 0 {
		t = distuv.StudentsT{Sigma: 1, Nu: n - 2}.Quantile(0.975)
	}
	return func(at float64) (float64, float64) {
		return a + b*at, t * math.Sqrt(residuals/(n-2)*(1/n+(at-mean)*(at-mean)/squares))
	}
}

// densitySteps is the number of points at which a density is drawn.
const densitySteps = 128

// outline returns half the width of a violin (widths) at values from the least to the greatest one
// (at). The widths follow the density of the values, and are scaled so that the greatest is half.
// Equal values have no density: their outline is a line across.
func outline(half float64, sorted []float64) (at, widths []float64) {
	low, high := sorted[0], sorted[len(sorted)-1]
	if low == high {
		return []float64{low}, []float64{half}
	}
	h := silverman(sorted)
	at = floats.Span(make([]float64, densitySteps+1), low, high)
	for _, v := range at {
		widths = append(widths, density(sorted, h, v))
	}
	floats.Scale(half/floats.Max(widths), widths)
	return at, widths
}

// quantile interpolates between the two of the n sorted values that are nearest to position (n-1)p.
func quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// silverman is the bandwidth of a Gaussian kernel by Silverman (1986), equation 3.31: 0.9 min(s,
// IQR/1.34) n^(-1/5). If the quartiles coincide, s alone is the scale. The bandwidth is 0 for equal
// values, and NaN for one value.
func silverman(sorted []float64) float64 {
	scale := stat.StdDev(sorted, nil)
	if iqr := (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 1.34; iqr > 0 {
		scale = min(scale, iqr)
	}
	return 0.9 * scale * math.Pow(float64(len(sorted)), -0.2)
}

// density is the Gaussian kernel estimate with bandwidth h at a point. Values further away than six
// bandwidths add nothing that can be seen and are left out.
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
