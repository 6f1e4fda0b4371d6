// Package arena rates players from the outcomes of battles between two of them. Its models are Elo,
// the model of Bradley and Terry, the same model with a covariate, and Davidson's model for ties.
// It clusters errors by image and draws bootstraps. It is pure: the same battles and the same seed
// give the same numbers, on any number of threads. It must not know of the lake, of SQL, or of the
// meaning of a player.
package arena

import (
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/stat"
)

// An Outcome is twice the score of A.
type Outcome uint8

// The outcomes of a battle.
const (
	BWins Outcome = iota
	Tie
	AWins
)

// A Battle is one vote on two players.
type Battle struct {
	A, B    int32 // indices of two different players
	Image   int32 // cluster: battles of one image are not independent
	Outcome Outcome
	Length  float64 // covariate of the style control, (a - b)/(a + b) of two lengths, from -1 to 1; NaN when not known
}

// LengthDifference is the covariate of two lengths, as Chatbot Arena normalises it: (a - b)/(a +
// b). It is NaN if a length is below 0, or if neither is above 0.
func LengthDifference(a, b float64) float64 {
	if !(a >= 0 && b >= 0 && a+b > 0) {
		return math.NaN()
	}
	return (a - b) / (a + b)
}

// A Tournament holds the players to rate, and their battles in the order in which they were fought.
type Tournament struct {
	names   []string
	battles []Battle
}

// New makes a tournament of named players.
func New(names []string, battles []Battle) *Tournament { return &Tournament{names, battles} }

// A cell holds battles of two players with the same chances. counts has the outcomes as scores of
// the player with the lower index.
type cell struct {
	a, b   int32
	x      float64 // length difference divided by Fit.Typical; 0 in models without Length
	counts tally
}

// A tally counts battles by Outcome; in a weighted model it sums the weights of the battles.
type tally [3]float64

func (t tally) total() float64 { return t[BWins] + t[Tie] + t[AWins] }

// turned is the battle with the player of the lower index first.
func (b Battle) turned() Battle {
	if b.A > b.B {
		b.A, b.B, b.Outcome, b.Length = b.B, b.A, AWins-b.Outcome, -b.Length
	}
	return b
}

// pairsOf returns the pairs of players that met, sorted, with their outcomes, and for each battle
// the index of its pair.
func pairsOf(players int, battles []Battle) (pairs []cell, pairOf []int32) {
	index := make([]int32, players*players) // 1 for two players that met, then the index of their pair
	for _, b := range battles {
		b = b.turned()
		index[int(b.A)*players+int(b.B)] = 1
	}
	for i := range index {
		if index[i] != 0 {
			index[i] = int32(len(pairs))
			pairs = append(pairs, cell{a: int32(i / players), b: int32(i % players)})
		}
	}
	pairOf = make([]int32, len(battles))
	for i, b := range battles {
		b = b.turned()
		pairOf[i] = index[int(b.A)*players+int(b.B)]
		pairs[pairOf[i]].counts[b.Outcome]++
	}
	return pairs, pairOf
}

// Draws are the ratings of all players in samples: the samples of a bootstrap, or random draws
// around the estimates of a Fit.
type Draws struct {
	players int
	ratings []float64 // by sample, then by player; NaN for a player without a rating
	// of each player, the number of players of other groups who are above the player in every sample;
	// -1 for a player who cannot be compared with all others
	above []int
	group []int // of each player; players of one group are compared by their ratings
}

// Samples is the number of samples.
func (d *Draws) Samples() int {
	if d.players == 0 {
		return 0
	}
	return len(d.ratings) / d.players
}

// Quantile is the value below which a share of a player's ratings in the samples lies. Between two
// ratings it is interpolated. It is NaN for a player without a rating.
func (d *Draws) Quantile(player int, share float64) float64 {
	return quantile(column(d.ratings, d.players, player), share)
}

// Deviation is the standard deviation of a player's ratings: the bootstrap's standard error.
func (d *Draws) Deviation(player int) float64 {
	return stat.StdDev(column(d.ratings, d.players, player), nil)
}

func newDraws(players, samples int, above, group []int) *Draws {
	return &Draws{players: players, ratings: make([]float64, samples*players), above: above, group: group}
}

// A RankInterval has the 2.5 % and 97.5 % quantiles of a player's places over the samples, and the
// share of the samples in which the player has place 1. Place 1 is the highest rating. All three
// are 0 for a player who cannot be compared with all others, and if there are no samples.
type RankInterval struct {
	Low, High int
	First     float64
}

// Ranks are the rank intervals of all players.
func (d *Draws) Ranks() []RankInterval {
	ranks := make([]RankInterval, d.players)
	samples := d.Samples()
	places := make([]int, samples*d.players)
	inParallel(samples, func(s int) {
		rankInto(places[s*d.players:][:d.players], d.ratings[s*d.players:][:d.players], d.group, d.above)
	})
	for p := range ranks {
		if d.above[p] < 0 || samples == 0 {
			continue
		}
		sorted := column(places, d.players, p)
		slices.Sort(sorted)
		firsts, _ := slices.BinarySearch(sorted, 2) // the number of places 1, which are before all places 2
		ranks[p] = RankInterval{sorted[ceilIndex(0.025, samples)], sorted[ceilIndex(0.975, samples)],
			float64(firsts) / float64(samples)}
	}
	return ranks
}

// ceilIndex is the index at which the empirical distribution function of n values reaches a share.
// The term 1e-9 allows for rounding.
func ceilIndex(share float64, n int) int { return max(0, int(math.Ceil(share*float64(n)-1e-9))-1) }

// Places ranks ratings alone: place 1 is the highest rating, equal ratings share the better place,
// and NaN has place 0.
func Places(ratings []float64) []int {
	places, zeros := make([]int, len(ratings)), make([]int, len(ratings))
	// All players are in group 0, and 0 players are certainly above each of them.
	rankInto(places, ratings, zeros, zeros)
	for i, r := range ratings {
		if math.IsNaN(r) {
			places[i] = 0
		}
	}
	return places
}

// rankInto writes the place of each player. It counts the players who are certainly above, and the
// players of the same group with a higher rating.
func rankInto(places []int, ratings []float64, group, above []int) {
	for i := range places {
		places[i] = 1 + above[i]
		for j, r := range ratings {
			if group[j] == group[i] && r > ratings[i] {
				places[i]++
			}
		}
	}
}

// column are a player's values in all samples. The values of all players of a sample follow one
// another.
func column[V any](values []V, players, player int) (out []V) {
	for at := player; at < len(values); at += players {
		out = append(out, values[at])
	}
	return out
}

// quantile is the value below which a share of the values lies. It sorts the given slice.
func quantile(values []float64, share float64) float64 {
	slices.Sort(values)
	if len(values) == 0 || math.IsNaN(values[0]) { // NaN is sorted first
		return math.NaN()
	}
	last := len(values) - 1
	place := share * float64(last)
	before := min(int(place), last)
	return values[before] + (place-float64(before))*(values[min(before+1, last)]-values[before])
}

// inParallel calls a function for 0 to n - 1. The results that it writes for a number must depend
// on that number alone, so that the number of threads changes nothing.
func inParallel(n int, do func(i int)) {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		group.Go(func() error { do(i); return nil })
	}
	_ = group.Wait() // The functions of the group return no errors.
}
