package ingest

// elements reads a file that is one JSON list and calls each with every element and its number from 0, in file order. It reports
// whatever follows the list.
func (r *jsonReader) elements(each func(i int, value node) error) error {
	if r.dec.PeekKind() != '[' {
		n, err := r.value(0)
		if err != nil {
			return err
		}
		r.report(n.at, "the file holds %s where a list belongs: it is no file of the format", n.kind)
		return errFaulted
	}
	if _, err := r.bracket(); err != nil {
		return err
	}
	for i := 0; r.dec.PeekKind() != ']'; i++ {
		value, err := r.value(1)
		if err != nil {
			return err
		}
		if err := each(i, value); err != nil {
			return err
		}
	}
	if _, err := r.bracket(); err != nil {
		return err
	}
	return r.end()
}

// firstOfList reads the keys of the first object of a list, as far as the head of its file goes; nil where there is none.
func firstOfList(head []byte) map[string]bool {
	dec := headDecoder(head)
	if t, err := dec.ReadToken(); err != nil || t.Kind() != '[' || dec.PeekKind() != '{' {
		return nil
	}
	return firstKeys(dec)
}
