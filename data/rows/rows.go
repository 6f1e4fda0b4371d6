// Package rows has the rows of a SELECT in the form that every reader uses: an Arrow record batch,
// read column by column or as structs. It knows neither lakes nor DuckDB.
package rows

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// ErrNone is matched by the errors of missing rows. Errors of rows that cannot be read do not match
// it.
var ErrNone = errors.New("no rows")

// A noneError is an ErrNone with a text that says which rows are missing.
type noneError string

func (e noneError) Error() string      { return string(e) }
func (noneError) Is(target error) bool { return target == ErrNone }

// None is an [ErrNone] with a text that says which rows are missing.
func None(format string, args ...any) error { return noneError(fmt.Sprintf(format, args...)) }

// Rows are all rows of a record batch, or picked rows in an order that Pick or Sort has given them.
// Columns are text, numbers, truth values or lists of text. The methods that read a column keep the
// first error in Err, so that a caller can read all columns and check the error once. After an
// error these methods return no values. The error matches [ErrNone] if there are no rows.
type Rows struct {
	Name  string // name of the table in errors
	Err   error
	batch arrow.RecordBatch
	at    []int // numbers of the rows in the batch, from 0
}

// Of returns all rows of a batch. name is the name of the table in errors.
func Of(name string, batch arrow.RecordBatch) *Rows {
	return &Rows{Name: name, batch: batch, at: upTo(int(batch.NumRows()))}
}

// upTo returns the numbers from 0 to n-1.
func upTo(n int) []int {
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i
	}
	return numbers
}

// A Number is a value of a numeric column: finite if Valid is true, and NULL otherwise.
type Number struct {
	Value float64
	Valid bool
}

// Len returns the number of rows.
func (r *Rows) Len() int {
	if r.Err != nil {
		return 0
	}
	return len(r.at)
}

// Columns returns the names of the columns in their order.
func (r *Rows) Columns() (names []string) {
	if r.Err == nil {
		for _, f := range r.batch.Schema().Fields() {
			names = append(names, f.Name)
		}
	}
	return names
}

// Has reports whether there is the column.
func (r *Rows) Has(column string) bool { return slices.Contains(r.Columns(), column) }

// Read returns the same rows with an Err of their own, so that an error while the caller reads them
// leaves the Err of r as it is.
func (r *Rows) Read() *Rows {
	same := *r
	return &same
}

// of returns the rows of the batch with the given numbers.
func (r *Rows) of(at []int) *Rows { return &Rows{Name: r.Name, batch: r.batch, at: at} }

// Equal reports whether the batches of two Rows have the same columns and values, also in rows that
// were not picked.
func (r *Rows) Equal(other *Rows) bool { return array.RecordEqual(r.batch, other.batch) }

// Pick returns the rows, counted from 0, that pass a test. The result may be empty.
func (r *Rows) Pick(keep func(row int) bool) *Rows {
	var at []int
	for i, k := range r.at {
		if keep(i) {
			at = append(at, k)
		}
	}
	return r.of(at)
}

// Sort returns the rows sorted by a comparison of row numbers, counted from 0. Equal rows keep
// their order.
func (r *Rows) Sort(compare func(a, b int) int) *Rows {
	order := upTo(len(r.at))
	slices.SortStableFunc(order, compare)
	for i, k := range order {
		order[i] = r.at[k]
	}
	return r.of(order)
}

// Group groups the rows by the value of a text column, in the order of first occurrence. NULL is
// the empty string.
func (r *Rows) Group(column string) (names []string, groups map[string]*Rows) {
	at := map[string][]int{}
	for i, v := range r.TextOrNone(column) {
		if at[v] == nil {
			names = append(names, v)
		}
		at[v] = append(at[v], r.at[i])
	}
	groups = map[string]*Rows{}
	for name, some := range at {
		groups[name] = r.of(some)
	}
	return names, groups
}

