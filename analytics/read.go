package analytics

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/sql"
)

// Read is a data.Reader. A SQL model that the query names is computed from what the lake holds now, whatever marts there are; it may read
// base tables only.
func Read(ctx context.Context, lake *data.Lake, query string, args []any, row func(columns []string, values []any) error) (err error) {
	folder, err := lakeFolder(lake)
	if err != nil {
		return err
	}
	temp, err := newScratch()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, temp.remove()) }()
	e, err := openEngine(ctx, engineConfig{spill: temp.path("spill"), folders: []string{folder}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	for tries := 1; ; tries++ {
		err := e.openFor(ctx, lake, folder, query)
		if err == nil {
			result, failed := e.conn.QueryContext(ctx, query, args...)
			if err = failed; err == nil {
				var columns []string
				return eachRow(result, func(names []string) error { columns = names; return nil },
					func(values []any) error { return row(columns, values) })
			}
		}
		if !vanished(err) || tries == listings {
			return err
		}
	}
}

// openFor makes the views and macros that a query needs, and no other: DuckDB reads the footers of a view's files when it makes it, and takes
// longer to make all macros than to start.
func (e *engine) openFor(ctx context.Context, lake *data.Lake, folder, query string) error {
	words := wordForm.FindAllString(query, -1)
	var models []Model
	for _, file := range sql.Models() {
		if !slices.Contains(words, file.Name) {
			continue
		}
		m, err := ParseModel(file.File, file.Text)
		if err != nil {
			return err
		}
		models, words = append(models, m), append(words, wordForm.FindAllString(m.Select, -1)...)
	}
	tables, err := tableRelations(lake)
	if err != nil {
		return err
	}
	tables = slices.DeleteFunc(tables, func(r relation) bool { return !slices.Contains(words, r.name) })
	if needed := macrosOf(words); needed != "" {
		if err := e.exec(ctx, needed); err != nil {
			return fmt.Errorf("macros: %w", err)
		}
	}
	if err := e.createViews(ctx, quote(globEscape.Replace(folder)), tables); err != nil {
		return err
	}
	for _, m := range models {
		view := fmt.Sprintf("create or replace temp view %s as\n%s", quoteName(m.Name), strings.TrimSuffix(strings.TrimSpace(m.Select), ";"))
		if err := e.exec(ctx, view); err != nil {
			return fmt.Errorf("view %s: %w", m.Name, err)
		}
	}
	return nil
}

// macrosOf makes the macros that a text names, and those that they need, which stand before them.
func macrosOf(words []string) string {
	const head = "create or replace temp macro "
	made := ""
	for _, macro := range slices.Backward(strings.Split(macros, head)[1:]) {
		if name, _, _ := strings.Cut(macro, "("); slices.Contains(words, name) {
			made = head + macro + made
			words = append(words, wordForm.FindAllString(macro, -1)...)
		}
	}
	return made
}
