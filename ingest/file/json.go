package file

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/captionlake/captionlake/data/text"
)

const (
	maxDepth  = 64      // how deep a foreign file may nest; the known formats nest five deep
	maxValues = 1 << 20 // how many values a member of a file may hold; a value takes a hundred bytes of memory
)

// ErrFaulted ends the reading of a file after a fault that makes the rest unreadable. The fault was
// reported before.
var ErrFaulted = errors.New("fault reported")

// errLong ends the reading of an item that is too long for memory.
var errLong = fmt.Errorf("an item of more than %d MiB", MaxItem>>20)

// A feed gives a decoder the bytes of a file, at most MaxItem between two calls of next, and knows
// where the lines of the file begin.
type feed struct {
	from   io.Reader
	read   int64   // bytes given so far
	left   int     // bytes that may be given until next is called
	starts []int64 // offsets of the lines that were given and that place has not reached
	line   int     // line of the last call of place
	start  int64   // offset of that line
	python *python // nil if the text is strict JSON
}

// Read implements io.Reader.
func (f *feed) Read(p []byte) (int, error) {
	if f.left <= 0 {
		return 0, errLong
	}
	n, err := f.from.Read(p[:min(len(p), f.left)])
	f.left -= n
	f.python.replace(p[:n])
	for i, c := range p[:n] {
		if c == '\n' {
			f.starts = append(f.starts, f.read+int64(i)+1)
		}
	}
	f.read += int64(n)
	return n, err
}

// next begins another item, which may again have MaxItem bytes.
func (f *feed) next() { f.left = MaxItem }

// place is the line and column of an offset. The offset must not lie before the offset of the last
// call.
func (f *feed) place(offset int64) Pos {
	for len(f.starts) > 0 && f.starts[0] <= offset {
		f.line, f.start, f.starts = f.line+1, f.starts[0], f.starts[1:]
	}
	return Pos{f.line, int(max(0, offset-f.start)) + 1}
}

// JSON reads the JSON of a file value by value, and knows the place of each. A fault of the text
// itself (bad syntax, a duplicate key in an object, invalid UTF-8, half a surrogate pair) is
// reported and ends the reading.
type JSON struct {
	dec     *jsontext.Decoder
	feed    *feed
	fault   FaultFunc
	values  int  // values of the file's member so far
	fields  int  // members of the last object, to reserve as many for the next
	log     bool // texts may be longer than MaxText; the longest texts of a log go into no row
	outline bool // read only the first element of lists and the first members of large objects
}

func newJSON(from io.Reader, fault FaultFunc) *JSON {
	f := &feed{from: from, left: MaxItem, line: 1}
	return &JSON{dec: jsontext.NewDecoder(f), feed: f, fault: fault}
}

// newLog reads Python's JSON: with Python's names of numbers, with halves of surrogate pairs, which
// become U+FFFD, and with texts of any length.
func newLog(from io.Reader, fault FaultFunc, options ...jsontext.Options) *JSON {
	j := newJSON(from, fault)
	j.log, j.feed.python = true, &python{}
	j.dec = jsontext.NewDecoder(j.feed, append(options, jsontext.AllowInvalidUTF8(true))...)
	return j
}

// ReadJSON reads the one value of a file.
func (s Source) ReadJSON(fault FaultFunc) (v Value, err error) {
	err = s.read(func(r *bufio.Reader) error {
		v, err = newJSON(r, fault).whole()
		return err
	})
	return v, err
}

// ParseLine reads the one value of a line of a log. line is the line's number, from 1.
func ParseLine(text []byte, line int, fault FaultFunc) (Value, error) {
	if !utf8.Valid(text) { // newLog would accept it, for the sake of halves of surrogate pairs.
		fault(Pos{line, 1 + bytes.IndexRune(text, utf8.RuneError)}, NotUTF8)
		return Value{}, ErrFaulted
	}
	j := newLog(bytes.NewReader(text), fault)
	j.feed.line = line
	return j.whole()
}

// Outline reads the value at the head of a file. The head may end anywhere: the value has as much
// as can be read.
func Outline(head []byte) Value {
	head = bytes.TrimPrefix(head, []byte(byteOrderMark))
	v, _ := newLog(bytes.NewReader(head), func(Pos, string, ...any) {}).value(0)
	return v
}

// EachMember visits the members of a file's object, in order.
func (s Source) EachMember(fault FaultFunc, each func(key string, at Pos, value Value) error) error {
	return s.read(func(r *bufio.Reader) error {
		j := newJSON(r, fault)
		if kind := j.dec.PeekKind(); kind != '{' && kind != 0 { // 0 is the end or an error: j.each reports it.
			fault(Start, "the file holds %s where an object belongs: it is not a file of the format", kinds[kind])
			return ErrFaulted
		}
		err := j.each(func(key string, at Pos) error {
			j.values = 0
			value, err := j.value(1)
			if err == nil {
				err = each(key, at, value)
			}
			j.feed.next()
			return err
		})
		if err == nil {
			err = j.end()
		}
		return err
	})
}

