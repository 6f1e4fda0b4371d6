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

// A File is a question, a table, a figure, an export, or rows that a page shows. The header of a
// file is YAML in the comments at the top, and may be missing.
type File struct {
	Name, Path string
	Form       string // question, table, figure, page or export; empty for a user's own file
	Text       string // of the whole file
	sql.Header
	Reads []string // marts that the SELECT reads; empty for a question and an export

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
	if err := f.checkHeader(); err != nil {
		return nil, err
	}
	if err := f.split(); err != nil {
		return nil, err
	}
	if form != "question" && form != "export" {
		f.Reads = slices.DeleteFunc(sql.Reads(text[:f.end]),
			func(name string) bool { return !slices.Contains(sql.Names(), name) })
	}
	return f, nil
}

// checkHeader refuses words in the header that a file of its form cannot have, and values that such
// a word cannot have.
func (f *File) checkHeader() error {
	if !f.IsShown(f.Form == "export" || f.Form == "") { // A user's own file has no form and may be an export.
		return data.Errorf("it may have shows, asks, about, paper, parameters, benchmark, place, one, each, "+
			"columns, cards, computed and no_demo", "%s: the header has words of another kind of file", f.Path)
	}
	if f.Form == "export" && (!slices.Contains(Written, f.Written) || !filepath.IsLocal(f.File)) {
		return data.WithHint(fmt.Errorf("%s: the header of an export says how its rows are written", f.Path),
			"write a form (%s) and a file, such as: -- file: \"{captioner}.json\"", strings.Join(Written, ", "))
	}
	for i, c := range f.Columns {
		at := fmt.Sprintf("columns[%d]", i)
		switch {
		case !slices.Contains([]string{"", "highest", "lowest"}, c.Best):
			return fmt.Errorf("%s: the best value is highest or lowest, not %q", f.At(at+".best"), c.Best)
		case !slices.Contains([]string{"", "main", "first", "facet", "extra"}, c.Page):
			return fmt.Errorf("%s: on a page a column is main, first, facet or extra, not %q", f.At(at+".page"), c.Page)
		case c.Name == "":
			return fmt.Errorf("%s: a column needs the name that the SELECT gives it", f.At(at))
		}
	}
	for _, p := range slices.Sorted(maps.Keys(f.Parameters)) {
		if !slices.Contains(Parameters, p) {
			return data.Errorf(spelling.Meant("name it one of: "+strings.Join(Parameters, ", "), Parameters, p),
				"%s: there is no flag for a parameter %q", f.At("parameters."+p), p)
		}
	}
	return nil
}

// split cuts the file into the SELECT and the clauses after VISUALISE. split refuses a SELECT with
// a parameter that the header does not have.
func (f *File) split() error {
	all, err := f.lex()
	if err != nil {
		return err
	}
	depth := 0 // of brackets; within brackets visualise is a name
	for i, t := range all {
		if t.kind == end || depth == 0 && (t.is("visualise") || t.is("visualize")) {
			// The clauses always end with the token of the end, also if there are no clauses.
			f.tokens, f.clauses, f.end = all[:i], all[min(i+1, len(all)-1):], t.at
			break
		}
		switch {
		case t.raw == "(":
			depth++
		case t.raw == ")":
			depth--
		case t.kind == parameter:
			if _, ok := f.Parameters[t.parameter()]; !ok {
				return data.WithHint(f.Fault(t.at, "the header has no parameter %s", t.parameter()),
					"add to it: -- parameters: {%s: its value}", t.parameter())
			}
		}
	}
	if len(f.tokens) == 0 {
		return data.WithHint(f.Fault(len(f.Text), "there is no SELECT"),
			"write one: select captioner_name, overall from leaderboard")
	}
	return nil
}

