package arena

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// newton is the work space of Newton's method.
type newton struct {
	f        *Fit
	tie      int // index of the parameter of ties; -1 without one
	length   int // index of the parameter of the length difference; -1 without one
	gradient *mat.VecDense
	step     *mat.VecDense
	hessian  *mat.SymDense
	chol     mat.Cholesky
	trial    []float64
}

func (f *Fit) newton() *newton {
	n := f.size()
	w := &newton{
		f: f, tie: -1, length: -1, gradient: mat.NewVecDense(n, nil), step: mat.NewVecDense(n, nil),
		hessian: mat.NewSymDense(n, nil),
		trial:   make([]float64, n),
	}
	if f.ties {
		w.tie = len(f.t.names)
	}
	if f.model.Length {
		w.length = n - 1
	}
	return w
}

// solve goes from params to the maximum of the likelihood of the cells, until a step is below last.
// The distance that is then left is about the square of the step. Far from the maximum, steps are
// halved until the likelihood grows. solve returns false if there is no maximum: on the way to
// infinity the information about some direction vanishes.
func (w *newton) solve(cells []cell, params []float64, last float64) bool {
	for range 200 {
		w.derive(cells, params)
		if !w.chol.Factorize(w.hessian) || w.chol.Cond() > mostCondition ||
			w.chol.SolveVecTo(w.step, w.gradient) != nil {
			return false
		}
		most := 0.0
		for i := range params {
			most = max(most, math.Abs(w.step.AtVec(i)))
		}
		scale := 1.0
		if most > 0.5 {
			now := w.likelihood(cells, params)
			for ; scale > 1e-9; scale /= 2 {
				for i := range params {
					w.trial[i] = params[i] + scale*w.step.AtVec(i)
				}
				if w.likelihood(cells, w.trial) >= now {
					break
				}
			}
		}
		for i := range params {
			params[i] += scale * w.step.AtVec(i)
		}
		if most < last {
			w.centre(params)
			return true
		}
	}
	return false
}

// mostCondition is far above the condition of the information about players who can be compared.
// That condition is 10^6 for a chance of one in a million.
const mostCondition = 1e12

// centre gives each group the mean 0.
func (w *newton) centre(params []float64) {
	g := w.f.graph
	sums := make([]float64, len(g.size))
	for i, of := range g.group {
		sums[of] += params[i]
	}
	for i, of := range g.group {
		params[i] -= sums[of] / float64(g.size[of])
	}
}

// chances holds the chances of a cell's outcomes, and the moments that Newton's method needs: the
// mean and the variance of A's score, and with ties also the covariance of the score with a tie.
type chances struct{ win, tie, loss, mean, variance, covariance float64 }

func (w *newton) chances(c *cell, params []float64) (p chances) {
	d := params[c.a] - params[c.b]
	if w.length >= 0 {
		d += params[w.length] * c.x
	}
	if w.tie < 0 {
		e := math.Exp(-math.Abs(d))
		p.win, p.loss = 1/(1+e), e/(1+e)
		if d < 0 {
			p.win, p.loss = p.loss, p.win
		}
		p.mean, p.variance = p.win, p.win*p.loss
		return p
	}
	most := max(math.Abs(d)/2, params[w.tie])
	p.win, p.tie, p.loss = math.Exp(d/2-most), math.Exp(params[w.tie]-most), math.Exp(-d/2-most)
	sum := p.win + p.tie + p.loss
	p.win, p.tie, p.loss = p.win/sum, p.tie/sum, p.loss/sum
	p.mean = p.win + p.tie/2
	p.variance = p.win + p.tie/4 - p.mean*p.mean
	p.covariance = p.tie/2 - p.tie*p.mean
	return p
}

// likelihood is the logarithm of the likelihood.
func (w *newton) likelihood(cells []cell, params []float64) (sum float64) {
	for i := range cells {
		c := &cells[i]
		p := w.chances(c, params)
		if w.tie < 0 {
			sum += (c.counts[AWins]+c.counts[Tie]/2)*math.Log(p.win) + (c.counts[BWins]+c.counts[Tie]/2)*math.Log(p.loss)
			continue
		}
		for o, q := range [3]float64{p.loss, p.tie, p.win} {
			if c.counts[o] > 0 {
				sum += c.counts[o] * math.Log(q)
			}
		}
	}
	return sum
}

// derive computes the gradient and the negative Hessian. A constant may be added to the strengths
// of each group; a one in every place of a group's block takes that freedom away and leaves steps
// of mean 0 as they are.
func (w *newton) derive(cells []cell, params []float64) {
	n := len(params)
	g := w.gradient.RawVector().Data
	h := w.hessian.RawSymmetric().Data // the upper triangle, row by row
	clear(g)
	clear(h)
	for i := range cells {
		c := &cells[i]
		all := c.counts.total()
		if all == 0 {
			continue
		}
		p := w.chances(c, params)
		gain := c.counts[AWins] + c.counts[Tie]/2 - all*p.mean
		slopes := w.slopes(c)
		for i, s := range slopes {
			g[s.of] += gain * s.by
			for _, other := range slopes[i:] {
				h[min(s.of, other.of)*n+max(s.of, other.of)] += all * p.variance * s.by * other.by
			}
			if w.tie >= 0 {
				h[min(s.of, w.tie)*n+max(s.of, w.tie)] += all * p.covariance * s.by
			}
		}
		if w.tie >= 0 {
			g[w.tie] += c.counts[Tie] - all*p.tie
			h[w.tie*n+w.tie] += all * p.tie * (1 - p.tie)
		}
	}
	for i, of := range w.f.Groups {
		for j := i; j < len(w.f.Groups); j++ {
			if w.f.Groups[j] == of {
				h[i*n+j]++
			}
		}
	}
}

// A slope says by how much the difference of a cell's strengths grows with a parameter.
type slope struct {
	of int
	by float64
}

// slopes are the slopes of a cell that are not 0.
func (w *newton) slopes(c *cell) []slope {
	both := []slope{{int(c.a), 1}, {int(c.b), -1}}
	if w.length >= 0 {
		return append(both, slope{w.length, c.x})
	}
	return both
}
