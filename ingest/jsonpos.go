package ingest

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// maxDepth is how deep a foreign file may nest. The formats read here nest four deep; a limit keeps a hostile file
// from exhausting the stack.
const maxDepth = 64

// errFaulted ends the reading of a file whose fault has been reported and after which nothing can be made out.
var errFaulted = errors.New("fault reported")

// pos is a place in a file: line and column, both from 1, the column in bytes.
type pos struct{ line, col int }

// faultFunc reports a fault at a line and a column.
type faultFunc func(line, col int, format string, args ...any)

// nodeKind is the type of a JSON value, named as a message names it.
type nodeKind string

const (
	kindNull   nodeKind = "null"
	kindBool   nodeKind = "a boolean"
	kindNumber nodeKind = "a number"
	kindString nodeKind = "a string"
	kindArray  nodeKind = "a list"
	kindObject nodeKind = "an object"
)

// A node is one JSON value with its place in the file.
type node struct {
	at     pos
	kind   nodeKind
	text   string // a string's text, a number's digits
	truth  bool
	items  []node
	fields []field
}

// A field is one member of a JSON object.
type field struct {
	key   string
	at    pos
	value node
}

// field returns the member of that name.
func (n node) field(key string) (node, bool) {
	for _, f := range n.fields {
		if f.key == key {
			return f.value, true
		}
	}
	return node{}, false
}

// A jsonReader reads JSON value by value and knows where each one stands. It keeps one value and the digests of the
// top-level keys in memory, however long the file is. Faults of the text itself (bad syntax, a key given twice in an
// object, invalid UTF-8, half a surrogate pair) are reported as they are met; encoding/json alone would pass over all
// but the first.
type jsonReader struct {
	in    *trackingReader
	dec   *json.Decoder
	fault faultFunc
}

func newJSONReader(r io.Reader, fault faultFunc) *jsonReader {
	return newJSONReaderAt(r, pos{1, 1}, fault)
}

// newJSONReaderAt reads a text that begins at a later place of the file.
func newJSONReaderAt(r io.Reader, at pos, fault faultFunc) *jsonReader {
	in := &trackingReader{r: bufio.NewReaderSize(r, 64<<10), at: at, end: at, fault: fault}
	dec := json.NewDecoder(in)
	dec.UseNumber()
	return &jsonReader{in, dec, fault}
}

// token reads the next token and the place where it starts.
func (r *jsonReader) token() (json.Token, pos, error) {
	before := r.dec.InputOffset()
	token, err := r.dec.Token()
	start := r.in.skip(before)
	at := r.in.position(start)
	if err != nil {
		return nil, at, r.syntax(err, at)
	}
	if text, ok := token.(string); ok && strings.ContainsRune(text, utf8.RuneError) &&
		loneSurrogate(r.in.between(start, r.dec.InputOffset())) {
		r.fault(at.line, at.col, "the string holds half of a surrogate pair, so a character was cut in two: write the file again with whole characters")
	}
	return token, at, nil
}

// syntax reports why the text cannot be read on, as near to the place as encoding/json tells.
func (r *jsonReader) syntax(err error, at pos) error {
	var bad *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		end := r.in.end
		r.fault(end.line, end.col, "the text ends in the middle of a value: it was cut off; fetch or write it again")
	case errors.As(err, &bad):
		// The decoder's own offset does not count what it read token by token, so a value that is bad within is
		// scanned once more. Where another fault comes of it, the value itself stands in the wrong place.
		rest := r.in.rest()
		var again *json.SyntaxError
		var whole json.RawMessage
		if scan := json.Unmarshal(rest, &whole); errors.As(scan, &again) && again.Error() == bad.Error() && again.Offset >= 1 {
			at = r.in.after(int(again.Offset) - 1)
		}
		r.fault(at.line, at.col, "not JSON: %s; fix the file or fetch it again", bad.Error())
	default:
		return err
	}
	return errFaulted
}

// value reads one whole value.
func (r *jsonReader) value() (node, error) {
	token, at, err := r.token()
	if err != nil {
		return node{}, err
	}
	return r.rest(token, at, 0)
}

