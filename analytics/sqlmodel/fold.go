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
// the table that do not count, which are stale. The mart of a fold may be a folder of parts, each
// made from some units of the table. If the first column of the key is unit, the units of a part
// are called a bucket, and the select must treat each unit by itself. If the header says fold:
// TABLE by COLUMN, a part has all units with some values of the column. The mart of any other fold
// is one file.

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
	StalePrefix   = "stale_"   // stale_TABLE is the mart of the rows of TABLE that do not count
	CountedPrefix = "counted_" // counted_TABLE is the macro of the rows of TABLE that count
)

// MergedPrefix begins the names of the macros that add up folds over units.
const MergedPrefix = "merged_"

// MergedMacro is the statement that makes the table macro of the rows of MergedRows. noneAgree says
// that no two rows agree in all columns of the key but the unit: the macro then reads the rows of
// the mart as they are.
func (m Model) MergedMacro(noneAgree bool) string {
	rows := m.MergedRows()
	if noneAgree {
		rows = "select " + sql.QuoteNames(m.ColumnNames()[1:]) + " from " + sql.QuoteName(m.Name) // without unit
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

// MergedRows is the query of the rows of a fold without the unit. Rows that agree in all columns of
// the key but the unit become one row. The values of these rows are added up unless the header says
// otherwise.
func (m Model) MergedRows() string {
	var columns, key []string
	for _, c := range m.Columns[1:] { // The first column is unit.
		name := sql.QuoteName(c.Name)
		switch {
		case slices.Contains(m.Key, c.Name):
			key, columns = append(key, name), append(columns, name)
		case c.Merge != "":
			columns = append(columns, fmt.Sprintf("%s(%s) as %s", c.Merge, name, name))
		default: // A sum has a wider type than its column.
			columns = append(columns, fmt.Sprintf("cast(sum(%s) as %s) as %s", name, c.Type, name))
		}
	}
	return fmt.Sprintf("select %s from %s group by %s", strings.Join(columns, ", "), sql.QuoteName(m.Name),
		strings.Join(key, ", "))
}

// CountedMacro is the statement that makes the table macro of the rows of CountedRows. The view of
// the stale mart m must be made before the macro, because DuckDB looks up the tables that a macro
// reads.
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

// Typed is a query that casts the rows of the given query to the types of the header. It also makes
// the columns that the given query does not give, such as the ends of intervals.
func (m Model) Typed(query string) string {
	var columns []string
	for _, c := range m.Columns {
		value := cmp.Or(c.Made, "given."+sql.QuoteName(c.Name))
		columns = append(columns, fmt.Sprintf("cast(%s as %s) as %s", value, c.Type, sql.QuoteName(c.Name)))
	}
	return fmt.Sprintf("select %s\nfrom (\n%s\n) as given", strings.Join(columns, ", "), query)
}

// InputsKey names the metadata in a mart's file that lists the mart's inputs, which are tables and
// marts, each with its fingerprint.
const InputsKey = "captionlake.inputs"

// PrintKey names the metadata in a mart's file that holds the fingerprint of all that the rows of
// the file depend on.
const PrintKey = "captionlake.fingerprint"

// Content is the digest of a mart, from the digests of its parts: the digest of the only part, or
// the digest of all these digests. Without parts it is empty.
func Content(contents []string) string {
	if len(contents) > 1 {
		return data.Fingerprint(contents...)
	}
	return strings.Join(contents, "")
}
