package statistics

import (
	"context"
	"iter"
	"math"
	"runtime"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"golang.org/x/sync/errgroup"
)

// rankingStability is the computation of the model ranking_stability (CaptionQA section 11). It
// says for every number of images k how well the ranking of the captioners over k random images
// agrees with the ranking over all images. The work grows with the trials, the images and the
// square of the captioners. SQL would join every pair of captioners for every subset of the images.
var rankingStability = ofRankings((*ranking).stability)

// rankingTrajectories is the computation of the model ranking_trajectories: the score and the
// accuracy of each captioner over k random images. The images are drawn as in rankingStability.
var rankingTrajectories = ofRankings((*ranking).trajectories)

// ofRankings is the computation that gives the rows of each ranking.
func ofRankings(rows func(*ranking, context.Context) ([][]any, error)) Computation {
	return func(ctx context.Context, in arrow.RecordBatch) ([][]any, error) {
		const keyColumns = 5 // the columns of ranking.key
		return byKey(ctx, in, keyColumns, func(key []any, sums []imageSums) ([][]any, error) {
			return rows(rankingOf(key, sums), ctx)
		})
	}
}

// imageSums count the answers that a reader gave about one image from a captioner's caption: all
// answers, the correct answers, and the sum of the scores in parts of 1/ScoreParts. Floats hold
// these whole numbers exactly, because they are below 2^53.
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

// A ranking has each captioner's sums of answers and scores, for each image of a domain.
type ranking struct {
	key          []any // protocol, reader, prompt, provenance, domain
	seed, trials int64
	images       []string      // of all captioners, sorted
	captioners   [][]imageSums // image by image; without answers to an image the numbers are 0
}

// rankingOf groups sums by captioner. The sums of a captioner must follow one another.
func rankingOf(key []any, sums []imageSums) *ranking {
	r := &ranking{key: key, seed: sums[0].Seed, trials: sums[0].Trials}
	for _, s := range sums {
		r.images = append(r.images, s.Image)
	}
	slices.Sort(r.images)
	r.images = slices.Compact(r.images)
	for i, s := range sums {
		if i == 0 || s.Captioner != sums[i-1].Captioner {
			none := imageSums{Captioner: s.Captioner, Name: s.Name}
			r.captioners = append(r.captioners, slices.Repeat([]imageSums{none}, len(r.images)))
		}
		at, _ := slices.BinarySearch(r.images, s.Image)
		r.captioners[len(r.captioners)-1][at] = s
	}
	return r
}

// order returns the indices of the images in a random order. The order depends on seed, domain and
// number of the trial alone. It is the order that the SQL macro random_of gives.
func (r *ranking) order(trial int64) []int {
	return orderBy(len(r.images), func(i int) uint64 { return lotOf(r.seed, r.key[4].(string), trial, r.images[i]) })
}

// answered is the number of images that a captioner has answers for.
func answered(captioner []imageSums) (n int) {
	for _, s := range captioner {
		if s.Answers > 0 {
			n++
		}
	}
	return n
}

// running adds up a captioner's images in an order. After each image it yields the sums over the
// images so far, with the number of images before this one. Images without answers are left out.
func running(captioner []imageSums, order []int) iter.Seq2[int, imageSums] {
	return func(yield func(int, imageSums) bool) {
		k, sum := 0, imageSums{}
		for _, i := range order {
			s := captioner[i]
			if s.Answers == 0 {
				continue
			}
			sum.Answers, sum.Correct, sum.Parts = sum.Answers+s.Answers, sum.Correct+s.Correct, sum.Parts+s.Parts
			if !yield(k, sum) {
				return
			}
			k++
		}
	}
}

