package analytics

import (
	"context"
	"database/sql"
	"maps"
	"math"
	"slices"

	"github.com/captionlake/captionlake/analytics/arena"
)

// An arenaKey names what one ranking is made of: the outcomes of one judge on the battles of a benchmark.
type arenaKey struct {
	of            [5]string // benchmark, judge, protocol, provenance, and whose outcomes: the judge's or people's
	judgeName     string
	seed, samples int64
}

// columns begin a row of a mart.
func (k arenaKey) columns() []any { return []any{k.of[0], k.of[1], k.of[2], k.of[3]} }

// An arenaSeries has the battles of one ranking.
type arenaSeries struct {
	arenaKey
	captioners []string
	names      []string // of the captioners
	tournament *arena.Tournament
}

type arenaBattle struct {
	image, a, b, nameA, nameB string
	outcome                   sql.NullString
	wordsA, wordsB            sql.NullFloat64
}

// arenaSeriesOf reads rows of benchmark, judge, protocol, provenance, outcomes, judge_name, image_id, captioner_a, captioner_b, name_a, name_b,
// outcome (null for a battle that is still to be voted on), words_a, words_b, seed and samples, those of a series together and in the
// order of the battles, and gives the rows that rowsOf returns for each.
func arenaSeriesOf(ctx context.Context, in *sql.Rows, rowsOf func(*arenaSeries) ([][]any, error)) ([][]any, error) {
	return byKey(ctx, in, func(k *arenaKey, b *arenaBattle) []any {
		return []any{&k.of[0], &k.of[1], &k.of[2], &k.of[3], &k.of[4], &k.judgeName, &b.image, &b.a, &b.b, &b.nameA, &b.nameB, &b.outcome,
			&b.wordsA, &b.wordsB, &k.seed, &k.samples}
	}, func(key arenaKey, rows []arenaBattle) ([][]any, error) {
		names := map[string]string{}
		for _, r := range rows {
			names[r.a], names[r.b] = r.nameA, r.nameB
		}
		s := &arenaSeries{arenaKey: key, captioners: slices.Sorted(maps.Keys(names))}
		for _, captioner := range s.captioners {
			s.names = append(s.names, names[captioner])
		}
		images := map[string]int32{}
		var battles []arena.Battle
		for _, r := range rows {
			if !r.outcome.Valid {
				continue
			}
			if _, ok := images[r.image]; !ok {
				images[r.image] = int32(len(images))
			}
			a, _ := slices.BinarySearch(s.captioners, r.a)
			b, _ := slices.BinarySearch(s.captioners, r.b)
			battle := arena.Battle{A: int32(a), B: int32(b), Image: images[r.image], Outcome: outcomeOf(r.outcome.String), Length: math.NaN()}
			if r.wordsA.Valid && r.wordsB.Valid {
				battle.Length = arena.LengthDifference(r.wordsA.Float64, r.wordsB.Float64)
			}
			battles = append(battles, battle)
		}
		s.tournament = arena.New(s.names, battles)
		return rowsOf(s)
	})
}

// orNull is a value of a mart: null where there is none.
func orNull(x float64) any {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return x
}

// outcomeOf is that of the mart arena_outcomes.
func outcomeOf(text string) arena.Outcome {
	switch text {
	case "a":
		return arena.AWins
	case "b":
		return arena.BWins
	}
	return arena.Tie
}
