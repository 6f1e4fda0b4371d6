package analytics

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/duckdb/duckdb-go/v2"

	"github.com/captionlake/captionlake/analytics/batches"
	"github.com/captionlake/captionlake/data/rows"
)

// A computation is what Go does where SQL is the wrong tool: bootstraps and random orders, whose work grows with captioners squared. A
// model whose header says compute: NAME gives the rows of its select, in their order, to the computation of that name; what comes back are
// the rows of the mart, which are typed, checked and audited as any model's are.
type computation struct {
	// version names the method in the fingerprints of marts: another method needs another version.
	version string
	// rows makes of the rows of the select those of the mart: the values of the header's columns in its order, without those that an interval
	// adds, as string, bool, int32, int64, float64, time.Time, or nil. Same input, same output: what is drawn is drawn from a seed among the
	// columns.
	rows func(ctx context.Context, in arrow.RecordBatch) ([][]any, error)
}

// computations lists what headers may name. To add one: one file, one line here.
var computations = map[string]computation{
	"ranking_stability":    {version: "ranking_stability/1", rows: rankingStability},
	"ranking_trajectories": {version: "ranking_trajectories/1", rows: rankingTrajectories},
	"arena_ratings":        {version: "arena_ratings/1", rows: arenaRatings},
	"arena_next":           {version: "arena_next/1", rows: arenaNext},
	"rank_agreement":       {version: "rank_agreement/1", rows: rankAgreement},
}

// byKey gives rows that follow one another with the same values in so many first columns, their key, to a function, whose rows it returns. The other
// columns are those of R, as [rows.Structs] reads them.
func byKey[R any](ctx context.Context, in arrow.RecordBatch, columns int, rowsOf func(key []any, same []R) ([][]any, error)) (out [][]any, err error) {
	var last []any
	var same []R
	finish := func() error {
		if len(same) == 0 {
			return ctx.Err()
		}
		made, err := rowsOf(last, same)
		out, same = append(out, made...), nil
		return errors.Join(err, ctx.Err())
	}
	rest := array.NewRecordBatch(arrow.NewSchema(in.Schema().Fields()[columns:], nil), in.Columns()[columns:], in.NumRows())
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

// computed is what a model's computation adds to its fingerprint; empty without one.
func (m Model) computed() string { return computations[m.Compute].version }

// computedTable is where the rows of a computation are until they are typed.
const computedTable = "computed_rows"

// computeRows runs the computation of a model and returns the select that gives its rows.
func (e *engine) computeRows(ctx context.Context, m Model) (query string, err error) {
	c, ok := computations[m.Compute]
	if !ok {
		return "", fmt.Errorf("there is no computation %q", m.Compute)
	}
	in, err := batches.One(ctx, e.conn, m.Select)
	if err != nil {
		return "", fmt.Errorf("the select failed: %w", err)
	}
	made, err := c.rows(ctx, in)
	in.Release()
	if err != nil {
		return "", fmt.Errorf("computation %s: %w", m.Compute, err)
	}
	var columns []string
	for _, c := range m.Columns {
		if c.made == "" {
			columns = append(columns, quoteName(c.Name)+" "+c.Type)
		}
	}
	if err := e.exec(ctx, fmt.Sprintf("create or replace temp table %s (%s)", computedTable, strings.Join(columns, ", "))); err != nil {
		return "", err
	}
	err = e.conn.Raw(func(conn any) error {
		to, err := duckdb.NewAppender(conn.(driver.Conn), "temp", "", computedTable)
		if err != nil {
			return err
		}
		var fault error
		for _, row := range made {
			values := make([]driver.Value, len(row))
			for i, v := range row {
				values[i] = v
			}
			if fault = to.AppendRow(values...); fault != nil {
				break
			}
		}
		return errors.Join(fault, to.Close())
	})
	if err != nil {
		return "", fmt.Errorf("computation %s: its rows are not those of the header: %w", m.Compute, err)
	}
	return "from " + computedTable, nil
}
