package analytics

import (
	"context"
	"database/sql"

	"github.com/captionlake/captionlake/analytics/arena"
)

// arenaBeats is the computation of the mart arena_beats: the chance that each captioner beats each other one. It takes the rows that
// arenaSeriesOf reads.
func arenaBeats(ctx context.Context, in *sql.Rows) ([][]any, error) {
	return arenaSeriesOf(ctx, in, func(s *arenaSeries) (out [][]any, err error) {
		fit, err := s.tournament.Fit(arena.Model{})
		if err != nil {
			return nil, err
		}
		davidson, err := s.tournament.Fit(arena.Model{Ties: true})
		if err != nil {
			return nil, err
		}
		draws := fit.Draw(int(s.samples), uint64(s.seed))
		met := map[[2]int]int64{}
		for _, p := range s.tournament.NextPairs() {
			met[[2]int{p.A, p.B}], met[[2]int{p.B, p.A}] = int64(p.Battles), int64(p.Battles)
		}
		for a, captionerA := range s.captioners {
			for b, captionerB := range s.captioners {
				if a == b {
					continue
				}
				chance, low, high, _ := fit.Beats(a, b)
				_, _, _, tie := davidson.Beats(a, b)
				out = append(out, append(s.columns(), captionerA, captionerB, s.judgeName, s.names[a], s.names[b], met[[2]int{a, b}],
					orNull(100*chance), orNull(100*low), orNull(100*high), orNull(100*tie), orNull(100*draws.Above(a, b))))
			}
		}
		return out, nil
	})
}

// arenaNext is the computation of the mart arena_next: with which probability the next vote is asked for a pair. It takes the rows that
// arenaSeriesOf reads.
func arenaNext(ctx context.Context, in *sql.Rows) ([][]any, error) {
	return arenaSeriesOf(ctx, in, func(s *arenaSeries) (out [][]any, err error) {
		for _, p := range s.tournament.NextPairs() {
			out = append(out, append(s.columns(), s.captioners[p.A], s.captioners[p.B], s.names[p.A], s.names[p.B], int64(p.Battles),
				100*p.Share, 100*p.Width, 100*p.Reduction, 100*p.Probability))
		}
		return out, nil
	})
}