// One returns the rows that have the same value of a column as the first row. If column is empty,
// it returns all rows.
func (r *Rows) One(column string) *Rows {
	if column == "" || r.Len() == 0 {
		return r
	}
	names, groups := r.Group(column)
	if r.Err != nil {
		return r
	}
	return groups[names[0]]
}

// Set returns the rows with a column replaced, or appended if the name is new. value computes each
// new value from the row number and the former value; both values are a text, a number, or nil for
// NULL. Rows of the batch that were not picked get NULL.
func (r *Rows) Set(column string, value func(row int, before any) any) *Rows {
	fields, columns := slices.Clone(r.batch.Schema().Fields()), slices.Clone(r.batch.Columns())
	k := slices.Index(r.Columns(), column)
	if k < 0 {
		k = len(fields)
		fields, columns = append(fields, arrow.Field{}), append(columns, nil)
	}
	values := make([]any, r.batch.NumRows())
	for i, at := range r.at {
		var before any
		if columns[k] != nil {
			before = Value(columns[k], at)
		}
		values[at] = value(i, before)
	}
	columns[k] = Column(values)
	fields[k] = arrow.Field{Name: column, Type: columns[k].DataType(), Nullable: true}
	return &Rows{Name: r.Name, batch: array.NewRecordBatch(arrow.NewSchema(fields, nil), columns, r.batch.NumRows()),
		at: r.at}
}

// Column makes a column of texts, of numbers, of truth values, of lists of text or of lists of such
// lists. All values have the type of the column, or are nil for NULL. If all values are nil, the
// column is a column of text.
func Column(values []any) arrow.Array {
	var columnType arrow.DataType = arrow.BinaryTypes.String
	for _, v := range values {
		switch v.(type) {
		case bool:
			columnType = arrow.FixedWidthTypes.Boolean
		case int, int64, float64:
			columnType = arrow.PrimitiveTypes.Float64
		case []string:
			columnType = arrow.ListOf(arrow.BinaryTypes.String)
		case [][]string:
			columnType = arrow.ListOf(arrow.ListOf(arrow.BinaryTypes.String))
		}
	}
	b := array.NewBuilder(memory.DefaultAllocator, columnType)
	// AppendValueFromString fails only for a text that is no value of the column's type, and the calls
	// below pass no such text.
	for _, v := range values {
		texts, ofText := b.(*array.StringBuilder)
		text, isText := v.(string)
		switch {
		case v == nil:
			b.AppendNull()
		case ofText && isText:
			texts.Append(text)
		case columnType.ID() == arrow.LIST:
			list, _ := json.Marshal(v) // It never fails for lists of text.
			_ = b.AppendValueFromString(string(list))
		default:
			_ = b.AppendValueFromString(fmt.Sprint(v)) // a number or a truth value
		}
	}
	return b.NewArray()
}

// Value converts a value of Arrow for readers. NULL becomes nil, every number a float64, and a list
// of text a []string. Text, truth values, times and all other values are as Native gives them.
func Value(a arrow.Array, i int) any {
	switch v := Native(a, i).(type) {
	case []any:
		list := make([]string, len(v))
		for k, one := range v {
			text, ok := one.(string)
			if !ok {
				return v // It is a list of other values.
			}
			list[k] = text
		}
		return list
	case nil, string, bool, float64, time.Time:
		return v
	default:
		if n := reflect.ValueOf(v); n.CanInt() || n.CanUint() || n.CanFloat() {
			return n.Convert(reflect.TypeFor[float64]()).Float()
		}
		return v
	}
}

// Native converts a value of Arrow to Go's own type. Times of day are in microseconds.
func Native(a arrow.Array, i int) any {
	switch v := array.ValueAsAny(a, i).(type) {
	case decimal128.Num:
		return v.ToFloat64(a.DataType().(*arrow.Decimal128Type).Scale)
	case arrow.Timestamp:
		return v.ToTime(a.DataType().(*arrow.TimestampType).Unit)
	case arrow.Date32:
		return v.ToTime()
	case arrow.Time64:
		return v.ToTime(arrow.Microsecond)
	default:
		return v
	}
}

