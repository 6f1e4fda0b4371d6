package arena

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A Model is a likelihood of the outcomes. The zero value is the model of Bradley and Terry
// (Biometrika 39, 1952), in which a tie is half a win for each player. The chance that A beats B is
// 1/(1 + exp(-(a - b))) for strengths a and b in log-odds.
type Model struct {
	// Weighted gives each battle the weight 1/P of its pair, where P is the pair's chance to be
	// drawn for a battle (CapArena section 3.2). That chance is not recorded with the battles, so
	// the pair's share of all battles stands for it. Every pair that met then weighs as much as any
	// other pair.
	Weighted bool
	// Ties is Davidson's model (Journal of the American Statistical Association 65, 1970). The
	// chances that A wins, that B wins and that they tie have the ratio
	// exp(a) : exp(b) : v exp((a + b)/2), with one v for all pairs.
	Ties bool
	// Length adds a coefficient times the battle's length difference to a - b. The difference is
	// divided by its root mean square over the battles, so that the coefficient belongs to a
	// typical difference. Nothing is subtracted from the difference, because it must not matter who
	// is called A. Battles without a length difference are left out.
	Length bool
}

// A Fit holds the estimates of maximum likelihood.
type Fit struct {
	Strengths []float64 // in log-odds; mean 0 in each group of comparable players; NaN without an estimate
	Groups    []int     // of each player
	// of each player, the number of players of other groups who are certainly above; -1 if the player
	// cannot be compared with all others
	Above   []int
	Tie     float64 // Davidson's v: the odds of a tie of equal players are v to 2; NaN in other models
	Length  float64 // coefficient of a typical length difference, in log-odds; NaN in other models
	Typical float64 // root mean square of the length differences
	Images  float64 // effective number of images, (Σn)²/Σn² for n battles an image
	Battles []int   // of each player, battles that the model can use
	Problem string  // why there is no estimate at all; empty if there are estimates

	t       *Tournament
	model   Model
	battles []Battle // battles that the model can use
	images  [][]int  // the battles of each image
	graph   *graph
	cells   []cell    // The likelihood is a product over the cells.
	fought  []float64 // number of battles of each cell, without weights
	cellOf  []int32   // the cell of each battle; -1 for a battle between groups
	params  []float64 // strengths of all players, then the log of Tie, then Length
	// index of the log of Tie; -1 without one: without a tie Davidson's v is 0, as in the model of
	// Bradley and Terry
	tie    int
	length int // index of Length; -1 in other models

	gradient *mat.VecDense
	hessian  *mat.SymDense // the negative Hessian of the log-likelihood
	chol     mat.Cholesky
	inverse  *mat.SymDense
	sandwich *mat.Dense // covariance of the parameters, clustered by image; nil if it is unknown
}

// Fit estimates the strengths by Newton's method. Players are compared within groups that have
// finite estimates (see Fit.Note). For battles between groups the likelihood is greatest at
// infinity.
func (t *Tournament) Fit(m Model) *Fit {
	n := len(t.names)
	f := &Fit{t: t, model: m, battles: t.battles, Tie: math.NaN(), Length: math.NaN(), Typical: math.NaN(),
		Battles: make([]int, n), tie: -1, length: -1}
	if m.Length {
		f.battles = slices.DeleteFunc(slices.Clone(t.battles), func(b Battle) bool { return math.IsNaN(b.Length) })
		squares := 0.0
		for _, b := range f.battles {
			squares += b.Length * b.Length
		}
		f.Typical = math.Sqrt(squares / float64(len(f.battles)))
	}
	for i, b := range f.battles {
		f.Battles[b.A]++
		f.Battles[b.B]++
		f.images = append(f.images, make([][]int, max(0, int(b.Image)+1-len(f.images)))...)
		f.images[b.Image] = append(f.images[b.Image], i)
	}
	sum, squares := 0.0, 0.0
	for _, battles := range f.images {
		size := float64(len(battles))
		sum, squares = sum+size, squares+size*size
	}
	f.Images = sum * sum / squares
	pairs, pairOf := pairsOf(n, f.battles)
	f.graph = newGraph(t.names, pairs)
	f.Groups, f.Above = f.graph.group, f.graph.above()
	f.Strengths = slices.Repeat([]float64{math.NaN()}, n)
	f.makeCells(pairs, pairOf)
	f.Problem = f.problem()
	if f.Problem != "" {
		return f
	}
	f.params = make([]float64, n, n+2)
	if m.Ties && slices.ContainsFunc(f.cells, func(c cell) bool { return c.counts[Tie] > 0 }) {
		f.tie, f.params = len(f.params), append(f.params, 0)
	}
	if m.Length {
		f.length, f.params = len(f.params), append(f.params, 0)
	}
	if !f.solve() {
		f.Problem = f.model.endless()
		return f
	}
	for i, g := range f.Groups {
		if f.graph.size[g] > 1 { // A player alone in a group has no strength: NaN.
			f.Strengths[i] = f.params[i]
		}
	}
	if f.tie >= 0 {
		f.Tie = math.Exp(f.params[f.tie])
	} else if m.Ties {
		f.Tie = 0
	}
	if m.Length {
		f.Length = f.params[f.length]
	}
	f.covariance()
	return f
}

