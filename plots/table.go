package plots

import (
	"bytes"
	"encoding/json"
	"errors"
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

// Get returns the named table. The error names a table that is absent or has no rows.
func (ts Tables) Get(name string) (*Table, error) {
	t := ts[name]
	if t == nil {
		return nil, noRows("table %s is missing; run analyze to build it", name)
	}
	if len(t.rows) == 0 {
		return nil, noRows("table %s has no rows; ingest or simulate answers, then run analyze", name)
	}
	return t, nil
}

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

// ReadJSON reads a list of objects with the same members, whose order is that of the columns.
func ReadJSON(name string, content []byte) (*Table, error) {
	var rows []map[string]any
	if err := json.Unmarshal(content, &rows); err != nil {
		return nil, err
	}
	t := &Table{name: name}
	if d := json.NewDecoder(bytes.NewReader(content)); len(rows) > 0 {
		for range 2 { // the brackets of the list and of the first object
			if _, err := d.Token(); err != nil {
				return nil, err
			}
		}
		for d.More() {
			column, err := d.Token()
			var value json.RawMessage
			if err = errors.Join(err, d.Decode(&value)); err != nil {
				return nil, err
			}
			t.columns = append(t.columns, column.(string))
		}
	}
	for _, row := range rows {
		values := make([]any, len(t.columns))
		for i, c := range t.columns {
			values[i] = row[c]
		}
		if err := t.Append(values...); err != nil {
			return nil, err
		}
	}
	return t, nil
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

// Strings returns a text column. NULL and values that are not text are errors that name the row.
func (t *Table) Strings(column string) ([]string, error) {
	return column1(t, column, func(i int, v any) (string, error) {
		if s, ok := v.(string); ok {
			return s, nil
		}
		return "", t.fault(column, i, "%s where text is needed", kind(v))
	})
}

// OptionalStrings returns a text column with NULL as the empty string.
func (t *Table) OptionalStrings(column string) ([]string, error) {
	return column1(t, column, func(i int, v any) (string, error) {
		switch v := v.(type) {
		case nil:
			return "", nil
		case string:
			return v, nil
		}
		return "", t.fault(column, i, "%s where text is needed", kind(v))
	})
}

// Bools returns a column of truth values. NULL and values that are none are errors that name the row.
func (t *Table) Bools(column string) ([]bool, error) {
	return column1(t, column, func(i int, v any) (bool, error) {
		if b, ok := v.(bool); ok {
			return b, nil
		}
		return false, t.fault(column, i, "%s where a truth value is needed", kind(v))
	})
}

// Floats returns a numeric column. NULL, NaN, infinities and values that are not numbers are errors that name the row.
func (t *Table) Floats(column string) ([]float64, error) {
	return column1(t, column, func(i int, v any) (float64, error) {
		f, ok := v.(float64)
		if !ok {
			return 0, t.fault(column, i, "%s where a number is needed", kind(v))
		}
		return f, t.finite(column, i, f)
	})
}

// Numbers returns a numeric column that may hold NULL. NaN and infinities are errors that name the row.
func (t *Table) Numbers(column string) ([]Number, error) {
	return column1(t, column, func(i int, v any) (Number, error) {
		switch v := v.(type) {
		case nil:
			return Number{}, nil
		case float64:
			return Number{v, true}, t.finite(column, i, v)
		}
		return Number{}, t.fault(column, i, "%s where a number is needed", kind(v))
	})
}

func (t *Table) finite(column string, row int, f float64) error {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return t.fault(column, row, "%v cannot be drawn; fix the SQL model that computes it", f)
	}
	return nil
}

func column1[T any](t *Table, column string, get func(int, any) (T, error)) ([]T, error) {
	k, err := t.index(column)
	if err != nil {
		return nil, err
	}
	if len(t.rows) == 0 {
		return nil, noRows("table %s has no rows; ingest or simulate answers, then run analyze", t.name)
	}
	out := make([]T, len(t.rows))
	for i, r := range t.rows {
		if out[i], err = get(i, r[k]); err != nil {
			return nil, err
		}
	}
	return out, nil
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

// Where returns the rows whose text column has the value. It is an error when none has.
func (t *Table) Where(column, value string) (*Table, error) {
	k, err := t.index(column)
	if err != nil {
		return nil, err
	}
	out := &Table{name: t.name, columns: t.columns}
	for i, r := range t.rows {
		if r[k] == value {
			out.rows, out.numbers = append(out.rows, r), append(out.numbers, t.numbers[i])
		}
	}
	if len(out.rows) == 0 {
		return nil, noRows("table %s has no row whose %s is %q", t.name, column, value)
	}
	return out, nil
}

// Distinct returns the different values of a text column in the order of their first rows.
func (t *Table) Distinct(column string) ([]string, error) {
	all, err := t.Strings(column)
	if err != nil {
		return nil, err
	}
	var out []string
	seen := map[string]bool{}
	for _, s := range all {
		if !seen[s] {
			seen[s], out = true, append(out, s)
		}
	}
	return out, nil
}
