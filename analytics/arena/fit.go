package arena

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// A Model is a likelihood of the outcomes. The zero value is that of Bradley and Terry (Biometrika 39, 1952), ties as half a win of each:
// the chance that A beats B is 1/(1 + exp(-(a - b))) for strengths a and b in log-odds.
type Model struct {
	// Weighted gives each battle the weight 1/P of its pair, P being the pair's chance to be drawn for a battle (CapArena section 3.2).
	// That chance is not recorded with the battles, so the pair's share of all battles is taken for it: every pair that met then weighs
	// as much as any other. A bootstrap sample has weights of its own.
	Weighted bool
	// Ties is Davidson's model (Journal of the American Statistical Association 65, 1970): the chances that A wins, that B does and of
	// a tie are as exp(a) : exp(b) : v exp((a + b)/2), one v for all pairs.
	Ties bool
	// Length adds a coefficient times the battle's length difference to a - b, which is divided by its root mean square over the
	// battles, so that the coefficient is that of a typical difference. Nothing is subtracted from it: who is called A must not matter.
	// Battles without a length difference are left out.
	Length bool
}

// A Fit holds the estimates of maximum likelihood.
type Fit struct {
	Strengths []float64 // in log-odds; mean 0 within each group of players who can be compared; NaN for who has no estimate
	Groups    []int     // of each player
	Above     []int     // how many players of other groups are above one for certain; -1 when it cannot be compared with some
	Tie       float64   // Davidson's v: the odds of a tie of equal players are v to 2; NaN in other models
	Length    float64   // coefficient of a typical length difference, in log-odds; NaN in other models
	Typical   float64   // root mean square of the length differences
	Images    float64   // effective number of images, (Σn)²/Σn² for n battles an image
	Battles   []int     // of each player, those that the model can take
	Problem   string    // why there is no estimate at all; empty when there is

	t        *Tournament
	model    Model
	battles  []Battle // those that the model can take
	graph    *graph
	cells    []cell    // what the likelihood is made of
	raw      []float64 // battles of each cell
	ties     bool      // there is a parameter of ties: without a tie Davidson's v is 0 and the model that of Bradley and Terry
	of       []int32   // the cell of each battle
	params   []float64 // strengths of all players, then the log of Tie, then Length
	inverse  *mat.Dense
	sandwich *mat.Dense
}

// A cell is a set of battles with the same chances.
type cell struct {
	a, b   int32
	x      float64 // length difference in typical ones
	counts tally
}

// Fit estimates the strengths by Newton's method. Players are compared within groups that have finite estimates (see Fit.Note); of battles
// between groups the likelihood is greatest at infinity.
func (t *Tournament) Fit(m Model) *Fit {
	n := len(t.names)
	f := &Fit{t: t, model: m, battles: t.battles, Tie: math.NaN(), Length: math.NaN(), Typical: math.NaN(), Battles: make([]int, n)}
	if m.Length {
		f.battles = slices.DeleteFunc(slices.Clone(t.battles), func(b Battle) bool { return math.IsNaN(b.Length) })
		sum := 0.0
		for _, b := range f.battles {
			sum += b.Length * b.Length
		}
		f.Typical = math.Sqrt(sum / float64(len(f.battles)))
	}
	for _, b := range f.battles {
		f.Battles[b.A]++
		f.Battles[b.B]++
	}
	f.Images = effectiveImages(f.battles)
	pairs, of := pairsOf(n, f.battles)
	f.graph = newGraph(t.names, pairs)
	f.Groups, f.Above = f.graph.group, f.graph.above()
	f.Strengths = make([]float64, n)
	for i := range f.Strengths {
		f.Strengths[i] = math.NaN()
	}
	f.makeCells(pairs, of)
	f.Problem = f.problem()
	if f.Problem != "" {
		return f
	}
	work := f.newton()
	f.params = make([]float64, f.size())
	if !work.solve(f.cells, f.params, 1e-9) {
		f.Problem = f.model.endless()
		return f
	}
	for i, g := range f.Groups {
		if f.graph.size[g] > 1 {
			f.Strengths[i] = f.params[i]
		}
	}
	if f.ties {
		f.Tie = math.Exp(f.params[n])
	} else if m.Ties {
		f.Tie = 0
	}
	if m.Length {
		f.Length = f.params[f.size()-1]
	}
	f.covariance(work)
	return f
}

// size is the number of parameters.
func (f *Fit) size() int {
	n := len(f.t.names)
	if f.ties {
		n++
	}
	if f.model.Length {
		n++
	}
	return n
}