// makeCells sorts the battles within groups into cells. A cell is a pair, or one battle if the
// model has length differences.
func (f *Fit) makeCells(pairs []cell, pairOf []int32) {
	cellOfPair := slices.Repeat([]int32{-1}, len(pairs)) // -1: the pair has no cell
	for i, p := range pairs {
		if f.Groups[p.a] == f.Groups[p.b] && !f.model.Length {
			cellOfPair[i] = int32(len(f.cells))
			f.cells = append(f.cells, p)
		}
	}
	f.cellOf = make([]int32, len(f.battles))
	for i, b := range f.battles {
		f.cellOf[i] = cellOfPair[pairOf[i]]
		if f.model.Length && f.Groups[b.A] == f.Groups[b.B] {
			b = b.turned()
			f.cellOf[i] = int32(len(f.cells))
			c := cell{a: b.A, b: b.B, x: b.Length / f.Typical}
			c.counts[b.Outcome] = 1
			f.cells = append(f.cells, c)
		}
	}
	f.fought = make([]float64, len(f.cells))
	for i, c := range f.cells {
		f.fought[i] = c.counts.total()
	}
	if !f.model.Weighted {
		return
	}
	// All pairs get the same weight. Together they weigh as much as the battles.
	each := floats.Sum(f.fought) / float64(len(f.cells))
	for i := range f.cells {
		floats.Scale(each/f.fought[i], f.cells[i].counts[:])
	}
}

// problem says why no estimate should be tried. It is empty if Newton's method may find a maximum.
func (f *Fit) problem() string {
	if len(f.battles) == 0 {
		if f.model.Length && len(f.t.battles) > 0 {
			return "no battle has the lengths of both captions"
		}
		return "no battle"
	}
	if len(f.cells) == 0 {
		return "no two of them have each scored against the other, in a chain of battles; vote on more pairs"
	}
	if f.model.Length && f.Typical == 0 {
		return f.model.endless()
	}
	return ""
}

// endless says why Newton's method finds no maximum: the likelihood grows on the way to infinity.
func (m Model) endless() string {
	switch {
	case m.Length:
		return "the length differences alone explain every outcome, or do not vary, so that their coefficient " +
			"has no finite estimate; vote on more pairs"
	case m.Ties:
		return "those who can be compared only tied, or an order of the players explains every win and each tie is " +
			"between neighbours of it, so that Davidson's model has no finite estimate; take ties as half wins, or vote on " +
			"more pairs"
	}
	return "the strengths have no finite estimate; vote on more pairs"
}

// covariance computes two matrices. One is the inverse of the information. The other is the
// sandwich of the inverse with the sums of the scores of each image (Liang and Zeger, Biometrika
// 73, 1986). The sandwich is multiplied by G/(G - 1) (N - 1)/(N - k) for G images, N battles and k
// free parameters.
func (f *Fit) covariance() {
	n := len(f.params)
	f.derive()
	f.inverse = mat.NewSymDense(n, nil)
	if !f.chol.Factorize(f.hessian) || f.chol.InverseTo(f.inverse) != nil { // Then errors are unknown.
		return
	}
	// derive added 1 to the information about each two players of a group. Each entry of the
	// inverse is therefore 1/size² too large.
	for i, of := range f.Groups {
		for j := i; j < len(f.Groups); j++ {
			if of == f.Groups[j] {
				s := float64(f.graph.size[of])
				f.inverse.SetSym(i, j, f.inverse.At(i, j)-1/(s*s))
			}
		}
	}
	// The scores of an image are the sums, over its battles, of the slopes of the log-likelihood.
	// Each group takes one parameter away, because only differences within a group have a meaning.
	// meat, the middle of the sandwich, is the sum over images of the scores times their transpose.
	free := float64(n - len(f.graph.size))
	meat, scores := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	score := scores.RawVector().Data
	images, battles := 0.0, 0.0
	for _, ofImage := range f.images {
		before := battles
		for _, i := range ofImage {
			cell := f.cellOf[i]
			if cell < 0 {
				continue
			}
			battles++
			c := &f.cells[cell]
			p := f.chances(c, f.params)
			b := f.battles[i].turned()
			weight := c.counts.total() / f.fought[cell]
			for _, s := range f.slopes(c) {
				score[s.of] += weight * (float64(b.Outcome)/2 - p.mean) * s.by
			}
			if f.tie >= 0 {
				tied := 0.0
				if b.Outcome == Tie {
					tied = 1
				}
				score[f.tie] += weight * (tied - p.tie)
			}
		}
		if battles > before {
			images++
		}
		meat.SymRankOne(meat, 1, scores)
		clear(score)
	}
	if images < 2 || battles <= free { // The factor has no meaning; without a sandwich, errors are unknown.
		return
	}
	f.sandwich = mat.NewDense(n, n, nil)
	f.sandwich.Product(f.inverse, meat, f.inverse)
	f.sandwich.Scale(images/(images-1)*(battles-1)/(battles-free), f.sandwich)
}
