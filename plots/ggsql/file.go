// Package ggsql reads the files that show and report answer: a header, one SELECT and, for a
// figure, the clauses that draw it. The clauses are a part of the clauses of ggsql, by the makers
// of ggplot2; sql/figures/README.md lists the supported clauses.
package ggsql

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/spelling"
	"github.com/captionlake/captionlake/sql"
)

// A File is a question, a table, a figure, or rows that a page shows. Its header is YAML in the
// comments at the top. A file without a header is shown, too.
type File struct {
	Name, Path string
	Form       string // question, table, figure, page or export
	Text       string // whole
	sql.Header
	Reads []string // marts that the SELECT reads, unless it is a question

	tokens  []token // of the SELECT
	clauses []token // after VISUALISE
	end     int     // byte after the SELECT
}

// Parameters are the names that parameters may have: each is a flag of show.
var Parameters = []string{"captioner", "other", "prompt", "reader", "judge", "domain", "image", "question"}

// Parse reads a file. Every fault is located: path:line:column.
func Parse(name, form, text string) (*File, error) {
	f := &File{Name: strings.TrimSuffix(path.Base(name), ".sql"), Path: name, Form: form, Text: text}
	var err error
	if f.Header, err = sql.Read(name, text); err != nil {
		return nil, err
	}
	if !f.IsShown(form == "export" || form == "") {
		return nil,
			data.Errorf("what is shown may have shows, asks, about, paper, parameters, benchmark, place, one, each, columns, cards, computed and no_demo", "%s: the header has words of another kind of file", name)
	}
	if form == "export" && (!slices.Contains(Written, f.Written) || !filepath.IsLocal(f.File)) {
		return nil, data.WithHint(fmt.Errorf("%s: the header of an export says how its rows are written", name),
			"write a form (%s) and a file, such as: -- file: \"{captioner}.json\"", strings.Join(Written, ", "))
	}
	for i, c := range f.Columns {
		at := fmt.Sprintf("columns[%d]", i)
		switch {
		case !slices.Contains([]string{"", "highest", "lowest"}, c.Best):
			return nil, fmt.Errorf("%s: the best value is highest or lowest, not %q", f.At(at+".best"), c.Best)
		case !slices.Contains([]string{"", "main", "first", "facet", "extra"}, c.Page):
			return nil, fmt.Errorf("%s: on a page a column is main, first, facet or extra, not %q", f.At(at+".page"), c.Page)
		case c.Name == "":
			return nil, fmt.Errorf("%s: a column needs the name that the SELECT gives it", f.At(at))
		}
	}
	for _, p := range slices.Sorted(maps.Keys(f.Parameters)) {
		if !slices.Contains(Parameters, p) {
			return nil, data.Errorf(spelling.Meant("name it one of: "+strings.Join(Parameters, ", "), Parameters, p),
				"%s: there is no flag for a parameter %q", f.At("parameters."+p), p)
		}
	}
	all, err := f.lex()
	if err != nil {
		return nil, err
	}
	depth := 0
	for i, t := range all {
		switch {
		case t.kind == end || depth == 0 && (t.is("visualise") || t.is("visualize")):
			f.tokens, f.clauses, f.end = all[:i], all[min(i+1, len(all)-1):], t.at
		case t.raw == "(":
			depth++
		case t.raw == ")":
			depth--
		case t.kind == parameter:
			if _, ok := f.Parameters[t.parameter()]; !ok {
				return nil, data.WithHint(f.Fault(t.at, "the header has no parameter %s", t.parameter()),
					"add to it: -- parameters: {%s: its value}", t.parameter())
			}
		}
		if f.end > 0 {
			break
		}
	}
	if len(f.tokens) == 0 {
		return nil, data.WithHint(f.Fault(len(text), "there is no SELECT"),
			"write one: select captioner_name, overall from leaderboard")
	}
	if form != "question" && form != "export" {
		f.Reads = slices.DeleteFunc(sql.Reads(text[:f.end]),
			func(name string) bool { return !slices.Contains(sql.Names(), name) })
	}
	return f, nil
}

