package plots

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// spread moves intervals of given sizes along a line so that none overlap, all lie between lo and hi, their order is kept, and the sum of
// squared moves is smallest (pool adjacent violators). Centres come back in the order given. When the sizes do not fit between lo and
// hi, they are laid from hi downwards past lo.
func spread(centers, sizes []float64, lo, hi float64) []float64 {
	n := len(centers)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(centers[a], centers[b]) })
	// With offset o_i = the space that the intervals before i and half of i take, y_i = c_i - o_i must be non-decreasing: isotonic regression.
	offset := make([]float64, n)
	total := 0.0
	for k, i := range order {
		offset[k] = total + sizes[i]/2
		total += sizes[i]
	}
	type pool struct {
		sum float64
		n   int
	}
	var pools []pool
	for k, i := range order {
		pools = append(pools, pool{centers[i] - offset[k], 1})
		for len(pools) > 1 {
			a, b := pools[len(pools)-2], pools[len(pools)-1]
			if a.sum/float64(a.n) <= b.sum/float64(b.n) {
				break
			}
			pools = append(pools[:len(pools)-2], pool{a.sum + b.sum, a.n + b.n})
		}
	}
	out := make([]float64, n)
	k := 0
	for _, p := range pools {
		// Clamping the fitted values to the range keeps them non-decreasing and is the constrained optimum.
		y := min(max(p.sum/float64(p.n), lo), hi-total)
		for range p.n {
			out[order[k]] = y + offset[k]
			k++
		}
	}
	return out
}

// boxLabel is a label to be put near a point.
type boxLabel struct {
	at            vg.Point
	width, height vg.Length
}

// placeLabels puts labels next to their points so that they neither overlap each other, nor cover any of the obstacles (points with a
// radius), nor leave the bounds, nor, where there is room, cross each other's leaders. It tries sixteen directions at growing
// distances, labels in the order given, and returns the labels' rectangles and whether each found a place.
func placeLabels(labels []boxLabel, obstacles []vg.Point, radius vg.Length, bounds vg.Rectangle) ([]vg.Rectangle, []bool) {
	out := make([]vg.Rectangle, len(labels))
	ok := make([]bool, len(labels))
	free := func(at vg.Point, r vg.Rectangle, strict bool) bool {
		if r.Min.X < bounds.Min.X || r.Max.X > bounds.Max.X || r.Min.Y < bounds.Min.Y || r.Max.Y > bounds.Max.Y {
			return false
		}
		for i, l := range labels {
			if !ok[i] {
				continue
			}
			if r.Min.X < out[i].Max.X && out[i].Min.X < r.Max.X && r.Min.Y < out[i].Max.Y && out[i].Min.Y < r.Max.Y {
				return false
			}
			if strict && (crosses(l.at, nearest(out[i], l.at), r) || crosses(at, nearest(r, at), out[i])) {
				return false
			}
		}
		for _, p := range obstacles {
			q := nearest(r, p)
			if math.Hypot(float64(q.X-p.X), float64(q.Y-p.Y)) < float64(radius) {
				return false
			}
		}
		return true
	}
	for i, l := range labels {
		// In a crowd a label whose leader passes under another one is better than none.
		out[i], ok[i] = around(l, radius, func(r vg.Rectangle) bool { return free(l.at, r, true) })
		if !ok[i] {
			out[i], ok[i] = around(l, radius, func(r vg.Rectangle) bool { return free(l.at, r, false) })
		}
	}
	return out, ok
}

// around returns the nearest free rectangle about a label's point.
func around(l boxLabel, radius vg.Length, free func(vg.Rectangle) bool) (vg.Rectangle, bool) {
	for far := radius + 1; far < 120; far += 3 {
		// Right, left, above and below come before the diagonals and these before what lies between.
		for _, turn := range []float64{0, 8, 4, 12, 2, 6, 14, 10, 1, 7, 15, 9, 3, 5, 13, 11} {
			sin, cos := math.Sincos(turn * math.Pi / 8)
			c := vg.Point{
				X: l.at.X + far*vg.Length(cos) + l.width/2*vg.Length(sign(cos)),
				Y: l.at.Y + far*vg.Length(sin) + l.height/2*vg.Length(sign(sin)),
			}
			r := vg.Rectangle{Min: vg.Point{X: c.X - l.width/2, Y: c.Y - l.height/2}, Max: vg.Point{X: c.X + l.width/2, Y: c.Y + l.height/2}}
			if free(r) {
				return r, true
			}
		}
	}
	return vg.Rectangle{}, false
}

// sign is -1, 0 or 1; sines that are zero but for rounding count as zero.
func sign(v float64) float64 {
	switch {
	case v > 1e-9:
		return 1
	case v < -1e-9:
		return -1
	}
	return 0
}

// nearest returns the point of a rectangle that is nearest to p.
func nearest(r vg.Rectangle, p vg.Point) vg.Point {
	return vg.Point{X: min(max(p.X, r.Min.X), r.Max.X), Y: min(max(p.Y, r.Min.Y), r.Max.Y)}
}

// crosses reports whether the line from p to q passes through the inside of a rectangle (Liang and Barsky's clipping).
func crosses(p, q vg.Point, r vg.Rectangle) bool {
	t0, t1 := 0.0, 1.0
	dx, dy := float64(q.X-p.X), float64(q.Y-p.Y)
	for _, e := range [4][2]float64{
		{-dx, float64(p.X - r.Min.X)}, {dx, float64(r.Max.X - p.X)}, {-dy, float64(p.Y - r.Min.Y)}, {dy, float64(r.Max.Y - p.Y)},
	} {
		switch {
		case e[0] == 0 && e[1] <= 0:
			return false
		case e[0] < 0:
			t0 = max(t0, e[1]/e[0])
		case e[0] > 0:
			t1 = min(t1, e[1]/e[0])
		}
	}
	return t0 < t1
}