// All are the files of figures, pages, questions and tables. The files of a benchmark are in the
// order of their places and names, the papers' tables first. The files about all benchmarks come
// last.
var All = sync.OnceValues(func() ([]*File, error) {
	out, err := parsed(sql.Shown())
	benchmark := func(f *File) int {
		i := slices.IndexFunc(data.Benchmarks(), func(b data.Benchmark) bool { return b.Name == f.Benchmark })
		if i < 0 { // The file is about all benchmarks.
			return len(data.Benchmarks())
		}
		return i
	}
	// A space sorts the papers' tables before all other names.
	name := func(f *File) string { return strings.Replace(f.Name, "table_", " ", 1) }
	slices.SortFunc(out, func(x, y *File) int {
		return cmp.Or(cmp.Compare(benchmark(x), benchmark(y)), cmp.Compare(x.Place, y.Place),
			cmp.Compare(name(x), name(y)))
	})
	return out, err
})

// Named are the files of a name, such as readers or figures/readers. Named reads no other files,
// because reading all files takes longer than drawing most figures.
func Named(name string) ([]*File, error) {
	return parsed(slices.DeleteFunc(sql.Shown(),
		func(f sql.File) bool { return name != f.Name && name != strings.TrimSuffix(f.Path, ".sql") }))
}

// parsed reads files of the program. The form of a file is the name of its folder without the s.
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
// forms, the export has a file NAME.MORE.sql for each further form.
func Exports() ([]*File, error) { return parsed(sql.Files("exports")) }

// Select returns the SELECT with the values of parameters in it: the given values, otherwise the
// values of the header. All that stands before a parameter keeps its line and column in the file,
// so that Located finds the place of an error. A value for a parameter that the header does not
// have is an error.
func (f *File) Select(values map[string]string) (string, error) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if _, ok := f.Parameters[name]; !ok {
			return "", data.Errorf("copy it with --out mine.sql, change the SELECT, and show mine.sql",
				"%s has no parameter %s", f.Name, name)
		}
	}
	query, at := "", 0
	for _, t := range f.tokens {
		query += f.Text[at:t.at]
		at = t.at + len(t.raw)
		value, given := values[t.parameter()]
		switch preset := f.Parameters[t.parameter()]; {
		case t.kind != parameter:
			query += t.raw
		case given:
			query += sql.Quote(value)
		case preset == nil:
			query += "null"
		default:
			query += sql.Quote(*preset)
		}
	}
	return strings.TrimSuffix(query, ";"), nil
}

// Needs reports whether the user must give a further value: whether a parameter with an empty text
// in the header has no given value.
func (f *File) Needs(values map[string]string) bool {
	for name, value := range f.Parameters {
		if _, given := values[name]; !given && value != nil && *value == "" {
			return true
		}
	}
	return false
}

// Clauses returns the text after the SELECT. The text is empty for a file that is not a figure, and
// for a figure of cards.
func (f *File) Clauses() string { return f.Text[f.end:] }

// Rows is the name that errors give the rows of the SELECT, such as figures/readers.
func (f *File) Rows() string { return cmp.Or(f.Form, "file") + "s/" + f.Name }

// duckPlace finds the place in an error of DuckDB. Its groups are the message, the label of a line
// (LINE, its number and a colon), the number of the line, the text of the line, and the spaces
// before the caret that is below the text.
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
	column := len(indent) - len(label) // The spaces before the caret are below the label, too.
	if line > len(lines) || column < 0 || column > len(text) {
		return err
	}
	// DuckDB shows only a part of a long line, between dots.
	part, dots := strings.CutPrefix(text, "...")
	start := strings.Index(lines[line-1], strings.TrimSuffix(part, "..."))
	if dots {
		column -= len("...")
	}
	at := len(strings.Join(lines[:line-1], "")) + max(start, 0) + column
	message, _, _ := strings.Cut(found[1], "\n")
	located := f.Fault(min(at, len(f.Text)), "%s", message)
	if hint := (*data.HintError)(nil); errors.As(err, &hint) {
		return data.WithHint(located, "%s", hint.Hint)
	}
	return located
}
