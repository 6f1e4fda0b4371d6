package ask

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/captionlake/captionlake/analytics/batches"
	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/sql"
)

// Read is a data.Reader. If the query names a SQL model, Read computes the model from the tables
// that the lake holds now, even if the lake has the model's mart. The model may read base tables
// only.
func Read(ctx context.Context, lake *data.Lake, query string, args []any,
	hand func(arrow.RecordBatch) error) (err error) {
	r, err := OpenReader(ctx, lake, engine.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	// If a file vanishes, the method again repeats the query. hand still gets no row twice: the driver
	// has all rows in memory before it gives the first batch, so a vanished file ends the query before
	// that.
	var handErr error
	err = r.again(func() error {
		if err := r.openModels(ctx, query); err != nil {
			return err
		}
		err := batches.Each(ctx, r.engine.Conn, batchRows, query, args, func(batch arrow.RecordBatch) error {
			handErr = hand(batch)
			return handErr
		})
		if handErr != nil {
			return nil // An error of hand is no reason to ask again.
		}
		return err
	})
	return errors.Join(handErr, err)
}

// batchRows is how many rows are handed over at a time.
const batchRows = 1 << 12

// openModels makes the views of the tables and of the models that a query names.
func (r *Reader) openModels(ctx context.Context, query string) error {
	// Words takes lower case, and the queries that come here are the program's own, in lower case.
	text, models := query, sqlmodel.Named(sqlmodel.Words(query))
	for _, m := range models {
		text += "\n" + m.Select
	}
	if err := r.openFor(ctx, false, text); err != nil { // false: without marts and shortcuts
		return err
	}
	for _, m := range models {
		view := fmt.Sprintf("create or replace temp view %s as\n%s", sql.QuoteName(m.Name), m.Select)
		if err := r.engine.Exec(ctx, view); err != nil {
			return fmt.Errorf("view %s: %w", m.Name, err)
		}
	}
	return nil
}
