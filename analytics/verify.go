package analytics

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/sql"
)

// violationRows is how many offending rows an error shows.
const violationRows = 10

// A Violation says that a model's result broke a promise of its header or that an audit returned rows. The mart was
// not published.
type Violation struct {
	Model   string
	File    string
	Rule    string // what was violated
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
func (e *engine) verifyAudits(ctx context.Context, m Model) error {
	var faults []error
	for _, a := range m.Audits {
		faults = append(faults, e.violation(ctx, m, Violation{Rule: "audit " + a.Name + " failed", Reason: a.Reason}, a.Query))
	}
	return data.WithHint(errors.Join(faults...), violationHint)
}

const violationHint = "look at the rows in the tables that the model reads; the mart of the last good run is still in place"

// verifyRows holds the rows of a model's table against the key and the checks of the header. One look at the rows tells whether any of
// them breaks each rule; only then they are looked for.
func (e *engine) verifyRows(ctx context.Context, m Model) error {
	var rules, queries, broken []string
	add := func(rule, condition, query string, args ...any) {
		rules, broken, queries = append(rules, rule), append(broken, condition), append(queries, fmt.Sprintf(query, args...))
	}
	key, table, null := sql.QuoteNames(m.Key), sql.QuoteName(m.Name), m.keyIsNull()
	add("a key column is null", anyRow(null), "select %s from %s where %s", key, table, null)
	if !m.groupsByKey() {
		add("rows share the key "+strings.Join(m.Key, ", "), alike(m.Key),
			"select %s, count(*) as rows_of_key from %s group by %s having count(*) > 1 order by %s", key, table, key, key)
	}
	for _, c := range m.Checks {
		shown := slices.Clone(m.Key)
		if !slices.Contains(shown, c.Column) {
			shown = append(shown, c.Column)
		}
		add("check failed: "+c.Text, anyRow(c.broken()), "select %s from %s where %s order by %s", sql.QuoteNames(shown), table, c.broken(), key)
	}
	_, found, err := e.strings(ctx, fmt.Sprintf("select %s from %s", strings.Join(broken, ", "), table))
	faults := []error{err}
	for i, rule := range rules {
		if err == nil && found[0][i] == "true" {
			faults = append(faults, e.violation(ctx, m, Violation{Rule: rule}, queries[i]))
		}
	}
	return data.WithHint(errors.Join(faults...), violationHint)
}

// groupsByKey reports whether the select does nothing but group rows by the columns of the key, so that no two rows can share one: looking
// for them takes longer than all other rules.
func (m Model) groupsByKey() bool {
	text, key := strings.Join(strings.Fields(m.Select), " "), strings.Join(m.Key, ", ")
	return m.Compute == "" && strings.Count(text, "select") == 1 && strings.HasPrefix(text, "select "+key+", ") &&
		strings.HasSuffix(text, " group by "+key)
}

// anyRow is the condition that rows meet a condition.
func anyRow(condition string) string { return "coalesce(bool_or(" + condition + "), false)" }

// alike is the condition that two rows may agree in all of the columns. It compares 64 bits of them, which takes a fraction of the time: true
// is to be looked into, false is certain.
func alike(columns []string) string {
	return "count(*) > count(distinct hash(" + sql.QuoteNames(columns) + "))"
}

// keyIsNull is the condition of a row without a whole key.
func (m Model) keyIsNull() string {
	return strings.ReplaceAll(sql.QuoteNames(m.Key), ", ", " is null or ") + " is null"
}

// violation runs a query that must return no rows; it is an error if it does, which shows the first of them.
func (e *engine) violation(ctx context.Context, m Model, v Violation, query string) error {
	columns, rows, err := e.strings(ctx, "select * from (\n"+query+"\n) limit "+fmt.Sprint(violationRows+1))
	if err != nil {
		return fmt.Errorf("%s: %w", v.Rule, err)
	}
	v.Model, v.File, v.Columns, v.Rows, v.Total = m.Name, m.File, columns, rows, int64(len(rows))
	if len(rows) > violationRows {
		v.Rows = rows[:violationRows]
		if v.Total, err = e.count(ctx, "(\n"+query+"\n)"); err != nil {
			return err
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return &v
}

// broken is the condition of a row that fails the check.
func (c Check) broken() string {
	name := sql.QuoteName(c.Column)
	switch {
	case c.notNull:
		return name + " is null"
	case c.low != nil && c.high != nil:
		return fmt.Sprintf("not (%s between %v and %v)", name, *c.low, *c.high)
	case c.low != nil:
		return fmt.Sprintf("not (%s >= %v)", name, *c.low)
	}
	return fmt.Sprintf("not list_contains(%s, cast(%s as varchar))", sql.QuoteList(c.values), name)
}
