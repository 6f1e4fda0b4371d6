package arena

import (
	"math"
	"slices"
	"testing"

	"github.com/captionlake/captionlake/data/laketest"
)

// TestCoverage counts how often 95% intervals hold the strengths and places that votes were made
// with, clustered by image, and without clustering, to show what that would do. STATISTICS.md has
// the figures. Data sets that do not compare all players are left out.
func TestCoverage(t *testing.T) {
	runs, samples, low, high := 15, 40, 0.7, 1.0
	if laketest.Figures() {
		runs, samples, low, high = 500, 400, 0.93, 0.98
	}
	for _, c := range []struct {
		name  string
		s     simulated
		model Model
	}{
		{"3 images, 40 votes each", simulated{players: 5, images: 3, votes: 40, spread: 1.5, luck: 0.3}, Model{}},
		{"10 images, 12 votes each", simulated{players: 5, images: 10, votes: 12, spread: 1.5, luck: 0.3}, Model{}},
		{"50 images, 3 votes each", simulated{players: 5, images: 50, votes: 3, spread: 1.5, luck: 0.3}, Model{}},
		{"100 images, 6 votes each, clustered",
			simulated{players: 6, images: 100, votes: 6, spread: 2, luck: 0.5}, Model{}},
		{"400 images, 3 votes each, clustered",
			simulated{players: 8, images: 400, votes: 3, spread: 2, luck: 0.3}, Model{}},
		{"400 images, 3 votes each, clustered, weighted",
			simulated{players: 8, images: 400, votes: 3, spread: 2, luck: 0.3}, Model{Weighted: true}},
		{"400 images, 3 votes each, clustered, Davidson",
			simulated{players: 8, images: 400, votes: 3, spread: 2, luck: 0.3, tie: 0.5}, Model{Ties: true}},
		{"400 images, 3 votes each, clustered, style",
			simulated{players: 8, images: 400, votes: 3, spread: 2, luck: 0.3, length: 0.3}, Model{Length: true}},
	} {
		if c.model.Length && testing.Short() {
			continue
		}
		truth := c.s.strengths()
		var held [4]float64 // strengths, places, strengths unclustered, the coefficient
		results := make([][4]float64, runs)
		inParallel(runs, func(run int) { results[run] = covered(t, c.s, c.model, truth, uint64(run), samples) })
		all := runs
		for _, r := range results {
			if math.IsNaN(r[0]) {
				all--
				continue
			}
			for i := range held {
				held[i] += r[i]
			}
		}
		for i := range held {
			held[i] /= float64(all)
		}
		t.Logf("%s: strengths %.1f, places %.1f, unclustered %.1f, coefficient %.1f %%, %d data sets", c.name,
			100*held[0], 100*held[1], 100*held[2], 100*held[3], all)
		for i, what := range []string{"strength", "place"} {
			// places are whole numbers: their intervals hold more often
			if held[i] < low || held[i] > high && what != "place" {
				t.Errorf("%s: the interval of a %s holds in %.1f %%", c.name, what, 100*held[i])
			}
		}
		if c.model.Length && (held[3] < low || held[3] > high) {
			t.Errorf("%s: the coefficient holds in %.1f %%", c.name, 100*held[3])
		}
	}
}

// covered are the shares of a data set's intervals that hold the truth; NaN where not all players
// are compared.
func covered(t *testing.T, s simulated, m Model, truth []float64, seed uint64, samples int) (held [4]float64) {
	of := New(playerNames(s.players), s.battles(1000+seed))
	f := of.Fit(m)
	if slices.ContainsFunc(f.Strengths, math.IsNaN) {
		held[0] = math.NaN()
		return held
	}
	ranks := f.Draw(samples, seed).Ranks()
	q, n := f.Quantile(), float64(s.players)
	for i, want := range truth {
		held[0] += in(want, f.Strengths[i]-q*f.SE(i), f.Strengths[i]+q*f.SE(i)) / n
		held[1] += in(float64(i+1), float64(ranks[i].Low), float64(ranks[i].High)) / n
		naive := math.Sqrt(f.inverse.At(i, i))
		held[2] += in(want, f.Strengths[i]-1.96*naive, f.Strengths[i]+1.96*naive) / n
	}
	if m.Length {
		// The coefficient belongs to a typical difference: a quarter, which the simulation divides
		// by.
		held[3] = in(s.length*4*f.Typical, f.Length-q*f.LengthSE(), f.Length+q*f.LengthSE())
	}
	return held
}

func in(x, low, high float64) float64 {
	if x >= low && x <= high {
		return 1
	}
	return 0
}
