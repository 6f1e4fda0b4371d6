package data

import (
	"errors"
	"fmt"
	"io"
	"time"
	"unsafe"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
)

var errShortColumn = errors.New("the column holds fewer values than its header says")

// A columnReader decodes one column of a row group into its field of a batch of rows.
type columnReader interface {
	open(chunk parquet.ColumnChunk)
	// read sets the field of the next n rows of a slice of rows that starts at base.
	read(base unsafe.Pointer, n int) error
	close() error
}

// shape is how a column's values lie in the rows.
type shape uint8

const (
	plain    shape = iota // V, one value for each row
	nullable              // V, the zero value where the column is null
	pointer               // *V, nil where the column is null
	list                  // []V
)

// column is a columnReader of fields that hold values of type V in some shape.
type column[V any] struct {
	name         string
	offset, size uintptr // of the field in a row, and of a row
	shape        shape
	defined      byte // definition level of a value that is not null
	// view returns the values from one position to another, in dst where they cannot be used as they lie in the page.
	view func(values *encoding.Values, from, to int, dst []V) []V

	pages      parquet.Pages
	page       parquet.Page // current page; nil before the first and after the last
	values     encoding.Values
	indexed    bool    // the page holds positions in the dictionary
	indexes    []int32 // those positions
	dictionary []V     // the row group's; its texts are made once and shared by the rows
	def, rep   []byte  // levels of the current page, for columns that have them
	slots      int     // values of the page, with nulls and empty lists
	slot       int     // next of them
	value      int     // next value that is not null
	scratch    []V
}

func (c *column[V]) open(chunk parquet.ColumnChunk) {
	c.pages, c.dictionary, c.slots, c.slot = chunk.Pages(), nil, 0, 0
}

func (c *column[V]) close() error {
	if c.pages == nil {
		return nil
	}
	parquet.Release(c.page)
	pages := c.pages
	c.page, c.pages = nil, nil
	return pages.Close()
}

// turn moves to the next page that is not empty. Its error after the last page is io.EOF.
func (c *column[V]) turn() error {
	for c.slot == c.slots {
		parquet.Release(c.page)
		c.page = nil
		page, err := c.pages.ReadPage()
		if err != nil {
			return err
		}
		c.page, c.values, c.def, c.rep = page, page.Data(), page.DefinitionLevels(), page.RepetitionLevels()
		c.slots, c.slot, c.value = int(page.NumValues()), 0, 0
		dictionary := page.Dictionary()
		if c.indexed = dictionary != nil; c.indexed {
			c.indexes = c.values.Int32()
			if c.dictionary == nil {
				values := dictionary.Page().Data()
				if valueCount(&values) < dictionary.Len() {
					return errShortColumn
				}
				c.dictionary = c.view(&values, 0, dictionary.Len(), make([]V, dictionary.Len()))
			}
		}
		short := c.shape != plain && len(c.def) != c.slots || c.shape == list && len(c.rep) != c.slots
		if short || valueCount(&c.values) < c.slots-int(page.NumNulls()) {
			return errShortColumn
		}
	}
	return nil
}

func valueCount(values *encoding.Values) int {
	data, offsets := values.Data()
	switch values.Kind() {
	case encoding.Boolean:
		return len(data) * 8
	case encoding.Int32, encoding.Float:
		return len(data) / 4
	case encoding.ByteArray:
		return len(offsets) - 1
	default:
		return len(data) / 8
	}
}

// take returns the next n values of the page that are not null. They are overwritten by the next call.
func (c *column[V]) take(n int) ([]V, error) {
	if cap(c.scratch) < n {
		c.scratch = make([]V, n)
	}
	from, dst := c.value, c.scratch[:n]
	c.value += n
	if !c.indexed {
		return c.view(&c.values, from, c.value, dst), nil
	}
	for i, index := range c.indexes[from:c.value] {
		if uint(index) >= uint(len(c.dictionary)) {
			return nil, fmt.Errorf("a page refers to entry %d of a dictionary of %d", index, len(c.dictionary))
		}
		dst[i] = c.dictionary[index]
	}
	return dst, nil
}

