package statistics

import (
	"context"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
)

// arenaNext is the computation of the mart arena_next: the probability with which the next vote is
// asked for a pair. It takes the rows that arenaSeriesOf reads.
func arenaNext(ctx context.Context, in arrow.RecordBatch) ([][]any, error) {
	return arenaSeriesOf(ctx, in, func(s *arenaSeries) (out [][]any, err error) {
		for _, p := range s.tournament.NextPairs() {
			out = append(out,
				append(slices.Clone(s.key[:4]), s.captioners[p.A], s.captioners[p.B], s.names[p.A], s.names[p.B],
					int64(p.Battles),
					100*p.Share, 100*p.Width, 100*p.Reduction, 100*p.Probability))
		}
		return out, nil
	})
}
