package analytics

import (
	"context"
	"errors"
	"fmt"
	"slices"

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
		err := e.openModels(ctx, lake, folder, query)
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
		clear(e.shown)
	}
}

// openModels makes the views of the tables and of the models that a query names.
func (e *engine) openModels(ctx context.Context, lake *data.Lake, folder, query string) error {
	text, words := query, wordForm.FindAllString(query, -1)
	var models []Model
	for _, file := range sql.Models() {
		if !slices.Contains(words, file.Name) {
			continue
		}
		m, err := ParseModel(file.File, file.Text)
		if err != nil {
			return err
		}
		models, text = append(models, m), text+"\n"+m.Select
	}
	if err := e.openFor(ctx, lake, folder, nil, text); err != nil {
		return err
	}
	for _, m := range models {
		view := fmt.Sprintf("create or replace temp view %s as\n%s", quoteName(m.Name), m.Select)
		if err := e.exec(ctx, view); err != nil {
			return fmt.Errorf("view %s: %w", m.Name, err)
		}
	}
	return nil
}
