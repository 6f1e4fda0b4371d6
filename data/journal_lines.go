package data

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"iter"
	"os"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A line of a journal is a row as a JSON object, whose last member is the CRC-32C of what stands before that member:
//
//	{"request_hash":"…","reply":"A","crc32c":"1a2b3c4d"}
//
// A crash can tear what was written last, so a last line that is not as it was written is none, and is cut off when the journal is next
// opened for appending. Any other such line is damage and an error, because rows that cost money would be lost in silence.
const (
	sumFormat = `,"crc32c":"%08x"}` + "\n"
	sumSize   = len(`,"crc32c":"1a2b3c4d"}` + "\n")
	// longestLine bounds a line, so that a damaged file cannot ask for all memory.
	longestLine = 64 << 20

	journalSuffix = ".jsonl"
	cutSuffix     = ".cut" // of what could not be read of a journal and was set aside
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrJournalDamaged is wrapped by the error of a journal with a damaged line that no crash explains.
var ErrJournalDamaged = errors.New("damaged journal")

// putSum makes a line of the object that begins at a place of the buffer and is its end.
func putSum(b *bytes.Buffer, start int) {
	b.Truncate(b.Len() - len("}"))
	fmt.Fprintf(b, sumFormat, crc32.Checksum(b.Bytes()[start:], castagnoli))
}

// A lineReader walks the lines of a journal's file.
type lineReader struct {
	r    *bufio.Reader
	path string
	text []byte // the line, with its end
	line int    // its number, from 1
	from int64  // where it begins
	to   int64  // where it ends
	size int64  // of the file
	err  error
}

func newLineReader(file io.ReaderAt, size int64, path string) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(io.NewSectionReader(file, 0, size), int(min(max(size, 1), 1<<20))), path: path, size: size}
}

// next moves to the next line.
func (r *lineReader) next() bool {
	r.text, r.line, r.from = r.text[:0], r.line+1, r.to
	for {
		part, err := r.r.ReadSlice('\n')
		r.to += int64(len(part))
		if len(r.text) <= longestLine { // What is cut off here does not match its checksum.
			r.text = append(r.text, part...)
		}
		switch {
		case err == nil:
			return true
		case errors.Is(err, io.EOF):
			return r.to > r.from
		case !errors.Is(err, bufio.ErrBufferFull):
			r.err = fmt.Errorf("%s:%d: %w", r.path, r.line, err)
			return false
		}
	}
}

// sound reports whether the line is as it was written.
func (r *lineReader) sound() bool {
	at := len(r.text) - sumSize
	if at < 0 {
		return false
	}
	var want [len(sumFormat) + 8]byte
	return bytes.Equal(r.text[at:], fmt.Appendf(want[:0], sumFormat, crc32.Checksum(r.text[:at], castagnoli)))
}

// lines walks the sound lines, which share memory. tell is told of the others; its error ends the walk.
func (r *lineReader) lines(tell func() error) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for r.next() {
			if r.sound() {
				if !yield(r.text, nil) {
					return
				}
			} else if err := tell(); err != nil {
				yield(nil, err)
				return
			}
		}
		if r.err != nil {
			yield(nil, r.err)
		}
	}
}

// journalLines walks the lines of a journal, none when it is absent. A last line that is torn may be one that is being written.
func journalLines(l *Lake, name string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		f, err := l.store.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close() // It was only read.
		r := newLineReader(f, f.Size(), l.Path(name))
		for line, err := range r.lines(r.damage) {
			if !yield(line, err) {
				return
			}
		}
	}
}

// damage is the error of a line that is not as it was written; nil for the last one.
func (r *lineReader) damage() error {
	if r.to == r.size {
		return nil
	}
	return WithHint(fmt.Errorf("%s:%d: %w: the line does not match its checksum", r.path, r.line, ErrJournalDamaged),
		"the disk has damaged the file; restore it from a copy, or keep every line that can be read: captionlake doctor --repair")
}

func decodeRow[T any](line []byte) (row T, err error) {
	if err := json.Unmarshal(line, &row, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return row, fmt.Errorf("%w: %w", ErrJournalDamaged, err)
	}
	return row, nil
}

// byteRange is a part of a file, from a place up to another.
type byteRange struct{ from, to int64 }

// setAside copies parts of a journal to a file beside it that has a name of its own, and says so.
func setAside(l *Lake, name string, f io.ReaderAt, parts []byteRange, why string) (err error) {
	var file *os.File
	copyName := ""
	for n := 1; ; n++ {
		copyName = fmt.Sprintf("%s.%d%s", strings.TrimSuffix(name, journalSuffix), n, cutSuffix)
		if file, err = l.root.OpenFile(copyName, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return l.writeError(err)
	}
	copied := int64(0)
	for _, p := range parts {
		n, copyErr := io.Copy(file, io.NewSectionReader(f, p.from, p.to-p.from))
		copied, err = copied+n, errors.Join(err, copyErr)
	}
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return errors.Join(l.writeError(err), l.store.Remove(copyName))
	}
	l.notice(fmt.Sprintf("%s: %s: %d bytes were cut off, and a copy of them is %s; what they held is asked for again", l.Path(name), why, copied, l.Path(copyName)))
	return nil
}
