package arena

import "math"

// A Pair is one that a vote can be asked for.
type Pair struct {
	A, B        int     // A before B in the order of the players
	Battles     int     // so far
	Share       float64 // A's share of the wins, ties as half, with half a win of each added
	Width       float64 // of the 95% interval of that share
	Reduction   float64 // by how much the interval's half, in standard errors, becomes smaller with one more vote
	Probability float64 // with which the pair is to be drawn; all add up to 1
}

// NextPairs says how the next pair is drawn. The probability of a pair is in proportion to the
// expected reduction of its interval, √(Σ/n) - √(Σ/(n + 1)) for n battles with the variance Σ
// (CapArena section 3.2; Chiang et al., Chatbot Arena, 2024). A pair that never met would have an
// endless interval, and a pair with equal outcomes would have an interval without width. So half a
// win of each player is added to the battles of each pair: one battle more, with variance.
func (t *Tournament) NextPairs() []Pair {
	n := len(t.names)
	met, _ := pairsOf(n, t.battles)
	var out []Pair
	sum := 0.0
	for a := range n {
		for b := a + 1; b < n; b++ {
			var p pair
			if len(met) > 0 && int(met[0].a) == a && int(met[0].b) == b {
				p, met = met[0], met[1:]
			}
			out = append(out, nextPair(a, b, p.counts))
			sum += out[len(out)-1].Reduction
		}
	}
	for i := range out {
		out[i].Probability = out[i].Reduction / sum
	}
	return out
}

func nextPair(a, b int, counts tally) Pair {
	n := counts.total()
	m := n + 1
	share := (counts[AWins] + counts[Tie]/2 + 0.5) / m
	variance := (counts[AWins]+counts[Tie]/4+0.5)/m - share*share
	return Pair{
		A: a, B: b, Battles: int(n), Share: share, Width: 2 * 1.959963984540054 * math.Sqrt(variance/m),
		Reduction: math.Sqrt(variance/m) - math.Sqrt(variance/(m+1)),
	}
}
