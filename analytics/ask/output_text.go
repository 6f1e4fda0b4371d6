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

// columnFrame is what a table adds to each column: two spaces.
const columnFrame = 2

// fitColumns shares the width of a terminal among the columns of a table; the widest columns keep
// the most. If there is still no room for all columns, the last columns are left out: the result is
// then shorter than a row. If the width is 0, any width is enough.
func fitColumns(rows [][]string, width int) []int {
	natural := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			natural[i] = max(natural[i], pretty.LongestLineLen(cell))
		}
	}
	if width <= 0 {
		return natural
	}
	capped := func(limit int) (sum int) {
		for _, n := range natural {
			sum += min(n, limit) + columnFrame
		}
		return sum
	}
	for len(natural) > 1 && capped(leastColumn) > width {
		natural = natural[:len(natural)-1]
	}
	limit := max(leastColumn, min(width, slices.Max(natural)))
	for limit > leastColumn && capped(limit) > width {
		limit--
	}
	for i, n := range natural {
		natural[i] = min(n, limit)
	}
	return natural
}

// recordsText writes each row as lines of column and value, with all of each pretty.
func recordsText(columns []column, rows [][]string) string {
	var out strings.Builder
	label := 0 // width of the widest name
	for _, c := range columns {
		label = max(label, pretty.StringWidthWithoutEscSequences(text.Visible(c.name)))
	}
	for r, row := range rows {
		fmt.Fprintf(&out, "─── %d ───\n", r+1)
		for i, value := range row {
			name := text.Visible(columns[i].name)
			margin := strings.Repeat(" ", label-pretty.StringWidthWithoutEscSequences(name))
			lines := strings.Split(value, "\n")
			for l := range lines {
				lines[l] = text.Visible(strings.TrimSuffix(lines[l], "\r"))
			}
			fmt.Fprintf(&out, "%s%s  %s\n", margin, name, strings.Join(lines, "\n"+strings.Repeat(" ", label+2)))
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
	return text.Visible(markdownEscape.Replace(strings.TrimPrefix(value, engine.Null)))
}

// markdownTable writes a table of GitHub's Markdown.
func markdownTable(columns []column, rows [][]string) string {
	names, rule := "|", "|"
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
