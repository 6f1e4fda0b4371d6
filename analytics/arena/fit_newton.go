package arena

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// solve goes from params to the maximum of the likelihood, until a step is below 1e-9. The distance
// that is then left is about the square of the step. A step above 0.5 is far from the maximum: it
// is halved until the likelihood grows, or until the step is as good as 0. solve returns false if
// it finds no maximum: on the way to infinity the information about some direction vanishes, or 200
// steps are not enough.
func (f *Fit) solve() bool {
	n := len(f.params)
	f.gradient, f.hessian = mat.NewVecDense(n, nil), mat.NewSymDense(n, nil)
	step, trial := mat.NewVecDense(n, nil), make([]float64, n)
	for range 200 {
		f.derive()
		if !f.chol.Factorize(f.hessian) || f.chol.Cond() > mostCondition || f.chol.SolveVecTo(step, f.gradient) != nil {
			return false
		}
		most := mat.Norm(step, math.Inf(1)) // greatest change of a parameter
		for scale := 1.0; ; scale /= 2 {
			floats.AddScaledTo(trial, f.params, scale, step.RawVector().Data)
			if most <= 0.5 || scale <= 1e-9 || f.likelihood(trial) >= f.likelihood(f.params) {
				break
			}
		}
		copy(f.params, trial)
		if most < 1e-9 {
			f.centre()
			return true
		}
	}
	return false
}

// mostCondition is far above the condition number of the information about players who can be
// compared. That number is 10^6 for a chance of one in a million.
const mostCondition = 1e12

// centre moves the strengths of each group to the mean 0. It leaves the other parameters alone.
func (f *Fit) centre() {
	sums := make([]float64, len(f.graph.size))
	for i, of := range f.Groups {
		sums[of] += f.params[i]
	}
	for i, of := range f.Groups {
		f.params[i] -= sums[of] / float64(f.graph.size[of])
	}
}

// chances holds the chances of a cell's outcomes, and the moments that Newton's method needs. The
// moments are the mean and the variance of A's score, and with ties also the covariance of A's
// score with a tie.
type chances struct{ win, tie, loss, mean, variance, covariance float64 }

// chances are the chances of a cell's outcomes if the parameters were params. Without ties, a tie
// is half a win for each player.
func (f *Fit) chances(c *cell, params []float64) (p chances) {
	d := params[c.a] - params[c.b]
	if f.length >= 0 {
		d += params[f.length] * c.x
	}
	if f.tie < 0 {
		e := math.Exp(-math.Abs(d))
		p.win, p.loss = 1/(1+e), e/(1+e)
		if d < 0 {
			p.win, p.loss = p.loss, p.win
		}
		p.mean, p.variance = p.win, p.win*p.loss
		return p
	}
	// The largest of the three exponents is subtracted from each, so that none overflows.
	largest := max(math.Abs(d)/2, params[f.tie])
	p.win, p.tie, p.loss = math.Exp(d/2-largest), math.Exp(params[f.tie]-largest), math.Exp(-d/2-largest)
	sum := p.win + p.tie + p.loss
	p.win, p.tie, p.loss = p.win/sum, p.tie/sum, p.loss/sum
	p.mean = p.win + p.tie/2
	p.variance = p.win + p.tie/4 - p.mean*p.mean
	p.covariance = p.tie/2 - p.tie*p.mean
	return p
}

// likelihood is the logarithm of the likelihood of all cells if the parameters were params.
func (f *Fit) likelihood(params []float64) (sum float64) {
	for i := range f.cells {
		c := &f.cells[i]
		p := f.chances(c, params)
		if f.tie < 0 { // Without a parameter for ties, a tie is half a win for each player.
			sum += (c.counts[AWins]+c.counts[Tie]/2)*math.Log(p.win) + (c.counts[BWins]+c.counts[Tie]/2)*math.Log(p.loss)
			continue
		}
		for o, q := range [3]float64{BWins: p.loss, Tie: p.tie, AWins: p.win} {
			if c.counts[o] > 0 { // 0 times the logarithm of 0 would be NaN.
				sum += c.counts[o] * math.Log(q)
			}
		}
	}
	return sum
}

// derive computes the gradient and the negative Hessian. Adding a constant to all strengths of a
// group changes no chance, so the Hessian has no inverse. derive therefore adds 1 to each entry of
// the group's block: the Hessian then has an inverse, and steps of mean 0 stay as they are.
func (f *Fit) derive() {
	n := len(f.params)
	g := f.gradient.RawVector().Data
	h := f.hessian.RawSymmetric().Data // the upper triangle, row by row
	clear(g)
	clear(h)
	for i := range f.cells {
		c := &f.cells[i]
		all := c.counts.total()
		p := f.chances(c, f.params)
		gain := c.counts[AWins] + c.counts[Tie]/2 - all*p.mean
		slopes := f.slopes(c)
		for i, s := range slopes {
			g[s.of] += gain * s.by
			for _, other := range slopes[i:] {
				h[min(s.of, other.of)*n+max(s.of, other.of)] += all * p.variance * s.by * other.by
			}
			if f.tie >= 0 {
				h[min(s.of, f.tie)*n+max(s.of, f.tie)] += all * p.covariance * s.by
			}
		}
		if f.tie >= 0 {
			g[f.tie] += c.counts[Tie] - all*p.tie
			h[f.tie*n+f.tie] += all * p.tie * (1 - p.tie)
		}
	}
	for i, of := range f.Groups {
		for j := i; j < len(f.Groups); j++ {
			if f.Groups[j] == of {
				h[i*n+j]++
			}
		}
	}
}

// A slope says by how much the difference of a cell's strengths grows with a parameter. of is the
// index of the parameter in Fit.params.
type slope struct {
	of int
	by float64
}

// slopes are the slopes of a cell that are not 0: for the strengths of its players, and for Length.
func (f *Fit) slopes(c *cell) []slope {
	both := []slope{{int(c.a), 1}, {int(c.b), -1}}
	if f.length >= 0 {
		return append(both, slope{f.length, c.x})
	}
	return both
}
