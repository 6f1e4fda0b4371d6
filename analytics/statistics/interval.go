package statistics

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// tQuantile is the 0.975 quantile of Student's t for any number of degrees of freedom above 0,
// whole or not. It is NaN for 0 and below, and for so few degrees of freedom that the quantile is
// beyond all numbers.
//
// From 1,000 degrees of freedom on, the value is the expansion in 1/df of Fisher and Cornish
// (Abramowitz and Stegun 26.7.5), which is exact to 12 digits there. Below 1,000, Newton's method
// starts from the expansion. This takes a hundredth of the time of the library's quantile. Below 3,
// Newton's method cannot start from the expansion, and the library's quantile is used.
func tQuantile(df float64) float64 {
	if !(df > 0) {
		return math.NaN()
	}
	switch df { // Most samples are as small as this, and the quantiles of 1 and 2 have a closed form.
	case 1:
		return math.Tan(0.475 * math.Pi)
	case 2:
		return 0.95 * math.Sqrt(2/(1-0.95*0.95))
	}
	t := distuv.StudentsT{Sigma: 1, Nu: df}
	if df < 3 {
		if q := t.Quantile(0.975); !math.IsInf(q, 0) {
			return q
		}
		return math.NaN()
	}
	q := 1.959963984540054 + (2.372271230298562+(2.8224986157396112+(2.555849679507722+1.5895340533938225/df)/df)/df)/df
	if df < 1000 {
		for range 4 {
			step := (t.CDF(q) - 0.975) / t.Prob(q)
			q -= step
			if math.Abs(step) < 1e-8*q { // The error that is left is about the square of this step.
				break
			}
		}
	}
	return q
}

// priorCorrelation is the correlation of two questions about an image if the data do not tell it.
// Questions about images with few mistakes have this correlation.
const priorCorrelation = 0.3

// steadied is the variance of an estimate of few rare events. If one side of a share is rare, few
// images have it, and the variance between images is mostly too small. In 20 images of captions
// that are right at 98 %, there are hardly two images with mistakes. The variance is therefore
// averaged with the variance that questions with priorCorrelation would have, as if one more event
// had been seen. events is the effective number of rare events; it is 0 if all images are alike.
func steadied(variance, prior, events float64) float64 {
	return (events*variance + prior) / (events + 1)
}

// designEffect is the variance of questions with priorCorrelation, divided by the variance of
// independent questions. size is the number of questions, and clusters the number of images.
func designEffect(size, clusters float64) float64 { return 1 + priorCorrelation*(size/clusters-1) }

// shareEnd is one end, the lower or the upper, of the 95% interval for a share, or for another mean
// of numbers from 0 to 1, in percent. The interval is by Korn and Graubard (Survey Methodology 24,
// 1998, pages 193 to 201). It is the exact binomial interval of Clopper and Pearson at the
// effective sample size.
//
// estimate is the share in percent and se its standard error, clustered. size is the number of
// questions behind the share. clusters is the effective number of images, (Σn)² / Σn² for n
// questions an image, which gives clusters - 1 degrees of freedom. The effective sample size is the
// number of independent questions that would have the same error. It is p (1 - p) / se², steadied,
// times the square of the ratio of the t quantiles for size - 1 and clusters - 1 degrees of
// freedom.
//
// The ends lie within 0 and 100 and hold the estimate, and never meet. They are NaN without a
// standard error or with one cluster.
func shareEnd(upper bool, x ...float64) float64 {
	estimate, se, size, clusters := x[0], x[1], x[2], x[3]
	p := min(max(estimate/100, 0), 1)
	size = max(size, clusters) // An image has at least one question.
	ratio := tQuantile(size-1) / tQuantile(clusters-1)
	if math.IsNaN(estimate) || math.IsNaN(se) || !(clusters > 1) {
		return math.NaN()
	}
	end := 0.0
	if upper {
		end = 1
	}
	if math.IsNaN(ratio) { // The quantile of hardly any degree of freedom is beyond all numbers.
		return 100 * end
	}
	effect, events := 0.0, 0.0 // effect is a multiple of the variance that independent questions have.
	if varies(se) && p > 0 && p < 1 {
		effect = size * se * se / 1e4 / (p * (1 - p))
		events = size / effect * min(p, 1-p) // effective number of questions × share of the rarer outcome
	}
	n := size / steadied(effect, designEffect(size, clusters), events) * ratio * ratio // the effective sample size
	switch successes := p * n; {
	case n <= 1e-6: // The interval is from 0 to 100 to the last digit.
	case upper && successes < n:
		end = mathext.InvRegIncBeta(successes+1, n-successes, 0.975)
	case !upper && successes > 0:
		end = mathext.InvRegIncBeta(successes, n-successes+1, 0.025)
	}
	if math.Abs(end-math.Round(end)) < 1e-12 { // A distance that small is an error of InvRegIncBeta.
		end = math.Round(end)
	}
	if upper {
		return 100 * max(end, p)
	}
	return 100 * min(end, p)
}

