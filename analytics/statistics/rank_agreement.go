package statistics

import (
	"cmp"
	"context"
	"crypto/md5"
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"gonum.org/v1/gonum/stat/combin"
)

// rankAgreement is the computation of the mart benchmark_agreement: how far two scores put the same
// captioners in one order. Its input has one row for each captioner of two series: ten texts that
// name the two, the captioner, both values (greater is better), the length of its captions or null,
// a seed and the number of random orders. It is in Go because all orders of eight captioners are 40,320.
func rankAgreement(ctx context.Context, in arrow.RecordBatch) ([][]any, error) {
	orders := rankOrders{}
	return byKey(ctx, in, 10, func(key []any, captioners []rankedCaptioner) ([][]any, error) {
		p := rankPair{key: key, captioners: captioners}
		for _, c := range captioners {
			p.a, p.b = append(p.a, c.A), append(p.b, c.B)
		}
		return [][]any{p.columns(orders)}, nil
	})
}

type rankedCaptioner struct {
	Captioner string   `json:"captioner"`
	A         float64  `json:"a"`
	B         float64  `json:"b"`
	Words     *float64 `json:"words"`
	Seed      int64    `json:"seed"`
	Draws     int64    `json:"draws"`
}

// A rankPair is two series of scores of the same captioners.
type rankPair struct {
	key        []any // names of the two series; the kind comes first
	captioners []rankedCaptioner
	a, b       []float64
}

func (p *rankPair) columns(orders rankOrders) []any {
	n := len(p.captioners)
	row := append(slices.Clone(p.key), int64(n))
	if c := rankCorrelation(p.a, p.b); math.IsNaN(c.rho) {
		row = append(row, make([]any, 8)...)
	} else {
		row = append(row, c.rho, c.tau)
		row = append(row, orders.shares(p, c)...)
		row = append(row, p.leftOut(c.rho)...)
	}
	var captioner, places any
	apart := 0.0
	for i, c := range p.captioners {
		// The values are negative places.
		if d := p.a[i] - p.b[i]; p.key[0] == "scores" && math.Abs(d) > math.Abs(apart) {
			apart, captioner, places = d, c.Captioner, d
		}
	}
	return append(append(row, captioner, places), p.lengths()...)
}

// leftOut are the least and the greatest correlation when one captioner is left out, and the
// captioner that changes the correlation most when it is left out.
func (p *rankPair) leftOut(rho float64) []any {
	n := len(p.captioners)
	if n < 4 {
		return make([]any, 3)
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
			change, decisive = c, p.captioners[i].Captioner
		}
	}
	if math.IsInf(least, 1) {
		return make([]any, 3)
	}
	return []any{least, most, decisive}
}

// lengths are the correlations with the number of words, and the correlation between the two series
// that is left when the number of words is held fixed.
func (p *rankPair) lengths() []any {
	if p.key[0] != "scores" {
		return make([]any, 5)
	}
	var a, b, w []float64
	for _, c := range p.captioners {
		if c.Words != nil {
			a, b, w = append(a, c.A), append(b, c.B), append(w, *c.Words)
		}
	}
	n := len(w)
	both, first, second := rankCorrelation(a, b).rho, rankCorrelation(a, w).rho, rankCorrelation(b, w).rho
	row := []any{int64(n), orNull(both), orNull(first), orNull(second)}
	left := (1 - first*first) * (1 - second*second)
	if n < 4 || math.IsNaN(both+left) || left < 1e-12 {
		return append(row, nil)
	}
	return append(row, max(-1, min(1, (both-first*second)/math.Sqrt(left))))
}

// rankOrders are the orders of captioners that correlations are compared with, by number of
// captioners.
type rankOrders map[int][][]int

// allOrders is the greatest number of captioners with which all orders are tried.
const allOrders = 8

// of returns all orders of the captioners, or the requested number of random orders.
func (o rankOrders) of(p *rankPair) [][]int {
	n := len(p.captioners)
	if o[n] != nil {
		return o[n]
	}
	if n <= allOrders {
		o[n] = combin.Permutations(n, n)
	} else {
		c := p.captioners[0]
		for draw := range int(c.Draws) {
			o[n] = append(o[n], orderBy(n, func(i int) float64 { return RandomOf(c.Seed, "order", draw+1, i+1) }))
		}
	}
	return o[n]
}

// orderBy are the numbers below n by growing values.
func orderBy[V cmp.Ordered](n int, value func(i int) V) []int {
	order, values := make([]int, n), make([]V, n)
	for i := range n {
		order[i], values[i] = i, value(i)
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(values[x], values[y]) })
	return order
}

// shares are the shares of the orders with correlations as far from 0 as the given ones, or
// farther, and the number of orders. Beside random orders, the given order counts as one more.
func (o rankOrders) shares(p *rankPair, c correlation) []any {
	n := len(p.a)
	f, byA := rankingBy(p.a), orderBy(n, func(i int) float64 { return p.a[i] })
	orders := o.of(p)
	ordered := make([]float64, n)
	rhos, taus, tried := 0, 0, len(orders)
	for _, order := range orders {
		for i, to := range order {
			ordered[byA[i]] = p.b[byA[to]]
		}
		moved := f.correlate(ordered)
		if math.Abs(moved.rho) >= math.Abs(c.rho)-1e-9 {
			rhos++
		}
		if math.Abs(moved.tau) >= math.Abs(c.tau)-1e-9 {
			taus++
		}
	}
	if n > allOrders {
		rhos, taus, tried = rhos+1, taus+1, tried+1
	}
	return []any{float64(rhos) / float64(tried), float64(taus) / float64(tried), int64(tried)}
}

// rankCorrelation compares the orders that two lists of values give the same captioners: three of them at least.
func rankCorrelation(a, b []float64) correlation {
	if len(a) < 3 {
		return correlation{math.NaN(), math.NaN()}
	}
	return rankingBy(a).correlate(b)
}

// RandomOf is the macro random_of: a number from 0 to below 1 that depends on nothing but its arguments.
func RandomOf(seed int64, label string, trial, item int) float64 {
	lot := lotOf(seed, label, int64(trial), strconv.Itoa(item))
	return min(float64(lot)/(1<<64), math.Nextafter(1, 0))
}

// lotOf is the whole number behind RandomOf.
func lotOf(seed int64, label string, trial int64, item string) uint64 {
	text := strconv.FormatInt(seed, 10) + "/" + label + "/" + strconv.FormatInt(trial, 10) + "/" + item
	sum := md5.Sum([]byte(text))
	return binary.LittleEndian.Uint64(sum[8:])
}
