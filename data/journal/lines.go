package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A line is a row as a JSON object, whose last member is the CRC-32C of what stands before that member:
//
//	{"request_hash":"…","reply":"A","crc32c":"1a2b3c4d"}
//
// A crash can tear what was written last, so a last line that is not as it was written is none, and is cut off when the file is next opened
// for appending. Any other such line is damage and an error, because rows that cost money would be lost in silence.
const (
	sumFormat = `,"crc32c":"%08x"}` + "\n"
	sumSize   = len(`,"crc32c":"1a2b3c4d"}` + "\n")
	// longestLine bounds a line, so that a damaged file cannot ask for all memory.
	longestLine = 64 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrDamaged is wrapped by the error of a damaged line that no crash explains.
var ErrDamaged = errors.New("damaged journal")

// putSum makes a line of the object that begins at a place of the buffer and is its end.
func putSum(b *bytes.Buffer, start int) {
	b.Truncate(b.Len() - len("}"))
	fmt.Fprintf(b, sumFormat, crc32.Checksum(b.Bytes()[start:], castagnoli))
}

// sound reports whether a line is as it was written.
func sound(line []byte) bool {
	at := len(line) - sumSize
	if at < 0 {
		return false
	}
	var want [len(sumFormat) + 8]byte
	return bytes.Equal(line[at:], fmt.Appendf(want[:0], sumFormat, crc32.Checksum(line[:at], castagnoli)))
}

// A Range is a part of a file, from a place up to another.
type Range struct{ From, To int64 }

// Lines walks the sound lines of a file of so many bytes, which share memory. damaged is told of the others, with their numbers from 1; its
// error ends the walk. path is for errors.
func Lines(file io.ReaderAt, size int64, path string, damaged func(line int, at Range) error) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		reader := bufio.NewReaderSize(io.NewSectionReader(file, 0, size), int(min(max(size, 1), 1<<20)))
		var text []byte
		var at Range
		for n := 1; ; n++ {
			text, at.From = text[:0], at.To
			for whole := false; !whole; {
				part, err := reader.ReadSlice('\n')
				at.To += int64(len(part))
				if len(text) <= longestLine { // What is cut off here does not match its checksum.
					text = append(text, part...)
				}
				whole = !errors.Is(err, bufio.ErrBufferFull)
				if whole && err != nil && !errors.Is(err, io.EOF) {
					yield(nil, fmt.Errorf("%s:%d: %w", path, n, err))
					return
				}
			}
			if at.To == at.From {
				return
			}
			if sound(text) {
				if !yield(text, nil) {
					return
				}
			} else if err := damaged(n, at); err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// Decode reads the row of a line.
func Decode[T any](line []byte) (row T, err error) {
	if err := json.Unmarshal(line, &row, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return row, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return row, nil
}
