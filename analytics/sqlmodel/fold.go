package sqlmodel

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/sql"
)

// A fold is a model that reads a big table and reduces it to counts and sums, or lists the rows of
// the table that do not count, which are stale. The mart is a folder of parts, each made from some
// units of the table. If the first column of the key is unit, each part has the units of a bucket,
// and the select must treat each unit by itself. If the header says fold: TABLE by COLUMN, a part
// has all units with some values of the column. Other folds are computed whole.

// IsStale reports whether the model lists the rows of its table that do not count.
func (m Model) IsStale() bool { return m.Fold != "" && m.Name == StalePrefix+m.Fold }

// InParts reports whether the mart is a folder of parts.
func (m Model) InParts() bool { return m.Fold != "" && (m.Key[0] == UnitColumn || m.By != "") }

// Merges reports whether the mart has counts and sums of each unit, which the macro merged_NAME
// adds up over units.
func (m Model) Merges() bool { return m.InParts() && m.By == "" && !m.IsStale() }

// OfFold reports whether a fold adds up another fold of its table, bucket by bucket, and not the
// table itself.
func (m Model) OfFold() bool { return m.Merges() && !slices.Contains(m.Inputs, m.Fold) }

// UnitColumn is the column of every base table that says which unit wrote a row.
const UnitColumn = "unit"

// UnitComment describes the column unit.
const UnitComment = "unit of work that wrote the row: the stem of its file; joins to runs, where current"

const (
	StalePrefix   = "stale_"   // of the marts of rows that do not count, before the name of their table
	CountedPrefix = "counted_" // of the macros of the rows that count, before the name of their table
)

// MergedPrefix begins the names of the macros that add up folds over units.
const MergedPrefix = "merged_"

// MergedMacro makes the table macro of the rows of a fold without the unit, as MergedRows has them.
// noneAgree says that no two rows agree in the rest of the key; the macro then has the rows as they
// are.
func (m Model) MergedMacro(noneAgree bool) string {
	rows := m.MergedRows()
	if noneAgree {
		rows = "select " + sql.QuoteNames(m.ColumnNames()[1:]) + " from " + sql.QuoteName(m.Name)
	}
	return "create or replace temp macro " + MergedPrefix + m.Name + "() as table " + rows
}

// ColumnNames are the names of the columns, in their order.
func (m Model) ColumnNames() (names []string) {
	for _, c := range m.Columns {
		names = append(names, c.Name)
	}
	return names
}

// MergedRows is the query of the rows of a fold without the unit. Rows that agree in the rest of
// the key become one row. Their values are added up unless the header says otherwise.
func (m Model) MergedRows() string {
	var columns, key []string
	for _, c := range m.Columns[1:] { // The first column is unit.
		name := sql.QuoteName(c.Name)
		switch {
		case slices.Contains(m.Key, c.Name):
			key, columns = append(key, name), append(columns, name)
		case c.Merge != "":
			columns = append(columns, fmt.Sprintf("%s(%s) as %s", c.Merge, name, name))
		default:
			columns = append(columns, fmt.Sprintf("cast(sum(%s) as %s) as %s", name, c.Type, name))
		}
	}
	return fmt.Sprintf("select %s from %s group by %s", strings.Join(columns, ", "), sql.QuoteName(m.Name),
		strings.Join(key, ", "))
}

// CountedMacro makes the table macro of the rows that CountedRows has. It can be made once the
// stale mart m is there, because the engine looks up the tables of a macro.
func (m Model) CountedMacro(noneStale bool) string {
	return fmt.Sprintf("create or replace temp macro %s() as table %s", CountedPrefix+m.Fold,
		m.CountedRows(noneStale))
}

// CountedRows is the query of the rows that count: the rows of a table, without the rows that the
// table's stale mart m lists. noneStale says that m lists no rows; the query then reads the table
// alone, because the join would double time and memory for 3.4 million answers.
func (m Model) CountedRows(noneStale bool) string {
	query := "select x.* from " + sql.QuoteName(m.Fold) + " as x"
	if !noneStale {
		query += fmt.Sprintf(" anti join %s as s using (%s)", sql.QuoteName(m.Name), sql.QuoteNames(m.Key))
	}
	return query
}

// PartFile is the name of a file of the mart: the file of part n, or the file of the whole mart.
func (m Model) PartFile(n int) string {
	if m.InParts() {
		return fmt.Sprintf("%s/%s/%02d.parquet", data.MartsFolder, m.Name, n)
	}
	return data.MartsFolder + "/" + m.Name + ".parquet"
}

// Typed is a query of the model's rows, cast to the types of the header and with the columns of
// intervals, which it makes from the other columns.
func (m Model) Typed(query string) string {
	var columns []string
	for _, c := range m.Columns {
		value := cmp.Or(c.Made, "given."+sql.QuoteName(c.Name))
		columns = append(columns, fmt.Sprintf("cast(%s as %s) as %s", value, c.Type, sql.QuoteName(c.Name)))
	}
	return fmt.Sprintf("select %s\nfrom (\n%s\n) as given", strings.Join(columns, ", "), query)
}

// InputsKey is the metadata of a mart that holds its inputs, tables and marts, with their
// fingerprints.
const InputsKey = "captionlake.inputs"

// PrintKey is the metadata of a mart that holds the fingerprint of all that its rows depend on.
const PrintKey = "captionlake.fingerprint"

// Content is the digest of a mart: the digest of its only part, or one made from the digests of its
// parts. It is empty without parts.
func Content(contents []string) string {
	if len(contents) > 1 {
		return data.Fingerprint(contents...)
	}
	return strings.Join(contents, "")
}
