package analytics

import (
	"context"
	"fmt"

	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/sql"
)

// compute makes the table of a model: the rows of its select, or what its computation makes of them, typed as the header says, with the
// columns of the intervals.
func (e *engine) compute(ctx context.Context, m sqlmodel.Model) error {
	query := m.Select
	if m.Compute != "" {
		var err error
		if query, err = e.computeRows(ctx, m); err != nil {
			return err
		}
	}
	if err := e.exec(ctx, fmt.Sprintf("create or replace temp table %s as\n%s", sql.QuoteName(m.Name), m.Typed(query))); err != nil {
		return fmt.Errorf("the select failed: %w", err)
	}
	return nil
}
