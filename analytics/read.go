package analytics

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/captionlake/captionlake/data"
)

// Read is a data.Reader. A SQL model that the query names is computed from what the lake holds now, whatever marts there are; it may read
// base tables only.
func Read(ctx context.Context, lake *data.Lake, query string, args []any, row func(columns []string, values []any) error) (err error) {
	s, err := OpenSession(ctx, lake, EngineOptions{}, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	var result *sql.Rows
	if err := s.again(func() (err error) {
		if err := s.engine.openModels(ctx, lake, s.folder, query); err != nil {
			return err
		}
		result, err = s.engine.conn.QueryContext(ctx, query, args...)
		return err
	}); err != nil {
		return err
	}
	var columns []string
	return eachRow(result, func(names []string) error { columns = names; return nil }, func(values []any) error { return row(columns, values) })
}

// openModels makes the views of the tables and of the models that a query names.
func (e *engine) openModels(ctx context.Context, lake *data.Lake, folder, query string) error {
	text, models := query, modelsNamed(wordForm.FindAllString(query, -1))
	for _, m := range models {
		text += "\n" + m.Select
	}
	if err := e.openFor(ctx, lake, folder, false, text); err != nil {
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
