package data

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

const mostFooter = 16 << 20 // size of the longest footer that is read, in bytes

// mostPages bounds the bytes of pages in memory at once for a row group: one page of each column,
// and its dictionary.
var mostPages = int64(256 << 20) // small in tests

// parseFooter reads the footer of a Parquet file with size bytes. It refuses a footer that is too
// long before the library allocates memory for it.
func parseFooter(r io.ReaderAt, size int64) (pf *parquet.File, err error) {
	defer asDamage(&err)
	// frame is the size of all that is not content: 4 magic bytes at the beginning, and the footer's
	// length and 4 magic bytes at the end.
	const frame = 4 + 8
	var end [8]byte // the footer's length and the magic bytes
	if size < frame {
		return nil, errors.New("the file is too short for a Parquet file: it was cut off")
	}
	if _, err := r.ReadAt(end[:], size-int64(len(end))); err != nil {
		return nil, err
	}
	switch footer := int64(binary.LittleEndian.Uint32(end[:4])); {
	case footer > size-frame:
		return nil, fmt.Errorf("the footer claims %d bytes of a file of %d: the file is damaged", footer, size)
	case footer > mostFooter:
		return nil, fmt.Errorf("the footer claims %d bytes, and at most %d are read", footer, mostFooter)
	}
	return parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
}

// boundPages refuses a file with pages that take too much memory, before any memory is allocated.
// It computes the memory from the sizes and the numbers of values in the headers of the pages.
func boundPages(r io.ReaderAt, pf *parquet.File) error {
	for number, group := range pf.Metadata().RowGroups {
		total := int64(0) // bytes
		for _, chunk := range group.Columns {
			total += chunkMemory(r, chunk.MetaData)
		}
		if total > mostPages {
			return Errorf("write the file with smaller row groups or pages",
				"row group %d takes %d MB to read, and at most %d MB are taken", number, total>>20, mostPages>>20)
		}
	}
	return nil
}

// chunkMemory is the memory in bytes for reading a column of a row group: the memory of the
// column's dictionary and of its largest other page. Reading holds one such page at a time.
func chunkMemory(r io.ReaderAt, m format.ColumnMetaData) int64 {
	start := m.DataPageOffset
	if m.DictionaryPageOffset > 0 { // It is 0 if there is no dictionary.
		start = min(start, m.DictionaryPageOffset)
	}
	dictionary, largest := int64(0), int64(0)
	pages := io.NewSectionReader(r, start, m.TotalCompressedSize)
	// One read of 512 bytes gets the whole header of nearly every page.
	header, protocol := bufio.NewReaderSize(nil, 512), thrift.CompactProtocol{}
	for next := int64(0); next < pages.Size(); {
		var page format.PageHeader
		_, _ = pages.Seek(next, io.SeekStart) // Seek fails only for offsets before the beginning.
		header.Reset(pages)
		err := thrift.NewDecoder(protocol.NewReader(header)).Decode(&page)
		if err != nil || page.CompressedPageSize < 0 {
			break // Reading the rows later reports the fault.
		}
		read, _ := pages.Seek(0, io.SeekCurrent) // The header was read ahead, into a buffer.
		headerEnd := read - int64(header.Buffered())
		next = headerEnd + int64(page.CompressedPageSize)
		values := max(page.DataPageHeader.V.NumValues, page.DataPageHeaderV2.V.NumValues,
			page.DictionaryPageHeader.V.NumValues)
		// A small page may claim many values, so 8 bytes are counted for each value.
		memory := int64(page.CompressedPageSize) + int64(page.UncompressedPageSize) + 8*int64(values)
		if page.Type == format.DictionaryPage {
			dictionary += memory
		} else {
			largest = max(largest, memory)
		}
	}
	return dictionary + largest
}

// fill sets a row, by a pointer to it, to a copy of the given values.
func fill(row any, schema *parquet.Schema, values parquet.Row) (err error) {
	defer asDamage(&err)
	reflect.ValueOf(row).Elem().SetZero()
	return schema.Reconstruct(row, values)
}

// asDamage turns a panic into an error: parquet-go panics on some damaged files.
func asDamage(err *error) {
	if p := recover(); p != nil {
		*err = Errorf(damagedFileHint, "the file is damaged: %v", p)
	}
}

// guarded calls a function of parquet-go and turns its panics into errors.
func guarded[V any](f func() (V, error)) (v V, err error) {
	defer asDamage(&err)
	return f()
}

const damagedFileHint = "the file is not one that captionlake wrote whole; " +
	"delete it and run the step that makes it again"

// An encoder writes rows of one table to a file.
type encoder interface {
	writePointers(rows []any) error       // pointers to rows of the row type
	WriteRows([]parquet.Row) (int, error) // rows that come from another file
	Close() error
}

// A typedWriter is an encoder that knows the row type, which makes encoding twice as fast.
type typedWriter[T any] struct {
	*parquet.GenericWriter[T]
	chunk []T // the rows of the last writePointers; kept to reuse the memory
}

func newTypedWriter[T any](to io.Writer, options ...parquet.WriterOption) encoder {
	return &typedWriter[T]{GenericWriter: parquet.NewGenericWriter[T](to, options...)}
}

// writePointers implements encoder.
func (w *typedWriter[T]) writePointers(rows []any) error {
	w.chunk = w.chunk[:0]
	for _, row := range rows {
		w.chunk = append(w.chunk, *row.(*T))
	}
	_, err := w.Write(w.chunk)
	return err
}
