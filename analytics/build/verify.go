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

// A Violation says that a model's result broke a promise of its header or that an audit returned rows. The mart was
// not published.
type Violation struct {
	File    string
	Rule    string // the rule that was violated
	Reason  string
	Columns []string
	Rows    [][]string // the first offending rows
	Total   int64      // number of offending rows
}

func (v *Violation) Error() string {
	var b strings.Builder
	b.WriteString(v.File + ": " + v.Rule)
	if v.Reason != "" {
		b.WriteString(": " + v.Reason)
	}
	if len(v.Columns) > 0 {
		fmt.Fprintf(&b, "\n%d offending rows:", v.Total)
	}
	for _, row := range v.Rows {
		b.WriteString("\n ")
		for i, value := range row {
			fmt.Fprintf(&b, " %s=%s", v.Columns[i], value)
		}
	}
	if more := v.Total - int64(len(v.Rows)); more > 0 {
		fmt.Fprintf(&b, "\n  and %d more", more)
	}
	return b.String()
}

// verifyAudits runs the audits of a model.
func verifyAudits(ctx context.Context, e *engine.Engine, m sqlmodel.Model) error {
	var faults []error
	for _, a := range m.Audits {
		faults = append(faults,
			violation(ctx, e, m, Violation{Rule: "audit " + a.Name + " failed", Reason: a.Reason}, a.Query))
	}
	return data.WithHint(errors.Join(faults...), violationHint)
}

const violationHint = "look at the rows in the tables that the model reads; the mart of the last good run is still in place"

// verifyRows checks the rows of a model's table against the key and the checks of the header. One
// query over the rows tells for each rule whether a row breaks it. Only then are the offending rows
// looked for.
func verifyRows(ctx context.Context, e *engine.Engine, m sqlmodel.Model) error {
	rules := m.Rules()
	var broken []string
	for _, r := range rules {
		broken = append(broken, r.Broken)
	}
	_, found, err := e.Strings(ctx, fmt.Sprintf("select %s from %s", strings.Join(broken, ", "), sql.QuoteName(m.Name)))
	faults := []error{err}
	for i, rule := range rules {
		if err == nil && found[0][i] == "true" {
			faults = append(faults, violation(ctx, e, m, Violation{Rule: rule.Text}, rule.Query))
		}
	}
	return data.WithHint(errors.Join(faults...), violationHint)
}

// violation runs a query that must return no rows. If it returns rows, the error shows the first of
// them.
func violation(ctx context.Context, e *engine.Engine, m sqlmodel.Model, v Violation, query string) error {
	columns, rows, err := e.Strings(ctx, "select * from (\n"+query+"\n) limit "+fmt.Sprint(violationRows+1))
	if err != nil {
		return fmt.Errorf("%s: %w", v.Rule, err)
	}
	v.File, v.Columns, v.Rows, v.Total = m.File, columns, rows, int64(len(rows))
	if len(rows) > violationRows {
		v.Rows = rows[:violationRows]
		if v.Total, err = e.Count(ctx, "(\n"+query+"\n)"); err != nil {
			return err
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return &v
}
