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

// A line is a row as a JSON object. The last member of the object is the CRC-32C of all text before
// this member:
//
//	{"request_hash":"…","reply":"A","crc32c":"1a2b3c4d"}
//
// A crash can tear the last write. So a last line that fails its checksum is skipped, and it is cut
// off when the file is next opened for appending. If any other line fails its checksum, the file is
// damaged. Such damage is an error, because otherwise rows that cost money would be lost silently.
const (
	sumFormat = `,"crc32c":"%08x"}` + "\n"
	sumSize   = len(`,"crc32c":"1a2b3c4d"}` + "\n")
	// longestLine bounds a line, so that a damaged file cannot use all memory.
	longestLine = 64 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrDamaged is wrapped by the error of a damaged line that a crash cannot explain.
var ErrDamaged = errors.New("damaged journal")

// putSum completes the JSON object from start to the end of the buffer with its checksum and a line
// feed.
func putSum(b *bytes.Buffer, start int) {
	b.Truncate(b.Len() - len("}"))
	fmt.Fprintf(b, sumFormat, crc32.Checksum(b.Bytes()[start:], castagnoli))
}

// sound reports whether a line passes its checksum.
func sound(line []byte) bool {
	at := len(line) - sumSize
	if at < 0 {
		return false
	}
	var buffer [len(sumFormat) + 8]byte // has room for the 8 digits, which spares an allocation
	want := fmt.Appendf(buffer[:0], sumFormat, crc32.Checksum(line[:at], castagnoli))
	return bytes.Equal(line[at:], want)
}

// A Range is a part of a file, from one offset up to another.
type Range struct{ From, To int64 }

// Lines streams the lines of a file of the given size that pass their checksum. The bytes of a line
// are valid until the next line. For a line that fails its checksum, Lines calls damaged with the
// line's number, from 1, and its place. An error of damaged ends the stream. path is for errors.
func Lines(file io.ReaderAt, size int64, path string, damaged func(line int, at Range) error) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		// The buffer has at most 1 MB, and for a smaller file the size of the file.
		reader := bufio.NewReaderSize(io.NewSectionReader(file, 0, size), int(min(max(size, 1), 1<<20)))
		var text []byte
		var at Range
		for n := 1; ; n++ {
			text, at.From = text[:0], at.To
			// Read one line, in parts of the buffer's size.
			for whole := false; !whole; {
				part, err := reader.ReadSlice('\n')
				at.To += int64(len(part))
				if len(text) <= longestLine { // The rest of a longer line is dropped, so the line fails its checksum.
					text = append(text, part...)
				}
				whole = !errors.Is(err, bufio.ErrBufferFull)
				if whole && err != nil && !errors.Is(err, io.EOF) {
					yield(nil, fmt.Errorf("%s:%d: %w", path, n, err))
					return
				}
			}
			if at.To == at.From {
				return // The file has ended.
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

// Decode reads the row of a line. Append wrote the line, so no duplicate names need to be looked
// for, and the line may have invalid UTF-8.
func Decode[T any](line []byte) (row T, err error) {
	if err := json.Unmarshal(line, &row, jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true)); err != nil {
		return row, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return row, nil
}
