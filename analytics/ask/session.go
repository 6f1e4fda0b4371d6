// Package ask answers SQL questions about a lake. Its queries reach the lake's files and nothing
// else, and they write nothing. It also compares conditions, describes tables and marts, and reads
// foreign files for ingest. It reads the marts of package build.
package ask

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/sql"
)

// Query answers SQL as the function Query does. DuckDB reads every file before the first row is
// written, so that a question can be asked again if a file vanished.
func (r *Reader) Query(ctx context.Context, text string, o Options, out io.Writer) (rows int64, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	o.Format = cmp.Or(o.Format, "table")
	if err := checkFormat(o.Format); err != nil {
		return 0, err
	}
	statements, err := selects(ctx, r.engine, text)
	if err != nil {
		return 0, err
	}
	if len(statements) > 1 && slices.Contains(oneSelectFormats, o.Format) {
		return 0, data.Errorf("ask them one by one, or choose another format", "the format %s takes one select",
			o.Format)
	}
	for _, statement := range statements {
		if err := r.Check(statement, o.Whole); err != nil {
			return 0, err
		}
		var n int64
		err := r.retried(ctx, statement, func() (err error) {
			n, err = r.answer(ctx, statement, o, out)
			return err
		})
		if err != nil {
			return 0, err
		}
		rows += n
	}
	return rows, nil
}

// Check returns an error if a table or mart that a text names is not as it was committed. Marts and
// small tables are compared by their digests, and big tables by their sizes. With bigToo, big
// tables are compared by their digests, too.
func (r *Reader) Check(text string, bigToo bool) error {
	words := namesIn(text, sqlmodel.Shortcuts())
	named := slices.DeleteFunc(sqlmodel.CatalogNames(), func(name string) bool { return !slices.Contains(words, name) })
	if len(named) == 0 {
		return nil
	}
	check, err := r.lake.CheckOf(named, bigToo)
	if err != nil {
		return err
	}
	return check.Err(r.lake)
}

// retried makes the views and macros that a text names, and then calls ask. If a file vanished, it
// does both again, because other processes remove and replace units.
func (r *Reader) retried(ctx context.Context, text string, ask func() error) error {
	return r.again(func() error {
		if err := r.prepare(ctx, text); err != nil {
			return err
		}
		return ask()
	})
}

// again calls a function that reads files. If a file vanishes, again repeats the call, up to
// mostTries calls in all. It does not repeat statements of an unlocked engine, because these may
// also write.
func (r *Reader) again(do func() error) error {
	for tries := 1; ; tries++ {
		err := do()
		if !vanished(err) || r.options.Unlocked || tries == mostTries {
			return explain(err)
		}
		r.engine.Forget()
	}
}

// prepare makes the views, macros and shortcuts that a text may name and that are not there yet. It
// then locks DuckDB's settings, once, unless SQL may do what the process can.
func (r *Reader) prepare(ctx context.Context, text string) error {
	if err := r.openFor(ctx, true, text); err != nil { // true: with marts and shortcuts
		return err
	}
	if r.options.Unlocked || r.locked {
		return nil
	}
	r.locked = true
	return r.engine.Exec(ctx, "set lock_configuration = true")
}

// listsCatalog are the words of a query that lists tables, columns or functions. DuckDB writes the
// statement show tables as: describe "tables".
var listsCatalog = regexp.MustCompile(
	`(?i)\b(duckdb_\w+|information_schema|pg_\w+|sqlite_\w+|show)\b|\bdescribe\s*("|;|$)`)

// namesIn are the words in a text that may be names, and the tables and marts that shortcuts and
// macros among these words read. A comment names nothing.
func namesIn(text string, shortcuts []sqlmodel.Shortcut) []string {
	text = sql.Code(text)
	words := sqlmodel.Words(strings.ToLower(text))
	for _, s := range shortcuts {
		if slices.Contains(words, s.Name) {
			words = append(words, s.Reads...)
		}
	}
	words = append(words, sql.Reads(text)...)
	for _, word := range words { // The loop does not see the words that it appends, and need not.
		if table, isCounted := strings.CutPrefix(word, sqlmodel.CountedPrefix); isCounted {
			words = append(words, table, sqlmodel.StalePrefix+table)
		}
		words = append(words, strings.TrimPrefix(word, sqlmodel.StalePrefix),
			strings.TrimPrefix(word, sqlmodel.MergedPrefix))
	}
	return words
}

// MartsIn are the marts that the text of a query names, itself or by a shortcut.
func MartsIn(query string) []string {
	words := namesIn(query, sqlmodel.Shortcuts())
	return slices.DeleteFunc(sql.Names(), func(mart string) bool { return !slices.Contains(words, mart) })
}

// openFor makes the views, shortcuts and macros that a text names. Unless marts is set, it makes no
// shortcuts and no views of marts. If the text may list tables, columns or functions, openFor makes
// all views, shortcuts and macros, with comments. It does not do so for every text: when DuckDB
// makes a view, it opens every file of the view, and to make all macros takes longer than to start
// DuckDB.
func (r *Reader) openFor(ctx context.Context, marts bool, text string) (err error) {
	var shortcuts []sqlmodel.Shortcut
	if marts {
		if shortcuts, err = sqlmodel.ShortcutsOver(r.lake); err != nil {
			return err
		}
	}
	all, words := listsCatalog.MatchString(sql.Code(text)), namesIn(text, shortcuts)
	relationNames := words
	if all {
		relationNames = sqlmodel.CatalogNames()
	}
	if !marts {
		relationNames = slices.DeleteFunc(sqlmodel.TableNames(),
			func(table string) bool { return !slices.Contains(relationNames, table) })
	}
	relations, err := engine.Relations(r.lake, r.folder, relationNames)
	if err != nil {
		return err
	}
	if err := r.createMacros(ctx, all, words); err != nil {
		return err
	}
	if err := r.engine.CreateViews(ctx, r.folder, relations); err != nil {
		return err
	}
	for _, s := range shortcuts {
		if !all && !slices.Contains(words, s.Name) {
			continue
		}
		if err := r.engine.Make(ctx, s.Statement()); err != nil {
			return fmt.Errorf("shortcut %s: %w", s.Name, err)
		}
	}
	if !all {
		return nil
	}
	var comments []string
	for _, s := range shortcuts {
		comments = append(comments, s.Comments()...)
	}
	for _, relation := range relations {
		comments = append(comments, relation.Comments()...)
	}
	if err := r.engine.Exec(ctx, strings.Join(comments, ";\n")); err != nil {
		return fmt.Errorf("comments: %w", err)
	}
	return nil
}

// createMacros makes all macros, or the macros among the words and the macros that these need. In
// engine.Macros a macro stands after the macros that it needs. So one pass from the last macro to
// the first finds all needed macros, and then they are made from the first to the last.
func (r *Reader) createMacros(ctx context.Context, all bool, words []string) error {
	const head = "create or replace temp macro "
	var needed []string
	for _, macro := range slices.Backward(strings.Split(engine.Macros, head)[1:]) {
		if name, _, _ := strings.Cut(macro, "("); all || slices.Contains(words, name) {
			needed = append(needed, head+macro)
			words = append(words, sqlmodel.Words(macro)...)
		}
	}
	for _, macro := range slices.Backward(needed) {
		if err := r.engine.Make(ctx, macro); err != nil {
			return fmt.Errorf("macros: %w", err)
		}
	}
	return nil
}
