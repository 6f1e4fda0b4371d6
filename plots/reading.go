package plots

// reading reads columns of a table and keeps the first error, so that a figure can ask for all that it needs and look at the error once.
// After an error everything read is empty.
type reading struct {
	table *Table
	err   error
}

func read(t *Table) *reading { return &reading{table: t} }

// take reads one thing unless something failed before.
func take[T any](r *reading, get func() (T, error)) (out T) {
	if r.err != nil {
		return out
	}
	got, err := get()
	if err != nil {
		r.err = err
		return out
	}
	return got
}

// text reads a text column without NULL, textOrNone one with NULL as the empty string.
func (r *reading) text(column string) []string {
	return take(r, func() ([]string, error) { return r.table.Strings(column) })
}

func (r *reading) textOrNone(column string) []string {
	return take(r, func() ([]string, error) { return r.table.OptionalStrings(column) })
}

// floats reads a numeric column without NULL, numbers one with NULL.
func (r *reading) floats(column string) []float64 {
	return take(r, func() ([]float64, error) { return r.table.Floats(column) })
}

func (r *reading) numbers(column string) []Number {
	return take(r, func() ([]Number, error) { return r.table.Numbers(column) })
}

// numbersIf reads a numeric column, not valid where the table does not have it.
func (r *reading) numbersIf(column string) []Number {
	return take(r, func() ([]Number, error) { return r.table.numbersIf(column) })
}

// interval reads the ends of the interval of a numeric column, not valid where the table lacks them.
func (r *reading) interval(column string) [2][]Number {
	return take(r, func() ([2][]Number, error) { return interval(r.table, column) })
}

// lists reads a column of lists of text.
func (r *reading) lists(column string) [][]string {
	return take(r, func() ([][]string, error) { return r.table.Lists(column) })
}

// distinct reads the different values of a text column.
func (r *reading) distinct(column string) []string {
	return take(r, func() ([]string, error) { return r.table.Distinct(column) })
}

// domains reads the domains that occur.
func (r *reading) domains() []string { return take(r, r.table.domainsOf) }

// provenance reads what the rows are made of.
func (r *reading) provenance() []string { return take(r, r.table.Provenance) }

// names reads the names of the models to draw.
func (r *reading) names() []string {
	return take(r, func() ([]string, error) { return rowNames(r.table) })
}
