package ingest

import "slices"

// entries reads a file that is one JSON object and calls each with every key and its value, in file order. It reports
// duplicate keys, where nameOf says what a key stands for, and whatever follows the object. A nil nameOf leaves duplicates to each.
func (r *jsonReader) entries(nameOf func(string) string, each func(key string, at pos, value node) error) error {
	err := r.object(nameOf, func(key string, at pos) error {
		value, err := r.value(0)
		if err != nil {
			return err
		}
		return each(key, at, value)
	})
	if err != nil {
		return err
	}
	return r.end()
}

// elements reads a file that is one JSON list and calls each with every element and its number from 0, in file order. It reports
// whatever follows the list.
func (r *jsonReader) elements(each func(i int, value node) error) error {
	if err := r.eachElement(each); err != nil {
		return err
	}
	return r.end()
}

// within reads a file that is an object, some of whose members hold what the others are about: an object, whose keys and values member is
// given, or a list.
func (r *jsonReader) within(keys []string, member func(key string, at pos, value node) error, element func(i int, value node) error) error {
	err := r.object(nil, func(key string, _ pos) error {
		held := slices.Contains(keys, key)
		switch kind := r.dec.PeekKind(); {
		case held && kind == '[':
			return r.eachElement(element)
		case held && kind == '{':
			return r.object(nil, func(key string, at pos) error {
				value, err := r.value(0)
				if err != nil {
					return err
				}
				return member(key, at, value)
			})
		}
		if err := r.dec.SkipValue(); err != nil {
			return r.syntax(err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return r.end()
}

// object reads an object member by member: each reads the value of the key that it is given.
func (r *jsonReader) object(nameOf func(string) string, each func(key string, at pos) error) error {
	if r.dec.PeekKind() != '{' {
		n, err := r.value(0)
		if err != nil {
			return err
		}
		r.report(n.at, "the file holds %s where an object belongs: it is no file of the format", n.kind)
		return errFaulted
	}
	if _, err := r.bracket(); err != nil {
		return err
	}
	keys := keySet{}
	for r.dec.PeekKind() != '}' {
		raw, offset, err := r.scalar()
		if err != nil {
			return err
		}
		at := r.place(offset)
		key := r.unquoted(raw, offset)
		if nameOf != nil {
			if first, twice := keys.add(nameOf(key), at.line); twice {
				r.duplicate(key, at, first)
			}
		}
		if err := each(key, at); err != nil {
			return err
		}
	}
	_, err := r.bracket()
	return err
}

// eachElement reads a list element by element.
func (r *jsonReader) eachElement(each func(i int, value node) error) error {
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
		value, err := r.value(0)
		if err != nil {
			return err
		}
		if err := each(i, value); err != nil {
			return err
		}
	}
	_, err := r.bracket()
	return err
}

// firstOfList reads the keys of the first object of a list, as far as the head of its file goes; nil where there is none.
func firstOfList(head []byte) map[string]bool {
	dec := headDecoder(head)
	if t, err := dec.ReadToken(); err != nil || t.Kind() != '[' || dec.PeekKind() != '{' {
		return nil
	}
	return firstKeys(dec)
}
