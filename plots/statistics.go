package plots

import (
	"cmp"
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

// computed returns the layers to draw for a layer. If the marks of the layer are statistics of the
// rows, these are the layers that ggsql computes.
func (c *chart) computed(l layer) []layer {
	// as returns a layer of another form with marks of its own. The marks keep the colours of the
	// first row of their group.
	as := func(form string) layer {
		made := l
		made.Form, made.marks, made.Setting = form, nil, maps.Clone(l.Setting)
		return made
	}
	number := l.number
	switch l.Form {
	case "tile", "bar", "area":
		c.err = cmp.Or(c.err, c.boxes(l))
	case "histogram":
		first, last := extent(l.marks, "x")
		width := number("binwidth", (last-first)/(number("bins", 30)-1))
		if !(width > 0) || math.IsInf(width, 0) {
			width = 1
		}
		bar := as("bar")
		for _, group := range grouped(l.marks) {
			bin := func(x float64) int { return max(0, int(math.Ceil((x-first)/width+0.5))-1) }
			counted := len(bar.marks)
			for k := range bin(last) + 1 {
				bar.add(group[0], places{"x": first + float64(k)*width, "y": 0})
			}
			for _, row := range group {
				bar.marks[counted+bin(row.at["x"])].at["y"]++
			}
		}
		bar.set("width", 1)
		c.err = cmp.Or(c.err, c.boxes(bar))
		return []layer{bar}
	case "density":
		first, last := extent(l.marks, "x")
		under, line := as("ribbon"), as("line")
		groups := grouped(l.marks)
		values, bandwidths := make([][]float64, len(groups)), make([]float64, len(groups)+1)
		for i, group := range groups {
			values[i] = slices.Sorted(slices.Values(valuesOf(group, "x")))
			if h := number("bandwidth", silverman(values[i])) * number("adjust", 1); h > 0 { // others have no width
				bandwidths[i] = h
			}
		}
		past := 3 * slices.Max(bandwidths)
		for i, group := range groups {
			for _, x := range floats.Span(make([]float64, densitySteps+1), first-past, last+past) {
				if h := bandwidths[i]; h > 0 {
					y := density(values[i], h, x)
					under.add(group[0], places{"x": x, "ymin": 0, "ymax": y})
					line.add(group[0], places{"x": x, "y": y})
				}
			}
		}
		under.set("opacity", number("opacity", 0.25))
		return []layer{under, line}
	case "smooth":
		band, line := as("ribbon"), as("line")
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
	case "boxplot", "violin":
		place, value := c.axes()
		around, whiskers, box, middle, points := as("outline"), as("segment"), as("tile"), as("segment"), as("point")
		slots, wide := c.slots(l.marks, place), number("width", 0.7)
		for _, rows := range grouped(l.marks, place) {
			s := valuesOf(rows, value)
			slices.Sort(s)
			q1, q3 := quantile(s, 0.25), quantile(s, 0.75)
			low, high := max(s[0], q1-1.5*(q3-q1)), min(s[len(s)-1], q3+1.5*(q3-q1))
			m := rows[0]
			shift, share := slots(m)
			at, half := m.at[place]+shift*wide, share*wide/2
			if l.Mapping["fill"].Kind+l.Setting["fill"].Kind == "" {
				m.fill = tint(m.stroke, 0.75)
			}
			line := func(left, from, right, to float64) places {
				return places{place: left, value: from, place + "end": right, value + "end": to}
			}
			violin := l.Form == "violin"
			if violin {
				values, widths := outline(half, s)
				m.group = fmt.Sprint(m.group, "\x00", at)
				for i, v := range values {
					around.add(m, places{place: at + widths[i], value: v})
				}
				for i, v := range slices.Backward(values) {
					around.add(m, places{place: at - widths[i], value: v})
				}
				around.add(m, places{place: at + widths[0], value: values[0]})
				low, high, half = s[0], s[len(s)-1], half*0.12
				m.stroke, m.fill = ink, ink
			}
			whiskers.add(m, line(at, low, at, q1))
			whiskers.add(m, line(at, q3, at, high))
			box.add(m, places{place + "min": at - half, place + "max": at + half, value + "min": q1,
				value + "max": q3})
			median := quantile(s, 0.5)
			if m.fill = m.stroke; violin {
				m.fill = paper
				points.add(m, places{place: at, value: median})
				continue
			}
			middle.add(m, line(at-half, median, at+half, median))
			for _, v := range s {
				if v < low || v > high {
					points.add(m, places{place: at, value: v})
				}
			}
		}
		middle.set("linewidth", 1.6)
		points.set("size", map[string]float64{"boxplot": 3, "violin": 4.8}[l.Form])
		return []layer{around, whiskers, box, middle, points}
	}
	return []layer{l}
}

// extent is from where to where marks reach along an axis.
func extent(all []mark, axis string) (first, last float64) {
	if len(all) == 0 {
		return 0, 0
	}
	return floats.Min(valuesOf(all, axis)), floats.Max(valuesOf(all, axis))
}

// slots puts groups that share a place side by side, in the order of their keys: how far each is
// from the middle of the place, and its part of the width.
func (c *chart) slots(marks []mark, place string) func(mark) (shift, share float64) {
	var groups []string
	all, merged := slices.Clone(marks), slices.Clone(marks)
	slices.SortStableFunc(all, func(a, b mark) int { return c.key(a) - c.key(b) })
	for i, m := range all {
		if merged[i].group = ""; !slices.Contains(groups, m.group) {
			groups = append(groups, m.group)
		}
	}
	n := float64(len(groups))
	if len(grouped(all, place)) == len(grouped(merged, place)) { // each has a place of its own
		return func(mark) (float64, float64) { return 0, 1 }
	}
	side := map[string]float64{"x": 1, "y": -1}[place] // the first is on the left or on top
	return func(m mark) (float64, float64) {
		return side * ((float64(slices.Index(groups, m.group))+0.5)/n - 0.5), 1 / n
	}
}

// leastSquares is the straight line through points, and half the width of the 95% interval of its
// mean at a place, by Student's t with n - 2 degrees of freedom. Not numbers where the points do not tell.
func leastSquares(x, y []float64) func(float64) (y, half float64) {
	n := float64(len(x))
	a, b := stat.LinearRegression(x, y, nil, false)
	mean, variance := stat.MeanVariance(x, nil)
	squares, left := variance*(n-1), 0.0
	for i := range x {
		left += (y[i] - a - b*x[i]) * (y[i] - a - b*x[i])
	}
	t := math.NaN()
	if n > 2 && squares > 0 {
		t = distuv.StudentsT{Sigma: 1, Nu: n - 2}.Quantile(0.975)
	}
	return func(at float64) (float64, float64) {
		return a + b*at, t * math.Sqrt(left/(n-2)*(1/n+(at-mean)*(at-mean)/squares))
	}
}

// densitySteps is the number of points at which a density is drawn.
const densitySteps = 128

// outline returns the distribution of sorted values as widths at places from the smallest to the
// greatest value. Where the density is greatest, the width is half, in units of the X axis. Values
// that are all equal have no density to estimate: their outline is a line across.
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
