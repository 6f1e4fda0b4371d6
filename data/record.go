package data

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
)

// The file of a journal is recordHead, then records, and then zeros: the file grows ahead of its records. A record is a header
// of 16 bytes and its payload, a row as JSON. The header has recordMark, the length and the CRC-32C of the payload, and the
// CRC-32C of these twelve bytes, each number with 32 bits, little-endian. The mark begins with a byte that UTF-8 never has, so
// no payload can look like a record.
//
// Each sync begins with a record without a payload behind the rows that it makes durable, so all before the last such record but one is
// on disk.
const (
	recordHead   = "captionlake journal/3\n"
	recordMark   = "\xffrec"
	recordHeader = 16
	// maxRecord bounds a record, so that a damaged length cannot ask for all memory.
	maxRecord = 64 << 20
	// sector is the least that a disk writes, in bytes: a write that a crash cut short has whole sectors or nothing of them.
	sector = 512
)

var (
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
	noHeader   [recordHeader]byte
	syncMark   = appendRecord(nil, nil)
)

// ErrJournalDamaged is wrapped by the error of a journal with a damaged record that no crash explains.
var ErrJournalDamaged = errors.New("damaged journal")

func appendRecord(to, payload []byte) []byte {
	start := len(to)
	to = append(to, noHeader[:]...)
	putHeader(to[start:], payload)
	return append(to, payload...)
}

// putHeader writes the header of a payload.
func putHeader(to, payload []byte) {
	copy(to, recordMark)
	binary.LittleEndian.PutUint32(to[4:], uint32(len(payload)))
	binary.LittleEndian.PutUint32(to[8:], crc32.Checksum(payload, castagnoli))
	binary.LittleEndian.PutUint32(to[12:], crc32.Checksum(to[:12], castagnoli))
}

// A recordReader walks the records of a journal's file. A crash can leave what was not synced torn: a part of it, with wrong
// bytes or zeros or nothing behind it, or all of it but some sectors, which are zeros still. There the walk ends in silence,
// with end before the file's end. Anything else that is no record is damage and an error, because rows that cost money
// would be lost in silence.
type recordReader struct {
	file     io.ReaderAt
	size     int64
	r        *bufio.Reader // at end
	path     string
	payload  []byte
	end      int64 // where the last whole record ends
	headless bool  // the file does not begin with recordHead
	again    bool  // what is at end is read for the second time
	err      error
}

func newRecordReader(file File, path string) *recordReader {
	return readRecords(file, file.Size(), path)
}

func readRecords(file io.ReaderAt, size int64, path string) *recordReader {
	r := &recordReader{file: file, size: size, path: path}
	head := make([]byte, min(size, int64(len(recordHead))))
	if _, err := file.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		r.err = fmt.Errorf("journal %s: %w", path, err)
	}
	switch {
	case string(head) == recordHead:
		r.end = int64(len(recordHead))
	case r.tornFrom(0, recordHead):
		r.size = 0
	default:
		r.headless = true
		r.check(false, "the file does not begin as a journal does")
	}
	r.seek(r.end)
	return r
}

// seek goes on at a place of the file.
func (r *recordReader) seek(to int64) {
	r.end = to
	left := r.size - to
	r.r = bufio.NewReaderSize(io.NewSectionReader(r.file, to, left), int(min(left, 1<<20)))
}

// records walks through what is left. The payloads share memory.
func (r *recordReader) records() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for r.next() {
			if !yield(r.payload, nil) {
				return
			}
		}
		if r.err != nil {
			yield(nil, r.err)
		}
	}
}

// next moves to the next whole record with a payload.
func (r *recordReader) next() bool {
	for {
		ok, empty := r.step()
		if !empty {
			return ok
		}
	}
}

// step moves to the next whole record. It is empty when there is no payload.
func (r *recordReader) step() (ok, empty bool) {
	left := r.size - r.end
	if r.err != nil || left == 0 {
		return false, false
	}
	const width = int64(recordHeader)
	var space [recordHeader]byte
	header := space[:min(width, left)]
	if _, err := io.ReadFull(r.r, header); err != nil {
		return r.fail(err), false
	}
	length, sum, ok := parseHeader(header)
	switch {
	case !ok:
		return r.unreadable(r.tornFrom(r.end, recordMark), width, "its header does not match its checksum")
	case left < width+length:
		return false, false // The checksum vouches for the length: a crash kept the rest of the record from the file.
	}
	if int64(cap(r.payload)) < length {
		r.payload = make([]byte, length)
	}
	r.payload = r.payload[:length]
	if _, err := io.ReadFull(r.r, r.payload); err != nil {
		return r.fail(err), false
	}
	if crc32.Checksum(r.payload, castagnoli) != sum {
		torn := r.zerosFrom(r.end + width + length)
		return r.unreadable(torn, width+length, "it does not match its checksum")
	}
	r.end += width + length
	r.again = false
	return true, length == 0
}

