package analytics

import (
	"cmp"
	"context"
	"database/sql"
	"math"
	"slices"
)

// rankAgreement is the computation of the mart benchmark_agreement: how far two scores put the same captioners in one order. Its input has one
// row for each captioner of two series: ten texts that name the two, the captioner, both values (greater is better), the length of its captions
// or null, a seed and the number of random orders. It is in Go because all orders of eight captioners are 40,320.
func rankAgreement(ctx context.Context, in *sql.Rows) ([][]any, error) {
	var out [][]any
	var p rankPair
	var o rankOrders
	for in.Next() {
		var key [10]string
		var captioner string
		var v [2]float64
		var words sql.NullFloat64
		var seed, draws int64
		to := []any{}
		for i := range key {
			to = append(to, &key[i])
		}
		if err := in.Scan(append(to, &captioner, &v[0], &v[1], &words, &seed, &draws)...); err != nil {
			return nil, err
		}
		if key != p.key && len(p.captioners) > 0 {
			out = append(out, p.columns(&o))
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			p = rankPair{}
		}
		o.seed, o.draws = seed, int(draws)
		p.key = key
		p.captioners = append(p.captioners, captioner)
		p.a, p.b, p.words = append(p.a, v[0]), append(p.b, v[1]), append(p.words, words)
	}
	if len(p.captioners) > 0 {
		out = append(out, p.columns(&o))
	}
	return out, in.Err()
}

// A rankPair is two series of scores of the same captioners.
type rankPair struct {
	key        [10]string // kind first
	captioners []string
	a, b       []float64
	words      []sql.NullFloat64
}

func (p *rankPair) columns(o *rankOrders) []any {
	n := len(p.captioners)
	row := make([]any, 0, 32)
	for _, k := range p.key {
		row = append(row, k)
	}
	row = append(row, int64(n))
	if c := rankCorrelation(p.a, p.b); n < 3 || math.IsNaN(c.rho) {
		row = append(row, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil)
	} else {
		row = append(row, withEnds(c.rho, (1+c.rho*c.rho/2)/float64(n-3))...)
		row = append(row, withEnds(c.tau, 0.437/float64(n-4))...)
		row = append(row, o.shares(p.a, p.b, c)...)
		row = append(row, p.leftOut(c.rho)...)
	}
	var captioner, places any
	apart := 0.0
	for i, c := range p.captioners {
		// The values are negative places.
		if d := p.a[i] - p.b[i]; p.key[0] == "scores" && math.Abs(d) > math.Abs(apart) {
			apart, captioner, places = d, c, d
		}
	}
	return append(append(row, captioner, places), p.lengths()...)
}

// leftOut are the least and the greatest correlation when one captioner is left out, and the captioner whose leaving out changes it most.
func (p *rankPair) leftOut(rho float64) []any {
	n := len(p.captioners)
	if n < 4 {
		return []any{nil, nil, nil}
	}
	least, most, change := math.Inf(1), math.Inf(-1), 1e-9
	var decisive any
	for i := range n {
		r := rankCorrelation(slices.Delete(slices.Clone(p.a), i, i+1), slices.Delete(slices.Clone(p.b), i, i+1)).rho
		if math.IsNaN(r) {
			continue
		}
		least, most = min(least, r), max(most, r)
		if c := math.Abs(r - rho); c > change+1e-9 {
			change, decisive = c, p.captioners[i]
		}
	}
	if math.IsInf(least, 1) {
		return []any{nil, nil, nil}
	}
	return []any{least, most, decisive}
}

