package arena

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
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
	x      float64    // length difference in typical ones
	counts [3]float64 // by Outcome; weights in a bootstrap
}

func (c cell) total() float64 { return c.counts[BWins] + c.counts[Tie] + c.counts[AWins] }

// Fit estimates the strengths by Newton's method. Players are compared within groups that have finite estimates (see Fit.Note); of battles
// between groups the likelihood is greatest at infinity. It is an error only if the method does not converge.
func (t *Tournament) Fit(m Model) (*Fit, error) {
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
		return f, nil
	}
	work := f.newton()
	f.params = make([]float64, f.size())
	if err := work.solve(f.cells, f.params, 1e-9); err != nil {
		return nil, err
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
	return f, nil
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
		f.raw[i] = c.total()
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
		if n := c.total(); n > 0 {
			all, met = all+n, met+1
		}
	}
	for i := range cells {
		if n := cells[i].total(); n > 0 {
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
	n := len(f.t.names)
	if f.model.Ties {
		decided := false
		for _, c := range f.cells {
			decided = decided || c.counts[AWins]+c.counts[BWins] > 0
		}
		if !decided {
			return "all battles of those who can be compared are ties, which says nothing of Davidson's parameter of ties; take ties as half wins, or vote on more pairs"
		}
	}
	if f.ties {
		// With the parameter of ties 1, a winner is at least 2 above the loser, and tied players at most 2 apart.
		var bounds []bound
		for _, c := range f.cells {
			if c.counts[AWins] > 0 {
				bounds = append(bounds, bound{c.a, c.b, -2})
			}
			if c.counts[BWins] > 0 {
				bounds = append(bounds, bound{c.b, c.a, -2})
			}
			if c.counts[Tie] > 0 {
				bounds = append(bounds, bound{c.a, c.b, 2}, bound{c.b, c.a, 2})
			}
		}
		if feasible(n, bounds) {
			return "an order of the players explains every win, and every tie is between neighbours of it, so that Davidson's model has no finite estimate; " +
				"take ties as half wins, or vote on more pairs"
		}
	}
	if f.model.Length {
		for _, sign := range []float64{1, -1} {
			var bounds []bound
			for _, c := range f.cells {
				if c.counts[AWins]+c.counts[Tie] > 0 {
					bounds = append(bounds, bound{c.a, c.b, sign * c.x})
				}
				if c.counts[BWins]+c.counts[Tie] > 0 {
					bounds = append(bounds, bound{c.b, c.a, -sign * c.x})
				}
			}
			if math.IsNaN(f.Typical) || f.Typical == 0 || feasible(n, bounds) {
				return "the length differences alone explain every outcome, or do not vary, so that their coefficient has no finite estimate; vote on more pairs"
			}
		}
	}
	return ""
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

// newton is the work space of Newton's method.
type newton struct {
	f        *Fit
	tie      int // index of the parameter of ties; -1 without
	length   int // index of that of the length difference; -1 without
	gradient *mat.VecDense
	step     *mat.VecDense
	hessian  *mat.SymDense
	chol     mat.Cholesky
	trial    []float64
}

func (f *Fit) newton() *newton {
	n := f.size()
	w := &newton{
		f: f, tie: -1, length: -1, gradient: mat.NewVecDense(n, nil), step: mat.NewVecDense(n, nil), hessian: mat.NewSymDense(n, nil),
		trial: make([]float64, n),
	}
	if f.ties {
		w.tie = len(f.t.names)
	}
	if f.model.Length {
		w.length = n - 1
	}
	return w
}

// solve goes from params to the maximum of the likelihood of the cells, until a step is below last; what is then left is about its square.
// Far from the maximum steps are halved until the likelihood grows.
func (w *newton) solve(cells []cell, params []float64, last float64) error {
	for range 200 {
		w.derive(cells, params)
		if !w.chol.Factorize(w.hessian) {
			return errors.New("the information matrix is singular, though all players are compared")
		}
		if err := w.chol.SolveVecTo(w.step, w.gradient); err != nil && !isCondition(err) {
			return fmt.Errorf("solve a step of Newton's method: %w", err)
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
			return nil
		}
	}
	return errors.New("Newton's method does not converge")
}

func isCondition(err error) bool {
	var c mat.Condition
	return errors.As(err, &c)
}

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

// chances are those of a cell's outcomes and what Newton's method needs of them: the mean and variance of A's score, and with ties also its
// covariance with a tie.
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

// likelihood is the log of it.
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

// derive computes the gradient and the negative Hessian. A constant may be added to the strengths of each group; a one in every place of a
// group's block takes that freedom away and leaves steps of mean 0 as they are.
func (w *newton) derive(cells []cell, params []float64) {
	n := len(params)
	g := w.gradient.RawVector().Data
	h := w.hessian.RawSymmetric().Data // the upper triangle, row by row
	clear(g)
	clear(h)
	for i := range cells {
		c := &cells[i]
		all := c.total()
		if all == 0 {
			continue
		}
		p := w.chances(c, params)
		a, b := int(c.a), int(c.b)
		gain := c.counts[AWins] + c.counts[Tie]/2 - all*p.mean
		v := all * p.variance
		g[a] += gain
		g[b] -= gain
		h[a*n+a] += v
		h[b*n+b] += v
		h[min(a, b)*n+max(a, b)] -= v
		if w.tie >= 0 {
			g[w.tie] += c.counts[Tie] - all*p.tie
			h[w.tie*n+w.tie] += all * p.tie * (1 - p.tie)
			h[a*n+w.tie] += all * p.covariance
			h[b*n+w.tie] -= all * p.covariance
		}
		if w.length >= 0 {
			g[w.length] += gain * c.x
			h[a*n+w.length] += v * c.x
			h[b*n+w.length] -= v * c.x
			h[w.length*n+w.length] += v * c.x * c.x
			if w.tie >= 0 {
				h[w.tie*n+w.length] += all * p.covariance * c.x
			}
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
	if err := w.chol.SolveTo(f.inverse, identity); err != nil && !isCondition(err) {
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
	meat := mat.NewDense(n, n, nil)
	raw := meat.RawMatrix().Data
	score := make([]float64, n)
	var touched []int
	add := func(i int, x float64) {
		if score[i] == 0 {
			touched = append(touched, i)
		}
		score[i] += x
	}
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
				weight = c.total() / f.raw[f.of[i]]
			}
			gain := weight * (float64(b.Outcome)/2 - p.mean)
			add(int(c.a), gain)
			add(int(c.b), -gain)
			if w.tie >= 0 {
				x := -p.tie
				if b.Outcome == Tie {
					x++
				}
				add(w.tie, weight*x)
			}
			if w.length >= 0 {
				add(w.length, gain*c.x)
			}
		}
		if any {
			images++
		}
		slices.Sort(touched)
		touched = slices.Compact(touched)
		for _, i := range touched {
			for _, j := range touched {
				raw[i*n+j] += score[i] * score[j]
			}
		}
		for _, i := range touched {
			score[i] = 0
		}
		touched = touched[:0]
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

// SE is the standard error of a player's strength, clustered by image; NaN where there is none.
func (f *Fit) SE(player int) float64 {
	if f.sandwich == nil || math.IsNaN(f.Strengths[player]) {
		return math.NaN()
	}
	return root(f.sandwich.At(player, player))
}

// LengthSE is the standard error of the coefficient of the length difference, clustered by image.
func (f *Fit) LengthSE() float64 {
	if f.sandwich == nil || !f.model.Length {
		return math.NaN()
	}
	return root(f.sandwich.At(f.size()-1, f.size()-1))
}

// Difference is by how much one player is stronger than another, in log-odds, with its standard error clustered by image; NaN when the two
// cannot be compared.
func (f *Fit) Difference(a, b int) (difference, se float64) {
	if f.Groups[a] != f.Groups[b] || math.IsNaN(f.Strengths[a]) {
		return math.NaN(), math.NaN()
	}
	difference = f.Strengths[a] - f.Strengths[b]
	if f.sandwich == nil {
		return difference, math.NaN()
	}
	return difference, root(f.sandwich.At(a, a) + f.sandwich.At(b, b) - 2*f.sandwich.At(a, b))
}

// Beats is the chance that one player beats another, ties as half, with its 95 % interval, which is that of the difference of strengths put
// through the model. The chance of a tie is Davidson's; 0 in other models.
func (f *Fit) Beats(a, b int) (chance, low, high, tie float64) {
	d, se := f.Difference(a, b)
	t := f.Quantile()
	at := func(d float64) (mean, tie float64) {
		win := 1 / (1 + math.Exp(-d))
		if !(f.Tie > 0) {
			return win, 0
		}
		x, y := math.Exp(d/2), math.Exp(-d/2)
		sum := x + y + f.Tie
		return (x + f.Tie/2) / sum, f.Tie / sum
	}
	chance, tie = at(d)
	low, _ = at(d - t*se)
	high, _ = at(d + t*se)
	return chance, low, high, tie
}

// Quantile is the 0.975 quantile of Student's t with one degree of freedom less than the effective number of images; NaN for one image.
func (f *Fit) Quantile() float64 {
	if !(f.Images > 1+1e-9) {
		return math.NaN()
	}
	return distuv.StudentsT{Sigma: 1, Nu: f.Images - 1}.Quantile(0.975)
}

// Note says in words why a player has no estimate, or with whom it cannot be compared; empty when it can with all.
func (f *Fit) Note(player int) string {
	if f.Problem != "" {
		return f.Problem
	}
	return f.graph.note(player)
}

// Apart names the players whom no chain of battles joins with one: not even Elo compares them. It is empty when there are none.
func (f *Fit) Apart(player int) string {
	var apart []string
	for j, name := range f.t.names {
		if j != player && !f.graph.met[player][j] {
			apart = append(apart, name)
		}
	}
	return some(apart)
}

// Ranks are the places of the players: 1 for the strongest; 0 for who cannot be compared with all others.
func (f *Fit) Ranks() []int {
	places := make([]float64, len(f.Strengths))
	rankInto(places, f.Strengths, f.Groups, f.Above)
	ranks := make([]int, len(places))
	for i, p := range places {
		alone := f.graph.size[f.Groups[i]] == 1
		if f.Above[i] >= 0 && f.Battles[i] > 0 && (alone || !math.IsNaN(f.Strengths[i])) {
			ranks[i] = int(p)
		}
	}
	return ranks
}

// root leaves no error of rounding below 0.
func root(variance float64) float64 { return math.Sqrt(max(0, variance)) }