func (r *jsonReader) rest(token json.Token, at pos, depth int) (node, error) {
	n := node{at: at}
	switch t := token.(type) {
	case nil:
		n.kind = kindNull
	case bool:
		n.kind, n.truth = kindBool, t
	case json.Number:
		n.kind, n.text = kindNumber, t.String()
	case string:
		n.kind, n.text = kindString, t
	case json.Delim:
		if depth >= maxDepth {
			r.fault(at.line, at.col, "values are nested more than %d deep: this is no file of the format", maxDepth)
			return n, errFaulted
		}
		if t == '[' {
			n.kind = kindArray
			return n, r.list(&n, depth)
		}
		n.kind = kindObject
		return n, r.members(&n, depth)
	}
	return n, nil
}

func (r *jsonReader) list(n *node, depth int) error {
	for {
		token, at, err := r.token()
		if err != nil {
			return err
		}
		if token == json.Delim(']') {
			return nil
		}
		item, err := r.rest(token, at, depth+1)
		if err != nil {
			return err
		}
		n.items = append(n.items, item)
	}
}

func (r *jsonReader) members(n *node, depth int) error {
	keys := keySet{}
	for {
		token, at, err := r.token()
		if err != nil {
			return err
		}
		if token == json.Delim('}') {
			return nil
		}
		key, ok := token.(string)
		if !ok {
			return fmt.Errorf("key of type %T", token)
		}
		keys.check(key, key, at, r.fault)
		start, at2, err := r.token()
		if err != nil {
			return err
		}
		value, err := r.rest(start, at2, depth+1)
		if err != nil {
			return err
		}
		n.fields = append(n.fields, field{key, at, value})
	}
}

// entries reads a file that is one JSON object and calls each with every key and its value, in file order. It reports
// keys that come twice, where nameOf says what a key stands for, and whatever follows the object.
func (r *jsonReader) entries(nameOf func(string) string, each func(key string, at pos, value node) error) error {
	token, at, err := r.token()
	if err != nil {
		return err
	}
	if token != json.Delim('{') {
		n, err := r.rest(token, at, 0)
		if err != nil {
			return err
		}
		r.fault(at.line, at.col, "the file holds %s where an object belongs: it is no file of the format", n.kind)
		return errFaulted
	}
	keys := keySet{}
	for {
		token, at, err := r.token()
		if err != nil {
			return err
		}
		if token == json.Delim('}') {
			return r.end()
		}
		key, ok := token.(string)
		if !ok {
			return fmt.Errorf("key of type %T", token)
		}
		keys.check(nameOf(key), key, at, r.fault)
		value, err := r.value()
		if err != nil {
			return err
		}
		if err := each(key, at, value); err != nil {
			return err
		}
	}
}

// end reports whatever follows the file's one value.
func (r *jsonReader) end() error {
	before := r.dec.InputOffset()
	_, err := r.dec.Token()
	if errors.Is(err, io.EOF) {
		return nil
	}
	at := r.in.position(r.in.skip(before))
	var bad *json.SyntaxError
	if err == nil || errors.As(err, &bad) || errors.Is(err, io.ErrUnexpectedEOF) {
		r.fault(at.line, at.col, "the file goes on after its end: two files may have been joined; keep one")
		return errFaulted
	}
	return err
}

// keySet remembers the digests and lines of an object's keys: 16 bytes and a line number for each, however long they are.
type keySet map[[16]byte]int

// check reports a name that was given before, as the file shows it.
func (s keySet) check(name, shown string, at pos, fault faultFunc) {
	sum := sha256.Sum256([]byte(name))
	short := [16]byte(sum[:16])
	if first, twice := s[short]; twice {
		fault(at.line, at.col, "the key %q was given on line %d already: keep one of the two", quoted(shown), first)
		return
	}
	s[short] = at.line
}

// quoted shortens a text of a file for a message.
func quoted(text string) string {
	const most = 60
	if len(text) <= most {
		return text
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}

// loneSurrogate reports whether the raw text of a JSON string escapes half of a surrogate pair.
func loneSurrogate(raw []byte) bool {
	high := false
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 >= len(raw) {
			if high {
				return true
			}
			continue
		}
		i++
		unit := 0
		if raw[i] == 'u' && i+4 < len(raw) {
			if _, err := fmt.Sscanf(string(raw[i+1:i+5]), "%04x", &unit); err != nil {
				return false
			}
			i += 4
		}
		low := unit >= 0xdc00 && unit < 0xe000
		if high != low {
			return true
		}
		high = unit >= 0xd800 && unit < 0xdc00
	}
	return high
}
