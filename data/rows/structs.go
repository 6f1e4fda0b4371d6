package rows

import (
	"cmp"
	"fmt"
	"iter"
	"reflect"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// All collects the rows of a stream until its first error.
func All[T any](stream iter.Seq2[T, error]) (all []T, err error) {
	for row, err := range stream {
		if err != nil {
			return nil, err
		}
		all = append(all, row)
	}
	return all, nil
}

// Structs gives each row of a batch as a struct. A column goes into the field that has the column's
// name as parquet or json tag. The field of a NULL keeps its zero value, and a column without a
// field is an error.
func Structs[T any](batch arrow.RecordBatch) iter.Seq2[T, error] {
	fields, rowType := map[string][]int{}, reflect.TypeFor[T]()
	for _, f := range reflect.VisibleFields(rowType) {
		name, _, _ := strings.Cut(cmp.Or(f.Tag.Get("parquet"), f.Tag.Get("json")), ",")
		fields[name] = f.Index
	}
	fill := func(row reflect.Value, i int) error {
		for k, column := range batch.Columns() {
			name := batch.ColumnName(k)
			if fields[name] == nil {
				return fmt.Errorf("column %s of a query has no field in %s", name, rowType)
			}
			if err := assign(row.FieldByIndex(fields[name]), Native(column, i)); err != nil {
				return fmt.Errorf("column %s: %w", name, err)
			}
		}
		return nil
	}
	return func(yield func(T, error) bool) {
		for i := range int(batch.NumRows()) {
			var row T
			err := fill(reflect.ValueOf(&row).Elem(), i)
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// assign sets a field to the value of a column, as Native gives it. A nil value leaves the field
// unchanged.
func assign(field reflect.Value, value any) error {
	from := reflect.ValueOf(value)
	// A number for a text field is an error, because Go would convert the number to the character that
	// has this number in Unicode.
	numberToText := field.Kind() == reflect.String && from.Kind() != reflect.String
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
	// A sum of whole numbers comes as a float64, and the field may be an int.
	case !numberToText && from.CanConvert(field.Type()):
		field.Set(from.Convert(field.Type()))
	default:
		return fmt.Errorf("%T is no %s", value, field.Type())
	}
	return nil
}
