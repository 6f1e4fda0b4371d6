package build

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/captionlake/captionlake/analytics/batches"
	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/analytics/statistics"
	"github.com/captionlake/captionlake/sql"
)

// computedTable has the rows of a computation, before the columns of intervals are added.
const computedTable = "computed_rows"

// computeRows runs the computation of a model over the rows of its select. It returns a select that
// gives the computed rows.
func computeRows(ctx context.Context, e *engine.Engine, m sqlmodel.Model) (query string, err error) {
	computation, ok := statistics.Computations[m.Compute]
	if !ok {
		return "", fmt.Errorf("there is no computation %q", m.Compute)
	}
	selected, err := batches.One(ctx, e.Conn, m.Select)
	if err != nil {
		return "", fmt.Errorf("the select failed: %w", err)
	}
	computed, err := computation(ctx, selected)
	selected.Release()
	if err != nil {
		return "", fmt.Errorf("computation %s: %w", m.Compute, err)
	}
	var columns []string
	for _, c := range m.Columns {
		if c.Made == "" {
			columns = append(columns, sql.QuoteName(c.Name)+" "+c.Type)
		}
	}
	if err := e.Exec(ctx,
		fmt.Sprintf("create or replace temp table %s (%s)", computedTable, strings.Join(columns, ", "))); err != nil {
		return "", err
	}
	err = e.Conn.Raw(func(conn any) (err error) {
		// The catalog temp has the temporary tables; an empty name stands for its default schema.
		table, err := duckdb.NewAppender(conn.(driver.Conn), "temp", "", computedTable)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, table.Close()) }()
		for _, row := range computed {
			values := make([]driver.Value, len(row))
			for i, value := range row {
				values[i] = value
			}
			if err := table.AppendRow(values...); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("computation %s: its rows are not those of the header: %w", m.Compute, err)
	}
	return "from " + computedTable, nil
}

// compute makes the table of a model and checks the table against the header. The table has the
// rows of the select, or the rows that the model's computation makes of these rows. The columns
// have the types of the header, and the columns of intervals are added.
func compute(ctx context.Context, e *engine.Engine, m sqlmodel.Model) error {
	query := m.Select
	if m.Compute != "" {
		var err error
		if query, err = computeRows(ctx, e, m); err != nil {
			return err
		}
	}
	if err := e.Exec(ctx,
		fmt.Sprintf("create or replace temp table %s as\n%s", sql.QuoteName(m.Name), m.Typed(query))); err != nil {
		return fmt.Errorf("the select failed: %w", err)
	}
	return verifyRows(ctx, e, m)
}
