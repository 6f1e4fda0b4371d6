package statistics

import (
	"math"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
)

func shareInterval(estimate, se, size, clusters float64) (low, high float64) {
	return shareEnd(false, estimate, se, size, clusters), shareEnd(true, estimate, se, size, clusters)
}

// independent is the interval of Clopper and Pearson: the interval of a share of questions if each
// is about an image of its own.
func independent(correct, n float64) (low, high float64) {
	p := correct / n
	return shareInterval(100*p, 100*math.Sqrt(p*(1-p)/n), n, n)
}

// binomialTail is the chance of at least x of n, summed term by term.
func binomialTail(x, n int, p float64) float64 {
	sum := 0.0
	for k := x; k <= n; k++ {
		choose, _ := math.Lgamma(float64(n + 1))
		a, _ := math.Lgamma(float64(k + 1))
		b, _ := math.Lgamma(float64(n - k + 1))
		sum += math.Exp(choose - a - b + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
	}
	return sum
}

// By its definition the interval ends where the chance of as many, or of as few, falls to 2.5 %.
func TestShareIntervalAgainstBinomialTails(t *testing.T) {
	for _, n := range []int{2, 7, 40, 300} {
		for x := 0; x <= n; x += 1 + n/9 {
			low, high := independent(float64(x), float64(n))
			if x > 0 && math.Abs(binomialTail(x, n, low/100)-0.025) > 1e-9 {
				t.Errorf("%d of %d: %v and more at %v %%", x, n, binomialTail(x, n, low/100), low)
			}
			if x < n && math.Abs(1-binomialTail(x+1, n, high/100)-0.025) > 1e-9 {
				t.Errorf("%d of %d: %v and less at %v %%", x, n, 1-binomialTail(x+1, n, high/100), high)
			}
		}
	}
}

// Six images with 13 questions each, 39 of 78 right, and an error of 10 points: questions that were
// independent would have that error at 0.25 / 0.01 = 25 of them, so the design effect is 78 / 25 =
// 3.12, and the events are 25 / 2 = 12.5. The prior design effect is
// 1 + 0.3 (13 - 1) = 4.6, steadied (12.5 * 3.12 + 4.6) / 13.5 = 3.2296296, 78 / 3.2296296 =
// 24.1513761. The quantiles of t for 77 and 5 degrees of freedom are 1.9912544 and 2.5705818, the
// square of their ratio 0.6000544, so that 14.4921396 questions count: 7.2460698 of them right. Of
// whole numbers 7 of 14 would be 23.04 to 76.96, and 7 or 8 of 15 21.27 to 73.41 or 26.59 to 78.73;
// the interval is between 7 of
// 14 and what 7.5 of 15 would be, 23.88 to 76.12.
func TestShareIntervalOfClusteredQuestions(t *testing.T) {
	low, high := shareInterval(50, 10, 78, 6)
	expect.Between(t, tQuantile(77), 1.9912544-5e-8, 1.9912544+5e-8)
	expect.Between(t, tQuantile(5), 2.5705818-5e-8, 2.5705818+5e-8)
	n := 14.4921396
	for _, c := range []struct{ got, want float64 }{{low, 100 * betaQuantile(n/2, n/2+1, 0.025)},
		{high, 100 * betaQuantile(n/2+1, n/2, 0.975)}} {
		expect.Between(t, c.got, c.want-1e-5, c.want+1e-5)
	}
	expect.Between(t, low, 23.04, 23.88)
	expect.Between(t, high, 76.12, 76.96)
	expect.Between(t, low+high, 100-1e-9, 100+1e-9)
}

// betaQuantile integrates the density of the beta distribution by Simpson's rule, and halves.
func betaQuantile(a, b, share float64) float64 {
	area := func(to float64) float64 {
		const steps = 4000
		sum := 0.0
		for i := range steps + 1 {
			x := to * float64(i) / steps
			weight := 2 + 2*float64(i%2)
			if i == 0 || i == steps {
				weight = 1
			}
			sum += weight * math.Pow(x, a-1) * math.Pow(1-x, b-1)
		}
		return sum * to / steps / 3
	}
	whole := area(1)
	low, high := 0.0, 1.0
	for range 60 {
		if middle := (low + high) / 2; area(middle) < share*whole {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// The ends of a share hold it, stay within 0 and 100 and never meet, whatever the error, the number
// of questions and the number of images.
func TestShareIntervalStaysWithinBounds(t *testing.T) {
	for _, estimate := range []float64{0, 1e-9, 0.3, 5, 33.333333333333336, 50, 95, 99.99999, 100} {
		for _, se := range []float64{0, 1e-12, 1e-7, 0.01, 1, 10, 60, 500} {
			for _, size := range []float64{1, 2, 3.5, 78, 33027, 1e9} {
				for _, clusters := range []float64{1.0000001, 1.02, 1.5, 2, 6, 158, 1e6} {
					low, high := shareInterval(estimate, se, size, clusters)
					if !(0 <= low && low <= estimate && estimate <= high && high <= 100 && low < high) {
						t.Errorf("%v with the error %v, size %v and %v clusters: %v to %v", estimate, se, size,
							clusters, low, high)
					}
				}
			}
		}
	}
	for _, x := range [][4]float64{{math.NaN(), 1, 9, 9}, {50, math.NaN(), 9, 9}, {50, 1, 9, 1},
		{50, 1, 9, math.NaN()}} {
		if low, high := shareInterval(x[0], x[1], x[2], x[3]); !math.IsNaN(low) || !math.IsNaN(high) {
			t.Errorf("%v gives %v to %v", x, low, high)
		}
	}
	// a score of questions with one option can pass 100
	low, high := shareInterval(105, 0, 20, 20)
	expect.Between(t, low, 80, 100)
	expect.Equal(t, high, 100)
}
