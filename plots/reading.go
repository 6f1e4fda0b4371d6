package plots

// A Reading reads columns of a table and keeps the first error, so that a figure or a table can ask for all that it needs and look at the error once.
// After an error everything read is empty.
type Reading struct {
	Table *Table
	Err   error
}

// Read begins to read a table.
func Read(t *Table) *Reading { return &Reading{Table: t} }

// Read begins to read the named table; the first error is that of [Tables.Get].
func (ts Tables) Read(name string) *Reading {
	t, err := ts.Get(name)
	return &Reading{t, err}
}

// Where begins to read the rows whose text column has the value.
func (r *Reading) Where(column, value string) *Reading {
	if r.Err != nil {
		return r
	}
	t, err := r.Table.Where(column, value)
	return &Reading{t, err}
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

// Pick begins to read the rows, counted from 0, that pass a test. It is an [ErrNoRows] when none does; none says so of the table.
func (r *Reading) Pick(keep func(row int) bool, none string) *Reading {
	if r.Err != nil {
		return r
	}
	t := r.Table.Pick(keep)
	if t.Len() == 0 {
		return &Reading{Err: noRows("table %s %s", t.Name(), none)}
	}
	return Read(t)
}

// take reads one thing unless something failed before.
func take[T any](r *Reading, get func() (T, error)) (out T) {
	if r.Err != nil {
		return out
	}
	got, err := get()
	if err != nil {
		r.Err = err
		return out
	}
	return got
}

// Text reads a text column without NULL.
func (r *Reading) Text(column string) []string {
	return take(r, func() ([]string, error) { return r.Table.Strings(column) })
}

// TextOrNone reads a text column, NULL as the empty string.
func (r *Reading) TextOrNone(column string) []string {
	return take(r, func() ([]string, error) { return r.Table.OptionalStrings(column) })
}

// TextIf reads a text column, NULL as the empty string and so all of it where the table does not have it.
func (r *Reading) TextIf(column string) []string {
	if !r.Has(column) || r.Len() == 0 {
		return make([]string, r.Len())
	}
	return r.TextOrNone(column)
}

// Floats reads a numeric column without NULL.
func (r *Reading) Floats(column string) []float64 {
	return take(r, func() ([]float64, error) { return r.Table.Floats(column) })
}

// Numbers reads a numeric column, NULL as not valid.
func (r *Reading) Numbers(column string) []Number {
	return take(r, func() ([]Number, error) { return r.Table.Numbers(column) })
}

// NumbersIf reads a numeric column, not valid where the table does not have it.
func (r *Reading) NumbersIf(column string) []Number {
	return take(r, func() ([]Number, error) { return r.Table.numbersIf(column) })
}

// Interval reads the ends of the interval of a numeric column, columns with _low and _high behind its name, not valid where the table
// does not have them.
func (r *Reading) Interval(column string) [2][]Number {
	return [2][]Number{r.NumbersIf(column + "_low"), r.NumbersIf(column + "_high")}
}

// Lists reads a column of lists of text.
func (r *Reading) Lists(column string) [][]string {
	return take(r, func() ([][]string, error) { return r.Table.Lists(column) })
}

// Distinct reads the different values of a text column.
func (r *Reading) Distinct(column string) []string {
	return take(r, func() ([]string, error) { return r.Table.Distinct(column) })
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
