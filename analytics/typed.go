package analytics

import (
	"context"
	"fmt"
	"github.com/captionlake/captionlake/sql"
	"regexp"
	"strings"
)

// compute makes the table of a model: the rows of its select, or what its computation makes of them, typed as the header says, with the
// columns of the intervals.
func (e *engine) compute(ctx context.Context, m Model) error {
	query := m.Select
	if m.Compute != "" {
		var err error
		if query, err = e.computeRows(ctx, m); err != nil {
			return err
		}
	}
	if err := e.exec(ctx, fmt.Sprintf("create or replace temp table %s as\n%s", sql.QuoteName(m.Name), m.typed(query))); err != nil {
		return fmt.Errorf("the select failed: %w", err)
	}
	return nil
}

// typed is the select with the types and the interval columns of the header.
func (m Model) typed(query string) string {
	var columns []string
	for _, c := range m.Columns {
		made := c.made
		if made == "" {
			made = "given." + sql.QuoteName(c.Name)
		}
		columns = append(columns, fmt.Sprintf("cast(%s as %s) as %s", made, c.Type, sql.QuoteName(c.Name)))
	}
	return fmt.Sprintf("select %s\nfrom (\n%s\n) as given", strings.Join(columns, ", "), query)
}

var wordForm = regexp.MustCompile(`[a-z_][a-z0-9_]*`)