// lengths are the correlations with the number of words, and the one between the two series that is left when it is held fixed.
func (p *rankPair) lengths() []any {
	if p.key[0] != "scores" {
		return []any{nil, nil, nil, nil, nil, nil, nil}
	}
	var a, b, w []float64
	for i, words := range p.words {
		if words.Valid {
			a, b, w = append(a, p.a[i]), append(b, p.b[i]), append(w, words.Float64)
		}
	}
	n := len(w)
	row := []any{int64(n)}
	if n < 3 {
		return append(row, nil, nil, nil, nil, nil, nil)
	}
	both, first, second := rankCorrelation(a, b).rho, rankCorrelation(a, w).rho, rankCorrelation(b, w).rho
	row = append(row, orNull(both), orNull(first), orNull(second))
	left := (1 - first*first) * (1 - second*second)
	if n < 4 || math.IsNaN(both+left) || left < 1e-12 {
		return append(row, nil, nil, nil)
	}
	partial := max(-1, min(1, (both-first*second)/math.Sqrt(left)))
	return append(row, withEnds(partial, (1+partial*partial/2)/float64(n-4))...)
}

// withEnds is a correlation with its 95 % interval by Fisher's z; the interval is null where the variance says nothing.
func withEnds(r, variance float64) []any {
	if math.Abs(r) > 1-1e-12 || variance <= 0 || math.IsInf(variance, 0) {
		return []any{r, nil, nil}
	}
	z, half := math.Atanh(r), 1.959963984540054*math.Sqrt(variance)
	return []any{r, math.Tanh(z - half), math.Tanh(z + half)}
}

// rankOrders are the orders of captioners that correlations are held against, by number of captioners.
type rankOrders struct {
	seed  int64
	draws int
	of    map[int][][]int
}

// allOrders is the greatest number of captioners of whom all orders are tried.
const allOrders = 8

// orders are all orders of n captioners, or as many random ones as were asked for.
func (o *rankOrders) orders(n int) [][]int {
	if found, ok := o.of[n]; ok {
		return found
	}
	var out [][]int
	if n <= allOrders {
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		out = permutations(order, nil, 0)
	} else {
		for draw := range o.draws {
			lots, order := make([]float64, n), make([]int, n)
			for i := range n {
				lots[i], order[i] = randomOf(o.seed, "order", draw+1, i+1), i
			}
			slices.SortFunc(order, func(x, y int) int { return cmp.Compare(lots[x], lots[y]) })
			out = append(out, order)
		}
	}
	if o.of == nil {
		o.of = map[int][][]int{}
	}
	o.of[n] = out
	return out
}

func permutations(order []int, out [][]int, from int) [][]int {
	if from == len(order) {
		return append(out, slices.Clone(order))
	}
	for i := from; i < len(order); i++ {
		order[from], order[i] = order[i], order[from]
		out = permutations(order, out, from+1)
		order[from], order[i] = order[i], order[from]
	}
	return out
}

// shares are the shares of the orders whose correlations are as far from 0 as the given ones or farther, and how many orders there are. Of
// random orders, the given one is one more.
func (o *rankOrders) shares(a, b []float64, c correlation) []any {
	f, values := rankedBy(a, b)
	orders := o.orders(len(a))
	ordered := make([]float64, len(values))
	rhos, taus, tried := 0, 0, len(orders)
	for _, order := range orders {
		for i, to := range order {
			ordered[i] = values[to]
		}
		moved := f.correlate(ordered)
		if math.Abs(moved.rho) >= math.Abs(c.rho)-1e-9 {
			rhos++
		}
		if math.Abs(moved.tau) >= math.Abs(c.tau)-1e-9 {
			taus++
		}
	}
	if len(a) > allOrders {
		rhos, taus, tried = rhos+1, taus+1, tried+1
	}
	return []any{float64(rhos) / float64(tried), float64(taus) / float64(tried), int64(tried)}
}

// rankCorrelation compares the orders that two lists of values give the same captioners.
func rankCorrelation(a, b []float64) correlation {
	f, values := rankedBy(a, b)
	return f.correlate(values)
}

// rankedBy ranks captioners by one list of values, and gives those of the other in this order.
func rankedBy(a, b []float64) (*fullRanking, []float64) {
	order, sorted, values := make([]int, len(a)), make([]float64, len(a)), make([]float64, len(a))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(x, y int) int { return cmp.Compare(a[x], a[y]) })
	for i, at := range order {
		sorted[i] = a[at]
	}
	f := &fullRanking{}
	f.rank(sorted)
	for i, at := range order {
		values[i] = b[at]
	}
	return f, values
}
