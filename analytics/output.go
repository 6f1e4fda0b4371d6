package analytics

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	pretty "github.com/jedib0t/go-pretty/v6/text"

	"github.com/captionlake/captionlake/data/text"
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

// tableRows is how many rows the format table shows when nothing else is asked for.
const tableRows = 1000

// shown are the rows of a result as people read them.
func shown(o QueryOptions, columns []column, rows [][]string) string {
	switch o.Format {
	case "records":
		return recordsText(columns, rows)
	case "markdown":
		return markdownTable(columns, rows)
	}
	return tableText(o, columns, rows)
}

// tableText draws a table for a terminal.
func tableText(o QueryOptions, columns []column, rows [][]string) string {
	cells := [][]string{nil}
	for _, c := range columns {
		cells[0] = append(cells[0], text.Visible(c.name))
	}
	for _, row := range rows {
		line := make([]string, len(row))
		for i, value := range row {
			line[i] = text.Visible(value)
		}
		cells = append(cells, line)
	}
	widths := fitColumns(cells, o.Width)
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = pretty.FormatDefault
	var configs []table.ColumnConfig
	for i := range widths {
		config := table.ColumnConfig{Number: i + 1, Align: pretty.AlignLeft}
		if columns[i].numeric() {
			config.Align, config.AlignHeader = pretty.AlignRight, pretty.AlignRight
		}
		configs = append(configs, config)
	}
	t.SetColumnConfigs(configs)
	for r, line := range cells {
		row := make(table.Row, len(widths))
		for i, width := range widths {
			row[i] = pretty.Snip(line[i], width, "…")
		}
		if r == 0 {
			t.AppendHeader(row)
		} else {
			t.AppendRow(row)
		}
	}
	said := t.Render() + "\n"
	if hidden := cells[0][len(widths):]; len(hidden) > 0 {
		said += fmt.Sprintf("%d of %d columns shown, without %s; --format records, in the shell .mode records, shows all\n",
			len(widths), len(columns), someOf(hidden))
	}
	if o.more {
		said += fmt.Sprintf("%d rows shown, and there are more: --out FILE, in the shell .output FILE, writes all\n", len(rows))
	}
	return said
}

// someOf names the first of many columns.
func someOf(names []string) string {
	const most = 6
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
