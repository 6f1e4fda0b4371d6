package plots

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// spread moves intervals of given sizes along a line so that none overlap, all lie between lo and
// hi, their order is kept, and the sum of squared moves is smallest (pool adjacent violators).
// Centres come back in the order given. When the sizes do not fit between lo and hi, they are laid
// from hi downwards past lo.
func spread(centers, sizes []float64, lo, hi float64) []float64 {
	n := len(centers)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(centers[a], centers[b]) })
	// With offset o_i = the space that the intervals before i and half of i take, y_i = c_i - o_i
	// must be non-decreasing: isotonic regression.
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

// A placing is where a label stands, if it found a place.
type placing struct {
	box    vg.Rectangle
	found  bool
	leader bool // joins the label with its point, where the eye could take it for the name of another
}

func (p placing) middle() vg.Point {
	return vg.Point{X: (p.box.Min.X + p.box.Max.X) / 2, Y: (p.box.Min.Y + p.box.Max.Y) / 2}
}

// placeLabels puts labels next to their points so that they neither overlap each other, nor cover
// any of the obstacles (points with a radius), nor leave the bounds, nor, where there is room,
// cross each other's leaders. It tries sixteen directions at growing distances, labels in the order
// given, and first places to which no other point is nearly as near.
func placeLabels(labels []boxLabel, obstacles []vg.Point, radius vg.Length, bounds vg.Rectangle) []placing {
	out := make([]placing, len(labels))
	free := func(at vg.Point, r vg.Rectangle, strict bool) bool {
		for i, q := range out {
			if q.found && (r.Min.X < q.box.Max.X && q.box.Min.X < r.Max.X && r.Min.Y < q.box.Max.Y &&
				q.box.Min.Y < r.Max.Y ||
				strict && (crosses(labels[i].at, q.box, r) || crosses(at, r, q.box))) {
				return false
			}
		}
		return r.Min.X >= bounds.Min.X && r.Max.X <= bounds.Max.X && r.Min.Y >= bounds.Min.Y &&
			r.Max.Y <= bounds.Max.Y &&
			!slices.ContainsFunc(obstacles, func(p vg.Point) bool { return distance(p, nearest(r, p)) < radius })
	}
	own := func(at vg.Point, r vg.Rectangle) bool {
		far := reading(r, at)
		const nearby = 11 // right above or below, or beside
		return far < nearby &&
			!slices.ContainsFunc(obstacles, func(p vg.Point) bool { return p != at && reading(r, p) < far*1.4 })
	}
	for i, l := range labels {
		// in a crowd a label is better than no label, even if its leader passes under another one
		for pass := 0; pass < 4 && !out[i].found; pass++ {
			if pass == 3 {
				obstacles = nil
			}
			out[i].box, out[i].found = around(l, radius, bounds, func(r vg.Rectangle) bool {
				return (pass > 0 || own(l.at, r)) && free(l.at, r, pass < 2)
			})
		}
	}
	for i, l := range labels {
		out[i].leader = !own(l.at, out[i].box) || slices.ContainsFunc(out, func(q placing) bool {
			return q.found && q.box != out[i].box && reading(q.box, l.at) <= reading(out[i].box, l.at)
		})
	}
	return out
}

// leaders draws the lines from points to labels that need one. They lie under all labels.
func leaders(c draw.Canvas, labels []boxLabel, places []placing) {
	for i, p := range places {
		if end := nearest(p.box, labels[i].at); p.found && p.leader {
			c.StrokeLine2(lineStyle(softInk, 0.4), labels[i].at.X, labels[i].at.Y, end.X, end.Y)
		}
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
			c := vg.Point{
				X: l.at.X + far*vg.Length(cos) + l.width/2*vg.Length(sign(cos)),
				Y: l.at.Y + far*vg.Length(sin) + l.height/2*vg.Length(sign(sin)),
			}
			c.X = max(bounds.Min.X+l.width/2, min(c.X, bounds.Max.X-l.width/2))
			c.Y = max(bounds.Min.Y+l.height/2, min(c.Y, bounds.Max.Y-l.height/2))
			r := vg.Rectangle{Min: vg.Point{X: c.X - l.width/2, Y: c.Y - l.height/2},
				Max: vg.Point{X: c.X + l.width/2, Y: c.Y + l.height/2}}
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

// crosses reports whether the leader from a point to its label passes through a rectangle.
func crosses(p vg.Point, label, r vg.Rectangle) bool {
	to := nearest(label, p)
	for t := vg.Length(0); t < 1; t += 0.05 {
		at := vg.Point{X: p.X + t*(to.X-p.X), Y: p.Y + t*(to.Y-p.Y)}
		if at == nearest(r, at) {
			return true
		}
	}
	return false
}
