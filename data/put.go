package data

// Put writes the rows of a unit with one table. It does nothing if the lake has the unit with the
// same fingerprint.
func Put[T any](l *Lake, u Unit, table Table[T], rows ...T) (written bool, err error) {
	done, err := l.Done(u)
	if err != nil || done {
		return false, err
	}
	tx, err := l.Begin(u)
	if err != nil {
		return false, err
	}
	defer tx.Abort()
	w, err := NewRowWriter(tx, table)
	if err != nil {
		return false, err
	}
	if err := w.Write(rows...); err != nil {
		return false, err
	}
	return true, tx.Commit()
}
