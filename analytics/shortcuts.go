package analytics

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/captionlake/captionlake/data/dictionary"
	"github.com/captionlake/captionlake/data/strictyaml"
)

// A Shortcut is a view or a table macro for people who ask questions in SQL: it saves them the joins and the conditions that most questions
// need. It is there in every query and in the lake's DuckDB file, once the marts that it reads are built, and costs nothing until it is
// read. No model and no report reads it.
//
// Each is a file of the folder shortcuts: a header like that of a model, in YAML, and one select that uses neither macros.sql, which the
// DuckDB file does not have, nor unqualified names of columns that are its parameters, which would be the parameters. To add one: one file.
type Shortcut struct {
	Name       string
	What       string
	Example    string   // a query
	Parameters []string // of a macro; nil for a view
	Reads      []string // base tables and marts
	Like       string   // the table or mart whose columns it has, or some of them; empty when it has columns of its own
	Columns    []ShortcutColumn

	query string
}

// A ShortcutColumn is a column that a shortcut gives.
type ShortcutColumn struct{ Name, What string }

// macro reports whether the shortcut is a table macro rather than a view.
func (s Shortcut) macro() bool { return s.Parameters != nil }

// Use is how a query names the shortcut: answers_wide, or versus(a, b).
func (s Shortcut) Use() string {
	if s.macro() {
		return s.Name + "(" + strings.Join(s.Parameters, ", ") + ")"
	}
	return s.Name
}

//go:embed shortcuts/*.sql
var shortcutFiles embed.FS

// replies is a select of the reply that counts of each request, which samples and shortcuts put where they say {replies}: a macro would
// not be in the DuckDB file.
//
//go:embed replies.sql
var replies string

// counted is a select of the answers that count, for {answers}.
//
//go:embed counted.sql
var counted string

// Shortcuts lists the shortcuts by name.
func Shortcuts() []Shortcut { return slices.Clone(shortcuts()) }

// shortcuts reads the files once: their text is part of the program, and a test reads them all.
var shortcuts = sync.OnceValue(func() []Shortcut {
	files, err := fs.Glob(shortcutFiles, "shortcuts/*.sql")
	if err != nil {
		panic(err)
	}
	var all []Shortcut
	for _, name := range files {
		text, err := shortcutFiles.ReadFile(name)
		if err != nil {
			panic(err)
		}
		s, err := parseShortcut(string(text))
		if err != nil {
			panic(fmt.Sprintf("%s: %v", name, err))
		}
		all = append(all, s)
	}
	return all
})

func parseShortcut(text string) (s Shortcut, err error) {
	var header strings.Builder
	query := text
	for strings.HasPrefix(query, "--") {
		var line string
		line, query, _ = strings.Cut(query, "\n")
		header.WriteString(strings.TrimPrefix(line[2:], " ") + "\n")
	}
	var h struct {
		Shortcut   string   `yaml:"shortcut"`
		What       string   `yaml:"what"`
		Example    string   `yaml:"example"`
		Parameters []string `yaml:"parameters"`
		Reads      []string `yaml:"reads"`
		Columns    any      `yaml:"columns"`
	}
	if _, err := strictyaml.Read("header", []byte(header.String()), maxHeader, &h); err != nil {
		return s, err
	}
	s = Shortcut{Name: h.Shortcut, What: h.What, Example: h.Example, Parameters: h.Parameters, Reads: h.Reads}
	switch columns := h.Columns.(type) {
	case string:
		table, err := tableColumns(columns)
		if err != nil {
			return s, err
		}
		s.Like, s.Columns = columns, table
	case []strictyaml.Entry:
		for _, c := range columns {
			s.Columns = append(s.Columns, ShortcutColumn{fmt.Sprint(c.Key), fmt.Sprint(c.Value)})
		}
	}
	s.query = strings.TrimSuffix(strings.TrimSpace(strings.NewReplacer("{replies}", replies, "{answers}", counted).Replace(query)), ";")
	if s.Name == "" || s.What == "" || s.Example == "" || len(s.Reads) == 0 || s.Like == "" && len(s.Columns) == 0 || s.query == "" {
		return s, fmt.Errorf("the header has no shortcut, what, example, reads or columns, or there is no select")
	}
	return s, nil
}

// tableColumns are the columns of a table; none for a mart.
func tableColumns(name string) (columns []ShortcutColumn, err error) {
	tables, err := dictionary.Tables()
	for _, t := range tables {
		if t.Name != name {
			continue
		}
		for _, c := range t.Columns {
			columns = append(columns, ShortcutColumn{c.Name, c.Comment})
		}
		columns = append(columns, ShortcutColumn{unitColumn, UnitComment})
	}
	return columns, err
}

// statement makes the shortcut where its tables and marts are.
func (s Shortcut) statement() string {
	if s.macro() {
		return fmt.Sprintf("create or replace macro %s as table\n%s", s.Use(), s.query)
	}
	return fmt.Sprintf("create or replace view %s as\n%s", s.Name, s.query)
}

// comments are the statements that describe it. The columns of a macro have no place of their own.
func (s Shortcut) comments() []string {
	if s.macro() {
		return []string{fmt.Sprintf("comment on macro table %s is %s", s.Name, quote("Shortcut: "+s.What+". Example: "+s.Example+"."))}
	}
	statements := []string{fmt.Sprintf("comment on view %s is %s", s.Name, quote("Shortcut: "+s.What+"."))}
	for _, c := range s.Columns {
		statements = append(statements, fmt.Sprintf("comment on column %s.%s is %s", s.Name, quoteName(c.Name), quote(c.What)))
	}
	return statements
}

// shortcutsOver are those whose tables and marts are all there.
func shortcutsOver(relations []relation) []Shortcut {
	return slices.DeleteFunc(Shortcuts(), func(s Shortcut) bool {
		return slices.ContainsFunc(s.Reads, func(name string) bool {
			return !slices.ContainsFunc(relations, func(r relation) bool { return r.name == name })
		})
	})
}
