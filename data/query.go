package data

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/captionlake/captionlake/data/rows"
)

// errEnough ends the rows of which no more are wanted.
var errEnough = errors.New("no more rows are wanted")

// QueryAll gives the rows of Query at once.
func QueryAll[T any](l *Lake, query string, args ...any) (all []T, err error) {
	for row, err := range Query[T](l, query, args...) {
		if err != nil {
			return nil, err
		}
		all = append(all, row)
	}
	return all, nil
}

// Query streams the rows of a query. A column goes into the field that has its name as parquet or json tag; null is the zero value. It is
// for joins and groups; Select, Scan and Project read one table and need no engine.
func Query[T any](l *Lake, query string, args ...any) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		if l.waiter.Reader == nil {
			yield(*new(T), fmt.Errorf("%s: the lake was opened without a reader of SQL", l.dir))
			return
		}
		ctx := cmp.Or(l.waiter.Context, context.Background())
		err := l.waiter.Reader(ctx, l, query, args, func(batch arrow.RecordBatch) error {
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
