package sqlmodel

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/dictionary"
	"github.com/captionlake/captionlake/sql"
)

// A Shortcut is a view or a table macro that saves joins and conditions, for people who ask in SQL
// and for tables, figures and pages. Every query and the lake's DuckDB file have a shortcut once
// the marts that it reads are built. A shortcut costs nothing until it is read. No model reads a
// shortcut.
//
// Each shortcut is a file of the folder sql/shortcuts, with a header and one select. The select
// uses no macros but the macros of sql/macros/shown.sql, because the DuckDB file has no others. It
// uses no unqualified column name that is also the name of a parameter, because SQL would take the
// name for the parameter. To add a shortcut: one file.
type Shortcut struct {
	sql.Header

	Name    string              // name of the file
	Reads   []string            // base tables and marts
	Columns []dictionary.Column // its own columns, or the columns of the table Like; empty if Like is a mart
	query   string
}

// IsMacro reports whether the shortcut is a table macro rather than a view.
func (s Shortcut) IsMacro() bool { return s.Macro != nil }

// Use is how a query names the shortcut: answers_wide, or versus(a, b).
func (s Shortcut) Use() string {
	if s.IsMacro() {
		return s.Name + "(" + strings.Join(s.Macro, ", ") + ")"
	}
	return s.Name
}

// Shortcuts lists the shortcuts by name.
func Shortcuts() []Shortcut { return slices.Clone(shortcuts()) }

// shortcuts reads the files once. It panics if a file has a fault, because the files are part of
// the program, and a test reads all of them.
var shortcuts = sync.OnceValue(func() []Shortcut {
	var all []Shortcut
	for _, f := range sql.Files("shortcuts") {
		s, err := parseShortcut(f.Path, f.Text)
		if err != nil {
			panic(err)
		}
		all = append(all, s)
	}
	return all
})

// parseShortcut reads the file of a shortcut.
func parseShortcut(name, text string) (Shortcut, error) {
	h, err := sql.Read(name, text)
	if err != nil {
		return Shortcut{}, err
	}
	s := Shortcut{Header: h, Name: strings.TrimSuffix(path.Base(name), ".sql"), query: sql.Query(sql.Filled(h.Body))}
	s.Reads = sql.Reads(s.query)
	// model serves only to call its method column, which refuses a value that is no list.
	var model Model
	for name, value := range columnsOf(h) { // The value is a meaning, or a list as a model's column has it.
		if model.column(name, value) == nil {
			value = model.Columns[len(model.Columns)-1].Comment
		}
		s.Columns = append(s.Columns, described(name, fmt.Sprint(value)))
	}
	tables, err := dictionary.Tables()
	for _, t := range tables {
		if t.Name == s.Like {
			for _, c := range t.Columns {
				s.Columns = append(s.Columns, described(c.Name, c.Comment))
			}
			s.Columns = append(s.Columns, described(UnitColumn, UnitComment))
		}
	}
	return s, err
}

// described is a column with its meaning.
func described(name, what string) dictionary.Column {
	return dictionary.Column{Name: name, Nullable: true, Comment: what}
}

// Statement is the SQL that makes the shortcut. It needs views of the tables and marts that the
// shortcut reads.
func (s Shortcut) Statement() string {
	if s.IsMacro() {
		return fmt.Sprintf("create or replace macro %s as table\n%s", s.Use(), s.query)
	}
	return fmt.Sprintf("create or replace view %s as\n%s", s.Name, s.query)
}

// Comments are the statements that describe the shortcut. DuckDB has no place for comments on the
// columns of a macro.
func (s Shortcut) Comments() []string {
	if s.IsMacro() {
		return []string{fmt.Sprintf("comment on macro table %s is %s", s.Name,
			sql.Quote("Shortcut: "+s.What+". Example: "+s.Example+"."))}
	}
	columns := s.Columns
	for _, m := range Named([]string{s.Like}) { // Like may be a mart, a table or empty.
		columns = m.Described()
	}
	return ViewComments(s.Name, "Shortcut: "+s.What+".", columns)
}

// ViewComments are the statements that describe a view and its columns.
func ViewComments(name, comment string, columns []dictionary.Column) []string {
	view := sql.QuoteName(name)
	statements := []string{fmt.Sprintf("comment on view %s is %s", view, sql.Quote(comment))}
	for _, c := range columns {
		if c.Unit != "" {
			c.Comment += " (" + c.Unit + ")"
		}
		statements = append(statements,
			fmt.Sprintf("comment on column %s.%s is %s", view, sql.QuoteName(c.Name), sql.Quote(c.Comment)))
	}
	return statements
}

// ShortcutsOver are the shortcuts that can be used in a lake: the lake has all marts that they
// read. A base table has a view even if the table is empty.
func ShortcutsOver(lake *data.Lake) ([]Shortcut, error) {
	files, err := data.MartFiles(lake)
	return slices.DeleteFunc(Shortcuts(), func(s Shortcut) bool {
		return slices.ContainsFunc(s.Reads, func(name string) bool {
			_, isTable := data.TableNamed(name)
			return !isTable && len(files[name]) == 0
		})
	}), err
}
