// Package rows has the rows of a SELECT as every reader takes them: a record batch of Arrow, read column by column or as structs. It knows
// neither lakes nor DuckDB.
package rows

import (
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

// ErrNone is what an error is where the rows that are needed are not there, in distinction to rows that cannot be read.
var ErrNone = errors.New("no rows")

// noneError is an ErrNone that says which rows.
type noneError string

func (e noneError) Error() string      { return string(e) }
func (noneError) Is(target error) bool { return target == ErrNone }

// None is an [ErrNone] that says which rows.
func None(format string, args ...any) error { return noneError(fmt.Sprintf(format, args...)) }

// Rows are rows of a record batch: all, or those that were picked, in an order of their own. Columns are text, numbers, truth values or lists
// of text. What reads a column keeps the first error in Err, so that a reader can ask for all that it needs and look at the error once;
// after an error everything read is empty. The error is an [ErrNone] where there are no rows to read.
type Rows struct {
	Name  string // for errors
	Err   error
	batch arrow.RecordBatch
	at    []int // rows of the batch, from 0
}

// Of are all rows of a batch.
func Of(name string, batch arrow.RecordBatch) *Rows {
	r := &Rows{Name: name, batch: batch, at: make([]int, batch.NumRows())}
	for i := range r.at {
		r.at[i] = i
	}
	return r
}

// A Number is a value of a numeric column: finite where Valid is true, and NULL otherwise.
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

// Read are the same rows for one reader, who keeps errors of its own.
func (r *Rows) Read() *Rows { one := *r; return &one }

// of are some of the rows.
func (r *Rows) of(at []int) *Rows { return &Rows{Name: r.Name, batch: r.batch, at: at} }

// Equal reports whether other rows have the same columns and values.
func (r *Rows) Equal(other *Rows) bool { return array.RecordEqual(r.batch, other.batch) }

// Pick returns the rows, counted from 0, that pass a test. The result may have no rows.
func (r *Rows) Pick(keep func(row int) bool) *Rows {
	var at []int
	for i, k := range r.at {
		if keep(i) {
			at = append(at, k)
		}
	}
	return r.of(at)
}

// Sort returns the rows in the order of a comparison of row numbers counted from 0; rows that compare equal keep their order.
func (r *Rows) Sort(compare func(a, b int) int) *Rows {
	order, at := make([]int, len(r.at)), make([]int, len(r.at))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, compare)
	for i, k := range order {
		at[i] = r.at[k]
	}
	return r.of(at)
}

// Group returns the rows by the value of a text column, NULL as the empty string, in the order of their first rows.
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

// One are the rows that have the first row's value of a column; without a column, all.
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

// Set returns the rows with a column, in place of one of that name or behind all others, whose values a function gives for each row number and
// the value before: a text, a number or nil for NULL.
func (r *Rows) Set(column string, value func(row int, before any) any) *Rows {
	fields, columns := slices.Clone(r.batch.Schema().Fields()), slices.Clone(r.batch.Columns())
	k := slices.Index(r.Columns(), column)
	if k < 0 {
		k = len(fields)
		fields, columns = append(fields, arrow.Field{}), append(columns, nil)
	}
	texts, numbers := array.NewStringBuilder(memory.DefaultAllocator), array.NewFloat64Builder(memory.DefaultAllocator)
	values := make([]any, r.batch.NumRows())
	for i, at := range r.at {
		var before any
		if columns[k] != nil {
			before = Value(columns[k], at)
		}
		values[at] = value(i, before)
	}
	made := array.Builder(texts)
	for _, v := range values {
		switch v := v.(type) {
		case string:
			texts.Append(v)
			numbers.AppendNull()
		case float64:
			numbers.Append(v)
			made = numbers
		default:
			texts.AppendNull()
			numbers.AppendNull()
		}
	}
	columns[k] = made.NewArray()
	fields[k] = arrow.Field{Name: column, Type: columns[k].DataType(), Nullable: true}
	return &Rows{Name: r.Name, batch: array.NewRecordBatch(arrow.NewSchema(fields, nil), columns, r.batch.NumRows()), at: r.at}
}

// Value is a value of Arrow as readers have it, nil for NULL: text, truth values, times, numbers as float64 and lists of text as []string.
func Value(a arrow.Array, i int) any {
	switch v := Native(a, i).(type) {
	case []any:
		list := make([]string, len(v))
		for k, one := range v {
			text, ok := one.(string)
			if !ok {
				return v
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

// Native is a value of Arrow in Go's own type for it.
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

// values reads a column. A value that is not of the form that is needed is an error that names the row.
func values[T any](r *Rows, column, needed string, get func(any) (T, bool)) []T {
	k := slices.Index(r.Columns(), column)
	switch {
	case r.Err != nil:
	case k < 0:
		r.Err = fmt.Errorf("table %s has no column %s; it has %s", r.Name, column, strings.Join(r.Columns(), ", "))
	case len(r.at) == 0:
		r.Err = None("table %s has no rows; ingest or simulate answers, then run analyze", r.Name)
	}
	out := make([]T, r.Len())
	for i := range out {
		v := Value(r.batch.Column(k), r.at[i])
		got, ok := get(v)
		f, number := v.(float64)
		fault := ""
		switch {
		case !ok && kind(v) == "":
			fault = fmt.Sprintf("a %T cannot be drawn; cast it to text or a number in the query", v)
		case !ok:
			fault = kind(v) + " where " + needed + " is needed"
		case number && (math.IsNaN(f) || math.IsInf(f, 0)):
			fault = fmt.Sprint(f, " cannot be drawn; fix the SQL model that computes it")
		}
		if fault != "" {
			r.Err = fmt.Errorf("table %s, column %s, row %d: %s", r.Name, column, r.at[i]+1, fault)
			return nil
		}
		out[i] = got
	}
	return out
}

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

// Values reads a column, whatever its values are.
func (r *Rows) Values(column string) []any {
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

// TextIf reads a text column, NULL as the empty string, and so all of it where there is no such column.
func (r *Rows) TextIf(column string) []string {
	if !r.Has(column) || r.Len() == 0 {
		return make([]string, r.Len())
	}
	return r.TextOrNone(column)
}

// Numbers reads a numeric column, NULL as not valid.
func (r *Rows) Numbers(column string) []Number {
	return values(r, column, "a number", func(v any) (Number, bool) { f, ok := v.(float64); return Number{f, ok}, ok || v == nil })
}

// NumbersIf reads a numeric column, not valid where there is no such column.
func (r *Rows) NumbersIf(column string) []Number {
	if r.Err == nil && !r.Has(column) {
		return make([]Number, r.Len())
	}
	return r.Numbers(column)
}

// Interval reads the ends of the interval of a numeric column, columns with _low and _high behind its name, not valid where there are none.
func (r *Rows) Interval(column string) [2][]Number {
	return [2][]Number{r.NumbersIf(column + "_low"), r.NumbersIf(column + "_high")}
}

// Lists reads a column of lists of text, NULL as an empty list.
func (r *Rows) Lists(column string) [][]string {
	return values(r, column, "a list", func(v any) ([]string, bool) { s, ok := v.([]string); return s, ok || v == nil })
}
