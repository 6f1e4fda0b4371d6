package analytics

import (
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// A fold is a model that reads a big table and reduces it to counts and sums. Where the first column of its key is unit, its rows are kept
// in buckets (parts.go), so its select must treat each unit by itself. Others, which add up over units or list rows that do not count, are
// computed whole.

// tableOf returns the base table of a name.
func tableOf(name string) (data.AnyTable, bool) {
	tables := data.Tables()
	i := slices.IndexFunc(tables, func(t data.AnyTable) bool { return t.Name() == name })
	if i < 0 {
		return nil, false
	}
	return tables[i], true
}

// isBig reports whether an input is a big base table.
func isBig(input string) bool {
	t, ok := tableOf(input)
	return ok && t.Big()
}

// stale reports whether the model lists the rows of its table that do not count.
func (m Model) stale() bool { return m.Fold != "" && m.Name == stalePrefix+m.Fold }

// inBuckets reports whether the rows of a fold are kept in buckets.
func (m Model) inBuckets() bool { return m.Fold != "" && m.Key[0] == unitColumn && !m.stale() }

// checkFold finds faults in the header of a fold.
func (m *Model) checkFold() (faults []error) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	if m.Counts != "" && !m.inBuckets() {
		fault("checks: rows is for a fold with rows for each unit")
	}
	if m.Fold == "" {
		return faults
	}
	if m.Counts != "" && m.Counts != "1" &&
		!slices.ContainsFunc(m.Columns, func(c Column) bool { return c.Name == m.Counts && c.adds() && c.merge == "" }) {
		fault("checks: %q is neither a column of sums nor 1, for one row of the mart for each of the table", m.Counts)
	}
	if !slices.Contains(m.Inputs, m.Fold) || !isBig(m.Fold) {
		fault("fold: %q is not a big base table among the inputs", m.Fold)
	}
	for _, input := range m.Inputs {
		if isBig(input) && input != m.Fold && !m.stale() {
			fault("a fold reads one big table, %s, and this one reads %s too", m.Fold, input)
		}
	}
	if m.Compute != "" || len(m.intervals) > 0 {
		fault("a fold has neither a computation nor intervals: these belong to the models that read it")
	}
	for _, c := range m.Columns {
		if c.made != "" && m.inBuckets() {
			fault("column %s is made of others, which is for a fold whose rows are sums over units", c.Name)
		}
		if slices.Contains(m.Key, c.Name) || m.stale() || c.made != "" {
			continue
		}
		if c.Type == "DOUBLE" || c.Type == "DATE" || strings.HasPrefix(c.Type, "TIMESTAMP") {
			fault("column %s of a fold is a %s: a fold has integers, exact decimals and texts", c.Name, strings.ToLower(c.Type))
		} else if c.merge == "" && !c.adds() && m.inBuckets() {
			fault("column %s of a fold is not a number: say how two units' values become one, {merge: max} or {merge: min}", c.Name)
		}
	}
	return faults
}

// adds reports whether values of the column can be added.
func (c Column) adds() bool {
	return c.Type == "INTEGER" || c.Type == "BIGINT" || decimalType.MatchString(c.Type)
}

// mergedPrefix begins the names of the macros of folds without units.
const mergedPrefix = "merged_"

// mergedMacro makes the table macro of the rows of a fold without the unit: rows that agree in the rest of the key become one, whose values
// are added up unless the header says otherwise. Where no two do, these are the rows as they are.
func (m Model) mergedMacro(none bool) string {
	rows := m.mergedRows()
	if none {
		columns := slices.DeleteFunc(m.columnNames(), func(name string) bool { return name == unitColumn })
		rows = "select " + quoteNames(columns) + " from " + quoteName(m.Name)
	}
	return "create or replace temp macro " + mergedPrefix + m.Name + "() as table " + rows
}

// columnNames are the names of the columns, in their order.
func (m Model) columnNames() (names []string) {
	for _, c := range m.Columns {
		names = append(names, c.Name)
	}
	return names
}

// mergedRows is the query of the rows of a fold without the unit.
func (m Model) mergedRows() string {
	var columns, key []string
	for _, c := range m.Columns {
		name := quoteName(c.Name)
		switch {
		case c.Name == unitColumn:
		case slices.Contains(m.Key, c.Name):
			key, columns = append(key, name), append(columns, name)
		case c.merge != "":
			columns = append(columns, fmt.Sprintf("%s(%s) as %s", c.merge, name, name))
		default:
			columns = append(columns, fmt.Sprintf("cast(sum(%s) as %s) as %s", name, c.Type, name))
		}
	}
	return fmt.Sprintf("select %s from %s group by %s", strings.Join(columns, ", "), quoteName(m.Name), strings.Join(key, ", "))
}