func (c *column[V]) read(base unsafe.Pointer, n int) error {
	base = unsafe.Add(base, c.offset)
	read := c.readFlat
	if c.shape == list {
		read = c.readLists
	}
	err := read(base, n)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF // The row group has more rows than this column.
	}
	if err != nil {
		return fmt.Errorf("column %s: %w", c.name, err)
	}
	return nil
}

// readFlat sets the fields of n rows that are size bytes apart, the first at base.
func (c *column[V]) readFlat(base unsafe.Pointer, n int) error {
	for row := 0; row < n; {
		if err := c.turn(); err != nil {
			return err
		}
		k := min(n-row, c.slots-c.slot)
		count := k
		var def []byte
		if c.shape != plain {
			def = c.def[c.slot : c.slot+k]
			count = 0
			for _, d := range def {
				if d == c.defined {
					count++
				}
			}
		}
		values, err := c.take(count)
		if err != nil {
			return err
		}
		at := unsafe.Add(base, uintptr(row)*c.size)
		if count == k && c.shape != pointer {
			for i, v := range values {
				*(*V)(unsafe.Add(at, uintptr(i)*c.size)) = v
			}
		} else {
			c.scatter(at, def, values)
		}
		c.slot += k
		row += k
	}
	return nil
}

// scatter sets the fields of rows some of which may be null.
func (c *column[V]) scatter(at unsafe.Pointer, def []byte, values []V) {
	next := 0
	for i, d := range def {
		field := unsafe.Add(at, uintptr(i)*c.size)
		switch {
		case d != c.defined && c.shape == pointer:
			*(**V)(field) = nil
		case d != c.defined:
			var zero V
			*(*V)(field) = zero
		case c.shape == pointer:
			v := values[next]
			*(**V)(field) = &v
			next++
		default:
			*(*V)(field) = values[next]
			next++
		}
	}
}

// readLists sets the fields of n rows to lists of their own. A list may go on in the next page.
func (c *column[V]) readLists(base unsafe.Pointer, n int) error {
	for row := range n {
		field := (*[]V)(unsafe.Add(base, uintptr(row)*c.size))
		*field = make([]V, 0)
		for first := true; ; first = false {
			if err := c.turn(); errors.Is(err, io.EOF) && !first {
				break
			} else if err != nil {
				return err
			}
			if starts := c.rep[c.slot] == 0; starts != first {
				if first {
					return errors.New("a page starts in the middle of a list")
				}
				break
			}
			end, count := c.slot, 0
			for end == c.slot || end < c.slots && c.rep[end] != 0 {
				if c.def[end] == c.defined {
					count++
				}
				end++
			}
			values, err := c.take(count)
			if err != nil {
				return err
			}
			c.slot = end
			*field = append(*field, values...)
		}
	}
	return nil
}

// The views of the columns' types. What they return of text is copied, so that no row holds on to a page.

func viewText(values *encoding.Values, from, _ int, dst []string) []string {
	data, offsets := values.ByteArray()
	for i := range dst {
		dst[i] = string(data[offsets[from+i]:offsets[from+i+1]])
	}
	return dst
}

func viewBool(values *encoding.Values, from, _ int, dst []bool) []bool {
	bits := values.Boolean()
	for i := range dst {
		at := from + i
		dst[i] = bits[at/8]>>(at%8)&1 != 0
	}
	return dst
}

func viewTime(values *encoding.Values, from, to int, dst []time.Time) []time.Time {
	for i, micros := range values.Int64()[from:to] {
		dst[i] = time.UnixMicro(micros).UTC()
	}
	return dst
}

func viewInt32(values *encoding.Values, from, to int, _ []int32) []int32 {
	return values.Int32()[from:to]
}

func viewInt64(values *encoding.Values, from, to int, _ []int64) []int64 {
	return values.Int64()[from:to]
}

func viewFloat32(values *encoding.Values, from, to int, _ []float32) []float32 {
	return values.Float()[from:to]
}

func viewFloat64(values *encoding.Values, from, to int, _ []float64) []float64 {
	return values.Double()[from:to]
}
