package ask

import (
	"fmt"
	"slices"
	"strings"

	pretty "github.com/jedib0t/go-pretty/v6/text"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data/text"
)

// leastColumn is how narrow a column may become before other columns are left out instead.
const leastColumn = 8

// columnFrame is the number of spaces that a table adds to each column.
const columnFrame = 2

// fitColumns gives the columns of a table widths that fit a terminal: columns wider than a common
// limit get the limit as their width. If there is no room for all columns with the width
// leastColumn, the last columns are left out: the result is then shorter than a row. If the given
// width is 0, the table may have any width.
func fitColumns(rows [][]string, width int) []int {
	widths := make([]int, len(rows[0])) // of the widest cells
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], pretty.LongestLineLen(cell))
		}
	}
	if width <= 0 {
		return widths
	}
	// tableWidth is the width of the table if no column is wider than limit.
	tableWidth := func(limit int) (sum int) {
		for _, w := range widths {
			sum += min(w, limit) + columnFrame
		}
		return sum
	}
	for len(widths) > 1 && tableWidth(leastColumn) > width {
		widths = widths[:len(widths)-1]
	}
	limit := max(leastColumn, min(width, slices.Max(widths)))
	for limit > leastColumn && tableWidth(limit) > width {
		limit--
	}
	for i, w := range widths {
		widths[i] = min(w, limit)
	}
	return widths
}

// recordsText writes each row as a line with its number and a line for each column with its name
// and value. The names are aligned to the right. The other lines of a value stand below its first
// line.
func recordsText(columns []column, rows [][]string) string {
	var out strings.Builder
	widest := 0 // width of the widest name
	for _, c := range columns {
		widest = max(widest, pretty.StringWidthWithoutEscSequences(text.Visible(c.name)))
	}
	indent := "\n" + strings.Repeat(" ", widest+2)
	for r, row := range rows {
		fmt.Fprintf(&out, "─── %d ───\n", r+1)
		for i, value := range row {
			name := text.Visible(columns[i].name)
			margin := strings.Repeat(" ", widest-pretty.StringWidthWithoutEscSequences(name))
			lines := strings.Split(value, "\n")
			for l, line := range lines {
				lines[l] = text.Visible(strings.TrimSuffix(line, "\r"))
			}
			fmt.Fprintf(&out, "%s%s  %s\n", margin, name, strings.Join(lines, indent))
		}
	}
	return out.String()
}

var markdownEscape = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;", "\\", `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`, "[",
	`\[`, "]", `\]`, "$", `\$`,
	"\r\n", "<br>", "\n", "<br>",
)

// markdownText is a text as one cell: characters with a meaning in Markdown or HTML are escaped,
// and null is an empty cell.
func markdownText(value string) string {
	if value == engine.Null {
		return ""
	}
	return text.Visible(markdownEscape.Replace(value))
}

// markdownTable writes a table of GitHub's Markdown.
func markdownTable(columns []column, rows [][]string) string {
	names, rule := "|", "|" // the two lines of the header
	for _, c := range columns {
		names += " " + markdownText(c.name) + " |"
		if c.numeric() {
			rule += " ---: |"
		} else {
			rule += " --- |"
		}
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n%s\n", names, rule)
	for _, row := range rows {
		out.WriteString("|")
		for _, value := range row {
			out.WriteString(" " + markdownText(value) + " |")
		}
		out.WriteString("\n")
	}
	return out.String()
}
