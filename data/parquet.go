package data

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"
)

// OpenParquet opens a Parquet file of so many bytes, whoever wrote it. A footer that is longer than the file is refused before the
// library takes memory for it, and a panic of the library, which some damaged files lead to, is an error.
func OpenParquet(r io.ReaderAt, size int64, options ...parquet.FileOption) (pf *parquet.File, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the file is damaged: %v", p)
		}
	}()
	const frame = 4 + 8 // the mark at the beginning; the footer's length and the mark at the end
	var end [8]byte
	if size < frame {
		return nil, errors.New("the file is too short for a Parquet file: it was cut off")
	}
	if _, err := r.ReadAt(end[:], size-int64(len(end))); err != nil {
		return nil, err
	}
	if footer := int64(binary.LittleEndian.Uint32(end[:4])); footer > size-frame {
		return nil, fmt.Errorf("the footer claims %d bytes of a file of %d: the file is damaged", footer, size)
	}
	return parquet.OpenFile(r, size, append(options, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))...)
}

// fill makes a row of its values, which it copies.
func fill(row any, schema *parquet.Schema, values parquet.Row) (err error) {
	defer asDamage(&err)
	reflect.ValueOf(row).Elem().SetZero()
	return schema.Reconstruct(row, values)
}

// asDamage makes an error of a panic: parquet-go panics on some damaged files.
func asDamage(err *error) {
	if p := recover(); p != nil {
		*err = WithHint(fmt.Errorf("the file is damaged: %v", p), damagedFileHint)
	}
}

// guarded calls into parquet-go and makes an error of its panics.
func guarded[V any](f func() (V, error)) (v V, err error) {
	defer asDamage(&err)
	return f()
}

const damagedFileHint = "the file is not one that captionlake wrote whole; delete it and run the step that makes it again"

// An encoder writes rows of one table to a file: those in memory, by pointers to them, or those of other files, by their values.
type encoder interface {
	writeHeld(rows []any) error
	WriteRows([]parquet.Row) (int, error)
	Close() error
}

// A typedWriter takes columns out of rows at twice the speed of one that does not know their type.
type typedWriter[T any] struct {
	*parquet.GenericWriter[T]
	chunk []T
}

func newTypedWriter[T any](to io.Writer, options ...parquet.WriterOption) encoder {
	return &typedWriter[T]{GenericWriter: parquet.NewGenericWriter[T](to, options...)}
}

func (w *typedWriter[T]) writeHeld(rows []any) error {
	w.chunk = w.chunk[:0]
	for _, row := range rows {
		w.chunk = append(w.chunk, *row.(*T))
	}
	_, err := w.Write(w.chunk)
	return err
}
