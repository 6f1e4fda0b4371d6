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

// ErrFaulted ends the reading of a file after a fault that was reported and leaves the rest
// unreadable.
var ErrFaulted = errors.New("fault reported")

// errLong ends the reading of an item that is too long for memory.
var errLong = fmt.Errorf("an item of more than %d MiB", MaxItem>>20)

// A feed gives a decoder the bytes of a file, at most MaxItem between two calls of next, and knows
// where its lines begin.
type feed struct {
	from   io.Reader
	read   int64   // bytes given so far
	left   int     // bytes that may be given until next is called
	breaks []int64 // offsets after the line feeds that place has not passed yet
	line   int     // line of the last call of place
	start  int64   // its offset
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
	for at := 0; ; at++ {
		next := bytes.IndexByte(p[at:n], '\n')
		if next < 0 {
			break
		}
		at += next
		f.breaks = append(f.breaks, f.read+int64(at)+1)
	}
	f.read += int64(n)
	return n, err
}

// next begins another item.
func (f *feed) next() { f.left = MaxItem }

// place is the line and column of an offset. It must be called in the order of the file.
func (f *feed) place(offset int64) Pos {
	for len(f.breaks) > 0 && f.breaks[0] <= offset {
		f.line, f.start, f.breaks = f.line+1, f.breaks[0], f.breaks[1:]
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
	values  int  // of the member so far
	fields  int  // of the last object
	log     bool // texts may have any length: the longest ones belong to no row
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

// ParseLine reads the one value of a line of a log.
func ParseLine(text []byte, line int, fault FaultFunc) (Value, error) {
	if !utf8.Valid(text) {
		fault(Pos{line, 1 + len(text) - len(bytes.TrimLeftFunc(text,
			func(r rune) bool { return r != utf8.RuneError }))}, NotUTF8)
		return Value{}, ErrFaulted
	}
	j := newLog(bytes.NewReader(text), fault)
	j.feed.line = line
	return j.whole()
}

// Outline reads the value at the head of a file. The head may end anywhere.
func Outline(head []byte) Value {
	head = bytes.TrimPrefix(head, []byte(byteOrderMark))
	v, _ := newLog(bytes.NewReader(head), func(Pos, string, ...any) {}).value(0)
	return v
}

// EachMember visits the members of a file's object, in order.
func (s Source) EachMember(fault FaultFunc, each func(key string, at Pos, value Value) error) error {
	return s.read(func(r *bufio.Reader) error {
		j := newJSON(r, fault)
		if kind := j.dec.PeekKind(); kind != '{' && kind != 0 {
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

// each visits the elements of the next list, or the members of the next object.
func (j *JSON) each(each func(key string, at Pos) error) error {
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
			err = each(key.String(), at)
		default:
			err = each("", Pos{})
		}
	}
	return err
}

// token reads a bracket or a scalar, which is valid until the next call.
func (j *JSON) token() (t jsontext.Token, at Pos, err error) {
	begin := j.begin()
	t, err = j.dec.ReadToken()
	return t, j.feed.place(begin), j.syntax(err)
}

// copy writes the next value unchanged, between two texts.
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
	j.dec.PeekKind() // reads on to it
	rest := j.dec.UnreadBuffer()
	return j.dec.InputOffset() + int64(len(rest)-len(bytes.TrimLeft(rest, " \t\r\n,:")))
}

// syntax reports why the text cannot be read further.
func (j *JSON) syntax(err error) error {
	var bad *jsontext.SyntacticError
	offset, why := j.feed.read, "the text ends in the middle of a value: it was cut off; fetch or write it again"
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errLong):
		offset, why = j.dec.InputOffset(), err.Error()+" begins here: this is not a file of the format"
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
	case errors.As(err, &bad):
		offset, why = bad.ByteOffset, fmt.Sprintf("not JSON: %v; fix the file or fetch it again", bad.Err)
		if errors.Is(err, jsontext.ErrDuplicateName) {
			why = fmt.Sprintf("the key %q is a duplicate: keep one of the two",
				text.Clip(bad.JSONPointer.LastToken(), 60))
		}
	default:
		return err
	}
	j.fault(j.feed.place(offset), "%s", why)
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

// value reads one value at a depth of the file. With an error it returns the part that was read.
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

// kinds are the kinds of values by their first characters.
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
