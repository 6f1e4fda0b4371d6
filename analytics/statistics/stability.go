package statistics

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"golang.org/x/sync/errgroup"
)

// rankingStability is the computation of the model ranking_stability (CaptionQA section 11). It
// says for every number of images k how well the ranking of the captioners over k random images
// agrees with the ranking over all images. Its work grows with trials, images and n log n of the
// captioners; SQL would join every pair of captioners for every subset.
func rankingStability(ctx context.Context, in arrow.RecordBatch) ([][]any, error) {
	return byKey(ctx, in, 5, func(key []any, sums []imageSums) ([][]any, error) {
		return rankingOf(key, sums).stability(ctx)
	})
}

// imageSums are the answers about one image that read a captioner's captions: their number, the
// correct ones, and the sum of their scores in whole parts. Whole numbers below 2^53 stay whole as floats.
type imageSums struct {
	Captioner string  `json:"captioner"`
	Name      string  `json:"captioner_name"` // for the trajectories alone
	Image     string  `json:"image_id"`
	Answers   float64 `json:"n_answers"`
	Correct   float64 `json:"n_correct"`
	Parts     float64 `json:"score_parts"`
	Seed      int64   `json:"seed"`
	Trials    int64   `json:"trials"`
}

// images returns the images in a random order. The order depends on seed, domain and number of the
// trial alone. It is the order that the SQL macro random_of gives.
func (r *ranking) images(trial int64, images []string) []int {
	lots := make([]uint64, len(images))
	order := make([]int, len(images))
	for i, image := range images {
		lots[i], order[i] = lotOf(r.seed, r.key[4].(string), trial, image), i
	}
	slices.SortFunc(order,
		func(a, b int) int { return cmp.Or(cmp.Compare(lots[a], lots[b]), cmp.Compare(images[a], images[b])) })
	return order
}

// A ranking has the sums of each captioner over the images of a domain.
type ranking struct {
	key          []any // protocol, reader, prompt, provenance, domain
	seed, trials int64
	captioners   [][]imageSums
}

// rankingOf groups sums by captioner. The sums must be in the order of captioners.
func rankingOf(key []any, sums []imageSums) *ranking {
	r := &ranking{key: key, seed: sums[0].Seed, trials: sums[0].Trials}
	for i, s := range sums {
		if i == 0 || s.Captioner != sums[i-1].Captioner {
			r.captioners = append(r.captioners, nil)
		}
		last := &r.captioners[len(r.captioners)-1]
		*last = append(*last, s)
	}
	return r
}

