package ingest

import (
	"io"
	"unicode/utf8"
)

// trackingReader passes bytes on to a decoder and remembers those that the decoder may still ask the place of. Bytes
// before the last place asked for are forgotten. On the way it reports bytes that are not UTF-8.
type trackingReader struct {
	r     io.Reader
	fault faultFunc

	window []byte // bytes from offset base on
	start  int    // how many bytes of window are forgotten already
	base   int64  // offset of window[start]
	at     pos    // place of window[start]

	end   pos    // place after the last byte read
	carry []byte // start of a character whose other bytes have not been read yet
	bad   bool   // the last byte read was no UTF-8 and has been reported
}

// Read implements io.Reader.
func (t *trackingReader) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	if t.start > 4096 && t.start > len(t.window)/2 {
		t.window = append(t.window[:0], t.window[t.start:]...)
		t.start = 0
	}
	t.window = append(t.window, p[:n]...)
	t.check(p[:n])
	if err == io.EOF && len(t.carry) > 0 {
		t.fault(t.end.line, t.end.col-len(t.carry), notUTF8)
		t.carry = nil
	}
	return n, err
}

const notUTF8 = "bytes that are not UTF-8: write the file again in UTF-8"

// check moves end over new bytes and reports the first of each run of bytes that are no UTF-8.
func (t *trackingReader) check(chunk []byte) {
	from := t.end
	from.col -= len(t.carry)
	if len(t.carry) > 0 {
		chunk = append(t.carry, chunk...)
		t.carry = nil
	}
	for len(chunk) > 0 {
		if chunk[0] < utf8.RuneSelf {
			from = from.past(chunk[0])
			chunk, t.bad = chunk[1:], false
			continue
		}
		if !utf8.FullRune(chunk) {
			t.carry = append([]byte(nil), chunk...)
			from.col += len(chunk)
			break
		}
		r, size := utf8.DecodeRune(chunk)
		if r == utf8.RuneError && size == 1 {
			if !t.bad {
				t.fault(from.line, from.col, notUTF8)
			}
			t.bad = true
		} else {
			t.bad = false
		}
		from.col += size
		chunk = chunk[size:]
	}
	t.end = from
}

// past is the place after a byte.
func (p pos) past(b byte) pos {
	if b == '\n' {
		return pos{p.line + 1, 1}
	}
	return pos{p.line, p.col + 1}
}

// skip returns the offset of the first byte from an offset on that is neither white space nor a comma nor a colon:
// where the next token starts.
func (t *trackingReader) skip(offset int64) int64 {
	for i := t.index(offset); i < len(t.window); i++ {
		switch t.window[i] {
		case ' ', '\t', '\r', '\n', ',', ':':
		default:
			return t.base + int64(i-t.start)
		}
	}
	return t.base + int64(len(t.window)-t.start)
}

// position returns the place of an offset and forgets what comes before it.
func (t *trackingReader) position(offset int64) pos {
	to := t.index(offset)
	for _, b := range t.window[t.start:to] {
		t.at = t.at.past(b)
	}
	t.base += int64(to - t.start)
	t.start = to
	return t.at
}

// index is where an offset lies in the window, at its edges when it lies outside.
func (t *trackingReader) index(offset int64) int {
	return min(max(t.start+int(offset-t.base), t.start), len(t.window))
}

// between returns the bytes from one offset to another.
func (t *trackingReader) between(from, to int64) []byte {
	return t.window[t.index(from):t.index(to)]
}

// rest returns the bytes read from the last place asked for on.
func (t *trackingReader) rest() []byte { return t.window[t.start:] }

// after returns the place so many bytes after the last place asked for.
func (t *trackingReader) after(n int) pos {
	at := t.at
	for _, b := range t.window[t.start:min(t.start+n, len(t.window))] {
		at = at.past(b)
	}
	return at
}