// stability returns the rows of the mart. Only captioners with answers for every image of the
// domain are ranked.
func (r *ranking) stability(ctx context.Context) ([][]any, error) {
	n := len(r.images)
	ranked := slices.DeleteFunc(slices.Clone(r.captioners), func(c []imageSums) bool { return answered(c) < n })
	if len(ranked) < 2 {
		return nil, nil // One captioner has no ranking.
	}
	// shares returns the accuracies and the scores (in ScoreParts) of the captioners over the first
	// image of an order, over the first two, and so on.
	shares := func(order []int) [][2][]float64 {
		byNumber := make([][2][]float64, n)
		for _, captioner := range ranked {
			for k, sum := range running(captioner, order) {
				byNumber[k][0] = append(byNumber[k][0], sum.Correct/sum.Answers)
				byNumber[k][1] = append(byNumber[k][1], sum.Parts/sum.Answers)
			}
		}
		return byNumber
	}
	var overAll [2]*meanRanks // by accuracy and by score, over all images
	// Over all images any order gives the same shares; the trials have the orders from 1.
	for metric, values := range shares(r.order(0))[n-1] {
		overAll[metric] = rankingBy(values)
	}
	trials := make([][][2]correlation, r.trials) // by trial, by number of images, by metric
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range trials {
		group.Go(func() error {
			trials[i] = make([][2]correlation, n)
			for k, values := range shares(r.order(int64(i) + 1)) {
				for metric, ranks := range overAll {
					trials[i][k][metric] = ranks.correlate(rankingBy(values[metric]))
				}
			}
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	var rows [][]any
	for k := range n {
		for metric, name := range []string{"accuracy", "score"} {
			var rhos, taus []float64
			above := 0.0
			for _, trial := range trials {
				c := trial[k][metric]
				if orNull(c.rho) == nil { // NaN: all captioners are tied. Such a trial is not above 0.95.
					continue
				}
				rhos, taus = append(rhos, c.rho), append(taus, c.tau)
				if c.rho > 0.95 { // the bound of the column share_above
					above++
				}
			}
			row := append(slices.Clone(r.key), name, int64(k+1), int64(n), int64(len(ranked)), r.trials,
				int64(len(rhos)))
			row = append(append(row, spread(rhos)...), spread(taus)...)
			rows = append(rows, append(row, above/float64(r.trials)))
		}
	}
	return rows, nil
}

// A meanRanks has the ranks of captioners by a metric.
type meanRanks struct {
	ranks   []float64 // mean ranks by growing values: ties share the mean of their places
	squares float64   // sum of the squared ranks, less the sum that equal ranks would have
	ties    float64   // pairs of captioners with one rank
}

// rankingBy ranks captioners by growing values.
func rankingBy(values []float64) *meanRanks {
	r := &meanRanks{ranks: make([]float64, len(values)), squares: -middleSquares(len(values))}
	for i, x := range values {
		for j, y := range values {
			r.ranks[i] += placeBeside(x, y)
			if j > i && x == y {
				r.ties++
			}
		}
		r.ranks[i] += 0.5 // The loop adds the other half for the captioner itself.
		r.squares += r.ranks[i] * r.ranks[i]
	}
	return r
}

// placeBeside is the amount that one value y adds to the mean rank of x. If y is x itself, another
// half place must be added.
func placeBeside(x, y float64) float64 {
	switch {
	case y < x:
		return 1
	case y > x:
		return 0
	}
	return 0.5
}

// pairsOf is the number of pairs of n captioners.
func pairsOf(n int) float64 { return float64(n) * float64(n-1) / 2 }

// middleSquares is the sum of the squares of n ranks that all equal their mean, (n+1)/2.
func middleSquares(n int) float64 { return float64(n) * float64(n+1) * float64(n+1) / 4 }

// A correlation is Spearman's rho and Kendall's tau-b of two rankings. Both are NaN if all
// captioners of one ranking are tied.
type correlation struct{ rho, tau float64 }

// correlate compares two rankings: Spearman's rho by ranks, Kendall's tau-b by all pairs. Sums of
// halves are exact, so the order of the captioners does not change the result.
func (r *meanRanks) correlate(other *meanRanks) correlation {
	n := len(r.ranks)
	var products, agreement float64
	for i := range n {
		products += r.ranks[i] * other.ranks[i]
		for j := range i {
			// same is above 0 if both rankings have i and j in the same order, and below 0 if they have them
			// in opposite orders.
			switch same := (r.ranks[i] - r.ranks[j]) * (other.ranks[i] - other.ranks[j]); {
			case same > 0:
				agreement++
			case same < 0:
				agreement--
			}
		}
	}
	pairs := pairsOf(n)
	return correlation{
		rho: (products - middleSquares(n)) / math.Sqrt(other.squares*r.squares),
		tau: agreement / math.Sqrt((pairs-other.ties)*(pairs-r.ties)),
	}
}

// spread is the mean, the standard deviation and the least of numbers (Welford, Technometrics 4,
// 1962). A value is nil if there are too few numbers for it.
func spread(values []float64) []any {
	var mean, squares float64
	for i, x := range values {
		step := x - mean
		mean += step / float64(i+1)
		squares += step * (x - mean)
	}
	n := len(values)
	if n == 0 {
		return []any{nil, nil, nil}
	}
	least := slices.Min(values)
	switch {
	case n == 1:
		return []any{mean, nil, least}
	case least == slices.Max(values): // The deviation is 0, but its sum may have an error of rounding.
		return []any{least, 0.0, least}
	}
	return []any{mean, math.Sqrt(squares / float64(n-1)), least}
}

// trajectories returns the rows of the mart, with every captioner over the images that it has
// answers for. It does not look at the context, because byKey looks at it after each ranking.
func (r *ranking) trajectories(context.Context) (rows [][]any, err error) {
	orders := make([][]int, r.trials)
	for trial := range orders {
		orders[trial] = r.order(int64(trial) + 1)
	}
	for _, captioner := range r.captioners {
		// the accuracy and the score of each trial, by number of images
		byNumber := make([][2][]float64, answered(captioner))
		for _, order := range orders {
			for k, sum := range running(captioner, order) {
				byNumber[k][0] = append(byNumber[k][0], 100*sum.Correct/sum.Answers)
				byNumber[k][1] = append(byNumber[k][1], 100*sum.Parts/ScoreParts/sum.Answers)
			}
		}
		for k, metrics := range byNumber {
			row := append(slices.Clone(r.key), captioner[0].Captioner, captioner[0].Name, int64(k+1),
				int64(len(byNumber)), r.trials)
			// [:2] keeps the mean and the standard deviation.
			rows = append(rows, append(append(row, spread(metrics[0])[:2]...), spread(metrics[1])[:2]...))
		}
	}
	return rows, nil
}

// ScoreParts are the parts of a score of 1: the number of the macro score_parts.
const ScoreParts = 232792560
