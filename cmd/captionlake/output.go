package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
	"github.com/jedib0t/go-pretty/v6/text"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/captionlake/captionlake/analytics/ask"
)

// An output is standard output or standard error. It remembers the first failed write, such as a
// write to a full disk. The functions that print tables line by line ignore failed writes, but a
// command has failed if its result is lost.
type output struct {
	io.Writer
	visible bool  // Write makes characters visible that a terminal would obey: names come from files and servers
	failed  error // the first failed write
	bar     *bar  // progress that each write erases first; nil for no progress
}

func (o *output) Write(p []byte) (n int, err error) {
	o.bar.erase()
	if o.visible {
		n = len(p) // The visible text may be longer.
		_, err = io.WriteString(o.Writer, shown(string(p)))
	} else {
		n, err = o.Writer.Write(p)
	}
	if o.failed == nil {
		o.failed = err
	}
	return n, err
}

// terminalOf returns the terminal behind standard output or standard error. It returns nil without
// a terminal.
func terminalOf(w io.Writer) *os.File {
	if o, ok := w.(*output); ok {
		w = o.Writer
	}
	if isTerminal(w) {
		return w.(*os.File)
	}
	return nil
}

// printJSON writes a value as indented JSON, the form of every --json.
func (a *app) printJSON(v any) error {
	e := json.NewEncoder(a.stdout)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false) // <, > and & stay as they are.
	return e.Encode(v)
}

// thousands prints whole numbers with commas between the thousands.
var thousands = message.NewPrinter(language.English)

// say writes for people: to standard output, or to standard error if standard output gets JSON.
func (a *app) say(format string, args ...any) {
	w := a.stdout
	if a.asJSON {
		w = a.stderr
	}
	_, _ = io.WriteString(w, shown(thousands.Sprintf(format, args...))) // An output remembers a failed write.
}

// warn writes a note to standard error.
func (a *app) warn(note string) { fmt.Fprintf(a.stderr, "Note: %s\n", shown(note)) }

// A table has the heads of its columns as the first row. The other rows have the cells.
type table [][]string

// newTable begins a table. In heads, bars separate the heads of the columns.
func newTable(heads string) table { return table{strings.Split(heads, " | ")} }

func (t *table) add(row ...any) {
	var cells []string
	for _, cell := range row {
		cells = append(cells, shown(thousands.Sprint(cell)))
	}
	*t = append(*t, cells)
}

// print writes a table that has rows, no wider than the terminal. Columns of numbers, with or
// without a unit, are aligned at the right.
func (a *app) print(t table) {
	if len(t) == 1 {
		return
	}
	right := make([]bool, len(t[0]))
	for column := range right {
		right[column] = !slices.ContainsFunc(t[1:], func(row []string) bool {
			// A cell is a number if a digit follows its signs, or if it has signs alone, which stand for a
			// missing number. An empty cell is a text.
			number := strings.TrimLeft(row[column], "+-–")
			return row[column] == "" || number != "" && (number[0] < '0' || number[0] > '9')
		})
	}
	wrap := func(cell string, width int, _ string) string { return text.WrapSoft(cell, width) }
	_, _ = io.WriteString(a.stdout, ask.TextTable(t, right, screenWidth(a.stdout), wrap, "--json shows all"))
}

// pageWidth is the width of help and of text for people, in columns.
const pageWidth = 80

var (
	softBreak = regexp.MustCompile(`([^\n])\n([^\n -])`)  // the end of a line within a paragraph
	hanging   = regexp.MustCompile(`^ *(?:- |\S+ {2,}|)`) // a list item's mark, or its name and the blanks after it
)

// fold breaks paragraphs between words into lines of pageWidth. Further lines of a list item are
// indented as far as the item's text.
func fold(s string) string {
	lines := strings.Split(softBreak.ReplaceAllString(s, "$1 $2"), "\n")
	for i, line := range lines {
		margin := len(hanging.FindString(line))
		lines[i] = ""
		for utf8.RuneCountInString(line) > pageWidth {
			cut := strings.LastIndex(string([]rune(line)[:pageWidth+1]), " ")
			if cut <= margin { // A word that is longer than the line stays whole.
				break
			}
			lines[i] += line[:cut] + "\n"
			line = strings.Repeat(" ", margin) + line[cut+1:]
		}
		lines[i] += line
	}
	return strings.Join(lines, "\n")
}

// note prints a note for people, unless it is empty or was printed before.
func (a *app) note(format string, args ...any) {
	text := thousands.Sprintf(format, args...)
	if text != "" && !slices.Contains(a.noted, text) {
		a.noted = append(a.noted, text)
		a.say("\n%s\n", fold("Note: "+text))
	}
}

// show prints the result of a command, as JSON with --json and for people otherwise. It returns err
// without printing if err is not nil.
func show[T any](a *app, result T, err error, print func(T)) error {
	switch {
	case err != nil:
		return err
	case a.asJSON:
		return a.printJSON(result)
	}
	print(result)
	return nil
}

// size shows a number of bytes for people.
func size[N int | int64](bytes N) string { return humanize.Bytes(uint64(bytes)) }
