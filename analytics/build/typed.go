package build

import (
	"context"
	"fmt"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/sql"
)

// compute makes the table of a model. It has the rows of the select, or the rows that the model's
// computation makes of them, with the types of the header and the columns of the intervals.
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
