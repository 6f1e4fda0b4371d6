package statistics

import (
	"maps"
	"math"
	"slices"

	"github.com/captionlake/captionlake/analytics/arena"
)

// An arenaSeries has the battles of one ranking: the outcomes of one judge on the battles of a
// benchmark.
type arenaSeries struct {
	// benchmark, judge, protocol, provenance, source of the outcomes (the judge or people), and the
	// judge's name
	key           []any
	seed, samples int64
	captioners    []string // ids, sorted
	names         []string // of the captioners
	tournament    *arena.Tournament
}

type arenaBattle struct {
	Image   string   `json:"image_id"`
	A       string   `json:"captioner_a"`
	B       string   `json:"captioner_b"`
	NameA   string   `json:"name_a"`
	NameB   string   `json:"name_b"`
	Outcome string   `json:"outcome"`
	WordsA  *float64 `json:"words_a"`
	WordsB  *float64 `json:"words_b"`
	Seed    int64    `json:"seed"`
	Samples int64    `json:"samples"`
}

// arenaSeriesOf makes a series of its battles, which are in the order in which they were fought.
// All battles have the same seed and number of samples.
func arenaSeriesOf(key []any, rows []arenaBattle) *arenaSeries {
	names := map[string]string{}
	for _, r := range rows {
		names[r.A], names[r.B] = r.NameA, r.NameB
	}
	s := &arenaSeries{key: key, seed: rows[0].Seed, samples: rows[0].Samples,
		captioners: slices.Sorted(maps.Keys(names))}
	for _, captioner := range s.captioners {
		s.names = append(s.names, names[captioner])
	}
	images := map[string]int32{}
	var battles []arena.Battle
	for _, r := range rows {
		if _, ok := images[r.Image]; !ok {
			images[r.Image] = int32(len(images))
		}
		a, _ := slices.BinarySearch(s.captioners, r.A)
		b, _ := slices.BinarySearch(s.captioners, r.B)
		battle := arena.Battle{A: int32(a), B: int32(b), Image: images[r.Image], Outcome: outcomeOf(r.Outcome),
			Length: math.NaN()}
		if r.WordsA != nil && r.WordsB != nil {
			battle.Length = arena.LengthDifference(*r.WordsA, *r.WordsB)
		}
		battles = append(battles, battle)
	}
	s.tournament = arena.New(s.names, battles)
	return s
}

// orNull is a value of a mart: null for NaN and infinity.
func orNull(x float64) any {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return x
}

// outcomeOf is the outcome that a text of the mart arena_outcomes stands for: a, b or tie.
func outcomeOf(text string) arena.Outcome {
	switch text {
	case "a":
		return arena.AWins
	case "b":
		return arena.BWins
	}
	return arena.Tie
}
