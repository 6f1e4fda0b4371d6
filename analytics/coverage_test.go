package analytics

import (
	"database/sql"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"

	"github.com/captionlake/captionlake/data/laketest"
)

// A world draws data sets of which the truth is known: four captioners, who read the images of four domains with beta-distributed chances.
// Of two captioners, half of the images are equally hard for both.
type world struct {
	images      int     // of a domain
	correlation float64 // of two questions of an image
	uneven      bool    // one image in ten, and at least one, has five times as many questions
}

// The true accuracies, in which the captioners are ranked.
var worldAccuracies = []float64{0.95, 0.9, 0.7, 0.6}

const (
	worldQuestions   = 13  // questions of an image: the public bank's mean
	worldDomains     = 4   // domains of the mean
	worldCannot      = 0.5 // share of what is not correct that chooses the cannot option
	worldCannotScore = 0.3 // of four options: 1/4 + 0.05
)

func (w world) String() string {
	return fmt.Sprintf("%2d images, ICC %.1f, %-6s", w.images, w.correlation, map[bool]string{true: "uneven", false: "even"}[w.uneven])
}

// An imageSum is what the answers about an image add up to: score and accuracy of each captioner.
type imageSum struct {
	questions float64
	figures   [][2]float64
}

func (w world) domain(r *rand.Rand) []imageSum {
	sums := make([]imageSum, w.images)
	for i := range sums {
		sums[i].questions = worldQuestions
		if w.uneven && i%10 == 0 {
			sums[i].questions *= 5
		}
		alike := r.Float64()
		for _, chance := range worldAccuracies {
			if hardness := alike; w.correlation > 0 {
				if r.Float64() < 0.5 {
					hardness = r.Float64()
				}
				k := 1/w.correlation - 1
				chance = mathext.InvRegIncBeta(k*chance, k*(1-chance), hardness)
			}
			var sum [2]float64
			for range int(sums[i].questions) {
				if r.Float64() < chance {
					sum[0]++
					sum[1]++
				} else if r.Float64() < worldCannot {
					sum[0] += worldCannotScore
				}
			}
			sums[i].figures = append(sums[i].figures, sum)
		}
	}
	return sums
}

// An imagePair is what both sides have of one image.
type imagePair struct {
	domain         string
	nA, nB         float64
	scoreA, scoreB [2]float64 // sums of score and of correct answers
}

// An estimate is a difference of two means with what its interval needs, for the simulation and as a witness of what SQL computes.
type estimate struct {
	a, b      float64 // means in percent
	variance  float64 // of the difference, in points squared; NaN below two clusters
	clusters  float64 // effective number of images, added up over domains
	df        float64
	questions float64
}

// pairedEstimate is the difference of two ratios over the same clusters with its linearized variance: each image
// contributes what it has more or less than the means predict, on both sides at once, with the correction
// clusters / (clusters - 1). Its degrees of freedom are the effective number of images, (Σn)² / Σn² for n questions an image,
// less one: the lesser of the two sides'.
func pairedEstimate(pairs []imagePair, metric int) estimate {
	e := estimate{variance: math.NaN()}
	var nB, sumA, sumB, squaresA, squaresB float64
	for _, p := range pairs {
		e.questions += p.nA
		nB += p.nB
		sumA += p.scoreA[metric]
		sumB += p.scoreB[metric]
		squaresA += p.nA * p.nA
		squaresB += p.nB * p.nB
	}
	e.clusters = min(e.questions*e.questions/squaresA, nB*nB/squaresB)
	e.df = e.clusters - 1
	e.a, e.b = 100*sumA/e.questions, 100*sumB/nB
	if len(pairs) < 2 {
		return e
	}
	squares := 0.0
	for _, p := range pairs {
		u := (p.scoreA[metric]-sumA/e.questions*p.nA)/e.questions - (p.scoreB[metric]-sumB/nB*p.nB)/nB
		squares += u * u
	}
	g := float64(len(pairs))
	e.variance = 1e4 * squares * g / (g - 1)
	return e
}

// meanEstimate is the mean of independent estimates. Its degrees of freedom are those of the macro domain_clusters.
func meanEstimate(parts []estimate) estimate {
	var e estimate
	k := float64(len(parts))
	var sum, squares, both float64
	for _, p := range parts {
		e.a += p.a / k
		e.b += p.b / k
		e.variance += p.variance / (k * k)
		e.clusters += p.clusters
		e.questions += p.questions
		c, df := p.clusters, max(p.df, 0.001)
		sum += 1 / c
		squares += 1 / (c * c * df)
		both += (df + 2) / (c * df * c * df)
	}
	e.df = (sum*sum + 2*squares) / both
	return e
}

// coverageFigures are the columns of the table of STATISTICS.md.
var coverageFigures = []string{"95%", "70%", "score", "95-90", "70-60", "95-60", "overall", "ranks"}