// unreadable is the end of the walk at a record of so many bytes that cannot be read. Another process may be writing that
// very record, so that it is read twice before it counts as damaged.
func (r *recordReader) unreadable(torn bool, bytes int64, what string) (ok, empty bool) {
	torn = torn || r.unsynced(bytes)
	if !torn && !r.again {
		r.again = true
		r.seek(r.end)
		return r.step()
	}
	return r.check(torn, what), false
}

// unsynced reports whether what cannot be read was being written when the machine stopped: a sector of it is zeros still, which
// no record has, and nothing says that it was on disk.
func (r *recordReader) unsynced(bytes int64) bool {
	empty := false
	for at, to := r.end, r.end+bytes; at < min(to, r.size) && !empty; {
		next := min(at-at%sector+sector, r.size)
		var space [sector]byte
		part := space[:next-at]
		if _, err := r.file.ReadAt(part, at); err != nil && !errors.Is(err, io.EOF) {
			return r.fail(err)
		}
		empty, at = onlyZeros(part), next
	}
	if !empty {
		return false
	}
	marks := 0
	for probe := *r; ; {
		at := probe.resync()
		if r.err = probe.err; at >= r.size || r.err != nil {
			return r.err == nil
		}
		var header [recordHeader]byte
		if _, err := r.file.ReadAt(header[:], at); err != nil {
			return r.fail(err)
		}
		if length, _, _ := parseHeader(header[:]); length == 0 {
			marks++
		}
		if marks == 2 {
			return false
		}
		probe.end = at
	}
}

func onlyZeros(b []byte) bool { return len(bytes.TrimLeft(b, "\x00")) == 0 }

// parseHeader reads a header; it is not ok when it cannot be one.
func parseHeader(header []byte) (length int64, sum uint32, ok bool) {
	if len(header) < recordHeader || string(header[:4]) != recordMark ||
		crc32.Checksum(header[:12], castagnoli) != binary.LittleEndian.Uint32(header[12:]) {
		return 0, 0, false
	}
	length, sum = int64(binary.LittleEndian.Uint32(header[4:])), binary.LittleEndian.Uint32(header[8:])
	return length, sum, length <= maxRecord
}

func (r *recordReader) fail(err error) bool {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		r.size = r.end // Whoever was appending has closed the journal, and cut off the zeros behind its records.
		return false
	}
	r.err = fmt.Errorf("journal %s: %w", r.path, err)
	return false
}

// check ends the walk at what is no whole record: in silence if a crash explains it, else with an error.
func (r *recordReader) check(torn bool, what string) bool {
	if !torn && r.err == nil {
		r.err = WithHint(fmt.Errorf("%w: %s: the record at byte %d: %s", ErrJournalDamaged, r.path, r.end, what),
			"the disk has damaged the file; restore it from a copy, or keep every record that can be read: captionlake doctor --repair")
	}
	return false
}

// zerosFrom reports whether there is nothing but zeros from a place to the end of the file, as some file systems leave
// where a crash cut a write short. Nothing at all is zeros.
func (r *recordReader) zerosFrom(at int64) bool { return r.tornFrom(at, "") }

// tornFrom reports whether the file ends, from a place on, with the beginning of a header that starts with the given text, and
// zeros.
func (r *recordReader) tornFrom(at int64, start string) bool {
	head := make([]byte, min(r.size-at, recordHeader))
	if start == "" || len(start) > recordHeader {
		head = make([]byte, min(r.size-at, int64(len(start))))
	}
	if _, err := r.file.ReadAt(head, at); err != nil && !errors.Is(err, io.EOF) {
		r.fail(err)
		return false
	}
	begun := bytes.TrimRight(head, "\x00")
	if n := min(len(begun), len(start)); string(begun[:n]) != start[:n] {
		return false
	}
	at += int64(len(head))
	buffer := make([]byte, min(r.size-at, 64<<10))
	for at < r.size {
		n, err := r.file.ReadAt(buffer[:min(int64(len(buffer)), r.size-at)], at)
		if !onlyZeros(buffer[:n]) {
			return false
		}
		if at += int64(n); err != nil && !errors.Is(err, io.EOF) {
			r.fail(err)
			return false
		} else if n == 0 {
			break
		}
	}
	return true
}

// resync finds the next place behind end where a record begins, or else the end of the file.
func (r *recordReader) resync() int64 {
	const width = int64(recordHeader)
	buffer := make([]byte, min(r.size, 1<<20))
	for at := r.end + 1; at+width <= r.size; {
		n, err := r.file.ReadAt(buffer[:min(int64(len(buffer)), r.size-at)], at)
		if err != nil && !errors.Is(err, io.EOF) {
			r.fail(err)
			return at
		}
		if int64(n) < width {
			break
		}
		window := buffer[:n]
		for i := int64(0); i+width <= int64(n); i++ {
			next := bytes.IndexByte(window[i:], recordMark[0])
			if next < 0 {
				break
			}
			if i += int64(next); i+width > int64(n) {
				break
			}
			if _, _, ok := parseHeader(window[i : i+width]); ok {
				return at + i
			}
		}
		at += int64(n) - width + 1
	}
	return r.size
}
