package arena

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// SE is the standard error of a player's strength, clustered by image; NaN if it is unknown.
func (f *Fit) SE(player int) float64 {
	if math.IsNaN(f.Strengths[player]) {
		return math.NaN()
	}
	return f.error(player)
}

// LengthSE is the standard error of the coefficient of the length difference, clustered by image.
func (f *Fit) LengthSE() float64 { return f.error(f.length) }

// error is the standard error of a parameter. It is NaN if it is unknown, or if the model does not
// have the parameter, which then has the index -1.
func (f *Fit) error(param int) float64 {
	if f.sandwich == nil || param < 0 {
		return math.NaN()
	}
	return root(f.sandwich.At(param, param))
}

// Quantile is the 0.975 quantile of Student's t with one degree of freedom less than the effective
// number of images. It is NaN for one image or no battle; 1e-9 allows for rounding.
func (f *Fit) Quantile() float64 {
	if !(f.Images > 1+1e-9) {
		return math.NaN()
	}
	return distuv.StudentsT{Sigma: 1, Nu: f.Images - 1}.Quantile(0.975)
}

// Note says in words why a player has no estimate, or with whom it cannot be compared. It is empty
// if the player can be compared with all.
func (f *Fit) Note(player int) string {
	if f.Problem != "" {
		return f.Problem
	}
	if f.Battles[player] == 0 {
		return "no battle; vote on pairs with it"
	}
	return f.graph.note(player)
}

// Apart names the players whom no chain of wins joins with the given player: even Elo hardly
// compares the given player with these. It is empty without such players.
func (f *Fit) Apart(player int) string { return f.graph.apart(player) }

// Ranks are the places of the players: 1 for the strongest, and 0 for a player who cannot be
// compared with all others.
func (f *Fit) Ranks() []int {
	ranks := make([]int, len(f.Strengths))
	rankInto(ranks, f.Strengths, f.Groups, f.Above)
	for i, strength := range f.Strengths {
		// The place of a player alone in a group needs no strength: all others are above or below.
		alone := f.graph.size[f.Groups[i]] == 1
		noPlace := f.Battles[i] == 0 || math.IsNaN(strength) && !alone
		if f.Above[i] < 0 || noPlace {
			ranks[i] = 0
		}
	}
	return ranks
}

// root is the square root of a variance; errors of rounding below 0 count as 0.
func root(variance float64) float64 { return math.Sqrt(max(0, variance)) }

// Draw draws the strengths of all players again and again around their estimates. The distribution
// is the multivariate t with the covariance of the errors, and with the same degrees of freedom as
// the intervals of the strengths. The intervals of ranks come from these draws. So they hold the
// truth as often as the intervals of the strengths do, even with few images. Bootstrap samples of
// few images would vary less than the estimates do.
func (f *Fit) Draw(samples int, seed uint64) *Draws {
	n := len(f.t.names)
	d := newDraws(n, samples, f.Above, f.Groups)
	for i := range d.ratings {
		d.ratings[i] = f.Strengths[i%n]
	}
	// eigen has the eigenvalues and, because of true, the eigenvectors of the covariance of the
	// strengths. The strengths are the first n parameters.
	var eigen mat.EigenSym
	if f.sandwich == nil || !(f.Images > 1+1e-9) ||
		!eigen.Factorize(mat.NewSymDense(n, mat.DenseCopyOf(f.sandwich.Slice(0, n, 0, n)).RawMatrix().Data), true) {
		// No samples, because the errors are unknown. Images is 1 with one image and NaN without
		// battles; 1e-9 allows for rounding.
		return newDraws(n, 0, f.Above, f.Groups)
	}
	// spread times independent normal numbers has the covariance of the errors.
	var spread mat.Dense
	eigen.VectorsTo(&spread)
	for j, variance := range eigen.Values(nil) {
		for i := range n {
			spread.Set(i, j, spread.At(i, j)*root(variance))
		}
	}
	inParallel(samples, func(s int) {
		random := rand.New(rand.NewPCG(seed, uint64(s)))
		normal, moved := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
		for i := range n {
			normal.SetVec(i, random.NormFloat64())
		}
		df := f.Images - 1
		scale := math.Sqrt(df / distuv.ChiSquared{K: df, Src: random}.Rand())
		moved.MulVec(&spread, normal)
		floats.AddScaled(d.ratings[s*n:][:n], scale, moved.RawVector().Data)
	})
	return d
}
