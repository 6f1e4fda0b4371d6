package analytics

import (
	"context"
	"database/sql"
)

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
