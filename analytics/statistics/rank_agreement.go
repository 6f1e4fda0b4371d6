package statistics

import (
	"cmp"
	"crypto/md5"
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat/combin"
)

// allOrders is the greatest number of captioners with which all orders are tried.
const allOrders = 8

// orderShare returns a function of two lists, which have one value of each captioner. The function
// reorders the captioners. Its result is the share of the orders that give a rank correlation as
// far from 0 as the given order, or farther. For up to allOrders captioners, all orders are tried.
// For more captioners random orders are tried, and the given order counts as one more. A third list
// has the seed and the number of random orders. The function is in Go because eight captioners have
// 40,320 orders.
func orderShare(coefficient func(correlation) float64) func(x ...float64) float64 {
	return func(x ...float64) float64 {
		n := len(x)/2 - 1 // x has n values of each list, the seed, and the number of orders.
		a, b, seed, draws := x[:n], x[n:2*n], int64(x[2*n]), int(x[2*n+1])
		given := math.Abs(coefficient(rankCorrelation(a, b)))
		if math.IsNaN(given) {
			return given
		}
		var orders [][]int
		if n <= allOrders {
			orders = combin.Permutations(n, n)
		} else {
			for draw := range draws {
				orders = append(orders,
					orderBy(n, func(i int) float64 { return RandomOf(seed, "order", draw+1, i+1) }))
			}
		}
		far := 0
		ranks, byA := rankingBy(a), orderBy(n, func(i int) float64 { return a[i] })
		reordered := make([]float64, n) // the values of b in another order
		for _, order := range orders {
			// Captioners are counted in the order of a, because their order in the lists should not matter.
			for i, to := range order {
				reordered[byA[i]] = b[byA[to]]
			}
			if math.Abs(coefficient(ranks.correlate(rankingBy(reordered)))) >= given-1e-9 { // 1e-9 allows for rounding.
				far++
			}
		}
		tried := len(orders)
		if n > allOrders { // The given order counts, too. A list of all orders would have it already.
			far, tried = far+1, tried+1
		}
		return float64(far) / float64(tried)
	}
}

// orderBy are the numbers from 0 to n - 1, sorted by their values, the least first.
func orderBy[V cmp.Ordered](n int, value func(i int) V) []int {
	order, values := make([]int, n), make([]V, n)
	for i := range n {
		order[i], values[i] = i, value(i)
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(values[x], values[y]) })
	return order
}

// rankCorrelation compares the orders that two lists of values give the same captioners. The
// coefficients are NaN for fewer than three captioners.
func rankCorrelation(a, b []float64) correlation {
	if len(a) < 3 {
		return correlation{math.NaN(), math.NaN()}
	}
	return rankingBy(a).correlate(rankingBy(b))
}

// RandomOf is the macro random_of: a number from 0 to below 1 that depends on nothing but its
// arguments.
func RandomOf(seed int64, label string, trial, item int) float64 {
	lot := lotOf(seed, label, int64(trial), strconv.Itoa(item))
	return min(float64(lot)/(1<<64), math.Nextafter(1, 0)) // The float of a great lot is rounded up to 2^64.
}

// lotOf is the whole number that RandomOf divides by 2^64.
func lotOf(seed int64, label string, trial int64, item string) uint64 {
	text := strconv.FormatInt(seed, 10) + "/" + label + "/" + strconv.FormatInt(trial, 10) + "/" + item
	sum := md5.Sum([]byte(text)) // Only the last 64 bits count, as in the macro last_digest_bits.
	return binary.LittleEndian.Uint64(sum[8:])
}