// each visits the elements of the next list, or the members of the next object. visit must read the
// value. It gets the key of a member and the place of the key; for an element both are empty.
func (j *JSON) each(visit func(key string, at Pos) error) error {
	bracket, _, err := j.token()
	inObject := err == nil && bracket.Kind() == '{'
	for err == nil {
		switch kind := j.dec.PeekKind(); {
		case kind == '}' || kind == ']':
			_, _, err = j.token()
			return err
		case inObject:
			key, at, failed := j.token()
			if failed != nil {
				return failed
			}
			err = visit(key.String(), at)
		default:
			err = visit("", Pos{})
		}
	}
	return err
}

// token reads a bracket, a key or a scalar. The token is valid until the next call.
func (j *JSON) token() (t jsontext.Token, at Pos, err error) {
	begin := j.begin()
	t, err = j.dec.ReadToken()
	return t, j.feed.place(begin), j.syntax(err)
}

// copy writes the next value unchanged, with the texts before and after around it.
func (j *JSON) copy(to io.Writer, before, after string) error {
	j.feed.next()
	raw, err := j.dec.ReadValue()
	if err == nil {
		_, err = fmt.Fprintf(to, "%s%s%s", before, raw, after)
	}
	return j.syntax(err)
}

// begin is the offset of the next token.
func (j *JSON) begin() int64 {
	j.dec.PeekKind() // reads on, so that the buffer has the token
	rest := j.dec.UnreadBuffer()
	return j.dec.InputOffset() + int64(len(rest)-len(bytes.TrimLeft(rest, " \t\r\n,:")))
}

// syntax turns an error of the decoder about the text into a reported fault. Other errors, such as
// a disk's, stay as they are.
func (j *JSON) syntax(err error) error {
	var offset int64
	var reason string
	var bad *jsontext.SyntacticError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errLong):
		offset, reason = j.dec.InputOffset(), err.Error()+" begins here: this is not a file of the format"
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		offset, reason = j.feed.read, "the text ends in the middle of a value: it was cut off; fetch or write it again"
	case errors.As(err, &bad) && errors.Is(err, jsontext.ErrDuplicateName):
		offset, reason = bad.ByteOffset, fmt.Sprintf("the key %q is a duplicate: keep one of the two",
			text.Clip(bad.JSONPointer.LastToken(), 60))
	case errors.As(err, &bad):
		offset, reason = bad.ByteOffset, fmt.Sprintf("not JSON: %v; fix the file or fetch it again", bad.Err)
	default:
		return err
	}
	j.fault(j.feed.place(offset), "%s", reason)
	return ErrFaulted
}

// whole reads the one value of the text.
func (j *JSON) whole() (Value, error) {
	v, err := j.value(0)
	if err == nil {
		err = j.end()
	}
	return v, err
}

// value reads one value, which is depth levels below the file's own value. With an error comes the
// part of the value that was read.
func (j *JSON) value(depth int) (v Value, err error) {
	v.Kind, v.At = kinds[j.dec.PeekKind()], j.feed.place(j.begin())
	if j.values++; j.values > maxValues && !j.outline || depth > maxDepth {
		j.fault(v.At, "the value is nested more than %d deep, or one of more than %d: this is not a file of the format",
			maxDepth, maxValues)
		return v, ErrFaulted
	}
	if v.Kind == Object || v.Kind == Array {
		if v.Kind == Object {
			v.Fields = make([]Field, 0, j.fields)
		}
		err := j.each(func(key string, at Pos) error {
			if j.outline && (depth >= sampleDepth || len(v.Items) > 0 || len(v.Fields) > sampleNames) {
				j.feed.next()
				return j.syntax(j.dec.SkipValue())
			}
			value, err := j.value(depth + 1)
			if v.Kind == Array {
				v.Items = append(v.Items, value)
			} else {
				v.Fields = append(v.Fields, Field{key, at, value})
			}
			return err
		})
		j.fields = len(v.Fields)
		return v, err
	}
	t, _, err := j.token()
	switch {
	case err != nil:
	case v.Kind == Bool:
		v.Truth = t.Bool()
	case v.Kind == String || v.Kind == Number:
		if v.Text = t.String(); len(v.Text) > MaxText && !j.log {
			j.fault(v.At, "%v", TextProblem(v.Text))
		}
	}
	return v, err
}

// kinds gives the Kind of a value by the decoder's kind, which is the value's first character. null
// is not listed, because the zero Kind is Null.
var kinds = map[jsontext.Kind]Kind{'{': Object, '[': Array, '"': String, '0': Number, 't': Bool, 'f': Bool}

// end reports anything after the file's one value.
func (j *JSON) end() error {
	at := j.feed.place(j.begin())
	_, err := j.dec.ReadToken()
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err == nil {
		j.fault(at, "the file continues after its end: two files may have been joined; keep one")
		return ErrFaulted
	}
	return j.syntax(err)
}
