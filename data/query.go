package data

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"strings"
)

// A Reader answers SQL about what a lake holds now: every base table is a view, and so is each SQL model that the query names. It hands
// each row to a function, with the names of the columns.
type Reader func(ctx context.Context, l *Lake, query string, args []any, row func(columns []string, values []any) error) error

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
		fields := map[string][]int{}
		for _, f := range reflect.VisibleFields(reflect.TypeFor[T]()) {
			name, _, _ := strings.Cut(cmp.Or(f.Tag.Get("parquet"), f.Tag.Get("json")), ",")
			fields[name] = f.Index
		}
		ctx := cmp.Or(l.waiter.Context, context.Background())
		err := l.waiter.Reader(ctx, l, query, args, func(columns []string, values []any) error {
			var row T
			for i, name := range columns {
				if fields[name] == nil {
					return fmt.Errorf("column %s of a query has no field in %T", name, row)
				}
				if err := assign(reflect.ValueOf(&row).Elem().FieldByIndex(fields[name]), values[i]); err != nil {
					return fmt.Errorf("column %s: %w", name, err)
				}
			}
			if !yield(row, nil) {
				return errEnough
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			yield(*new(T), err)
		}
	}
}

// assign gives a field the value of a column.
func assign(field reflect.Value, value any) error {
	from := reflect.ValueOf(value)
	switch {
	case value == nil:
	case field.Kind() == reflect.Pointer:
		field.Set(reflect.New(field.Type().Elem()))
		return assign(field.Elem(), value)
	case field.Kind() == reflect.Slice && from.Kind() == reflect.Slice:
		field.Set(reflect.MakeSlice(field.Type(), from.Len(), from.Len()))
		for i := range from.Len() {
			if err := assign(field.Index(i), from.Index(i).Interface()); err != nil {
				return err
			}
		}
	case from.CanConvert(field.Type()) && (field.Kind() == reflect.String) == (from.Kind() == reflect.String):
		field.Set(from.Convert(field.Type()))
	default:
		return fmt.Errorf("%T is no %s", value, field.Type())
	}
	return nil
}
