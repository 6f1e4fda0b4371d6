package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/captionlake/captionlake/plots/report"
)

// An output is standard output or standard error. It remembers a write that failed, such as one to a full disk: a command whose result is lost
// has failed, although those that print tables line by line look at no write. On a terminal, and in messages wherever they go, it makes visible
// what a terminal would obey: names come from files and servers.
type output struct {
	io.Writer
	visible bool
	failed  error
}

func (o *output) Write(p []byte) (n int, err error) {
	if n = len(p); o.visible {
		_, err = io.WriteString(o.Writer, shown(string(p)))
	} else {
		n, err = o.Writer.Write(p)
	}
	if o.failed == nil {
		o.failed = err
	}
	return n, err
}

// terminalOf is the terminal that standard output or standard error is; nil where it is none.
func terminalOf(w io.Writer) *os.File {
	if o, ok := w.(*output); ok {
		w = o.Writer
	}
	if f, ok := w.(*os.File); ok && isTerminal(f) {
		return f
	}
	return nil
}

// printJSON writes a value as indented JSON, the form of every --json.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// printTable writes rows under a header, each cell on one line. Columns that hold numbers stand to the right.
func printTable(w io.Writer, header table.Row, rows []table.Row) {
	for _, row := range rows {
		for i, cell := range row {
			if text, ok := cell.(string); ok {
				row[i] = shown(text)
			}
		}
	}
	t := table.NewWriter()
	t.SetOutputMirror(w)
	t.SetStyle(table.StyleLight)
	t.Style().Options = table.Options{SeparateHeader: true}
	t.Style().Format.Header = text.FormatDefault
	t.SetColumnConfigs(numbersRight(len(header), rows))
	t.AppendHeader(header)
	t.AppendRows(rows)
	t.Render()
}

// numbersRight aligns the columns in which every cell is a number, possibly with a unit.
func numbersRight(columns int, rows []table.Row) []table.ColumnConfig {
	var configs []table.ColumnConfig
	for i := range columns {
		numbers := len(rows) > 0
		for _, row := range rows {
			cell := fmt.Sprint(row[i])
			number := strings.TrimLeft(cell, "+-–")
			numbers = numbers && cell != "" && (number == "" || number[0] >= '0' && number[0] <= '9')
		}
		if numbers {
			configs = append(configs, table.ColumnConfig{Number: i + 1, Align: text.AlignRight, AlignHeader: text.AlignRight})
		}
	}
	return configs
}

// count shows a number with its thousands apart.
func count[N int | int64](n N) string { return report.Thousands(fmt.Sprint(n)) }

// show prints what a command came to: as JSON where that was asked for, and for people otherwise.
func show[T any](a *app, result T, err error, print func(T)) error {
	switch {
	case err != nil:
		return err
	case a.asJSON:
		return printJSON(a.stdout, result)
	}
	print(result)
	return nil
}

// size shows a number of bytes for people.
func size(bytes int64) string {
	units := []string{"B", "kB", "MB", "GB", "TB"}
	value, unit := float64(bytes), 0
	for value >= 1000 && unit < len(units)-1 {
		value /= 1000
		unit++
	}
	if unit == 0 {
		return fmt.Sprintf("%d B", bytes)
	}
	return fmt.Sprintf("%.1f %s", value, units[unit])
}