// held tells for each figure what share of its intervals holds the truth in one data set. The functions are those that analyze calls;
// compare and the marts agree on the same rows (TestCompareTheSameQuestions).
func (w world) held(r *rand.Rand, b *bootstrap) (held [8]float64) {
	domains := make([][]imageSum, worldDomains)
	for d := range domains {
		domains[d] = w.domain(r)
	}
	// Beside nothing, the difference is the captioner's own figure.
	estimated := func(domain []imageSum, a, b, metric int) estimate {
		var pairs []imagePair
		for _, s := range domain {
			p := imagePair{nA: s.questions, nB: s.questions, scoreA: s.figures[a]}
			if b >= 0 {
				p.scoreB = s.figures[b]
			}
			pairs = append(pairs, p)
		}
		return pairedEstimate(pairs, metric)
	}
	share := func(e estimate, truth float64) float64 {
		low, high := shareInterval(e.a, math.Sqrt(e.variance), e.questions, e.df+1)
		return within(100*truth, low, high)
	}
	held[0] = share(estimated(domains[0], 0, -1, 1), 0.95)
	held[1] = share(estimated(domains[0], 2, -1, 1), 0.7)
	held[2] = share(estimated(domains[0], 2, -1, 0), 0.7+0.3*worldCannot*worldCannotScore)
	for i, pair := range [][2]int{{0, 1}, {2, 3}, {0, 3}} {
		e := estimated(domains[0], pair[0], pair[1], 1)
		end := func(upper bool) float64 {
			return differenceEnd(e.a, e.b, math.Sqrt(e.variance), e.questions, e.df+1, upper)
		}
		held[3+i] = within(100*(worldAccuracies[pair[0]]-worldAccuracies[pair[1]]), end(false), end(true))
	}
	var parts []estimate
	var ranked []conditionSum
	for _, domain := range domains {
		parts = append(parts, estimated(domain, 2, -1, 1))
	}
	held[6] = share(meanEstimate(parts), 0.7)
	for i, s := range domains[0] {
		for c, f := range s.figures {
			ranked = append(ranked, conditionSum{
				domain: "Natural", image: fmt.Sprintf("%03d", i), condition: strconv.Itoa(c), overall: sql.NullInt64{}, answers: s.questions,
				figures: [2]float64{f[0] * scoreParts, f[1]},
			})
		}
	}
	for _, row := range b.ranking(ranked) {
		if row[2] == "accuracy" {
			condition, err := strconv.Atoi(row[0].(string))
			if err != nil {
				panic(err)
			}
			held[7] += within(float64(condition+1), float64(row[3].(int64)), float64(row[4].(int64))) / float64(len(worldAccuracies))
		}
	}
	return held
}

func within(x, low, high float64) float64 {
	if low <= x && x <= high {
		return 1
	}
	return 0
}

// TestCoverage draws data sets of every world and counts the intervals that hold the truth: 95 of 100 of them should. The bounds leave
// room for three standard errors of the count itself. STATISTICS.md has the figures and says what is outside of 93 to 98 %.
func TestCoverage(t *testing.T) {
	draws, sizes := 40, []int{5, 20}
	if laketest.Figures() {
		draws, sizes = 2000, []int{3, 5, 10, 20, 50}
	}
	var worlds []world
	for _, uneven := range []bool{false, true} {
		for _, images := range sizes {
			for _, correlation := range []float64{0, 0.1, 0.3} {
				worlds = append(worlds, world{images, correlation, uneven})
			}
		}
	}
	held := make([][8]float64, len(worlds))
	var group sync.WaitGroup
	for i, w := range worlds {
		group.Go(func() {
			r := rand.New(rand.NewPCG(1, uint64(i)))
			b := &bootstrap{seed: 1, samples: 500, draws: map[string]*mat.Dense{}}
			for range draws {
				for f, share := range w.held(r, b) {
					held[i][f] += share / float64(draws)
				}
			}
		})
	}
	group.Wait()
	var table strings.Builder
	for i, w := range worlds {
		fmt.Fprintf(&table, "%s", w)
		for f, share := range held[i] {
			fmt.Fprintf(&table, " %6.1f", 100*share)
			least := 0.93
			if w.correlation > 0.2 && coverageFigures[f] == "95%" || w.images == 3 && coverageFigures[f] == "ranks" {
				least = 0.87 // as STATISTICS.md says
			}
			if share < least-3*math.Sqrt(0.95*0.05/float64(draws)) {
				t.Errorf("%s: %.1f %% of the intervals of %s hold the truth", w, 100*share, coverageFigures[f])
			}
		}
		table.WriteByte('\n')
	}
	t.Logf("coverage in percent of %s:\n%s", strings.Join(coverageFigures, ", "), &table)
}
