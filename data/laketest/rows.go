package laketest

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rows"
)

// Rows are rows of text, numbers, truth values, lists of text or lists of such lists, and nil for
// NULL. A column has one of these types. If all its values are NULL, it is text.
func Rows(t testing.TB, name string, columns []string, values ...[]any) *rows.Rows {
	t.Helper()
	return rows.Of(name, Batch(t, columns, values...))
}

// Batch is the batch of such rows.
func Batch(t testing.TB, columns []string, values ...[]any) arrow.RecordBatch {
	t.Helper()
	fields, arrays := make([]arrow.Field, len(columns)), make([]arrow.Array, len(columns))
	for k, column := range columns {
		var of arrow.DataType = arrow.BinaryTypes.String
		for _, row := range values {
			switch row[k].(type) {
			case bool:
				of = arrow.FixedWidthTypes.Boolean
			case int, int64, float64:
				of = arrow.PrimitiveTypes.Float64
			case []string:
				of = arrow.ListOf(arrow.BinaryTypes.String)
			case [][]string:
				of = arrow.ListOf(arrow.ListOf(arrow.BinaryTypes.String))
			}
		}
		b := array.NewBuilder(memory.DefaultAllocator, of)
		for _, row := range values {
			switch v := row[k].(type) {
			case nil:
				b.AppendNull()
			case []string, [][]string:
				must.Succeed(t, b.AppendValueFromString(string(must.Get(json.Marshal(v))(t))))
			default:
				must.Succeed(t, b.AppendValueFromString(fmt.Sprint(v)))
			}
		}
		arrays[k] = b.NewArray()
		fields[k] = arrow.Field{Name: column, Type: of, Nullable: true}
	}
	return array.NewRecordBatch(arrow.NewSchema(fields, nil), arrays, int64(len(values)))
}
