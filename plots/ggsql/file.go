// Package ggsql reads the files that show and report answer: a header, one SELECT and, of a figure, how it is drawn. The clauses are a
// part of those of ggsql, by the makers of ggplot2; sql/figures/README.md is the page of what is supported.
package ggsql

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/spelling"
	"github.com/captionlake/captionlake/data/strictyaml"
	"github.com/captionlake/captionlake/sql"
)

// A File is a question, a table, a figure or what a page shows. Its header is YAML in the comments at the top; a file without one is shown, too.
type File struct {
	Name, Path string
	Form       string // question, table, figure or page
	Text       string // whole
	Header
	Reads []string // marts that the SELECT reads, unless it is a question

	tokens []token // of the SELECT
	end    int     // byte after the SELECT
}

// A Header says what a file shows.
type Header struct {
	Shows      string             `yaml:"shows"`      // in one line
	About      string             `yaml:"about"`      // what a reader of the rows should know
	NoDemo     string             `yaml:"no_demo"`    // why the demo's lake has no rows of it; empty where it has some
	Paper      string             `yaml:"paper"`      // where in which paper
	Parameters map[string]*string `yaml:"parameters"` // values of $name in the SELECT where no flag gives another; null for NULL

	// Of a table or a figure:
	Benchmark string   `yaml:"benchmark"` // that it belongs to; none where it is about all of them
	One       string   `yaml:"one"`       // a column of whose values only the first is shown; of prompt, Simple before others
	Columns   []Column `yaml:"columns"`   // of a table, in its order; without them all that the SELECT gives
	Each      string   `yaml:"each"`      // a column whose every value names a table of its own
	Cards     bool     `yaml:"cards"`     // of a figure, each row is a card with a picture, and no clause says how it is drawn
	Computed  bool     `yaml:"computed"`  // what is drawn is computed here from published figures and printed nowhere
}

// A Column says how a column of a table is written.
type Column struct {
	Name     string `yaml:"name"`     // in the SELECT; ends of an interval are in columns of this name with _low and _high behind it
	Head     string `yaml:"head"`     // the name in words when empty
	Decimals *int   `yaml:"decimals"` // digits after the point; null of a text
	Best     string `yaml:"best"`     // highest or lowest: that value is bold among the rows of a section, or of a best_among of the SELECT
	Signed   bool   `yaml:"signed"`   // a plus before positive values
	Ends     bool   `yaml:"ends"`     // intervals by their ends, also where a half width would do
	Once     bool   `yaml:"once"`     // a text that the row above has, too, is left out in print
	Prose    bool   `yaml:"prose"`    // sentences, which LaTeX breaks into lines
	Empty    string `yaml:"empty"`    // what stands for a number that is NULL, instead of a dash
	Across   string `yaml:"across"`   // a column each of whose values heads a column of this one's, by the number across_place of the SELECT
	Page     string `yaml:"page"`     // on a page: main, drawn as dots; first, filtered by the first row's value; facet, to filter by; extra, shown when asked for
	Beside   string `yaml:"beside"`   // a column whose values are drawn beside this main one's
}

// Parameters are the names that parameters may have: each is a flag of show.
var Parameters = []string{"captioner", "other", "prompt", "reader", "judge", "domain", "image", "question"}

// MaxBytes bounds a file.
const MaxBytes = 1 << 20

// headed tells a header from comments of another kind.
var headed = regexp.MustCompile(`\A(-- ?\w+:.*\n)`)

