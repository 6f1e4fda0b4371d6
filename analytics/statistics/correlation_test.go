package statistics

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/captionlake/captionlake/data/expect"
)

// TestTQuantile holds the quantile against tables of Student's t (Abramowitz and Stegun 26.10),
// and, between whole numbers of degrees of freedom, against its own neighbours and the distribution
// function.
func TestTQuantile(t *testing.T) {
	for df, want := range map[float64]float64{1: 12.706204736175, 2: 4.302652729749, 5: 2.570581835636,
		30: 2.042272456301, 120: 1.979930405} {
		expect.Between(t, tQuantile(df), want-1e-9, want+1e-9, df)
	}
	before := math.Inf(1)
	for df := 0.3; df < 1e5; df *= 1.01 {
		got := tQuantile(df)
		if got >= before || got <= 1.959963984540054 ||
			math.Abs(distuv.StudentsT{Sigma: 1, Nu: df}.CDF(got)-0.975) > 1e-10 {
			t.Fatalf("%v degrees of freedom: %v after %v", df, got, before)
		}
		before = got
	}
	for _, df := range []float64{0, -1, math.NaN()} {
		if got := tQuantile(df); !math.IsNaN(got) {
			t.Errorf("%v degrees of freedom: %v", df, got)
		}
	}
}

// TestImagesFor: a difference of a tenth of a standard deviation takes 787 pairs for 80 % power at
// 5 % (Cohen's tables and G*Power for the paired t test; the normal approximation gives (1.95996 +
// 0.84162)^2 * 100 = 784.9). Without power it takes (1.965)^2 * 100 = 386.2, so 387.
//
// If 2/3 of the images count as effective, one degree of freedom less than these: for 5 points at
// 10 points an image, 18 even images: 2.1098 * 10 / sqrt(18) = 4.973; of uneven ones, 19 have 11.67
// degrees of freedom, 2.1855 * 10 / sqrt(19) = 5.014, and 20 have 12.33, 2.1722 * 10 / sqrt(20) =
// 4.857.
func TestImagesFor(t *testing.T) {
	expect.Equal(t, imagesFor(10, 1, 0.8, 1, 1), 787, "images for power 0.8")
	expect.Equal(t, imagesFor(10, 1, 0, 1, 1), 387, "images to tell")
	expect.Equal(t, imagesFor(0, 1, 0.8, 4, 1), 5, "images without any spread")
	expect.Equal(t, imagesFor(10, 5, 0, 1, 1), 18, "images when even")
	expect.Equal(t, imagesFor(10, 5, 0, 1, 2.0/3), 20, "images when uneven")
}

// TestRankCorrelations: the first example is worked by hand, the others are the examples of the
// manual of SciPy (kendalltau, spearmanr).
//
// By hand, x = 1 2 2 3, y = 1 3 2 4: ranks of x 1 2.5 2.5 4, of y 1 3 2 4. Sums of products 1 + 7.5
// + 5 + 16 = 29.5, less 4 * 2.5^2 = 25: 4.5; squares of x 29.5 - 25 = 4.5, of y 30 - 25 = 5; rho =
// 4.5 / sqrt(22.5) = 0.9486832981. Pairs: five agree, one is tied in x: tau-b = 5 / sqrt(5 * 6) =
// 0.9128709292.
func TestRankCorrelations(t *testing.T) {
	for _, c := range []struct {
		x, y     []float64
		rho, tau float64
	}{
		{[]float64{1, 2, 2, 3}, []float64{1, 3, 2, 4}, 0.9486832980505138, 0.9128709291752769},
		{[]float64{12, 2, 1, 12, 2}, []float64{1, 4, 7, 1, 0}, math.NaN(), -0.47140452079103173},
		{[]float64{1, 2, 3, 4, 5}, []float64{5, 6, 7, 8, 7}, 0.8207826816681233, math.NaN()},
	} {
		got := rankCorrelation(c.x, c.y)
		if math.Abs(got.rho-c.rho) > 1e-12 || math.Abs(got.tau-c.tau) > 1e-12 {
			t.Errorf("%v and %v: %v, want %v and %v", c.x, c.y, got, c.rho, c.tau)
		}
	}
}
