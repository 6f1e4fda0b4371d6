package laketest

import (
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/captionlake/captionlake/data/rows"
)

// Rows makes a table for tests: each element of values is a row. The cells are text, numbers, truth
// values, lists of text, lists of such lists, or nil for NULL. All cells of a column that are not
// nil have one type. If all cells of a column are nil, it is a column of text.
func Rows(t testing.TB, name string, columns []string, values ...[]any) *rows.Rows {
	t.Helper()
	return rows.Of(name, Batch(t, columns, values...))
}

// Batch makes the record batch of Rows, from the same arguments.
func Batch(t testing.TB, columns []string, values ...[]any) arrow.RecordBatch {
	t.Helper()
	fields, arrays := make([]arrow.Field, len(columns)), make([]arrow.Array, len(columns))
	for k, column := range columns {
		cells := make([]any, len(values))
		for i, row := range values {
			cells[i] = row[k]
		}
		arrays[k] = rows.Column(cells)
		fields[k] = arrow.Field{Name: column, Type: arrays[k].DataType(), Nullable: true}
	}
	return array.NewRecordBatch(arrow.NewSchema(fields, nil), arrays, int64(len(values)))
}
