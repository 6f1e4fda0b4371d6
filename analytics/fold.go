package analytics

import (
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/sql"
)

// A fold is a model that reads a big table and reduces it to counts and sums, or lists the rows of it that do not count. The mart is a folder
// of parts, each made of some units (parts.go). Where the first column of the key is unit, these are buckets of units, and the select must
// treat each unit by itself. Where the header says fold: TABLE by COLUMN, a part has all units with some values of the column. Other folds are
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

// inParts reports whether the mart is a folder of parts.
func (m Model) inParts() bool { return m.Fold != "" && (m.Key[0] == unitColumn || m.by != "") }

// merges reports whether the mart has counts and sums of each unit, which merged_NAME adds up over units.
func (m Model) merges() bool { return m.inParts() && m.by == "" && !m.stale() }

// ofFold reports whether a fold adds up another fold of its table, bucket by bucket, and not the table itself.
func (m Model) ofFold() bool { return m.merges() && !slices.Contains(m.Inputs, m.Fold) }

// mergedPrefix begins the names of the macros of folds without units.
const mergedPrefix = "merged_"

// mergedMacro makes the table macro of the rows of a fold without the unit: rows that agree in the rest of the key become one, whose values
// are added up unless the header says otherwise. Where no two do, these are the rows as they are.
func (m Model) mergedMacro(none bool) string {
	rows := m.mergedRows()
	if none {
		rows = "select " + sql.QuoteNames(m.columnNames()[1:]) + " from " + sql.QuoteName(m.Name)
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
	for _, c := range m.Columns[1:] {
		name := sql.QuoteName(c.Name)
		switch {
		case slices.Contains(m.Key, c.Name):
			key, columns = append(key, name), append(columns, name)
		case c.merge != "":
			columns = append(columns, fmt.Sprintf("%s(%s) as %s", c.merge, name, name))
		default:
			columns = append(columns, fmt.Sprintf("cast(sum(%s) as %s) as %s", name, c.Type, name))
		}
	}
	return fmt.Sprintf("select %s from %s group by %s", strings.Join(columns, ", "), sql.QuoteName(m.Name), strings.Join(key, ", "))
}
