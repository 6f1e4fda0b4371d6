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

// oneSelect are the forms of a single table.
var oneSelect = []string{"json", "parquet", "arrow"}

// copied are the forms for machines, which DuckDB writes, and the options of its COPY.
var copied = map[string]string{
	"csv":     "format csv, header true",
	"json":    "format json, array true",
	"parquet": "format parquet, compression zstd",
}

// tableRows is how many rows the format table shows without another limit.
const tableRows = 1000

// shown are the rows of a result as people read them; more says that there are more rows.
func shown(o Options, columns []column, rows [][]string, more bool) string {
	switch o.Format {
	case "records":
		return recordsText(columns, rows)
	case "markdown":
		return markdownTable(columns, rows)
	}
	return tableText(columns, rows, o.Width, more)
}

// tableText is the result as a table.
func tableText(columns []column, rows [][]string, width int, more bool) string {
	cells, right := [][]string{nil}, make([]bool, len(columns))
	for i, c := range columns {
		cells[0], right[i] = append(cells[0], text.Visible(c.name)), c.numeric()
	}
	for _, row := range rows {
		line := make([]string, len(row))
		for i, value := range row {
			line[i] = text.Visible(value)
		}
		cells = append(cells, line)
	}
	said := TextTable(cells, right, width, pretty.Snip, "--format records, in the shell .mode records, shows all")
	if more {
		said += fmt.Sprintf("%d rows shown, and there are more: --out FILE, in the shell .output FILE, writes all\n", len(rows))
	}
	return said
}

// TextTable draws rows as a table. The first row is the header. The table is at most as wide as the
// terminal, or as wide as the rows if width is 0. Cells that are too wide are fitted. If there is
// still no room for some columns, a line below the table names them, and more says what to do.
func TextTable(cells [][]string, right []bool, width int, fit func(cell string, width int, mark string) string,
	more string) string {
	widths := fitColumns(cells, width)
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Options = table.Options{SeparateHeader: true}
	t.Style().Format.Header = pretty.FormatDefault
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
	said := t.Render() + "\n"
	if hidden := cells[0][len(widths):]; len(hidden) > 0 {
		said += fmt.Sprintf("%d of %d columns shown, without %s; %s\n", len(widths), len(right), someOf(hidden, 6), more)
	}
	return said
}

// someOf names the first of many.
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
	brokenType = regexp.MustCompile(`^(FLOAT|DOUBLE|DECIMAL\(.*)$`)
	nestedType = regexp.MustCompile(`^(STRUCT|MAP)\(|\]$`)
)

// numeric reports whether the column is aligned to the right.
func (c column) numeric() bool {
	return numberType.MatchString(c.sqlType) && !nestedType.MatchString(c.sqlType)
}

// expression selects the column as a form has it: lists and structures in CSV are JSON; people read
// text, and numbers that are rounded.
func (c column) expression(format string) string {
	name := sql.QuoteName(c.name)
	switch {
	case format == "json" && brokenType.MatchString(c.sqlType): // JSON has neither NaN nor infinity
		return fmt.Sprintf("case when isfinite(cast(%s as double)) then %[1]s end as %[1]s", name)
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