// values reads a column. get converts a value of the batch to T, or reports false for a value of
// another type. The error about such a value names the row, and names the needed type by the text
// needed.
func values[T any](r *Rows, column, needed string, get func(any) (T, bool)) []T {
	k := slices.Index(r.Columns(), column)
	switch {
	case r.Err != nil: // The first error stays.
	case k < 0:
		r.Err = fmt.Errorf("table %s has no column %s; it has %s", r.Name, column, strings.Join(r.Columns(), ", "))
	case len(r.at) == 0:
		r.Err = None("table %s has no rows; ingest or simulate answers, then run analyze", r.Name)
	}
	out := make([]T, r.Len()) // Len is 0 after an error.
	for i := range out {
		v := Value(r.batch.Column(k), r.at[i])
		taken, ok := get(v)
		number, isNumber := v.(float64)
		fault := ""
		switch {
		case !ok && kind(v) == "":
			fault = fmt.Sprintf("a %T cannot be drawn; cast it to text or a number in the query", v)
		case !ok:
			fault = kind(v) + " where " + needed + " is needed"
		case isNumber && (math.IsNaN(number) || math.IsInf(number, 0)):
			fault = fmt.Sprint(number, " cannot be drawn; fix the SQL model that computes it")
		}
		if fault != "" {
			r.Err = fmt.Errorf("table %s, column %s, row %d: %s", r.Name, column, r.at[i]+1, fault)
			return nil
		}
		out[i] = taken
	}
	return out
}

// kind names the type of a value in errors. It is empty for types that no column of Rows has.
func kind(v any) string {
	switch v.(type) {
	case nil:
		return "NULL"
	case string:
		return "text"
	case float64:
		return "a number"
	case bool:
		return "a truth value"
	case []string:
		return "a list"
	}
	return ""
}

// Values reads a column of any type, NULL as nil.
func (r *Rows) Values(column string) []any {
	// The name of the needed type is empty, because every value is taken and no error names it.
	return values(r, column, "", func(v any) (any, bool) { return v, true })
}

// Text reads a text column without NULL.
func (r *Rows) Text(column string) []string {
	return values(r, column, "text", func(v any) (string, bool) { s, ok := v.(string); return s, ok })
}

// TextOrNone reads a text column, NULL as the empty string.
func (r *Rows) TextOrNone(column string) []string {
	return values(r, column, "text", func(v any) (string, bool) { s, ok := v.(string); return s, ok || v == nil })
}

// TextIf is TextOrNone for a column that may be missing. Without the column, all values are empty.
// It is no error that there are no rows.
func (r *Rows) TextIf(column string) []string {
	if !r.Has(column) || r.Len() == 0 {
		return make([]string, r.Len())
	}
	return r.TextOrNone(column)
}

// Numbers reads a numeric column. The Number of NULL is not Valid.
func (r *Rows) Numbers(column string) []Number {
	return values(r, column, "a number",
		func(v any) (Number, bool) { f, ok := v.(float64); return Number{f, ok}, ok || v == nil })
}

// NumbersIf reads a numeric column. If there is no such column, no Number is Valid.
func (r *Rows) NumbersIf(column string) []Number {
	if r.Err == nil && !r.Has(column) {
		return make([]Number, r.Len())
	}
	return r.Numbers(column)
}

// Interval reads the columns column_low and column_high. If a column is missing, none of its values
// is valid.
func (r *Rows) Interval(column string) [2][]Number {
	return [2][]Number{r.NumbersIf(column + "_low"), r.NumbersIf(column + "_high")}
}

// Lists reads a column of lists of text; NULL is an empty list.
func (r *Rows) Lists(column string) [][]string {
	return values(r, column, "a list", func(v any) ([]string, bool) { s, ok := v.([]string); return s, ok || v == nil })
}
