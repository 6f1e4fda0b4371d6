package analytics

import (
	"context"
	"database/sql"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// rankIntervals counts, for each captioner of a board, which others are better and which worse by the 95% interval of the difference
// of the two, paired by image (mart rank_intervals). These counts bound its place. They hold for captioners however close they are, where
// samples of the images rank them with more certainty than there is: an estimate that is too high by chance is so in most samples.
//
// Its input has one row for each board, domain, image and captioner, in this order: board_id, domain, image_id, condition_id, n_answers,
// n_correct, score_parts and n_questions. All captioners of a board have answers to the same questions. Its work grows with images
// times captioners squared.
func rankIntervals(ctx context.Context, in *sql.Rows) ([][]any, error) {
	type key struct{ board string }
	return byKey(ctx, in, func(k *key, s *conditionSum) []any {
		return []any{&k.board, &s.domain, &s.image, &s.condition, &s.answers, &s.figures[1], &s.figures[0], &s.questions}
	}, func(k key, sums []conditionSum) ([][]any, error) {
		captioners := conditionsOf(sums)
		var out [][]any
		for m, metric := range rankedMetrics {
			better, ok := certainlyBetter(sums, captioners, m)
			for c := range captioners {
				n := [2]int64{}
				for other := range captioners {
					n[0] += int64(better.At(other, c))
					n[1] += int64(better.At(c, other))
				}
				if ok {
					out = append(out, []any{k.board, captioners[c], metric, n[0], n[1]})
				}
			}
		}
		return out, nil
	})
}

// rankedMetrics are what captioners are ranked by: sums over answers, of which the first comes in whole parts of a score.
var rankedMetrics = [2]string{"score", "accuracy"}

// scoreParts are the parts of a score of 1: the number of the macro score_parts.
const scoreParts = 232792560

// A conditionSum is what the answers to a captioner's caption of an image add up to.
type conditionSum struct {
	domain, image string
	condition     string
	answers       float64
	figures       [2]float64 // by metric
	questions     float64
}

func conditionsOf(sums []conditionSum) (all []string) {
	for _, s := range sums {
		all = append(all, s.condition)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// certainlyBetter has 1 where the captioner of the row is better than that of the column by an interval without 0, over the mean of the
// domains. It is false where a domain has fewer than two images, which tell nothing of others.
func certainlyBetter(sums []conditionSum, captioners []string, metric int) (better *mat.Dense, ok bool) {
	n := len(captioners)
	better = mat.NewDense(n, n, nil)
	var domains []drawnDomain
	for len(sums) > 0 {
		end := slices.IndexFunc(sums, func(s conditionSum) bool { return s.domain != sums[0].domain })
		if end < 0 {
			end = len(sums)
		}
		d, ok := newDrawnDomain(sums[:end], captioners, metric)
		if !ok {
			return better, false
		}
		domains, sums = append(domains, d), sums[end:]
	}
	k := float64(len(domains))
	for a := range n {
		for b := range n {
			meanA, meanB, variance, questions, clusters := 0.0, 0.0, 0.0, 0.0, make([]float64, len(domains))
			for i, d := range domains {
				se := d.error(a, b)
				if len(domains) > 1 && !varies(se) {
					se = (differenceEnd(d.mean[a], d.mean[b], 0, d.questions, d.clusters, true) -
						differenceEnd(d.mean[a], d.mean[b], 0, d.questions, d.clusters, false)) / 2 / tQuantile(d.clusters-1)
				}
				meanA, meanB = meanA+d.mean[a]/k, meanB+d.mean[b]/k
				variance += se * se / (k * k)
				questions, clusters[i] = questions+d.questions, d.clusters
			}
			if differenceEnd(meanA, meanB, math.Sqrt(variance), questions, domainClusters(clusters), false) > 1e-12 {
				better.Set(a, b, 1)
			}
		}
	}
	return better, true
}

// A drawnDomain has what differences in a domain are made of: the captioners' means in percent, and the products of what each image
// moves two of them.
type drawnDomain struct {
	mean                []float64
	products            *mat.SymDense
	questions, clusters float64
}

func newDrawnDomain(sums []conditionSum, captioners []string, metric int) (d drawnDomain, ok bool) {
	images := 0
	rows := make([]int, len(sums))
	for i, s := range sums {
		if i == 0 || s.image != sums[i-1].image {
			images++
			d.questions += s.questions
			d.clusters += s.questions * s.questions
		}
		rows[i] = images - 1
	}
	if images < 2 {
		return d, false
	}
	d.clusters = d.questions * d.questions / d.clusters
	whole, size := make([]float64, len(captioners)), make([]float64, len(captioners))
	of := make([]int, len(sums))
	for i, s := range sums {
		of[i], _ = slices.BinarySearch(captioners, s.condition)
		whole[of[i]] += s.figures[metric]
		size[of[i]] += s.answers
	}
	scale := 100.0
	if metric == 0 {
		scale /= scoreParts
	}
	parts := mat.NewDense(images, len(captioners), nil)
	for i, s := range sums {
		c := of[i]
		parts.Set(rows[i], c, scale*(s.figures[metric]-whole[c]/size[c]*s.answers)/size[c])
	}
	for c := range captioners {
		d.mean = append(d.mean, scale*whole[c]/size[c])
	}
	d.products = mat.NewSymDense(len(captioners), nil)
	d.products.SymOuterK(float64(images)/float64(images-1), parts.T())
	return d, true
}

// error is the standard error of the difference of two captioners.
func (d drawnDomain) error(a, b int) float64 {
	return math.Sqrt(max(0, d.products.At(a, a)+d.products.At(b, b)-2*d.products.At(a, b)))
}

// domainClusters is the macro domain_clusters.
func domainClusters(clusters []float64) float64 {
	if len(clusters) == 1 {
		return clusters[0]
	}
	sum, own, squares := 0.0, 0.0, 0.0
	for _, x := range clusters {
		f := max(x-1, 0.001)
		sum += 1 / x
		own += 1 / (x * x * f)
		squares += (f + 2) / (x * f * x * f)
	}
	return (sum*sum+2*own)/squares + 1
}
