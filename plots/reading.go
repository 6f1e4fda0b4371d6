package plots

import "slices"

// A Reading reads columns of a table and keeps the first error, so that a figure or a table can ask for all that it needs and look at the error once.
// After an error everything read is empty. The error is an [ErrNoRows] where there are no rows to read.
type Reading struct {
	Table *Table
	Err   error
}

// Read begins to read a table.
func Read(t *Table) *Reading { return &Reading{Table: t} }

// Read begins to read the named table. The error names a table that is absent.
func (ts Tables) Read(name string) *Reading {
	if ts[name] == nil {
		return &Reading{Err: noRows("table %s is missing; run analyze to build it", name)}
	}
	return Read(ts[name])
}

// Where begins to read the rows whose text column has the value.
func (r *Reading) Where(column, value string) *Reading {
	values := r.TextOrNone(column)
	if r.Err != nil {
		return r
	}
	t := r.Table.Pick(func(i int) bool { return values[i] == value })
	if t.Len() == 0 {
		return &Reading{Err: noRows("table %s has no row whose %s is %q", t.name, column, value)}
	}
	return Read(t)
}

// One begins to read the rows that have the first row's value of a column; without a column, all.
func (r *Reading) One(column string) *Reading {
	if column == "" || r.Len() == 0 {
		return r
	}
	values := r.TextOrNone(column)
	if r.Err != nil {
		return r
	}
	return r.Where(column, values[0])
}

// values reads a column. A value that is not of the form that is needed is an error that names the row.
func values[T any](r *Reading, column, needed string, get func(any) (T, bool)) []T {
	if r.Err != nil {
		return nil
	}
	k, err := r.Table.index(column)
	if err == nil && r.Len() == 0 {
		err = noRows("table %s has no rows; ingest or simulate answers, then run analyze", r.Table.name)
	}
	out := make([]T, r.Len())
	for i := 0; i < len(out) && err == nil; i++ {
		var ok bool
		if out[i], ok = get(r.Table.rows[i][k]); !ok {
			err = r.Table.fault(column, i, "%s where %s is needed", kind(r.Table.rows[i][k]), needed)
		}
	}
	if err != nil {
		r.Err = err
		return nil
	}
	return out
}

// Text reads a text column without NULL.
func (r *Reading) Text(column string) []string {
	return values(r, column, "text", func(v any) (string, bool) { s, ok := v.(string); return s, ok })
}

// TextOrNone reads a text column, NULL as the empty string.
func (r *Reading) TextOrNone(column string) []string {
	return values(r, column, "text", func(v any) (string, bool) { s, ok := v.(string); return s, ok || v == nil })
}

// TextIf reads a text column, NULL as the empty string and so all of it where the table does not have it.
func (r *Reading) TextIf(column string) []string {
	if !r.Has(column) || r.Len() == 0 {
		return make([]string, r.Len())
	}
	return r.TextOrNone(column)
}

// Numbers reads a numeric column, NULL as not valid. NaN and infinities are errors that name the row.
func (r *Reading) Numbers(column string) []Number {
	numbers := values(r, column, "a number", func(v any) (Number, bool) { f, ok := v.(float64); return Number{f, ok}, ok || v == nil })
	for i, n := range numbers {
		if r.Err = r.Table.finite(column, i, n.Value); r.Err != nil {
			return nil
		}
	}
	return numbers
}

// NumbersIf reads a numeric column, not valid where the table does not have it.
func (r *Reading) NumbersIf(column string) []Number {
	if r.Err == nil && !r.Has(column) {
		return make([]Number, r.Len())
	}
	return r.Numbers(column)
}

// Interval reads the ends of the interval of a numeric column, columns with _low and _high behind its name, not valid where the table
// does not have them.
func (r *Reading) Interval(column string) [2][]Number {
	return [2][]Number{r.NumbersIf(column + "_low"), r.NumbersIf(column + "_high")}
}

// Lists reads a column of lists of text, NULL as an empty list.
func (r *Reading) Lists(column string) [][]string {
	return values(r, column, "a list", func(v any) ([]string, bool) { s, ok := v.([]string); return s, ok || v == nil })
}

// Distinct reads the different values of a text column, in the order of their first rows.
func (r *Reading) Distinct(column string) (out []string) {
	for _, s := range r.Text(column) {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// Has reports whether the table has the column.
func (r *Reading) Has(column string) bool { return r.Err == nil && r.Table.Has(column) }

// Len returns the number of rows.
func (r *Reading) Len() int {
	if r.Err != nil {
		return 0
	}
	return r.Table.Len()
}
