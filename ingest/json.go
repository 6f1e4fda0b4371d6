package ingest

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth is how deep a foreign file may nest. The formats read here nest four deep; a limit keeps a hostile file
// from exhausting the stack.
const maxDepth = 64

// byteOrderMark may begin a text file; it is no part of the text.
const byteOrderMark = "\ufeff"

// errFaulted ends the reading of a file whose fault has been reported and after which nothing can be made out.
var errFaulted = errors.New("fault reported")

// Bounds of what is held in memory of a foreign file: a value of it, and a text that becomes a cell of a row. The longest real captions have
// some 20 kilobytes.
const (
	maxValue = 64 << 20
	maxText  = 1 << 20
)

// textProblem says what is wrong with a text that is to become a cell of a row; nothing of a sound one.
func textProblem(text string) string {
	switch {
	case len(text) > maxText:
		return fmt.Sprintf("a text of %d bytes, and one has at most %d: shorten it or take it out", len(text), maxText)
	case !utf8.ValidString(text):
		return notUTF8
	}
	return ""
}

var errLongValue = errors.New("a value is too long")

const notUTF8 = "bytes that are not UTF-8: write the file again in UTF-8"

// pos is a place in a file: line and column, both from 1, the column in bytes.
type pos struct{ line, col int }

// faultFunc reports a fault at a line and a column.
type faultFunc func(line, col int, format string, args ...any)

// nodeKind is the type of a value.
type nodeKind uint8

const (
	kindNull nodeKind = iota
	kindBool
	kindNumber
	kindString
	kindArray
	kindObject
)

// String names the type as a message does.
func (k nodeKind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "a list", "an object"}[k]
}

// A node is one value of a JSON or YAML document with its place in the file. The zero value is null.
type node struct {
	at     pos
	kind   nodeKind
	truth  bool
	text   string // a string's text, a number's digits
	items  []node
	fields []field
}

// A field is one member of an object.
type field struct {
	key   string
	at    pos
	value node
}

// field returns the member of that name.
func (n node) field(key string) (node, bool) {
	for i := range n.fields {
		if n.fields[i].key == key {
			return n.fields[i].value, true
		}
	}
	return node{}, false
}

// A jsonReader reads JSON value by value and knows the place of each one. It keeps one value and the digests of the
// top-level keys in memory, however long the file is. Faults of the text itself (bad syntax, a duplicate key in an
// object, invalid UTF-8, half a surrogate pair) are reported as they are met; the decoder alone would stop at the first.
type jsonReader struct {
	lines   lineCounter
	dec     *jsontext.Decoder
	fault   faultFunc
	line    bool // the text is a line of a log: it is bounded itself, and its longest texts are of no row
	halves  bool // halves of surrogate pairs are read as U+FFFD and not reported
	scratch []byte
}

// newJSONReader reads a file. A byte order mark is passed over.
func newJSONReader(r io.Reader, fault faultFunc) *jsonReader {
	j := &jsonReader{lines: lineCounter{r: withoutMark(r), line: 1}, fault: fault}
	j.dec = newDecoder(&j.lines)
	j.lines.used = j.dec.InputOffset
	return j
}

// readJSONLine reads the one value of a line, which is in memory. Halves of surrogate pairs are faults unless they are let
// pass.
func readJSONLine(text []byte, line int, halves bool, fault faultFunc) (node, error) {
	j := &jsonReader{lines: lineCounter{line: line, read: int64(len(text))}, line: true, halves: halves, fault: fault}
	j.dec = newDecoder(bytes.NewBuffer(text))
	return j.whole()
}

// withoutMark passes over the byte order mark of a text.
func withoutMark(r io.Reader) io.Reader {
	in := bufio.NewReaderSize(r, 64<<10)
	if mark, err := in.Peek(len(byteOrderMark)); err == nil && string(mark) == byteOrderMark {
		_, _ = in.Discard(len(mark)) // The bytes are in the buffer.
	}
	return in
}

