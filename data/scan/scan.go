// Package scan puts the columns of a query into the fields of structs. It knows nothing of lakes.
package scan

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"
)

// Fields are the fields of a struct by the columns that go into them.
type Fields map[string][]int

// FieldsOf are the fields of a type, whose columns have the name in their parquet or json tag.
func FieldsOf(row reflect.Type) Fields {
	fields := Fields{}
	for _, f := range reflect.VisibleFields(row) {
		name, _, _ := strings.Cut(cmp.Or(f.Tag.Get("parquet"), f.Tag.Get("json")), ",")
		fields[name] = f.Index
	}
	return fields
}

// Set puts values into a row. Null leaves a field as it is; a column without a field is an error.
func (f Fields) Set(row reflect.Value, columns []string, values []any) error {
	for i, name := range columns {
		if f[name] == nil {
			return fmt.Errorf("column %s of a query has no field in %s", name, row.Type())
		}
		if err := assign(row.FieldByIndex(f[name]), values[i]); err != nil {
			return fmt.Errorf("column %s: %w", name, err)
		}
	}
	return nil
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
