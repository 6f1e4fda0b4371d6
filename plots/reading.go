package plots

// A Reading reads columns of a table and keeps the first error, so that a figure or a table can ask for all that it needs and look at the error once.
// After an error everything read is empty.
type Reading struct {
	Table *Table
	Err   error
}

// Read begins to read a table.
func Read(t *Table) *Reading { return &Reading{Table: t} }

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

// domains reads the domains that occur.
func (r *Reading) domains() []string { return take(r, r.Table.domainsOf) }

// provenance reads what the rows are made of.
func (r *Reading) provenance() []string { return take(r, r.Table.Provenance) }

// names reads the names of the models to draw.
func (r *Reading) names() []string {
	return take(r, func() ([]string, error) { return rowNames(r.Table) })
}