// lenient leaves it to the caller of a decoder to look for duplicate keys and invalid UTF-8.
var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

func newDecoder(r io.Reader) *jsontext.Decoder { return jsontext.NewDecoder(r, lenient...) }

// place is the line and the column of an offset. Offsets only grow from call to call.
func (r *jsonReader) place(offset int64) pos { return r.lines.place(offset) }

func (r *jsonReader) report(at pos, format string, args ...any) {
	r.fault(at.line, at.col, format, args...)
}

// scalar reads a string, a number, a truth value or null as it is written, which is valid until the next call.
func (r *jsonReader) scalar() ([]byte, int64, error) {
	raw, err := r.dec.ReadValue()
	if err != nil {
		return nil, 0, r.syntax(err)
	}
	return raw, r.dec.InputOffset() - int64(len(raw)), nil
}

// bracket reads a bracket.
func (r *jsonReader) bracket() (pos, error) {
	if _, err := r.dec.ReadToken(); err != nil {
		return pos{}, r.syntax(err)
	}
	return r.place(r.dec.InputOffset() - 1), nil
}

// syntax reports why the text cannot be read on.
func (r *jsonReader) syntax(err error) error {
	var bad *jsontext.SyntacticError
	switch {
	case errors.Is(err, errLongValue):
		r.report(r.place(r.dec.InputOffset()), "a value has more than %d bytes, which none of the format has: fetch the file again", maxValue)
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		r.report(r.lines.place(r.lines.read), "the text ends in the middle of a value: it was cut off; fetch or write it again")
	case errors.As(err, &bad):
		r.report(r.place(bad.ByteOffset), "not JSON: %v; fix the file or fetch it again", bad.Err)
	default:
		return err
	}
	return errFaulted
}

// text is what a string says, given as it is written from an offset on.
func (r *jsonReader) text(raw []byte, offset int64) []byte {
	valid := utf8.Valid(raw)
	var err error
	r.scratch, err = jsontext.AppendUnquote(r.scratch[:0], raw)
	switch {
	case !valid:
		for _, at := range invalidRuns(raw) {
			r.report(r.place(offset+int64(at)), notUTF8)
		}
	case err != nil && !r.halves:
		r.report(r.place(offset), "the string holds half of a surrogate pair, so a character was cut in two: write the file again with whole characters")
	}
	if len(r.scratch) > maxText && !r.line {
		r.report(r.place(offset), "%s", textProblem(string(r.scratch)))
	}
	return r.scratch
}

// invalidRuns is where each run of bytes begins that are not UTF-8.
func invalidRuns(raw []byte) (starts []int) {
	bad := false
	for at := 0; at < len(raw); {
		c, size := utf8.DecodeRune(raw[at:])
		was := bad
		if bad = c == utf8.RuneError && size == 1; bad && !was {
			starts = append(starts, at)
		}
		at += size
	}
	return starts
}

// whole reads the one value that the text is.
func (r *jsonReader) whole() (node, error) {
	n, err := r.value(0)
	if err == nil {
		err = r.end()
	}
	return n, err
}

// value reads one value that is so deep in the file.
func (r *jsonReader) value(depth int) (n node, err error) {
	switch kind := r.dec.PeekKind(); kind {
	case '{', '[':
		if n.at, err = r.bracket(); err != nil {
			return n, err
		}
		if depth >= maxDepth {
			r.report(n.at, "values are nested more than %d deep: this is no file of the format", maxDepth)
			return n, errFaulted
		}
		if kind == '{' {
			n.kind = kindObject
			n.fields, err = r.members(depth)
		} else {
			n.kind = kindArray
			n.items, err = r.list(depth)
		}
		return n, err
	default:
		raw, offset, err := r.scalar()
		if err != nil {
			return n, err
		}
		n.at = r.place(offset)
		switch kind {
		case '"':
			n.kind, n.text = kindString, string(r.text(raw, offset))
		case '0':
			n.kind, n.text = kindNumber, string(raw)
		case 't', 'f':
			n.kind, n.truth = kindBool, kind == 't'
		}
		return n, nil
	}
}

