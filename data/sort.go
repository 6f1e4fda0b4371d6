package data

import (
	"cmp"
	"encoding/binary"
	"reflect"
	"slices"
	"strings"
)

// A sortKey stands for a row while rows are sorted: the first 16 bytes in which the keys of the rows differ, or as many as one column
// has of them. They decide nearly always, and cost much less than comparing the columns of two rows, most of which are alike.
type sortKey struct {
	high, low uint64
	row       int32 // position among the buffered rows
}

// sorted returns the order of the buffered rows by key, of equal ones the earlier first or, when the last is kept, that
// alone. Their positions are sorted rather than the rows, which are large.
func (w *RowWriter[T]) sorted() ([]int32, error) {
	keys := w.sortKeys()
	byKey := func(a, b sortKey) int {
		switch {
		case a.high != b.high:
			return cmp.Compare(a.high, b.high)
		case a.low != b.low:
			return cmp.Compare(a.low, b.low)
		}
		return w.table.compare(w.row(a.row), w.row(b.row))
	}
	if !slices.IsSortedFunc(keys, byKey) {
		// Positions that decide among equal keys keep them in their order, at half the cost of a stable sort.
		slices.SortFunc(keys, func(a, b sortKey) int {
			if c := byKey(a, b); c != 0 {
				return c
			}
			return int(a.row - b.row)
		})
	}
	order := make([]int32, 0, len(keys))
	for i, key := range keys {
		if i > 0 && byKey(keys[i-1], key) == 0 {
			if !w.keepLast {
				return nil, w.twice(*w.row(key.row))
			}
			order = order[:len(order)-1]
			w.rows--
		}
		order = append(order, key.row)
	}
	return order, nil
}

// sortKeys are the sort keys of the buffered rows, in the order of the rows: of the first key column in which rows differ.
func (w *RowWriter[T]) sortKeys() []sortKey {
	keys := make([]sortKey, w.buffered)
	for i := range keys {
		keys[i].row = int32(i)
	}
	if len(keys) < 2 {
		return keys
	}
	fields := fieldIndexes[T]()
	for _, column := range w.table.Key() {
		field := fields[column]
		value := func(i int) reflect.Value { return reflect.ValueOf(w.row(int32(i))).Elem().Field(field) }
		differ := false
		switch value(0).Kind() {
		case reflect.String:
			differ = keysOfTexts(keys, func(i int) string { return value(i).String() })
		case reflect.Int32:
			for i := range keys {
				keys[i].high = uint64(value(i).Int()) ^ 1<<63 // Negative numbers come first.
				differ = differ || keys[i].high != keys[0].high
			}
		default:
			return keys // Comparing the rows decides.
		}
		if differ {
			return keys
		}
	}
	return keys
}

// keysOfTexts makes sort keys of the texts of the rows, behind what all of them begin with. Texts that are all alike leave the keys
// as they are.
func keysOfTexts(keys []sortKey, text func(i int) string) (differ bool) {
	first := text(0)
	shared := first
	for i := range keys {
		t := text(i)
		differ = differ || t != first
		if !strings.HasPrefix(t, shared) {
			n := 0
			for n < len(t) && t[n] == shared[n] {
				n++
			}
			shared = shared[:n]
		}
	}
	if !differ {
		return false
	}
	for i := range keys {
		var bytes [16]byte
		copy(bytes[:], text(i)[len(shared):])
		keys[i].high, keys[i].low = binary.BigEndian.Uint64(bytes[:8]), binary.BigEndian.Uint64(bytes[8:])
	}
	return true
}
