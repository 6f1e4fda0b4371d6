package file

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// MaxText bounds a text in a cell of a row. The longest real captions have some 20 kilobytes.
const MaxText = 1 << 20

// NotUTF8 says what to do about bytes that are not text.
const NotUTF8 = "bytes that are not UTF-8: write the file again in UTF-8"

// TextProblem says why a text cannot be in a cell of a row; nil for a valid text.
func TextProblem(text string) error {
	switch {
	case len(text) > MaxText:
		return fmt.Errorf("a text of %d bytes, but the limit is %d: shorten or remove it", len(text), MaxText)
	case !utf8.ValidString(text):
		return errors.New(NotUTF8)
	}
	return nil
}

// A Pos is a place in a file: line and column, both from 1, the column in bytes; 0 if unknown.
type Pos struct{ Line, Col int }

// Start is the beginning of a file.
var Start = Pos{1, 1}

// A FaultFunc reports a fault at a place.
type FaultFunc func(at Pos, format string, args ...any)

// A Kind is the type of a value.
type Kind uint8

// The kinds of values.
const (
	Null Kind = iota
	Bool
	Number
	String
	Bytes // of a picture; Text has the bytes
	Array
	Object
)

// String names the kind in messages.
func (k Kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "bytes", "a list", "an object"}[k]
}

// A Value is one value of a file with its place. The zero value is null.
type Value struct {
	At     Pos
	Kind   Kind
	Truth  bool
	Text   string // a string's text, a number's digits, a picture's bytes
	Items  []Value
	Fields []Field
}

// A Field is one member of an object.
type Field struct {
	Key   string
	At    Pos
	Value Value
}

// Field returns the member of that name.
func (v Value) Field(key string) (Value, bool) {
	for i := range v.Fields {
		if v.Fields[i].Key == key {
			return v.Fields[i].Value, true
		}
	}
	return Value{}, false
}

// Has reports whether an object has members of all these names.
func (v Value) Has(keys ...string) bool {
	return !slices.ContainsFunc(keys, func(key string) bool { _, ok := v.Field(key); return !ok })
}

// Path is the value under a path of keys; null if it is not found.
func (v Value) Path(keys ...string) Value {
	for _, key := range keys {
		v, _ = v.Field(key)
	}
	return v
}

// First is the first element of a list, or the value of an object's first member; null if there is
// neither.
func (v Value) First() Value {
	switch {
	case len(v.Items) > 0:
		return v.Items[0]
	case len(v.Fields) > 0:
		return v.Fields[0].Value
	}
	return Value{}
}

// Str is a string's text; empty for other values.
func (v Value) Str() string {
	if v.Kind != String {
		return ""
	}
	return v.Text
}
