package data

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

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
