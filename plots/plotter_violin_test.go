package plots

import (
	"math"
	"slices"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9*max(1, math.Abs(want)) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func refused(t *testing.T, err error, want string) {
	t.Helper()
	expect.Failure(t, err, want)
}

func TestViolin(t *testing.T) {
	// 1, 2, 3, 4, 10: mean 4, squared deviations 9+4+1+0+36 = 50, s = sqrt(50/4) = 3.5355.
	// Quartiles at positions 1 and 3: 2 and 4, so IQR/1.34 = 1.4925 is the smaller scale; h = 0.9 * 2/1.34 * 5^-0.2.
	values := []float64{1, 2, 3, 4, 10}
	near(t, "q1", quantile(values, 0.25), 2)
	near(t, "median", quantile(values, 0.5), 3)
	near(t, "bandwidth", silverman(values), 0.9*2/1.34*math.Pow(5, -0.2))
	// A kernel on one value has its top 1/(h sqrt(2 pi)) there.
	near(t, "density", density([]float64{3}, 2, 3), 1/(2*math.Sqrt(2*math.Pi)))
	// One bandwidth away it is exp(-1/2) of that.
	near(t, "density at h", density([]float64{3}, 2, 5), math.Exp(-0.5)/(2*math.Sqrt(2*math.Pi)))
	// The outline is never wider than asked for, and as wide once.
	_, widths := outline(0.5, values)
	near(t, "widest", slices.Max(widths), 0.5)
}

func TestViolinDegenerate(t *testing.T) {
	for _, values := range [][]float64{{7}, {7, 7, 7}} {
		if at, widths := outline(0.4, values); !slices.Equal(at, []float64{7}) || !slices.Equal(widths, []float64{0.4}) {
			t.Errorf("%v is drawn at %v as %v", values, at, widths)
		}
	}
	// Quartiles that coincide leave s as the scale: the bandwidth must not be 0.
	at, widths := outline(1, []float64{5, 5, 5, 5, 5, 9})
	for i, w := range widths {
		if math.IsNaN(w) || math.IsInf(w, 0) {
			t.Fatalf("the outline is %v wide at %v", w, at[i])
		}
	}
}
