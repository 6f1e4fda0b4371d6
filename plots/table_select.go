package plots

import (
	"errors"
	"fmt"
	"slices"
)

// ErrNoRows is what an error is when the rows that a figure or a table needs are not there, in distinction to rows that cannot be drawn.
var ErrNoRows = errors.New("no rows")

// noRowsError is an ErrNoRows that says which rows.
type noRowsError string

func (e noRowsError) Error() string      { return string(e) }
func (noRowsError) Is(target error) bool { return target == ErrNoRows }

func noRows(format string, args ...any) error { return noRowsError(fmt.Sprintf(format, args...)) }

// Columns returns the names of the columns in their order.
func (t *Table) Columns() []string { return slices.Clone(t.columns) }

// Row returns the values of a row, counted from 0: text, float64, bool, []string or nil for NULL.
func (t *Table) Row(i int) []any { return slices.Clone(t.rows[i]) }

// Pick returns the rows, counted from 0, that pass a test. The result may have no rows.
func (t *Table) Pick(keep func(row int) bool) *Table {
	out := &Table{name: t.name, columns: t.columns}
	for i := range t.rows {
		if keep(i) {
			out.rows, out.numbers = append(out.rows, t.rows[i]), append(out.numbers, t.numbers[i])
		}
	}
	return out
}

// With returns the rows with one more column, whose values a function of the row number gives.
func (t *Table) With(column string, value func(row int) any) (*Table, error) {
	out, err := NewTable(t.name, append(slices.Clone(t.columns), column)...)
	if err != nil {
		return nil, err
	}
	for i, r := range t.rows {
		c, err := cell(value(i))
		if err != nil {
			return nil, fmt.Errorf("table %s, column %s, row %d: %w", t.name, column, t.numbers[i], err)
		}
		out.rows = append(out.rows, append(slices.Clone(r), c))
	}
	out.numbers = t.numbers
	return out, nil
}

// Replaced returns the rows with other values of a column, which a function gives for each row number and value.
func (t *Table) Replaced(column string, value func(row int, before any) any) (*Table, error) {
	k, err := t.index(column)
	if err != nil {
		return nil, err
	}
	out := &Table{name: t.name, columns: t.columns, numbers: t.numbers}
	for i, r := range t.rows {
		r = slices.Clone(r)
		if r[k], err = cell(value(i, r[k])); err != nil {
			return nil, fmt.Errorf("table %s, column %s, row %d: %w", t.name, column, t.numbers[i], err)
		}
		out.rows = append(out.rows, r)
	}
	return out, nil
}

// Sorted returns the rows in the order of a comparison of row numbers counted from 0; rows that compare equal keep their order.
func (t *Table) Sorted(compare func(a, b int) int) *Table {
	out := &Table{name: t.name, columns: t.columns}
	for _, i := range ordered(len(t.rows), compare) {
		out.rows, out.numbers = append(out.rows, t.rows[i]), append(out.numbers, t.numbers[i])
	}
	return out
}

// ordered returns the numbers of n rows, counted from 0, in the order of a comparison; equal ones keep their order.
func ordered(n int, compare func(a, b int) int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, compare)
	return order
}
