package plots

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/plots/ggsql"
)

// computedOf are the layers of one whose rows have values along an axis.
func computedOf(form, axis string, settings map[string]float64, values ...float64) []layer {
	l := layer{Layer: ggsql.Layer{Form: form, Setting: map[string]ggsql.Value{}}}
	for name, n := range settings {
		l.set(name, n)
	}
	for _, v := range values {
		l.marks = append(l.marks, mark{at: map[string]float64{axis: v, "x": 0}})
		l.marks[len(l.marks)-1].at[axis] = v
	}
	return (&chart{}).computed(l)
}

// Three bins over 0 to 10 are 5 wide, and the first is around 0, as in ggsql: from -2.5 to 2.5, to
// 7.5 and to 12.5.
func TestHistogramCounts(t *testing.T) {
	for _, c := range []struct {
		settings map[string]float64
		values   []float64
		want     string
	}{
		{map[string]float64{"bins": 3}, []float64{0, 1, 2, 3, 10}, "0:3 5:1 10:1 "},
		// an end belongs to the bin on its left
		{map[string]float64{"binwidth": 5}, []float64{0, 2.5, 2.6, 7.5}, "0:2 5:2 "},
		{nil, []float64{4, 4}, "4:2 "},
		// by ggsql 0.5.2
		{map[string]float64{"bins": 3}, []float64{42.3, 37.6, 20.1, 47.5, 27.2, 25.2}, "20.1:2 33.8:2 47.5:2 "},
	} {
		got := ""
		for _, m := range computedOf("histogram", "x", c.settings, c.values...)[0].marks {
			got += fmt.Sprintf("%v:%v ", m.at["x"], m.at["y"])
		}
		expect.Equal(t, got, c.want, c.values)
	}
}

// Of 1, 2, 3, 4 and 100 the quartiles are 2 and 4, so whiskers end at 1, which is above 2 - 3, and
// at 4 + 3.
func TestBoxplotHasWhiskersAndOutliers(t *testing.T) {
	made := computedOf("boxplot", "y", nil, 100, 3, 1, 4, 2)
	low, high := made[1].marks[0].at, made[1].marks[1].at
	box, middle, outliers := made[2].marks[0].at, made[3].marks[0].at, made[4].marks
	expect.Equal(t, fmt.Sprint(low["y"], low["yend"], high["y"], high["yend"]), "1 2 4 7")
	expect.Equal(t, fmt.Sprint(box["ymin"], box["ymax"], box["xmin"], box["xmax"], middle["y"]), "2 4 -0.35 0.35 3")
	expect.Equal(t, fmt.Sprint(len(outliers), outliers[0].at["y"]), "1 100")
}

// The density of 0 and 1 with a bandwidth of 1 begins at -3, and is there the mean of a standard
// normal one at 3 and at 4.
func TestDensityOfTwo(t *testing.T) {
	first := computedOf("density", "x", map[string]float64{"bandwidth": 1}, 1, 0)[1].marks[0].at
	if want := (0.0044318484 + 0.0001338302) / 2; first["x"] != -3 || math.Abs(first["y"]-want) > 1e-9 {
		t.Errorf("%v, want %v at -3", first, want)
	}
	expect.Equal(t, len(computedOf("density", "x", nil, 3, 3)[0].marks), 0, "equal values have a density")
}

// Through (0, 1), (1, 2) and (2, 6) goes 0.5 + 2.5 x, with squares of 1.5 left, one degree of
// freedom and a t of 12.7062.
func TestLeastSquares(t *testing.T) {
	fit := leastSquares([]float64{0, 1, 2}, []float64{1, 2, 6})
	for at, want := range map[float64][2]float64{1: {3, 12.7062 * math.Sqrt(1.5/3)},
		2: {5.5, 12.7062 * math.Sqrt(1.5*(1.0/3+1.0/2))}} {
		if y, half := fit(at); math.Abs(y-want[0]) > 1e-9 || math.Abs(half-want[1]) > 1e-3 {
			t.Errorf("at %v: %v ± %v, want %v", at, y, half, want)
		}
	}
	if y, half := leastSquares([]float64{0, 2}, []float64{1, 3})(1); y != 2 || !math.IsNaN(half) {
		t.Errorf("through two points %v ± %v", y, half)
	}
	if y, _ := leastSquares([]float64{1, 1}, []float64{1, 3})(1); !math.IsNaN(y) {
		t.Errorf("over one place %v", y)
	}
}

// Bars of two groups at one place share its width of 0.7; where each has a place of its own it has
// the whole width.
func TestBarsSideBySide(t *testing.T) {
	bar := func(group string, x, y float64) mark {
		return mark{group: group, at: map[string]float64{"x": x, "y": y}}
	}
	c := &chart{x: []string{"A", "B"}}
	l := layer{Layer: ggsql.Layer{Form: "bar",
		Setting: map[string]ggsql.Value{"position": {Kind: "text", Text: "dodge"}}}}
	l.marks = []mark{bar("a", 0, 2), bar("b", 0, -1), bar("a", 1, 3)}
	c.setEnds(l)
	for i, want := range [][4]float64{{-0.35, 0, 0, 2}, {0, 0.35, -1, 0}, {0.65, 1, 0, 3}} {
		at := l.marks[i].at
		for k, end := range []string{"xmin", "xmax", "ymin", "ymax"} {
			expect.Between(t, at[end], want[k]-1e-9, want[k]+1e-9, i, end)
		}
	}
	expect.Equal(t, fmt.Sprint(c.slots(l.marks[1:], "x")(l.marks[1])), "0 1")
}

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
	// Quartiles at positions 1 and 3: 2 and 4, so IQR/1.34 = 1.4925 is the smaller scale; h = 0.9 *
	// 2/1.34 * 5^-0.2.
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
