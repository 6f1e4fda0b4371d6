package analytics

import (
	"context"
	"database/sql"
	"math"
	"slices"

	"github.com/captionlake/captionlake/analytics/arena"
)

// An arenaSeries is what one ranking is made of: the outcomes of one judge on the battles of a benchmark.
type arenaSeries struct {
	key           [5]string // benchmark, judge, protocol, provenance, and whose outcomes: the judge's or people's
	judgeName     string
	captioners    []string
	names         []string // of the captioners
	tournament    *arena.Tournament
	seed, samples int64
}

// columns begin a row of a mart.
func (s *arenaSeries) columns() []any {
	return []any{s.key[0], s.key[1], s.key[2], s.key[3]}
}

// arenaSeriesOf reads rows of benchmark, judge, protocol, provenance, outcomes, judge_name, image_id, captioner_a, captioner_b, name_a, name_b,
// outcome (null for a battle that is still to be voted on), words_a, words_b, seed and samples, those of a series together and in the
// order of the battles, and gives the rows that rowsOf returns for each.
func arenaSeriesOf(ctx context.Context, in *sql.Rows, rowsOf func(*arenaSeries) ([][]any, error)) (out [][]any, err error) {
	type row struct {
		image, a, b string
		outcome     sql.NullString
		length      float64
	}
	var s *arenaSeries
	var rows []row
	names := map[string]string{}
	finish := func() error {
		if s == nil {
			return nil
		}
		for captioner := range names {
			s.captioners = append(s.captioners, captioner)
		}
		slices.Sort(s.captioners)
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
			battles = append(battles, arena.Battle{A: int32(a), B: int32(b), Image: images[r.image], Outcome: outcomeOf(r.outcome.String), Length: r.length})
		}
		var err error
		if s.tournament, err = arena.New(s.names, battles); err != nil {
			return err
		}
		made, err := rowsOf(s)
		out = append(out, made...)
		return err
	}
	for in.Next() {
		var of arenaSeries
		var r row
		var nameA, nameB string
		var wordsA, wordsB sql.NullFloat64
		if err := in.Scan(&of.key[0], &of.key[1], &of.key[2], &of.key[3], &of.key[4], &of.judgeName, &r.image, &r.a, &r.b, &nameA, &nameB, &r.outcome,
			&wordsA, &wordsB, &of.seed, &of.samples); err != nil {
			return nil, err
		}
		if s == nil || s.key != of.key {
			if err := finish(); err != nil {
				return nil, err
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			s, rows = &of, rows[:0]
			clear(names)
		}
		r.length = math.NaN()
		if wordsA.Valid && wordsB.Valid {
			r.length = arena.LengthDifference(wordsA.Float64, wordsB.Float64)
		}
		names[r.a], names[r.b] = nameA, nameB
		rows = append(rows, r)
	}
	if err := in.Err(); err != nil {
		return nil, err
	}
	return out, finish()
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