// makeCells sorts the battles within groups into cells: by pair, or each by itself where it has a length difference. of is -1 for others.
func (f *Fit) makeCells(pairs []pair, of []int32) {
	f.of = make([]int32, len(f.battles))
	cellOf := make([]int32, len(pairs))
	for i, p := range pairs {
		cellOf[i] = -1
		if f.Groups[p.a] == f.Groups[p.b] {
			if !f.model.Length {
				cellOf[i] = int32(len(f.cells))
				f.cells = append(f.cells, cell{a: p.a, b: p.b, counts: p.counts})
			} else {
				cellOf[i] = 0
			}
		}
	}
	for i, b := range f.battles {
		f.of[i] = cellOf[of[i]]
		if f.model.Length && f.of[i] >= 0 {
			b = b.turned()
			f.of[i] = int32(len(f.cells))
			c := cell{a: b.A, b: b.B, x: b.Length / f.Typical}
			c.counts[b.Outcome] = 1
			f.cells = append(f.cells, c)
		}
	}
	f.raw = make([]float64, len(f.cells))
	for i, c := range f.cells {
		f.raw[i] = c.counts.total()
		f.ties = f.ties || f.model.Ties && c.counts[Tie] > 0
	}
	if f.model.Weighted {
		weigh(f.cells)
	}
}

// weigh gives all pairs the same weight, and all together that of the battles.
func weigh(cells []cell) {
	var all, met float64
	for _, c := range cells {
		if n := c.counts.total(); n > 0 {
			all, met = all+n, met+1
		}
	}
	for i := range cells {
		if n := cells[i].counts.total(); n > 0 {
			for o := range cells[i].counts {
				cells[i].counts[o] *= all / met / n
			}
		}
	}
}

// problem says why the likelihood has no maximum, where the groups alone do not tell it.
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

// endless says why the likelihood has no maximum where Newton's method finds none: it grows on the way to infinity.
func (m Model) endless() string {
	switch {
	case m.Length:
		return "the length differences alone explain every outcome, or do not vary, so that their coefficient has no finite estimate; vote on more pairs"
	case m.Ties:
		return "those who can be compared only tied, or an order of the players explains every win and each tie is between neighbours of it, so that " +
			"Davidson's model has no finite estimate; take ties as half wins, or vote on more pairs"
	}
	return "the strengths have no finite estimate; vote on more pairs"
}

func effectiveImages(battles []Battle) float64 {
	var n int32
	for _, b := range battles {
		n = max(n, b.Image+1)
	}
	counts := make([]float64, n)
	for _, b := range battles {
		counts[b.Image]++
	}
	var sum, squares float64
	for _, c := range counts {
		sum, squares = sum+c, squares+c*c
	}
	return sum * sum / squares
}

// covariance computes the inverse information, and the sandwich of it with the sums of the scores of each image (Liang and Zeger,
// Biometrika 73, 1986), times G/(G - 1) (N - 1)/(N - k) for G images, N battles and k free parameters.
func (f *Fit) covariance(w *newton) {
	n := f.size()
	w.derive(f.cells, f.params)
	identity := mat.NewDense(n, n, nil)
	for i := range n {
		identity.Set(i, i, 1)
	}
	f.inverse = mat.NewDense(n, n, nil)
	if !w.chol.Factorize(w.hessian) {
		return
	}
	if err := w.chol.SolveTo(f.inverse, identity); err != nil {
		return
	}
	// What was added to the information of each group is taken from its inverse: 1/size² in every place.
	free := n
	for i, of := range f.Groups {
		for j, other := range f.Groups {
			if of == other {
				s := float64(f.graph.size[of])
				f.inverse.Set(i, j, f.inverse.At(i, j)-1/(s*s))
			}
		}
	}
	free -= len(f.graph.size)
	meat, scores := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	score := scores.RawVector().Data
	images, battles := 0.0, 0.0
	order := f.byImage()
	for start := 0; start < len(order); {
		image := f.battles[order[start]].Image
		any := false
		for ; start < len(order) && f.battles[order[start]].Image == image; start++ {
			i := order[start]
			if f.of[i] < 0 {
				continue
			}
			any = true
			battles++
			c := &f.cells[f.of[i]]
			p := w.chances(c, f.params)
			b := f.battles[i].turned()
			weight := 1.0
			if f.model.Weighted {
				weight = c.counts.total() / f.raw[f.of[i]]
			}
			gain := weight * (float64(b.Outcome)/2 - p.mean)
			score[c.a] += gain
			score[c.b] -= gain
			if w.tie >= 0 {
				x := -p.tie
				if b.Outcome == Tie {
					x++
				}
				score[w.tie] += weight * x
			}
			if w.length >= 0 {
				score[w.length] += gain * c.x
			}
		}
		if any {
			images++
		}
		meat.SymRankOne(meat, 1, scores)
		clear(score)
	}
	f.sandwich = mat.NewDense(n, n, nil)
	if images < 2 || battles <= float64(free) {
		f.sandwich = nil
		return
	}
	f.sandwich.Product(f.inverse, meat, f.inverse)
	f.sandwich.Scale(images/(images-1)*(battles-1)/(battles-float64(free)), f.sandwich)
}

// byImage are the indices of the battles, those of an image together.
func (f *Fit) byImage() []int32 {
	order := make([]int32, len(f.battles))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(x, y int32) int { return int(f.battles[x].Image) - int(f.battles[y].Image) })
	return order
}
