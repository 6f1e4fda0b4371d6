package data

import (
	"errors"
	"fmt"
	"iter"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/captionlake/captionlake/data/rows"
)

// errEnough stops the reader when the caller wants no more rows.
var errEnough = errors.New("no more rows are wanted")

// QueryAll returns all rows of Query.
func QueryAll[T any](l *Lake, query string, args ...any) ([]T, error) {
	return rows.All(Query[T](l, query, args...))
}

// Query streams the rows of a query. A column goes into the field of T that has the column's name
// as parquet or json tag; null becomes the zero value. Use Query for joins and groups. Select, Scan
// and Project read one table and need no SQL engine.
func Query[T any](l *Lake, query string, args ...any) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		if l.waiter.Reader == nil {
			yield(*new(T), fmt.Errorf("%s: the lake was opened without a reader of SQL", l.dir))
			return
		}
		err := l.waiter.Reader(l.context(), l, query, args, func(batch arrow.RecordBatch) error {
			defer batch.Release()
			for row, err := range rows.Structs[T](batch) {
				if err != nil {
					return err
				}
				if !yield(row, nil) {
					return errEnough
				}
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			yield(*new(T), err)
		}
	}
}
