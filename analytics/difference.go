package analytics

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/captionlake/captionlake/data"
)

var compareMetrics = []string{"score", "accuracy"}

// An estimate is a difference of two means with what its interval needs.
type estimate struct {
	a, b      float64 // means in percent
	variance  float64 // of the difference, in points squared; NaN below two clusters
	images    int
	strata    int     // domains
	clusters  float64 // effective number of images, added up over domains
	df        float64
	questions float64
}

// differences compares two sides in every domain, the published ones in the paper's order and then a user's own by name, and over the
// mean of several. As in captionqa_scores, that is the mean of the published domains where there are any, and of the own ones elsewhere.
// pairs come with those of one domain together.
func differences(a, b string, pairs []imagePair, points, power float64) []Difference {
	return differencesOf(compareMetrics, a, b, pairs, points, power)
}

// differencesOf is the same for the metrics whose sums the pairs have, in their order.
func differencesOf(metrics []string, a, b string, pairs []imagePair, points, power float64) []Difference {
	benchmark := data.CaptionQA()
	of := map[string][]imagePair{}
	for start := 0; start < len(pairs); {
		end := start
		for end < len(pairs) && pairs[end].domain == pairs[start].domain {
			end++
		}
		of[pairs[start].domain] = pairs[start:end]
		start = end
	}
	domains := slices.SortedFunc(maps.Keys(of), benchmark.CompareDomains)
	inMean := domains
	if own := slices.IndexFunc(domains, func(d string) bool { return !slices.Contains(benchmark.DomainNames(), d) }); own > 0 {
		inMean = domains[:own] // published domains come first
	}
	var out []Difference
	for m, metric := range metrics {
		var parts []estimate
		for i, domain := range domains {
			e := pairedEstimate(of[domain], m)
			if i < len(inMean) {
				parts = append(parts, e)
			}
			out = append(out, e.difference(a, b, metric, domain, points, power))
		}
		if len(parts) > 1 {
			out = append(out, meanEstimate(parts).difference(a, b, metric, data.DomainOverall, points, power))
		}
	}
	return out
}

// pairedEstimate is the difference of two ratios over the same clusters with its linearized variance: each image
// contributes what it has more or less than the means predict, on both sides at once, with the correction
// clusters / (clusters - 1). Its degrees of freedom are the effective number of images, (Σn)² / Σn² for n questions an image,
// less one: the lesser of the two sides'.
func pairedEstimate(pairs []imagePair, metric int) estimate {
	e := estimate{images: len(pairs), strata: 1, variance: math.NaN()}
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
		e.images += p.images
		e.strata += p.strata
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

// effective is the share of its images that the effective number of images is.
func (e estimate) effective() float64 { return e.clusters / float64(e.images) }

func (e estimate) difference(a, b, metric, domain string, points, power float64) Difference {
	d := Difference{
		A: a, B: b, Metric: metric, Domain: domain, MeanA: e.a, MeanB: e.b, Difference: e.a - e.b,
		Images: e.images, Questions: int64(e.questions),
	}
	q := tQuantile(e.df)
	if math.IsNaN(e.variance) || math.IsNaN(q) {
		return d
	}
	se := math.Sqrt(e.variance)
	low := differenceEnd(e.a, e.b, se, e.questions, e.df+1, false)
	high := differenceEnd(e.a, e.b, se, e.questions, e.df+1, true)
	// The error that the interval has on the side of no difference, so that p is below 0.05 where the interval leaves 0 out. No p is 0:
	// what is smaller than the last of these numbers is not none.
	toZero := d.Difference - low
	if d.Difference < 0 {
		toZero = high - d.Difference
	}
	p := 2 * distuv.StudentsT{Sigma: 1, Nu: e.df}.CDF(-math.Abs(d.Difference)*q/toZero)
	p = min(1, max(p, 1e-300))
	d.SE, d.Low, d.High, d.P = &se, &low, &high, &p
	// Where no image differs from another, how much they vary is unknown rather than nothing, and any number would be made up.
	d.Alike = !varies(se)
	if !d.Alike {
		sd := se * math.Sqrt(float64(e.images))
		toTell := imagesFor(sd, points, 0, e.strata, e.effective())
		forPower := imagesFor(sd, points, power, e.strata, e.effective())
		d.ToTell, d.ForPower = &toTell, &forPower
	}
	return d
}

// imagesFor is the least number of images, in the same mix of domains and as uneven, at which a difference of points is (0.975
// quantile + power quantile) standard errors; sd is the standard error of one image, effective the share of the images that their
// effective number is. Without a power only the first quantile counts. The quantiles depend on the number, which is therefore
// searched.
func imagesFor(sd, points, power float64, strata int, effective float64) int64 {
	enough := func(n int64) bool {
		df := float64(n)*effective - float64(strata)
		q := tQuantile(df)
		if power > 0 && df > 0 {
			q += distuv.StudentsT{Sigma: 1, Nu: df}.Quantile(power)
		}
		return q*sd/math.Sqrt(float64(n)) <= points // false where df is too small for a quantile
	}
	low := int64(strata) + 1
	if enough(low) {
		return low
	}
	high := 2 * low
	for !enough(high) && high < 1<<40 {
		low, high = high, 2*high
	}
	for high-low > 1 {
		if mid := low + (high-low)/2; enough(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

// correct fills in the p-values after Holm's step-down correction over all comparisons of a metric: the k-th smallest
// of m is multiplied by m - k + 1, and none is below the one before it.
func correct(all []Difference) {
	for _, metric := range compareMetrics {
		var rows []*Difference
		for i := range all {
			if all[i].Metric == metric && all[i].P != nil {
				rows = append(rows, &all[i])
			}
		}
		slices.SortStableFunc(rows, func(x, y *Difference) int { return cmp.Compare(*x.P, *y.P) })
		least := 0.0
		for k, d := range rows {
			least = min(1, max(least, *d.P*float64(len(rows)-k)))
			p := least
			d.Holm = &p
		}
	}
}
