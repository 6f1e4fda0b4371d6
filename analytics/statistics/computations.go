// Package statistics computes where SQL is the wrong tool: ends of intervals from inverse
// distribution functions, bootstraps, random orders, correlations of ranks and ratings. It takes
// numbers and record batches and gives numbers and rows; it knows of no lake and no engine.
package statistics

import (
	"context"
	"errors"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/captionlake/captionlake/data/rows"
)

// A Computation is a step in Go where SQL is the wrong tool: bootstraps and random orders, because
// their work grows with captioners squared. The header of a model names a computation: compute:
// NAME. The computation takes the rows of the model's select, in their order, and returns the rows
// of the mart. These rows are typed, checked and audited as any model's rows. A row has the values
// of the header's columns in the header's order, without the columns that an interval adds. A value
// is a string, bool, int32, int64, float64, time.Time, or nil. The same input gives the same
// output: random numbers come from a seed among the columns.
type Computation func(ctx context.Context, in arrow.RecordBatch) ([][]any, error)

// Computations lists the computations that headers may name. To add one: one file, one line here.
var Computations = map[string]Computation{
	"ranking_stability":    rankingStability,
	"ranking_trajectories": rankingTrajectories,
	"arena_ratings":        arenaRatings,
}

// byKey hands the rows of each key to a function, and returns the rows that the function returns.
// The key is the values in the first columns; the rows of a key must follow one another. The other
// columns are the columns of R, as [rows.Structs] reads them.
func byKey[R any](ctx context.Context, in arrow.RecordBatch, columns int,
	rowsOf func(key []any, same []R) ([][]any, error)) (out [][]any, err error) {
	var last []any
	var same []R
	finish := func() error { // finish hands over the rows of the key last, if there are any.
		if len(same) == 0 {
			return ctx.Err()
		}
		made, err := rowsOf(last, same)
		out, same = append(out, made...), nil
		return errors.Join(err, ctx.Err())
	}
	rest := array.NewRecordBatch(arrow.NewSchema(in.Schema().Fields()[columns:], nil), in.Columns()[columns:],
		in.NumRows())
	defer rest.Release()
	i := 0
	for row, err := range rows.Structs[R](rest) {
		key := make([]any, columns)
		for k := range key {
			key[k] = rows.Native(in.Column(k), i)
		}
		if err == nil && !slices.Equal(key, last) {
			err = finish()
		}
		if err != nil {
			return nil, err
		}
		last, same = key, append(same, row)
		i++
	}
	return out, finish()
}
