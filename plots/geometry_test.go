package plots

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/plot/vg"

	"github.com/captionlake/captionlake/data/expect"
)

func TestSpread(t *testing.T) {
	for _, c := range []struct {
		name           string
		centers, sizes []vg.Length
		lo, hi         vg.Length
		want           []vg.Length
	}{
		{"nothing to do", []vg.Length{10, 30}, []vg.Length{10, 10}, 0, 100, []vg.Length{10, 30}},
		// 20 and 22 with sizes 10 must be 10 apart; the least squares keep their mean 21: 16 and
		// 26.
		{"two that overlap", []vg.Length{20, 22}, []vg.Length{10, 10}, 0, 100, []vg.Length{16, 26}},
		// 50, 50, 50 around their mean: 40, 50, 60, in the order given.
		{"three alike", []vg.Length{50, 50, 50}, []vg.Length{10, 10, 10}, 0, 100, []vg.Length{40, 50, 60}},
		{"pushed off the lower end", []vg.Length{1, 2}, []vg.Length{10, 10}, 0, 100, []vg.Length{5, 15}},
		{"pushed off the upper end, in any order", []vg.Length{99, 98}, []vg.Length{10, 10}, 0, 100, []vg.Length{95, 85}},
		// Sizes 4 and 8: 6 apart, mean of 10 and 10 is 10, so 7 and 13.
		{"unequal sizes", []vg.Length{10, 10}, []vg.Length{4, 8}, 0, 100, []vg.Length{7, 13}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := spread(c.centers, c.sizes, c.lo, c.hi)
			for i := range got {
				if math.Abs(float64(got[i]-c.want[i])) > 1e-9 {
					t.Fatalf("got %v, want %v", got, c.want)
				}
			}
		})
	}
	expect.Equal(t, len(spread(nil, nil, 0, 1)), 0, "no labels")
}

func TestCrosses(t *testing.T) {
	r := vg.Rectangle{Min: vg.Point{X: 10, Y: 10}, Max: vg.Point{X: 20, Y: 20}}
	for _, c := range []struct {
		px, py, qx, qy vg.Length
		want           bool
	}{
		{0, 15, 30, 15, true}, {12, 12, 13, 13, true}, {0, 22, 22, 0, true},
		{0, 0, 9, 9, false}, {0, 25, 30, 25, false}, {0, 18, 18, 0, false}, // past the corner (10, 10): x + y = 18 < 20
	} {
		to := vg.Point{X: c.qx, Y: c.qy}
		expect.Equal(t, crosses(vg.Point{X: c.px, Y: c.py}, vg.Rectangle{Min: to, Max: to}, r), c.want, c)
	}
}

// Labels of thirty points in a crowd overlap neither each other nor points. Without a leader a
// label has its own point nearest, and is nearest to it.
func TestPlaceLabels(t *testing.T) {
	bounds := vg.Rectangle{Max: vg.Point{X: 400, Y: 300}}
	var labels []boxLabel
	var points []vg.Point
	random := rand.New(rand.NewPCG(1, 2))
	for range 30 {
		p := vg.Point{X: vg.Length(100 + 200*random.Float64()), Y: vg.Length(100 + 100*random.Float64())}
		points = append(points, p)
		labels = append(labels, boxLabel{at: p, size: vg.Point{X: 40, Y: 7}})
	}
	placeLabels(labels, points, nil, bounds)
	leaders := 0
	for i, l := range labels {
		r := l.box
		if !l.found {
			t.Errorf("label %d found no place", i)
			continue
		}
		if r.Min.X < 0 || r.Max.X > 400 || r.Min.Y < 0 || r.Max.Y > 300 {
			t.Errorf("label %d leaves the bounds: %v", i, r)
		}
		if l.leader {
			leaders++
		}
		for k, p := range points {
			q := labels[k].box
			if k < i && overlap(r, q) {
				t.Errorf("labels %d and %d overlap", k, i)
			}
			if distance(p, nearest(r, p)) < 4 {
				t.Errorf("label %d covers point %d", i, k)
			}
			if own := reading(r, points[i]); !l.leader && k != i &&
				(reading(r, p) < own || reading(q, points[i]) < own) {
				t.Errorf("label %d has no leader, and %d is nearer", i, k)
			}
		}
	}
	if leaders == 0 || leaders == len(labels) {
		t.Errorf("%d of %d labels have leaders", leaders, len(labels))
	}
	wide := []boxLabel{{at: vg.Point{X: 5, Y: 5}, size: vg.Point{X: 500, Y: 8}}}
	if placeLabels(wide, nil, nil, bounds); wide[0].found {
		t.Error("a label wider than the bounds found a place")
	}
	alone, at := []boxLabel{{at: points[0], size: vg.Point{X: 40, Y: 7}}}, points[0]
	interval := between(at.Sub(vg.Point{X: 20}), at.Add(vg.Point{X: 20}))
	placeLabels(alone, points[:1], interval, bounds)
	for _, p := range interval {
		if l := alone[0]; !l.found || l.leader || distance(p, nearest(l.box, p)) < 4 {
			t.Errorf("a label stands at %v upon the interval of its point", l.box)
		}
	}
}
