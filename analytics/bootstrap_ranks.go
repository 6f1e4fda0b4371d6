package analytics

import (
	"context"
	"crypto/md5"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/captionlake/captionlake/analytics/arena"
)

// bootstrapRanks draws images with replacement within each domain, ranks the captioners anew in each sample, and says within which
// places each of them lies. Its input has one row for each ranking (captioners that answered the same questions alike, of a domain or of the
// mean of several), domain, image and captioner, in this order; its work grows with images times captioners, in products of matrices.
//
// The columns of the input are ranking, domain, image_id, condition_id, n_domains (how many domains the overall score has; null in a
// ranking of a domain), n_answers, n_correct, score_parts, seed and samples; those of the output are those of the mart rank_bootstraps.
func bootstrapRanks(ctx context.Context, in *sql.Rows) ([][]any, error) {
	draws := map[string]*mat.Dense{}
	type key struct{ ranking, seed, samples int64 }
	return byKey(ctx, in, func(k *key, s *conditionSum) []any {
		return []any{&k.ranking, &s.domain, &s.image, &s.condition, &s.overall, &s.answers, &s.figures[1], &s.figures[0], &k.seed, &k.samples}
	}, func(k key, sums []conditionSum) ([][]any, error) {
		b := bootstrap{k.seed, k.samples, draws}
		return b.ranking(sums), nil
	})
}

// rankedMetrics are what captioners are ranked by: sums over answers, of which the first comes in whole parts of a score.
var rankedMetrics = [2]string{"score", "accuracy"}

// An conditionSum is what the answers to a captioner's caption of an image add up to.
type conditionSum struct {
	domain, image string
	condition     string
	overall       sql.NullInt64
	answers       float64
	figures       [2]float64 // by metric
}

// A bootstrap keeps the draws, which rankings of the same images share.
type bootstrap struct {
	seed, samples int64
	draws         map[string]*mat.Dense
}

// ranking draws the samples of one ranking, whose sums are in the order of domains and images.
func (b *bootstrap) ranking(sums []conditionSum) [][]any {
	var captioners []string
	for _, s := range sums {
		captioners = append(captioners, s.condition)
	}
	slices.Sort(captioners)
	captioners = slices.Compact(captioners)
	var out [][]any
	add := func(domain string, images int, values [2]*mat.Dense) {
		for m, metric := range rankedMetrics {
			for c, p := range placesOf(values[m]) {
				if len(p) == 0 {
					continue
				}
				slices.Sort(p)
				first, _ := slices.BinarySearch(p, 1.5)
				out = append(out, []any{
					captioners[c], domain, metric, int64(stat.Quantile(0.025, stat.Empirical, p, nil)), int64(stat.Quantile(0.975, stat.Empirical, p, nil)),
					float64(first) / float64(len(p)), int64(images), int64(len(p)),
				})
			}
		}
	}
	var overall [2]*mat.Dense
	all, found, needed := 0, int64(0), int64(-1)
	for len(sums) > 0 {
		end := slices.IndexFunc(sums, func(s conditionSum) bool { return s.domain != sums[0].domain })
		if end < 0 {
			end = len(sums)
		}
		domain := sums[:end]
		sums = sums[end:]
		images, values := b.resample(domain, captioners)
		if images < 2 { // one image tells nothing of others
			continue
		}
		if !domain[0].overall.Valid {
			add(domain[0].domain, images, values)
			continue
		}
		found, needed, all = found+1, domain[0].overall.Int64, all+images
		for m, v := range values {
			if overall[m] == nil {
				overall[m] = mat.DenseCopyOf(v)
			} else {
				overall[m].Add(overall[m], v)
			}
		}
	}
	if found == needed {
		add("Overall", all, overall)
	}
	return out
}

// resample returns the number of images of a domain and, for each metric, the captioners' means in each sample: whole numbers of
// 10^-15, so that equal ones are found, and NaN where the sample holds no answer.
func (b *bootstrap) resample(domain []conditionSum, captioners []string) (images int, values [2]*mat.Dense) {
	rows := make([]int, len(domain))
	for i, s := range domain {
		if i == 0 || s.image != domain[i-1].image {
			images++
		}
		rows[i] = images - 1
	}
	if images < 2 {
		return images, values
	}
	weights := b.weights(domain[0].domain, images)
	// Sums of whole numbers below 2^53 are exact in any order.
	drawn := func(figure func(conditionSum) float64) *mat.Dense {
		x := mat.NewDense(images, len(captioners), nil)
		for i, s := range domain {
			c, _ := slices.BinarySearch(captioners, s.condition)
			x.Set(rows[i], c, figure(s))
		}
		var sum mat.Dense
		sum.Mul(weights, x)
		return &sum
	}
	answers := drawn(func(s conditionSum) float64 { return s.answers })
	for m := range values {
		v := drawn(func(s conditionSum) float64 { return s.figures[m] })
		v.Apply(func(i, j int, x float64) float64 {
			if m == 0 {
				return math.Round(x / answers.At(i, j) / scoreParts * 1e15)
			}
			return math.Round(x / answers.At(i, j) * 1e15)
		}, v)
		values[m] = v
	}
	return images, values
}

// scoreParts are the parts of a score of 1: the number of the macro score_parts.
const scoreParts = 232792560

// weights are how often each sample draws each image of a domain. They depend on the domain and the number of its images alone.
func (b *bootstrap) weights(domain string, images int) *mat.Dense {
	key := fmt.Sprintf("%d %s", images, domain)
	w, ok := b.draws[key]
	if !ok {
		w = mat.NewDense(int(b.samples), images, nil)
		for sample := range int(b.samples) {
			row := w.RawRowView(sample)
			for i := range images {
				row[int(randomOf(b.seed, "bootstrap "+domain, sample+1, i+1)*float64(images))]++
			}
		}
		b.draws[key] = w
	}
	return w
}

// randomOf is the macro random_of: a number from 0 to below 1 that depends on nothing but its arguments.
func randomOf(seed int64, label string, trial, item int) float64 {
	var space [96]byte // enough for all but long labels, which take memory of their own
	text := strconv.AppendInt(space[:0], seed, 10)
	text = append(append(append(text, '/'), label...), '/')
	text = strconv.AppendInt(text, int64(trial), 10)
	text = strconv.AppendInt(append(text, '/'), int64(item), 10)
	sum := md5.Sum(text)
	return min(float64(binary.LittleEndian.Uint64(sum[8:]))/(1<<64), math.Nextafter(1, 0))
}

// placesOf ranks the captioners of each sample: 1 for the greatest value, equal values share the better place.
func placesOf(values *mat.Dense) [][]float64 {
	samples, captioners := values.Dims()
	places := make([][]float64, captioners)
	for sample := range samples {
		for c, place := range arena.Places(values.RawRowView(sample)) {
			if place > 0 {
				places[c] = append(places[c], float64(place))
			}
		}
	}
	return places
}
