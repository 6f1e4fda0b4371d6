package statistics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// TestCorrelateAgainstDefinitions compares both coefficients with their definitions, Spearman's rho
// with Pearson's r of the ranks, over values with many ties and without.
func TestCorrelateAgainstDefinitions(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{2, 3, 12, 13, 60} {
		for _, levels := range []int{1, 2, 5, 1000} {
			x, y := make([]float64, n), make([]float64, n)
			for i := range n {
				x[i], y[i] = float64(random.IntN(levels)), float64(random.IntN(levels))
			}
			got := rankingBy(y).correlate(rankingBy(x))
			rho := stat.Correlation(rankingBy(x).ranks, rankingBy(y).ranks, nil)
			for _, c := range [][2]float64{{got.rho, rho}, {got.tau, kendall(x, y)}} {
				if math.IsNaN(c[0]) != math.IsNaN(c[1]) || math.Abs(c[0]-c[1]) > 1e-12 {
					t.Errorf("%d captioners, %d levels: %v, want %v", n, levels, c[0], c[1])
				}
			}
		}
	}
}

// kendall is tau-b by its definition.
func kendall(x, y []float64) float64 {
	var agree, untiedX, untiedY float64
	sign := func(d float64) float64 {
		switch {
		case d > 0:
			return 1
		case d < 0:
			return -1
		}
		return 0
	}
	for i := range x {
		for j := range i {
			a, b := sign(x[i]-x[j]), sign(y[i]-y[j])
			agree, untiedX, untiedY = agree+a*b, untiedX+a*a, untiedY+b*b
		}
	}
	return agree / math.Sqrt(untiedX*untiedY)
}

// TestRankingOfTheWhole leaves out a captioner without an answer to one of the images, and has no
// ranking of one captioner.
func TestRankingOfTheWhole(t *testing.T) {
	r := randomRanking(rand.New(rand.NewPCG(3, 4)), 3, 5, 100)
	r.captioners[1][4].Answers = 0
	rows := must.Get(r.stability(t.Context()))(t)
	must.Equal(t, len(rows), 10)
	// n_images, all_images, n_models, n_trials; over all images every order agrees: mean 1,
	// deviation 0, least 1, all above 0.95.
	expect.Equal(t, fmt.Sprint(rows[8][6:]), "[5 5 2 70 70 1 0 1 1 0 1 1]", "over all images")
	r.captioners = r.captioners[:2]
	expect.Equal(t, len(must.Get(r.stability(t.Context()))(t)), 0, "rows of one whole captioner")
}

func randomRanking(random *rand.Rand, captioners, images, levels int) *ranking {
	var sums []imageSums
	for c := range captioners {
		for i := range images {
			sums = append(sums, imageSums{
				Captioner: fmt.Sprintf("c%03d", c), Image: fmt.Sprintf("i%03d", i), Answers: float64(levels),
				Seed: 1, Trials: 70,
				Correct: float64(random.IntN(levels + 1)), Parts: float64(random.IntN(levels+1)) * 232792560,
			})
		}
	}
	return rankingOf([]any{"p", "r", "Simple", "simulated", "Natural"}, sums)
}