func (r *jsonReader) list(depth int) (items []node, err error) {
	for r.dec.PeekKind() != ']' {
		item, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	_, err = r.bracket()
	return items, err
}

func (r *jsonReader) members(depth int) (fields []field, err error) {
	var keys keyLines
	for r.dec.PeekKind() != '}' {
		raw, offset, err := r.scalar()
		if err != nil {
			return nil, err
		}
		at := r.place(offset)
		key := string(r.text(raw, offset))
		if first := keys.line(fields, key, at.line); first > 0 {
			r.duplicate(key, at, first)
		}
		value, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		fields = append(fields, field{key, at, value})
	}
	_, err = r.bracket()
	return fields, err
}

func (r *jsonReader) duplicate(key string, at pos, first int) {
	r.report(at, "the key %q was given on line %d already: keep one of the two", clip(key), first)
}

// keyLines finds duplicate keys of an object: by looking through its members as long as they are few.
type keyLines map[string]int

// line is the line of an earlier member of that name, or 0.
func (k *keyLines) line(members []field, key string, line int) int {
	const few = 32
	if len(members) < few {
		for i := range members {
			if members[i].key == key {
				return members[i].at.line
			}
		}
		return 0
	}
	if *k == nil {
		*k = keyLines{}
		for i := len(members) - 1; i >= 0; i-- {
			(*k)[members[i].key] = members[i].at.line
		}
	}
	first := (*k)[key]
	if first == 0 {
		(*k)[key] = line
	}
	return first
}

// end reports whatever follows the file's one value.
func (r *jsonReader) end() error {
	r.dec.PeekKind() // reads on to the next character that is no white space
	rest := bytes.TrimLeft(r.dec.UnreadBuffer(), " \t\r\n")
	if len(rest) == 0 {
		if _, err := r.dec.ReadToken(); !errors.Is(err, io.EOF) {
			return err
		}
		return nil
	}
	at := r.place(r.dec.InputOffset() + int64(len(r.dec.UnreadBuffer())-len(rest)))
	r.report(at, "the file goes on after its end: two files may have been joined; keep one")
	return errFaulted
}

// keySet remembers the digests and lines of keys: 16 bytes and a line number for each, however long they are.
type keySet map[[16]byte]int

// add returns the line on which a name was added before, if it was.
func (s keySet) add(name string, line int) (first int, twice bool) {
	sum := sha256.Sum256([]byte(name))
	short := [16]byte(sum[:16])
	if first, twice = s[short]; !twice {
		s[short] = line
	}
	return first, twice
}

// A lineCounter passes bytes on and knows the lines of those that were not asked for yet.
type lineCounter struct {
	r      io.Reader
	used   func() int64 // where the value begins that is being read
	read   int64        // bytes passed on
	breaks []int64      // offsets behind the line feeds after the last place asked for
	kept   []int64      // all of the memory of breaks, whose beginning is passed over
	line   int          // line of the last place asked for
	start  int64        // offset of its first byte
}

// Read implements io.Reader.
func (l *lineCounter) Read(p []byte) (int, error) {
	if l.read-l.used() > maxValue {
		return 0, errLongValue
	}
	n, err := l.r.Read(p)
	l.breaks = append(l.kept[:0], l.breaks...)
	for at := 0; ; {
		i := bytes.IndexByte(p[at:n], '\n')
		if i < 0 {
			break
		}
		at += i + 1
		l.breaks = append(l.breaks, l.read+int64(at))
	}
	l.read, l.kept = l.read+int64(n), l.breaks
	return n, err
}

// place is the line and the column of an offset that is not before the last one asked for.
func (l *lineCounter) place(offset int64) pos {
	for len(l.breaks) > 0 && l.breaks[0] <= offset {
		l.line, l.start, l.breaks = l.line+1, l.breaks[0], l.breaks[1:]
	}
	return pos{l.line, int(offset-l.start) + 1}
}
