package ingest

import (
	"bytes"
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

// maxText bounds a text that becomes a cell of a row. The longest real captions have some 20 kilobytes.
const maxText = 1 << 20

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

// A jsonReader reads the JSON of a file, which is in memory, value by value, and knows the place of each one. Faults of the text itself (bad
// syntax, a duplicate key in an object, invalid UTF-8, half a surrogate pair) are reported as they are met; the decoder alone would stop at
// the first.
type jsonReader struct {
	dec    *jsontext.Decoder
	fault  faultFunc
	text   []byte
	line   int  // of the text's first line
	seen   int  // offset of the last place
	last   pos  // that place
	values int  // of the entry that is being read
	read   int  // entries so far
	log    bool // the text is a line of a log, whose longest texts are of no row
	halves bool // halves of surrogate pairs are read as U+FFFD and not reported
}

// newJSONReader reads the text of a file.
func newJSONReader(text []byte, fault faultFunc) *jsonReader {
	return &jsonReader{text: text, line: 1, last: pos{0, 1}, fault: fault, dec: newDecoder(bytes.NewBuffer(text))}
}

// readJSONLine reads the one value of a line. Halves of surrogate pairs are faults unless they are let pass.
func readJSONLine(text []byte, line int, halves bool, fault faultFunc) (node, error) {
	j := newJSONReader(text, fault)
	j.line, j.log, j.halves = line, true, halves
	return j.whole()
}

// lenient leaves it to the caller of a decoder to look for duplicate keys and invalid UTF-8.
var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

func newDecoder(r io.Reader) *jsontext.Decoder { return jsontext.NewDecoder(r, lenient...) }

// place is the line and the column of an offset.
func (r *jsonReader) place(offset int64) pos {
	if int(offset) < r.seen {
		r.seen, r.last = 0, pos{0, 1}
	}
	for _, c := range r.text[r.seen:offset] {
		if r.last.col++; c == '\n' {
			r.last = pos{r.last.line + 1, 1}
		}
	}
	r.seen = int(offset)
	return pos{r.line + r.last.line, r.last.col}
}

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
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		r.report(r.place(int64(len(r.text))), "the text ends in the middle of a value: it was cut off; fetch or write it again")
	case errors.As(err, &bad):
		r.report(r.place(bad.ByteOffset), "not JSON: %v; fix the file or fetch it again", bad.Err)
	default:
		return err
	}
	return errFaulted
}

// unquoted is what a string says, given as it is written from an offset on.
func (r *jsonReader) unquoted(raw []byte, offset int64) string {
	if len(raw) > mostString {
		r.report(r.place(offset), "a text of %d bytes, and at most %d are read: shorten it or take it out", len(raw), mostString)
		return ""
	}
	text, err := jsontext.AppendUnquote(nil, raw)
	switch {
	case !utf8.Valid(raw):
		for _, at := range invalidRuns(raw) {
			r.report(r.place(offset+int64(at)), notUTF8)
		}
	case err != nil && !r.halves:
		r.report(r.place(offset), "the string holds half of a surrogate pair, so a character was cut in two: write the file again with whole characters")
	}
	if len(text) > maxText && !r.log {
		r.report(r.place(offset), "%s", textProblem(string(text)))
	}
	return string(text)
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
	if r.values++; depth == 0 {
		r.values = 0
		r.read++
	}
	if r.values > mostValues || r.read > mostEntries {
		r.report(r.place(r.dec.InputOffset()), "more than %d entries, or %d values in an entry: split the file", mostEntries, mostValues)
		return n, errFaulted
	}
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
			n.kind, n.text = kindString, r.unquoted(raw, offset)
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
	lines := map[string]int{}
	for r.dec.PeekKind() != '}' {
		raw, offset, err := r.scalar()
		if err != nil {
			return nil, err
		}
		at := r.place(offset)
		key := r.unquoted(raw, offset)
		if first, twice := lines[key]; twice {
			r.duplicate(key, at, first)
		} else {
			lines[key] = at.line
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

// keySet remembers names and the lines that they were given on.
type keySet map[string]int

// add returns the line on which a name was added before, if it was.
func (s keySet) add(name string, line int) (first int, twice bool) {
	if first, twice = s[name]; !twice {
		s[name] = line
	}
	return first, twice
}