// stability returns the rows of the mart. They cover the captioners who have answers for every
// image of the domain.
func (r *ranking) stability(ctx context.Context) ([][]any, error) {
	n := 0
	for _, c := range r.captioners {
		n = max(n, len(c))
	}
	ranked := slices.DeleteFunc(slices.Clone(r.captioners), func(c []imageSums) bool { return len(c) < n })
	if len(ranked) < 2 {
		return nil, nil
	}
	images := make([]string, n)
	for i, s := range ranked[0] {
		images[i] = s.Image
	}
	full := [2]*fullRanking{newFullRanking(ranked, imageSums.accuracy), newFullRanking(ranked, imageSums.score)}
	spread := make([][2]agreement, n)
	trials := make([][][2]correlation, r.trials)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range trials {
		group.Go(func() error {
			trials[i] = make([][2]correlation, n)
			order := r.images(int64(i)+1, images)
			for m, f := range full {
				f.follow(order, func(k int, c correlation) { trials[i][k][m] = c })
			}
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for _, trial := range trials { // added up in their order, so that threads change no digit
		for k := range spread {
			for m := range spread[k] {
				spread[k][m].add(trial[k][m])
			}
		}
	}
	var rows [][]any
	for k := range spread {
		for m, metric := range []string{"accuracy", "score"} {
			row := append(slices.Clone(r.key), metric, int64(k+1), int64(n), int64(len(ranked)), r.trials)
			rows = append(rows, append(row, spread[k][m].columns(r.trials)...))
		}
	}
	return rows, nil
}

func (s imageSums) accuracy() float64 { return s.Correct }
func (s imageSums) score() float64    { return s.Parts }

// A fullRanking has the sums of a metric, captioner by captioner, and their ranks over all images.
type fullRanking struct {
	sums, answers [][]float64 // by captioner and image
	ranks         []float64   // mean ranks by growing values: ties share the mean of their places
	squares       float64     // sum of the squared ranks, less the same sum for their mean
	ties          float64     // pairs of captioners with one rank
}

func newFullRanking(captioners [][]imageSums, metric func(imageSums) float64) *fullRanking {
	totals := make([]float64, len(captioners))
	sums, answers := make([][]float64, len(captioners)), make([][]float64, len(captioners))
	for c, images := range captioners {
		var total, n float64
		for _, s := range images {
			sums[c], answers[c] = append(sums[c], metric(s)), append(answers[c], s.Answers)
			total, n = total+metric(s), n+s.Answers
		}
		totals[c] = total / n
	}
	f := rankingBy(totals)
	f.sums, f.answers = sums, answers
	return f
}

// rankingBy ranks captioners by growing values.
func rankingBy(values []float64) *fullRanking {
	f := &fullRanking{ranks: make([]float64, len(values)), squares: -middleSquares(len(values))}
	for i, x := range values {
		for j, y := range values {
			f.ranks[i] += placeBeside(x, y)
			if j > i && x == y {
				f.ties++
			}
		}
		f.ranks[i] += 0.5
		f.squares += f.ranks[i] * f.ranks[i]
	}
	return f
}

// placeBeside is what a value y adds to the mean rank of x, apart from half a place for x itself.
func placeBeside(x, y float64) float64 {
	switch {
	case y < x:
		return 1
	case y > x:
		return 0
	}
	return 0.5
}

func pairsOf(n int) float64 { return float64(n) * float64(n-1) / 2 }

// middleSquares is the sum of the squares of n mean ranks.
func middleSquares(n int) float64 { return float64(n) * float64(n+1) * float64(n+1) / 4 }

// A correlation is Spearman's rho and Kendall's tau-b of a subset's ranking with the full one; NaN
// when all captioners are tied.
type correlation struct{ rho, tau float64 }

// follow adds the images one by one, in the given order, and reports the correlation after each.
func (f *fullRanking) follow(order []int, report func(k int, c correlation)) {
	n := len(f.ranks)
	sums, answers := make([]float64, n), make([]float64, n)
	values := make([]float64, n)
	for k, image := range order {
		for c := range n {
			sums[c] += f.sums[c][image]
			answers[c] += f.answers[c][image]
			values[c] = sums[c] / answers[c]
		}
		report(k, f.correlate(values))
	}
}

// correlate compares the ranks of values with these ranks: Spearman's rho by ranks, Kendall's tau-b by
// all pairs. Sums of halves are exact, so nothing depends on an order.
func (f *fullRanking) correlate(values []float64) correlation {
	n := len(values)
	var products, squares, ties, agreement float64
	for i, x := range values {
		rank := 0.5
		for j, y := range values {
			rank += placeBeside(x, y)
			switch full := f.ranks[j] - f.ranks[i]; {
			case j <= i:
			case x == y:
				ties++
			case full != 0 && full > 0 == (y > x):
				agreement++
			case full != 0:
				agreement--
			}
		}
		products += rank * f.ranks[i]
		squares += rank * rank
	}
	pairs, middle := pairsOf(n), middleSquares(n)
	return correlation{
		rho: (products - middle) / math.Sqrt((squares-middle)*f.squares),
		tau: agreement / math.Sqrt((pairs-ties)*(pairs-f.ties)),
	}
}

// An agreement adds up the trials of one size.
type agreement struct {
	rho, tau       moments
	defined, above int64
}

func (a *agreement) add(c correlation) {
	if math.IsNaN(c.rho) || math.IsInf(c.rho, 0) {
		return
	}
	a.defined++
	a.rho.add(c.rho)
	a.tau.add(c.tau)
	if c.rho > 0.95 {
		a.above++
	}
}

// columns are n_defined, then mean, standard deviation and least value of both coefficients, then
// the share of the rhos above 0.95.
func (a *agreement) columns(trials int64) []any {
	columns := []any{a.defined}
	for _, m := range []moments{a.rho, a.tau} {
		columns = append(columns, m.columns()...)
	}
	return append(columns, float64(a.above)/float64(trials))
}

// moments are the moments of numbers that are added one by one (Welford, Technometrics 4, 1962).
type moments struct{ n, mean, squares, least, most float64 }

func (m *moments) add(x float64) {
	if m.n == 0 {
		m.least, m.most = x, x
	}
	m.n++
	step := x - m.mean
	m.mean += step / m.n
	m.squares += step * (x - m.mean)
	m.least, m.most = min(m.least, x), max(m.most, x)
}

// columns are the mean, the standard deviation and the least value. A column is nil if there are
// too few numbers for it.
func (m moments) columns() []any {
	switch {
	case m.n == 0:
		return []any{nil, nil, nil}
	case m.n == 1:
		return []any{m.mean, nil, m.least}
	case m.least == m.most: // no more than rounding would be left
		return []any{m.least, 0.0, m.least}
	}
	return []any{m.mean, math.Sqrt(m.squares / (m.n - 1)), m.least}
}

// rankingTrajectories is the computation of the model ranking_trajectories: the score and the
// accuracy of each captioner over k random images, in the orders of rankingStability.
func rankingTrajectories(ctx context.Context, in arrow.RecordBatch) ([][]any, error) {
	return byKey(ctx, in, 5, func(key []any, sums []imageSums) ([][]any, error) {
		return rankingOf(key, sums).trajectories(), nil
	})
}

// trajectories returns the rows of the mart, with every captioner over the images that it has
// answers for.
func (r *ranking) trajectories() [][]any {
	var rows [][]any
	var images []string // images of the captioner before, who mostly has the same images
	orders := make([][]int, r.trials)
	for _, captioner := range r.captioners {
		if !slices.EqualFunc(images, captioner, func(image string, s imageSums) bool { return image == s.Image }) {
			images = images[:0]
			for _, s := range captioner {
				images = append(images, s.Image)
			}
			for trial := range orders {
				orders[trial] = r.images(int64(trial)+1, images)
			}
		}
		over := make([][2]moments, len(captioner)) // by number of images
		for _, order := range orders {
			var sum imageSums
			for k, i := range order {
				s := captioner[i]
				sum.Answers, sum.Correct, sum.Parts = sum.Answers+s.Answers, sum.Correct+s.Correct, sum.Parts+s.Parts
				over[k][0].add(100 * sum.Correct / sum.Answers)
				over[k][1].add(100 * sum.Parts / ScoreParts / sum.Answers)
			}
		}
		for k, m := range over {
			row := append(slices.Clone(r.key), captioner[0].Captioner, captioner[0].Name, int64(k+1),
				int64(len(over)), r.trials)
			rows = append(rows, append(append(row, m[0].columns()[:2]...), m[1].columns()[:2]...))
		}
	}
	return rows
}

// ScoreParts are the parts of a score of 1: the number of the macro score_parts.
const ScoreParts = 232792560
