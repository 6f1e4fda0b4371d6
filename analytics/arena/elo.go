package arena

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// The constants of sequential Elo, as in the released code of CapArena.
const (
	EloStart = 1000.0 // rating of each player before the first battle
	EloK     = 4.0    // a battle moves a rating by at most so many points
	EloScale = 400.0  // points for odds of 10 to 1
)

// EloBattles is how many battles a player needs before Elo's rating is near the right value. Among
// equals each battle moves a rating by K ln 10 / 400 / 4 = 1/174 of its distance from the right
// value. After EloBattles battles 1/20 of the way from EloStart is left. With fewer battles a
// rating also says how often a player fought.
const EloBattles = 520

// Points puts a strength in log-odds on the scale of Elo: 1000 for 0, and 400 points for odds of 10
// to 1.
func Points(strength float64) float64 { return EloStart + PointsApart(strength) }

// PointsApart puts a difference of strengths on the scale of Elo.
func PointsApart(difference float64) float64 { return difference * EloScale / math.Ln10 }

// Elo rates the players by one pass through the battles in their order. A player who scored s where
// e was expected gains K (s - e). The expected score e is 1/(1 + 10^((other - own)/400)), from the
// ratings of both players. Ties score half.
func (t *Tournament) Elo() []float64 {
	ratings := slices.Repeat([]float64{EloStart}, len(t.names))
	for _, b := range t.battles {
		fight(ratings, b)
	}
	return ratings
}

// fight changes the ratings of the two players of a battle.
func fight(ratings []float64, b Battle) {
	expected := 1 / (1 + math.Exp((ratings[b.B]-ratings[b.A])*(math.Ln10/EloScale)))
	gain := EloK * (float64(b.Outcome)/2 - expected)
	ratings[b.A] += gain
	ratings[b.B] -= gain
}

// BootstrapElo rates the players in samples. Each sample has as many battles as the tournament. The
// battles are drawn one by one with replacement and fought in the order in which they are drawn, as
// in the released code of CapArena. Like that code, BootstrapElo draws battles and not images. Only
// the pair and the outcome of a battle matter, so it draws pairs with outcomes, by their shares of
// the battles. The draws have the same distribution, and a million battles need no more memory.
func (t *Tournament) BootstrapElo(ctx context.Context, samples int, seed uint64) (*Draws, error) {
	n := len(t.names)
	// All players are in group 0, and 0 players are certainly above each of them, as in Places.
	d := newDraws(n, samples, make([]int, n), make([]int, n))
	pairs, _ := pairsOf(n, t.battles)
	var kinds []Battle
	var counts []float64
	for _, p := range pairs {
		for o, count := range p.counts {
			if count > 0 {
				kinds, counts = append(kinds, Battle{A: p.a, B: p.b, Outcome: Outcome(o)}), append(counts, count)
			}
		}
	}
	table := newAliases(counts)
	inParallel(samples, func(s int) {
		if ctx.Err() != nil {
			return
		}
		ratings, random := slices.Repeat([]float64{EloStart}, n), rand.NewPCG(seed, uint64(s))
		for range t.battles {
			fight(ratings, kinds[table.draw(random.Uint64())])
		}
		copy(d.ratings[s*n:], ratings)
	})
	return d, ctx.Err()
}

// aliases draw from a discrete distribution by one random number each (Walker, ACM Transactions on
// Mathematical Software 3, 1977). A number that falls at place i draws the index i if it is below
// the threshold of the place, and the other index of the place if not.
type aliases []struct {
	below uint64
	other int32
}

// newAliases makes aliases that draw each index with a chance in proportion to its weight. No
// weight may be below 0.
func newAliases(weights []float64) aliases {
	sum := floats.Sum(weights)
	a := make(aliases, len(weights))
	left := make([]float64, len(weights)) // weight left, in units of the capacity of a place
	var small, large []int                // indices with less weight left than a place holds, and all others
	queue := func(i int) {
		if left[i] < 1 {
			small = append(small, i)
		} else {
			large = append(large, i)
		}
	}
	for i, w := range weights {
		left[i] = w / sum * float64(len(weights))
		a[i].below, a[i].other = math.MaxUint64, int32(i)
		queue(i)
	}
	for len(small) > 0 && len(large) > 0 {
		i, from := small[len(small)-1], large[len(large)-1]
		small, large = small[:len(small)-1], large[:len(large)-1]
		// Index i gets the share left[i] of the 2^64 numbers of its own place, and from fills the rest.
		a[i].below, a[i].other = uint64(left[i]*(1<<63))<<1, int32(from)
		left[from] -= 1 - left[i]
		queue(from)
	}
	return a // The indices that are still queued fill their own places, up to rounding.
}

// draw returns the index that a random number draws. The high word of the product is the number of
// a place, and the low word is where within the place the number falls.
func (a aliases) draw(random uint64) int32 {
	at, within := bits.Mul64(random, uint64(len(a)))
	place := &a[at]
	index := int32(at)
	// The compiler makes a conditional move of this. A branch would be guessed wrong half of the time.
	if within >= place.below {
		index = place.other
	}
	return index
}