// All are the files of figures, pages, questions and tables. The files of a benchmark are in the
// order of their places and names, the papers' tables first. The files about all benchmarks come
// last.
var All = sync.OnceValues(func() ([]*File, error) {
	out, err := parsed(sql.Shown())
	benchmark := func(f *File) int {
		i := slices.IndexFunc(data.Benchmarks(), func(b data.Benchmark) bool { return b.Name == f.Benchmark })
		return (i + len(data.Benchmarks()) + 1) % (len(data.Benchmarks()) + 1)
	}
	name := func(f *File) string { return strings.Replace(f.Name, "table_", " ", 1) }
	slices.SortFunc(out, func(x, y *File) int {
		return cmp.Or(cmp.Compare(benchmark(x), benchmark(y)), cmp.Compare(x.Place, y.Place),
			cmp.Compare(name(x), name(y)))
	})
	return out, err
})

// Named are the files of a name, such as readers or figures/readers. Reading all files takes longer
// than drawing many a figure.
func Named(name string) ([]*File, error) {
	return parsed(slices.DeleteFunc(sql.Shown(),
		func(f sql.File) bool { return name != f.Name && name != strings.TrimSuffix(f.Path, ".sql") }))
}

// parsed reads files of the program. The form of a file is the name of its folder.
func parsed(files []sql.File) (out []*File, err error) {
	for _, file := range files {
		f, err := Parse(file.Path, strings.TrimSuffix(path.Dir(file.Path), "s"), file.Text)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// Written are the forms of the files of an export.
var Written = []string{"json", "jsonl", "yaml", "csv", "text"}

// Exports reads the files of exports by name. If the rows of an export become files of several
// forms, it has a file NAME.MORE.sql for each further form.
func Exports() ([]*File, error) { return parsed(sql.Files("exports")) }

// Select returns the SELECT with values of its parameters. Its lines and columns are the lines and
// columns of the file. A value is an error if the header does not have its parameter.
func (f *File) Select(values map[string]string) (string, error) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if _, ok := f.Parameters[name]; !ok {
			return "", data.Errorf("copy it with --out mine.sql, change the SELECT, and show mine.sql",
				"%s has no parameter %s", f.Name, name)
		}
	}
	var b strings.Builder
	at := 0
	for _, t := range f.tokens {
		b.WriteString(f.Text[at:t.at])
		switch value, given := values[t.parameter()]; {
		case t.kind != parameter:
			b.WriteString(t.raw)
		case given:
			b.WriteString(sql.Quote(value))
		case f.Parameters[t.parameter()] == nil:
			b.WriteString("null")
		default:
			b.WriteString(sql.Quote(*f.Parameters[t.parameter()]))
		}
		at = t.at + len(t.raw)
	}
	return strings.TrimSuffix(b.String(), ";"), nil
}

// Needs reports whether a parameter has no value: the header has an empty value, and no other value
// is given.
func (f *File) Needs(values map[string]string) bool {
	for name, value := range f.Parameters {
		if _, given := values[name]; !given && value != nil && *value == "" {
			return true
		}
	}
	return false
}

// Clauses returns the text after the SELECT. It is empty for a file that is not a figure, and for a
// figure of cards.
func (f *File) Clauses() string { return f.Text[f.end:] }

// Rows is the name of the table that has the rows of the SELECT.
func (f *File) Rows() string { return cmp.Or(f.Form, "file") + "s/" + f.Name }

// duckPlace finds the place in an error of DuckDB: the message, the label "LINE 3: ", its number,
// the shown text of the line, and the spaces before the caret.
var duckPlace = regexp.MustCompile(`(?s)^(.*?)\n+(LINE (\d+): )([^\n]*)\n( *)\^`)

// Located gives an error of DuckDB in the SELECT the place in the file.
func (f *File) Located(err error) error {
	var found []string
	if err != nil {
		found = duckPlace.FindStringSubmatch(err.Error())
	}
	if found == nil {
		return err
	}
	label, text, indent := found[2], found[4], found[5]
	line, _ := strconv.Atoi(found[3])
	lines := strings.SplitAfter(f.Text, "\n")
	column := len(indent) - len(label)
	if line > len(lines) || column < 0 || column > len(text) {
		return err
	}
	// DuckDB shows a part of a long line between dots.
	shown, dots := strings.CutPrefix(text, "...")
	start := strings.Index(lines[line-1], strings.TrimSuffix(shown, "..."))
	if dots {
		column -= 3
	}
	at := len(strings.Join(lines[:line-1], "")) + max(start, 0) + column
	message, _, _ := strings.Cut(found[1], "\n")
	located := f.Fault(min(at, len(f.Text)), "%s", message)
	if hint := (*data.HintError)(nil); errors.As(err, &hint) {
		return data.WithHint(located, "%s", hint.Hint)
	}
	return located
}
