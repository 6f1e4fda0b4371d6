package plots

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strings"
)

// Table is what a figure draws: named columns of text, numbers, truth values, lists of text and NULL, in row order. Rows are numbered from 1 in errors.
type Table struct {
	name    string
	columns []string
	rows    [][]any
	numbers []int // row numbers of the table that these rows were taken from
}

// Number is a numeric cell that may be NULL. Value is finite where Valid is true and 0 otherwise.
type Number struct {
	Value float64
	Valid bool
}

// Tables holds the marts that a figure needs, by name.
type Tables map[string]*Table

// NewTable makes a table without rows. Column names must be non-empty and differ.
func NewTable(name string, columns ...string) (*Table, error) {
	if len(columns) == 0 {
		return nil, fmt.Errorf("table %s: no columns", name)
	}
	for i, c := range columns {
		if c == "" || slices.Contains(columns[:i], c) {
			return nil, fmt.Errorf("table %s: column %d is named %q; names must be non-empty and differ", name, i+1, c)
		}
	}
	return &Table{name: name, columns: slices.Clone(columns)}, nil
}

// Append adds one row, values in column order. It takes text, truth values, every integer and float type, *big.Int, anything with a
// method Float64() float64 (as decimal types of database drivers have), lists of text and nil for NULL; other types are an error.
func (t *Table) Append(values ...any) error {
	row := len(t.rows) + 1
	if len(values) != len(t.columns) {
		return fmt.Errorf("table %s, row %d: %d values for %d columns", t.name, row, len(values), len(t.columns))
	}
	cells := make([]any, len(values))
	for i, v := range values {
		c, err := cell(v)
		if err != nil {
			return fmt.Errorf("table %s, column %s, row %d: %w", t.name, t.columns[i], row, err)
		}
		cells[i] = c
	}
	t.rows, t.numbers = append(t.rows, cells), append(t.numbers, row)
	return nil
}

func cell(v any) (any, error) {
	switch v := v.(type) {
	case nil, string, bool, float64:
		return v, nil
	case []byte:
		return string(v), nil
	case []string:
		return v, nil
	case []any:
		list := make([]string, len(v))
		for i, x := range v {
			text, ok := x.(string)
			if !ok {
				return nil, fmt.Errorf("a list of %T cannot be drawn; cast it to a list of text in the query", x)
			}
			list[i] = text
		}
		return list, nil
	case *big.Int:
		if v == nil {
			return nil, nil
		}
		f, _ := v.Float64() // the accuracy of counts is of no concern in a drawing
		return f, nil
	case interface{ Float64() float64 }:
		return v.Float64(), nil
	}
	switch r := reflect.ValueOf(v); {
	case r.CanInt():
		return float64(r.Int()), nil
	case r.CanUint():
		return float64(r.Uint()), nil
	case r.CanFloat():
		return r.Float(), nil
	}
	return nil, fmt.Errorf("a %T cannot be drawn; cast it to text or a number in the query", v)
}

// Name returns the table's name.
func (t *Table) Name() string { return t.name }

// Len returns the number of rows.
func (t *Table) Len() int { return len(t.rows) }

// Has reports whether the table has the column.
func (t *Table) Has(column string) bool { return slices.Contains(t.columns, column) }

func (t *Table) index(column string) (int, error) {
	if i := slices.Index(t.columns, column); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("table %s has no column %s; it has %s", t.name, column, strings.Join(t.columns, ", "))
}

func (t *Table) fault(column string, row int, format string, args ...any) error {
	return fmt.Errorf("table %s, column %s, row %d: %s", t.name, column, t.numbers[row], fmt.Sprintf(format, args...))
}

func (t *Table) finite(column string, row int, f float64) error {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return t.fault(column, row, "%v cannot be drawn; fix the SQL model that computes it", f)
	}
	return nil
}

func kind(v any) string {
	switch v.(type) {
	case nil:
		return "NULL"
	case string:
		return "text"
	case bool:
		return "a truth value"
	case []string:
		return "a list"
	}
	return "a number"
}
