package analytics

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/jedib0t/go-pretty/v6/text"
)

// leastColumn is how narrow a column may become before others are left out instead.
const leastColumn = 8

// columnFrame is what a table adds to each column: a line and two spaces. One more line closes the table.
const columnFrame = 3

// fitColumns shares the width of a terminal among the columns of a table, whose widest keep the most. Of columns for which there is no
// room even so, the last are left out: the result is then shorter than a row. Any width is enough when it is 0.
func fitColumns(rows [][]string, width int) []int {
	natural := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			natural[i] = max(natural[i], text.StringWidthWithoutEscSequences(cell))
		}
	}
	if width <= 0 {
		return natural
	}
	capped := func(limit int) (sum int) {
		for _, n := range natural {
			sum += min(n, limit) + columnFrame
		}
		return sum + 1
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

// recordSink writes each row as lines of column and value, with all of each text.
type recordSink struct {
	out     *bufio.Writer
	columns []column
	label   int // width of the widest name
	rows    int
}

func (s *recordSink) begin(columns []column) error {
	s.columns = columns
	for _, c := range columns {
		s.label = max(s.label, text.StringWidthWithoutEscSequences(oneLine(c.name)))
	}
	return nil
}

func (s *recordSink) row(values []any) error {
	s.rows++
	fmt.Fprintf(s.out, "─── %d ───\n", s.rows)
	for i, v := range values {
		name := oneLine(s.columns[i].name)
		margin := strings.Repeat(" ", s.label-text.StringWidthWithoutEscSequences(name))
		lines := strings.Split(shownText(s.columns[i], v), "\n")
		for l := range lines {
			lines[l] = oneLine(strings.TrimSuffix(lines[l], "\r"))
		}
		fmt.Fprintf(s.out, "%s%s  %s\n", margin, name, strings.Join(lines, "\n"+strings.Repeat(" ", s.label+2)))
	}
	return nil
}

func (s *recordSink) end() error { return s.out.Flush() } // which has the first error of all that was written
// markdownSink writes a table of GitHub's Markdown. What text means in Markdown or HTML is escaped; null is an empty cell.
type markdownSink struct {
	out     *bufio.Writer
	columns []column
}

var markdownEscape = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;", "\\", `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`, "[", `\[`, "]", `\]`, "$", `\$`,
	"\r\n", "<br>", "\n", "<br>", "\t", " ",
)

// markdownText is a text as one cell.
func markdownText(value string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return '�'
		}
		return r
	}, markdownEscape.Replace(value))
}

func (s *markdownSink) begin(columns []column) error {
	s.columns = columns
	names, rule := "|", "|"
	for _, c := range columns {
		names += " " + markdownText(c.name) + " |"
		if c.numeric() {
			rule += " ---: |"
		} else {
			rule += " --- |"
		}
	}
	_, err := fmt.Fprintf(s.out, "%s\n%s\n", names, rule)
	return err
}

func (s *markdownSink) row(values []any) error {
	line := "|"
	for i, v := range values {
		cell := ""
		if v != nil {
			cell = markdownText(shownText(s.columns[i], v))
		}
		line += " " + cell + " |"
	}
	_, err := fmt.Fprintln(s.out, line)
	return err
}

func (s *markdownSink) end() error { return s.out.Flush() }
