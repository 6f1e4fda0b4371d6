package ask

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	pretty "github.com/jedib0t/go-pretty/v6/text"

	"github.com/captionlake/captionlake/analytics/batches"
	"github.com/captionlake/captionlake/data/text"
	"github.com/captionlake/captionlake/sql"
)

// Formats lists the forms in which Query writes rows.
func Formats() []string {
	return []string{"table", "records", "markdown", "csv", "json", "parquet", "arrow"}
}

// oneSelectFormats are the forms that hold the rows of one select.
var oneSelectFormats = []string{"json", "parquet", "arrow"}

// copyOptions are the options of DuckDB's COPY for the forms that COPY writes.
var copyOptions = map[string]string{
	"csv":     "format csv, header true",
	"json":    "format json, array true",
	"parquet": "format parquet, compression zstd",
}

// tableRows is how many rows the format table shows without another limit.
const tableRows = 1000

// shown writes rows in a form for people; more says that the result has more rows.
func shown(o Options, columns []column, rows [][]string, more bool) string {
	switch o.Format {
	case "records":
		return recordsText(columns, rows)
	case "markdown":
		return markdownTable(columns, rows)
	}
	return tableText(columns, rows, o.Width, more)
}

// tableText writes rows as a table.
func tableText(columns []column, rows [][]string, width int, more bool) string {
	var header []string
	var right []bool
	for _, c := range columns {
		header, right = append(header, text.Visible(c.name)), append(right, c.numeric())
	}
	cells := [][]string{header}
	for _, row := range rows {
		line := make([]string, len(row))
		for i, value := range row {
			line[i] = text.Visible(value)
		}
		cells = append(cells, line)
	}
	drawn := TextTable(cells, right, width, pretty.Snip, "--format records, in the shell .mode records, shows all")
	if more {
		drawn += fmt.Sprintf("%d rows shown, and there are more: --out FILE, in the shell .output FILE, writes all\n",
			len(rows))
	}
	return drawn
}

// TextTable draws rows as a table. The first row is the header; right says which columns are
// aligned to the right. The table is at most width columns of the terminal wide, or as wide as the
// rows if width is 0. fit cuts or breaks a cell that is wider than its column; mark stands for the
// part that is cut off. If there is still no room for some columns, a line below the table names
// these columns, and more says how to see them.
func TextTable(cells [][]string, right []bool, width int, fit func(cell string, width int, mark string) string,
	more string) string {
	widths := fitColumns(cells, width)
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Options = table.Options{SeparateHeader: true}
	t.Style().Format.Header = pretty.FormatDefault // The style has heads in capitals.
	var configs []table.ColumnConfig
	for i := range widths {
		if right[i] {
			configs = append(configs,
				table.ColumnConfig{Number: i + 1, Align: pretty.AlignRight, AlignHeader: pretty.AlignRight})
		}
	}
	t.SetColumnConfigs(configs)
	for r, line := range cells {
		row := make(table.Row, len(widths))
		for i, width := range widths {
			row[i] = fit(line[i], width, "…")
		}
		if r == 0 {
			t.AppendHeader(row)
		} else {
			t.AppendRow(row)
		}
	}
	drawn := t.Render() + "\n"
	if hidden := cells[0][len(widths):]; len(hidden) > 0 {
		drawn += fmt.Sprintf("%d of %d columns shown, without %s; %s\n", len(widths), len(right), someOf(hidden, 6),
			more)
	}
	return drawn
}

// someOf lists the names up to the number most, and says how many more there are.
func someOf(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// A column is a column of a query's result.
type column struct {
	name    string
	sqlType string // as DuckDB describes it
}

var (
	numberType = regexp.MustCompile(`^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\(.*)$`)
	brokenType = regexp.MustCompile(`^(FLOAT|DOUBLE|DECIMAL\([^)]*\))$`) // numbers with digits after the point
	nestedType = regexp.MustCompile(`^(STRUCT|MAP)\(|\]$`)
)

// numeric reports whether the column is aligned to the right. A list of decimals is not, although
// its type matches numberType, as in DECIMAL(4,1)[].
func (c column) numeric() bool {
	return numberType.MatchString(c.sqlType) && !nestedType.MatchString(c.sqlType)
}

// expression is the SQL of the column's values as a form has them. In CSV and in the forms for
// people lists and structures are JSON. The forms for people have numbers with digits after the
// point as doubles, which the caller rounds, and all other values as texts. For people the caller
// knows the names of the columns, so some expressions give the values no name.
func (c column) expression(format string) string {
	name := sql.QuoteName(c.name)
	switch {
	case format == "arrow":
		return fmt.Sprintf("cast(%s as %s) as %[1]s", name, batches.Readable(c.sqlType))
	case format == "json" || format == "parquet" || format == "csv" && !nestedType.MatchString(c.sqlType):
		return name
	case nestedType.MatchString(c.sqlType):
		return fmt.Sprintf("cast(to_json(%s) as varchar) as %[1]s", name)
	case brokenType.MatchString(c.sqlType):
		return "cast(" + name + " as double)"
	}
	return "cast(" + name + " as varchar)"
}