// Parse reads a file. Every fault is located: path:line:column.
func Parse(name, form, text string) (*File, error) {
	f := &File{Name: strings.TrimSuffix(path.Base(name), ".sql"), Path: name, Form: form, Text: text}
	if headed.MatchString(text) {
		// Blanks stand for the dashes, so that faults of the YAML have the places of the file.
		var header strings.Builder
		for line := range strings.Lines(text) {
			rest, ok := strings.CutPrefix(line, "--")
			if !ok {
				break
			}
			header.WriteString("  " + rest)
		}
		document, err := strictyaml.Read(name, []byte(header.String()), MaxBytes, &f.Header)
		if err != nil {
			return nil, err
		}
		for i, c := range f.Columns {
			if !slices.Contains([]string{"", "highest", "lowest"}, c.Best) {
				return nil, fmt.Errorf("%s: the best value is highest or lowest, not %q", document.Place(fmt.Sprintf("columns[%d].best", i)), c.Best)
			}
			if !slices.Contains([]string{"", "main", "first", "facet", "extra"}, c.Page) {
				return nil, fmt.Errorf("%s: on a page a column is main, first, facet or extra, not %q", document.Place(fmt.Sprintf("columns[%d].page", i)), c.Page)
			}
			if c.Name == "" {
				return nil, fmt.Errorf("%s: a column needs the name that the SELECT gives it", document.Place(fmt.Sprintf("columns[%d]", i)))
			}
		}
		for _, p := range slices.Sorted(maps.Keys(f.Parameters)) {
			if !slices.Contains(Parameters, p) {
				return nil, data.WithHint(fmt.Errorf("%s: there is no flag for a parameter %q", document.Place("parameters."+p), p),
					"%s", spelling.Meant("name it one of: "+strings.Join(Parameters, ", "), Parameters, p))
			}
		}
	}
	all, err := f.lex(0)
	if err != nil {
		return nil, err
	}
	depth := 0
	for i, t := range all {
		switch {
		case t.kind == end || depth == 0 && (t.is("visualise") || t.is("visualize")):
			f.tokens, f.end = all[:i], t.at
		case t.raw == "(":
			depth++
		case t.raw == ")":
			depth--
		case t.kind == parameter:
			if _, ok := f.Parameters[t.raw[1:]]; !ok {
				return nil, data.WithHint(f.Fault(t.at, "the header has no parameter %s", t.raw[1:]), "add to it: -- parameters: {%s: its value}", t.raw[1:])
			}
		}
		if f.end > 0 {
			break
		}
	}
	if len(f.tokens) == 0 {
		return nil, data.WithHint(f.Fault(len(text), "there is no SELECT"), "write one: select captioner_name, overall from leaderboard")
	}
	if form != "question" {
		f.Reads = slices.DeleteFunc(sql.Reads(text[:f.end]), func(name string) bool { return !slices.Contains(sql.Names(), name) })
	}
	return f, nil
}

// All reads the files of figures, pages, questions and tables, by form and name.
func All() (out []*File, err error) {
	for _, file := range sql.Shown() {
		f, err := Parse(file.Path, strings.TrimSuffix(path.Dir(file.Path), "s"), file.Text)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(out, func(o *File) bool { return o.Name == f.Name && (o.Form == "figure") == (f.Form == "figure") }) {
			return nil, fmt.Errorf("%s: there are two files of this name", file.Path)
		}
		out = append(out, f)
	}
	return out, nil
}

// Select is the SELECT with values of its parameters, its lines and columns those of the file. Values that the header does not have are an error.
func (f *File) Select(values map[string]string) (string, error) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if _, ok := f.Parameters[name]; !ok {
			return "", data.WithHint(fmt.Errorf("%s has no parameter %s", f.Name, name), "copy it with --out mine.sql, change the SELECT, and show mine.sql")
		}
	}
	var b strings.Builder
	at := 0
	for _, t := range f.tokens {
		b.WriteString(f.Text[at:t.at])
		switch value, given := values[strings.TrimPrefix(t.raw, "$")]; {
		case t.kind != parameter:
			b.WriteString(t.raw)
		case given:
			b.WriteString(quote(value))
		case f.Parameters[t.raw[1:]] == nil:
			b.WriteString("null")
		default:
			b.WriteString(quote(*f.Parameters[t.raw[1:]]))
		}
		at = t.at + len(t.raw)
	}
	return strings.TrimSuffix(b.String(), ";"), nil
}

// Clauses are what comes after the SELECT; empty for a file that is no figure, or whose rows are cards.
func (f *File) Clauses() string { return f.Text[f.end:] }

// Rows is the name of the table that has the rows of the SELECT.
func (f *File) Rows() string { return cmp.Or(f.Form, "file") + "s/" + f.Name }

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// sqlPlace is the place in the SELECT that an error begins with.
var sqlPlace = regexp.MustCompile(`^SQL:\d+:\d+: `)

// duckPlace finds the line and the caret of an error of DuckDB.
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
	line, _ := strconv.Atoi(found[3])
	lines := strings.SplitAfter(f.Text, "\n")
	column := len(found[5]) - len(found[2])
	if line > len(lines) || column < 0 || column > len(found[4]) {
		return err
	}
	// DuckDB shows a part of a long line between dots.
	shown, dots := strings.CutPrefix(found[4], "...")
	start := strings.Index(lines[line-1], strings.TrimSuffix(shown, "..."))
	if dots {
		column -= 3
	}
	at := len(strings.Join(lines[:line-1], "")) + max(start, 0) + column
	message, _, _ := strings.Cut(sqlPlace.ReplaceAllString(found[1], ""), "\n")
	located := f.Fault(min(at, len(f.Text)), "%s", message)
	if hint := (*data.HintError)(nil); errors.As(err, &hint) {
		return data.WithHint(located, "%s", hint.Hint)
	}
	return located
}