// varies reports whether a standard error in percent is larger than the rest that rounding leaves
// when all images are alike.
func varies(se float64) bool { return se*se > 1e-14 }

// differenceEnd is one end of the 95% interval of a - b, two shares in percent over the same
// images: the estimate ± t × error. The square of the error is steadied by the variance that two
// shares over independent images would have. For this variance, half a question of each outcome is
// added to each share, so that no share is 0 or 1.
//
// x are a, b, the standard error of a - b, the number of questions, and the effective number of
// images, as in shareEnd. The end is NaN if there is only one image.
func differenceEnd(upper bool, x ...float64) float64 {
	a, b, se, size, clusters := x[0], x[1], x[2], max(x[3], x[4]), x[4] // An image has at least one question.
	effect := designEffect(size, clusters)
	prior, spread, rare := 0.0, 0.0, 0.0
	for _, percent := range []float64{a, b} {
		p := min(max(percent/100, 0), 1)
		uncertain := (p*size + effect/2) / (size + effect) // p with half a question of each outcome added
		prior += uncertain * (1 - uncertain) / size * effect
		spread += p * (1 - p)
		rare += min(p, 1-p) / 2
	}
	variance, events := se*se/1e4, 0.0
	if varies(se) {
		events = spread / variance * rare // effective number of questions × mean share of the rarer outcome
	}
	margin := 100 * math.Sqrt(steadied(variance, prior, events)) * tQuantile(clusters-1)
	if upper {
		return a - b + margin
	}
	return a - b - margin
}

// differenceP is the two-sided p-value of no difference. It uses the error that the interval has on
// the side of 0, so that p is below 0.05 if the interval leaves 0 out. No p is 0, because a p-value
// that is too small for a number is still above 0.
func differenceP(x ...float64) float64 {
	difference, low, high, clusters := x[0], x[1], x[2], x[3]
	margin := difference - low
	if difference < 0 {
		margin = high - difference
	}
	p := 2 * distuv.StudentsT{Sigma: 1, Nu: clusters - 1}.CDF(-math.Abs(difference)*tQuantile(clusters-1)/margin)
	return min(1, max(p, 1e-300))
}

// imagesFor is the least number of images at which a difference of points is (0.975 quantile +
// power quantile) standard errors. The images are taken to have the same mix of domains as the
// compared images, and to be as uneven. sd is the standard error of one image. strata is the number
// of domains, and each takes one degree of freedom. effective is the effective number of images as
// a share of their number. If power is 0, only the first quantile counts. The quantiles depend on
// the number of images, so a search finds the number.
func imagesFor(x ...float64) float64 {
	sd, points, power, strata, effective := x[0], x[1], x[2], x[3], x[4]
	enough := func(n float64) bool {
		df := n*effective - strata
		q := tQuantile(df)
		if power > 0 && df > 0 { // Without degrees of freedom, q is NaN already.
			q += distuv.StudentsT{Sigma: 1, Nu: df}.Quantile(power)
		}
		return q*sd/math.Sqrt(n) <= points // false where df is too small for a quantile, which is then NaN
	}
	least := strata + 1
	// No bank has 2^40 images, so the search ends there.
	return least + float64(sort.Search(1<<40, func(more int) bool { return enough(least + float64(more)) }))
}

// A Function is a function of numbers, or of lists of numbers, that SQL can call. Value gets the
// numbers of the lists one list after the other: the first two lists are equally long. In SQL the
// value is null if an argument is null or if Value returns NaN.
type Function struct {
	Arguments int
	Lists     bool
	Value     func(x ...float64) float64
}

// Functions are the functions that the models call beside the macros. They are the functions that
// need the inverse of a distribution function, which SQL does not have, and the rank correlations.
// They depend on nothing but their arguments.
var Functions = map[string]Function{
	"t_quantile":      {1, false, func(x ...float64) float64 { return tQuantile(x[0]) }},
	"share_low":       {4, false, func(x ...float64) float64 { return shareEnd(false, x...) }},
	"share_high":      {4, false, func(x ...float64) float64 { return shareEnd(true, x...) }},
	"difference_low":  {5, false, func(x ...float64) float64 { return differenceEnd(false, x...) }},
	"difference_high": {5, false, func(x ...float64) float64 { return differenceEnd(true, x...) }},
	"difference_p":    {4, false, differenceP},
	"spearman":        {2, true, func(x ...float64) float64 { return correlationOf(x).rho }},
	"kendall":         {2, true, func(x ...float64) float64 { return correlationOf(x).tau }},
	"spearman_p":      {3, true, orderShare(func(c correlation) float64 { return c.rho })},
	"kendall_p":       {3, true, orderShare(func(c correlation) float64 { return c.tau })},
	"images_for":      {5, false, imagesFor},
}

// correlationOf compares the two halves of a list.
func correlationOf(x []float64) correlation { return rankCorrelation(x[:len(x)/2], x[len(x)/2:]) }
