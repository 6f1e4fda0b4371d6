package plots

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// spread moves intervals of given sizes along a line so that none overlap, all lie between lo and
// hi, their order is kept, and the sum of squared moves is smallest. Centres come
// back in the order given. When the sizes do not fit between lo and hi, they are laid from hi
// downwards past lo.
func spread(centers, sizes []vg.Length, lo, hi vg.Length) []vg.Length {
	n := len(centers)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(centers[a], centers[b]) })
	// With offset o_i = the space that the intervals before i and half of i take, y_i = c_i - o_i
	// must be non-decreasing. This is isotonic regression: for each place before or at i, take the
	// least mean from it to i or to a place behind i; y_i is the greatest of these means.
	offset, free := make([]vg.Length, n), make([]vg.Length, n)
	total := vg.Length(0)
	for k, i := range order {
		offset[k] = total + sizes[i]/2
		total += sizes[i]
		free[k] = centers[i] - offset[k]
	}
	out := make([]vg.Length, n)
	for k, i := range order {
		fit := vg.Length(math.Inf(-1))
		for from := range k + 1 {
			least, sum := vg.Length(math.Inf(1)), vg.Length(0)
			for to, y := range free[from:] {
				if sum += y; from+to >= k {
					least = min(least, sum/vg.Length(to+1))
				}
			}
			fit = max(fit, least)
		}
		// Clamping the fitted values to the range keeps them non-decreasing and is the constrained optimum.
		out[i] = min(max(fit, lo), hi-total) + offset[k]
	}
	return out
}

// A boxLabel is a label to be put near a point. If it found a place, box is the place. A leader joins
// it with its point where the eye could take it for the name of another point.
type boxLabel struct {
	style         text.Style
	lines         []string
	at, size      vg.Point
	box           vg.Rectangle
	found, leader bool
}

// placeLabels puts labels next to their points so that they neither overlap each other, nor cover
// any point, nor leave the bounds, nor, where there is room, cross each other's leaders or cover
// obstacles; points and obstacles have a radius. It tries sixteen directions at growing distances,
// labels in the order given, and first places to which no other point is nearly as near.
func placeLabels(labels []boxLabel, points, obstacles []vg.Point, radius vg.Length, bounds vg.Rectangle) {
	avoided := points
	free := func(at vg.Point, r vg.Rectangle, strict bool) bool {
		for _, q := range labels {
			if q.found && (r.Min.X < q.box.Max.X && q.box.Min.X < r.Max.X && r.Min.Y < q.box.Max.Y &&
				q.box.Min.Y < r.Max.Y ||
				strict && (crosses(q.at, q.box, r) || crosses(at, r, q.box))) {
				return false
			}
		}
		return r.Min.X >= bounds.Min.X && r.Max.X <= bounds.Max.X && r.Min.Y >= bounds.Min.Y &&
			r.Max.Y <= bounds.Max.Y &&
			!slices.ContainsFunc(avoided, func(p vg.Point) bool { return distance(p, nearest(r, p)) < radius })
	}
	own := func(at vg.Point, r vg.Rectangle) bool {
		far := reading(r, at)
		const nearby = 11 // right above or below, or beside
		return far < nearby &&
			!slices.ContainsFunc(points, func(p vg.Point) bool { return p != at && reading(r, p) < far*1.4 })
	}
	for i := range labels {
		l := &labels[i]
		// in a crowd a label is better than no label, even if its leader passes under another one
		for pass := 0; pass < 5 && !l.found; pass++ {
			avoided = [][]vg.Point{slices.Concat(points, obstacles), points, points, points, nil}[pass]
			l.box, l.found = around(*l, radius, bounds, func(r vg.Rectangle) bool {
				return (pass > 1 || own(l.at, r)) && free(l.at, r, pass < 3)
			})
		}
	}
	for i, l := range labels {
		labels[i].leader = !own(l.at, l.box) || slices.ContainsFunc(labels, func(q boxLabel) bool {
			return q.found && q.box != l.box && reading(q.box, l.at) <= reading(l.box, l.at)
		})
	}
}

// reading is how far a point is from the middle of the height of a label, along which the eye goes.
func reading(r vg.Rectangle, p vg.Point) vg.Length {
	r.Min.Y = (r.Min.Y + r.Max.Y) / 2
	r.Max.Y = r.Min.Y
	return distance(p, nearest(r, p))
}

func distance(p, q vg.Point) vg.Length {
	return vg.Length(math.Hypot(float64(p.X-q.X), float64(p.Y-q.Y)))
}

// around returns the nearest free rectangle about a label's point, moved into the bounds.
func around(l boxLabel, radius vg.Length, bounds vg.Rectangle, free func(vg.Rectangle) bool) (vg.Rectangle, bool) {
	for far := radius + 1; far < 120; far += 3 {
		// Right, left, above and below come first, then the diagonals, then all between.
		for _, turn := range []float64{0, 8, 4, 12, 2, 6, 14, 10, 1, 7, 15, 9, 3, 5, 13, 11} {
			sin, cos := math.Sincos(turn * math.Pi / 8)
			// left of the point, right of it or in its middle, and the same upwards
			x, y := vg.Length(cmp.Compare(math.Round(9*cos), 0)-1), vg.Length(cmp.Compare(math.Round(9*sin), 0)-1)
			corner := l.at.Add(point(far*vg.Length(cos)+l.size.X/2*x, far*vg.Length(sin)+l.size.Y/2*y))
			corner.X = max(bounds.Min.X, min(corner.X, bounds.Max.X-l.size.X))
			corner.Y = max(bounds.Min.Y, min(corner.Y, bounds.Max.Y-l.size.Y))
			r := vg.Rectangle{Min: corner, Max: corner.Add(l.size)}
			if free(r) {
				return r, true
			}
		}
	}
	return vg.Rectangle{}, false
}

// nearest returns the point of a rectangle that is nearest to p.
func nearest(r vg.Rectangle, p vg.Point) vg.Point {
	return point(min(max(p.X, r.Min.X), r.Max.X), min(max(p.Y, r.Min.Y), r.Max.Y))
}

// crosses reports whether the leader from a point to its label passes through a rectangle.
func crosses(p vg.Point, label, r vg.Rectangle) bool {
	to := nearest(label, p)
	for t := vg.Length(0); t < 1; t += 0.05 {
		if at := p.Add(to.Sub(p).Scale(t)); at == nearest(r, at) {
			return true
		}
	}
	return false
}
