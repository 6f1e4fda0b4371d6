package build

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/sql"
)

// violationRows is how many offending rows an error shows.
const violationRows = 10

// verifyAudits runs the audits of a model.
func verifyAudits(ctx context.Context, e *engine.Engine, m sqlmodel.Model) error {
	var faults []error
	for _, a := range m.Audits {
		rule := strings.TrimSuffix("audit "+a.Name+" failed: "+a.Reason, ": ")
		faults = append(faults, violation(ctx, e, m, rule, a.Query))
	}
	return data.WithHint(errors.Join(faults...), violationHint)
}

const violationHint = "look at the rows in the tables that the model reads; " +
	"the mart of the last good run is still in place"

// verifyRows checks the rows of a model's table against the key and the checks of the header. One
// query over the rows tells for each rule whether any row may break the rule. Only for a rule that
// may be broken, another query looks for the offending rows.
func verifyRows(ctx context.Context, e *engine.Engine, m sqlmodel.Model) error {
	rules := m.Rules()
	var broken []string
	for _, r := range rules {
		broken = append(broken, r.Broken)
	}
	found, err := e.Values(ctx, fmt.Sprintf("select %s from %s", strings.Join(broken, ", "), sql.QuoteName(m.Name)))
	faults := []error{err}
	for i, rule := range rules {
		if err == nil && found[i] == "true" {
			faults = append(faults, violation(ctx, e, m, rule.Text, rule.Query))
		}
	}
	return data.WithHint(errors.Join(faults...), violationHint)
}

// violation runs a query that must return no rows. If it returns rows, the error names the rule and
// shows the first rows.
func violation(ctx context.Context, e *engine.Engine, m sqlmodel.Model, rule, query string) error {
	// The last line of the query may have a comment, so the bracket after the query is on a new line.
	columns, rows, err := e.Strings(ctx, "select * from (\n"+query+"\n) limit "+fmt.Sprint(violationRows))
	if err != nil {
		return fmt.Errorf("%s: %w", rule, err)
	}
	if len(rows) == 0 {
		return nil
	}
	total, err := e.Count(ctx, "(\n"+query+"\n)")
	if err != nil {
		return err
	}
	message := fmt.Sprintf("%s: %s\n%d offending rows:", m.File, rule, total)
	for _, row := range rows {
		message += "\n "
		for i, value := range row {
			message += " " + columns[i] + "=" + value
		}
	}
	if more := total - int64(len(rows)); more > 0 {
		message += fmt.Sprintf("\n  and %d more", more)
	}
	return errors.New(message)
}
