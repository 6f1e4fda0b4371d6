package build

import (
	"context"
	"fmt"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/sql"
)

// compute makes the table of a model: the rows of its select, or what its computation makes of them, typed as the header says, with the
// columns of the intervals.
func compute(ctx context.Context, e *engine.Engine, m sqlmodel.Model) error {
	query := m.Select
	if m.Compute != "" {
		var err error
		if query, err = computeRows(ctx, e, m); err != nil {
			return err
		}
	}
	if err := e.Exec(ctx, fmt.Sprintf("create or replace temp table %s as\n%s", sql.QuoteName(m.Name), m.Typed(query))); err != nil {
		return fmt.Errorf("the select failed: %w", err)
	}
	return nil
}
