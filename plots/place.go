package plots

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// spread moves intervals along a line so that none overlap and all lie between lo and hi. centers
// are the middles of the intervals, sizes their lengths; the result has the new middles. The
// intervals keep their order, and the sum of squared moves is the smallest. If the intervals do not
// fit between lo and hi, the last ends at hi and the first begins below lo.
func spread(centers, sizes []vg.Length, lo, hi vg.Length) []vg.Length {
	n := len(centers)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(centers[a], centers[b]) })
	// offset is the length of all intervals before interval k, and half the length of k. free is the
	// centre of k less the offset. No intervals overlap if free never falls from one interval to the
	// next. The nearest values that do not fall are an isotonic regression of free. For each start
	// up to k, least is the least of the means of free from the start to any end from k on. The new
	// value of k (fit) is the greatest of these least means.
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
		// Values that are cut to the range do not fall either, and are still the nearest ones.
		out[i] = min(max(fit, lo), hi-total) + offset[k]
	}
	return out
}

// A boxLabel is a label to be put near a point.
type boxLabel struct {
	style    text.Style
	lines    []string
	at, size vg.Point     // the point, and the width and height of the label
	box      vg.Rectangle // the place of the label, if one was found
	found    bool
	leader   bool // a line joins label and point, because the label could seem to name another point
}

// pointRadius is the distance that labels keep from points and obstacles.
const pointRadius = vg.Length(4)

// placeLabels puts labels near their points so that they neither overlap each other nor leave the
// bounds. If there is room, they also cover no points and no obstacles, cross no leaders, and have
// no other point nearly as near as their own. Labels are placed in their order.
func placeLabels(labels []boxLabel, points, obstacles []vg.Point, bounds vg.Rectangle) {
	// free reports whether the label of a point may be in a rectangle; apart keeps leaders apart
	// from labels, too.
	free := func(at vg.Point, r vg.Rectangle, avoided []vg.Point, apart bool) bool {
		for _, q := range labels {
			if q.found && (overlap(r, q.box) || apart && (crosses(q.at, q.box, r) || crosses(at, r, q.box))) {
				return false
			}
		}
		return r.Max.X <= bounds.Max.X && r.Max.Y <= bounds.Max.Y && // Otherwise the label is larger than the bounds.
			!slices.ContainsFunc(avoided, func(p vg.Point) bool { return distance(p, nearest(r, p)) < pointRadius })
	}
	// own reports whether a label in a rectangle clearly belongs to its point.
	own := func(at vg.Point, r vg.Rectangle) bool {
		far := reading(r, at)
		const nearby = 11 // right above or below, or beside
		return far < nearby &&
			!slices.ContainsFunc(points, func(p vg.Point) bool { return p != at && reading(r, p) < far*1.4 })
	}
	// Each pass asks for less than the pass before: in a crowd a label that covers something is
	// better than no label.
	passes := []struct {
		avoided    []vg.Point
		own, apart bool
	}{{slices.Concat(points, obstacles), true, true}, {points, true, true}, {points, false, true},
		{points, false, false}, {}}
	for i := range labels {
		l := &labels[i]
		for _, pass := range passes {
			l.box, l.found = around(*l, bounds, func(r vg.Rectangle) bool {
				return (!pass.own || own(l.at, r)) && free(l.at, r, pass.avoided, pass.apart)
			})
			if l.found {
				break
			}
		}
	}
	for i, l := range labels {
		labels[i].leader = !own(l.at, l.box) || slices.ContainsFunc(labels, func(q boxLabel) bool {
			return q.found && q.box != l.box && reading(q.box, l.at) <= reading(l.box, l.at)
		})
	}
}

// overlap reports whether two rectangles overlap.
func overlap(r, q vg.Rectangle) bool {
	return r.Min.X < q.Max.X && q.Min.X < r.Max.X && r.Min.Y < q.Max.Y && q.Min.Y < r.Max.Y
}

// reading is how far a point is from the line through the middle of a label, along which the eye
// reads.
func reading(r vg.Rectangle, p vg.Point) vg.Length {
	r.Min.Y = (r.Min.Y + r.Max.Y) / 2
	r.Max.Y = r.Min.Y
	return distance(p, nearest(r, p))
}

// distance is how far two points are apart.
func distance(p, q vg.Point) vg.Length {
	return vg.Length(math.Hypot(float64(p.X-q.X), float64(p.Y-q.Y)))
}

// around returns the nearest free rectangle for a label around its point: in sixteen directions, at
// growing distances, moved into the bounds.
func around(l boxLabel, bounds vg.Rectangle, free func(vg.Rectangle) bool) (box vg.Rectangle, found bool) {
	for far := pointRadius + 1; far < 120; far += 3 {
		// Right, left, above and below come first, then the diagonals, then all between.
		for _, turn := range []float64{0, 8, 4, 12, 2, 6, 14, 10, 1, 7, 15, 9, 3, 5, 13, 11} {
			sin, cos := math.Sincos(turn * math.Pi / 8)
			// The label begins at the point (0), has its middle there (-1) or ends there (-2). Round
			// makes 0 of a sine or cosine that is nearly 0.
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
	return slices.ContainsFunc(between(p, to), func(at vg.Point) bool { return at == nearest(r, at) })
}
