package statistics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestCorrelateAgainstDefinitions compares both coefficients with their definitions, over values
// with many ties and without.
func TestCorrelateAgainstDefinitions(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{2, 3, 12, 13, 60} {
		for _, levels := range []int{1, 2, 5, 1000} {
			r := randomRanking(random, n, 4, levels)
			f := newFullRanking(r.captioners, imageSums.accuracy)
			f.follow([]int{2, 0, 3, 1}, func(k int, got correlation) {
				here, full := make([]float64, n), make([]float64, n)
				for c := range n {
					var sum, answers float64
					for _, image := range []int{2, 0, 3, 1}[:k+1] {
						sum, answers = sum+f.sums[c][image], answers+f.answers[c][image]
					}
					here[c], full[c] = sum/answers, f.ranks[c]
				}
				for _, x := range [][2]float64{{got.rho, spearman(here, full)}, {got.tau, kendall(here, full)}} {
					if math.IsNaN(x[0]) != math.IsNaN(x[1]) || math.Abs(x[0]-x[1]) > 1e-12 {
						t.Errorf("%d captioners, %d levels, k = %d: %v, want %v", n, levels, k+1, x[0], x[1])
					}
				}
			})
		}
	}
}

// TestRankingOfTheWhole leaves out a captioner without an answer to one of the images, and has no
// ranking of one captioner.
func TestRankingOfTheWhole(t *testing.T) {
	r := randomRanking(rand.New(rand.NewPCG(3, 4)), 3, 5, 100)
	r.captioners[1] = r.captioners[1][:4]
	rows, err := r.stability(t.Context())
	if err != nil || len(rows) != 10 {
		t.Fatalf("%d rows: %v", len(rows), err)
	}
	// n_images, all_images, n_models, n_trials; over all images every order agrees: mean 1,
	// deviation 0, least 1, all above 0.95.
	last := fmt.Sprint(rows[8][6:])
	if want := "[5 5 2 70 70 1 0 1 1 0 1 1]"; last != want {
		t.Errorf("over all images: %s, want %s", last, want)
	}
	r.captioners = r.captioners[:2]
	if rows, err := r.stability(t.Context()); err != nil || len(rows) != 0 {
		t.Errorf("%d rows of one whole captioner: %v", len(rows), err)
	}
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
