package rubric

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/captionlake/captionlake/data/text"
)

// maxDepth is how deep a value may nest. Replies nest three deep; the limit keeps a hostile reply
// from exhausting the stack.
const maxDepth = 32

// maxEntries is how many entries a dictionary may have. The largest annotation has eleven.
const maxEntries = 4096

// A Number is a number as it was written.
type Number string

// A Field is one entry of a dictionary.
type Field struct {
	Key   string
	Value any
}

// An Object is a dictionary with its entries in the order in which they were written.
type Object []Field

// Get returns the value of a key.
func (o Object) Get(key string) (value any, ok bool) {
	for _, f := range o {
		if f.Key == key {
			return f.Value, true
		}
	}
	return nil, false
}

// ParseLiteral reads the value at the beginning of a text and returns its length in bytes. It reads
// JSON and Python's notation: single quotes, None, True and False, tuples, commas before a closing
// bracket. It also accepts line breaks within strings, since models write them. Values are nil,
// bool, Number, string, []any and Object. A duplicate key is an error, because nothing says which
// of the two is meant.
func ParseLiteral(text string) (value any, length int, err error) {
	p := &literal{text: text}
	value, err = p.value(0)
	return value, p.at, err
}

type literal struct {
	text string
	at   int
}

// fail says where the text stops being a value.
func (p *literal) fail(format string, args ...any) error {
	return fmt.Errorf("byte %d: %s", p.at+1, fmt.Sprintf(format, args...))
}

func (p *literal) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\r', '\n':
			p.at++
		default:
			return
		}
	}
}

// peek is the next byte after white space, 0 at the end.
func (p *literal) peek() byte {
	p.space()
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

func (p *literal) value(depth int) (any, error) {
	if depth > maxDepth {
		return nil, p.fail("values are nested more than %d deep", maxDepth)
	}
	switch c := p.peek(); {
	case c == 0:
		return nil, p.fail("the text ends where a value belongs")
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.list(']', depth)
	case c == '(':
		return p.list(')', depth)
	case c == '"' || c == '\'':
		return p.str()
	case c == '-' || c == '+' || c == '.' || c >= '0' && c <= '9':
		return p.number()
	}
	for word, value := range map[string]any{"true": true, "True": true, "false": false, "False": false, "null": nil,
		"None": nil} {
		if p.word(word) {
			return value, nil
		}
	}
	return nil, p.fail("no value starts here")
}

// word takes a word if no letter or digit follows it.
func (p *literal) word(w string) bool {
	rest, ok := strings.CutPrefix(p.text[p.at:], w)
	if !ok || rest != "" && isWord(rest[0]) {
		return false
	}
	p.at += len(w)
	return true
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

func (p *literal) number() (any, error) {
	start := p.at
	for p.at < len(p.text) && (isWord(p.text[p.at]) || strings.IndexByte("+-.", p.text[p.at]) >= 0) {
		p.at++
	}
	text := p.text[start:p.at]
	if _, err := strconv.ParseFloat(text, 64); err != nil || strings.ContainsAny(text, "nNiIxXpP_") {
		p.at = start
		return nil, p.fail("%q is no number", clip(text))
	}
	return Number(text), nil
}

func (p *literal) list(end byte, depth int) (any, error) {
	p.at++
	items := []any{}
	for {
		if p.peek() == end {
			p.at++
			return items, nil
		}
		item, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
		if err := p.comma(end); err != nil {
			return nil, err
		}
	}
}

func (p *literal) object(depth int) (any, error) {
	p.at++
	o := Object{}
	for {
		c := p.peek()
		if c == '}' {
			p.at++
			return o, nil
		}
		if c != '"' && c != '\'' {
			return nil, p.fail("a quoted key belongs here")
		}
		start := p.at
		key, err := p.str()
		if err != nil {
			return nil, err
		}
		if len(o) >= maxEntries {
			return nil, p.fail("a dictionary has more than %d entries", maxEntries)
		}
		if _, twice := o.Get(key); twice {
			p.at = start
			return nil, p.fail("the key %q is a duplicate", clip(key))
		}
		if p.peek() != ':' {
			return nil, p.fail("a colon belongs after the key %q", clip(key))
		}
		p.at++
		value, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		o = append(o, Field{key, value})
		if err := p.comma('}'); err != nil {
			return nil, err
		}
	}
}

// comma takes the comma after an entry, or stops before the closing bracket.
func (p *literal) comma(end byte) error {
	switch p.peek() {
	case ',':
		p.at++
	case end:
	default:
		return p.fail("a comma or %q belongs here", string(end))
	}
	return nil
}

func (p *literal) str() (string, error) {
	start := p.at
	quote := p.text[p.at : p.at+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(p.text[p.at:], triple) {
		quote = triple
	}
	p.at += len(quote)
	var b strings.Builder
	for p.at < len(p.text) {
		if strings.HasPrefix(p.text[p.at:], quote) {
			p.at += len(quote)
			return b.String(), nil
		}
		if p.text[p.at] != '\\' {
			b.WriteByte(p.text[p.at])
			p.at++
			continue
		}
		p.escape(&b)
	}
	p.at = start
	return "", p.fail("the quotation never ends")
}

// escape takes one escape of JSON or Python. An unknown escape stands for itself, as in Python.
func (p *literal) escape(b *strings.Builder) {
	rest := p.text[p.at+1:]
	if rest == "" {
		p.at++
		return
	}
	if i := strings.IndexByte(`"'\/bfnrtav`+"\n", rest[0]); i >= 0 {
		b.WriteString([]string{`"`, `'`, `\`, `/`, "\b", "\f", "\n", "\r", "\t", "\a", "\v", ""}[i])
		p.at += 2
		return
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[rest[0]]
	if unit, ok := hexUnit(rest, digits); ok {
		p.at += 2 + digits
		if utf16.IsSurrogate(unit) {
			if low, ok := hexUnit(strings.TrimPrefix(p.text[p.at:], `\`), 4); ok &&
				strings.HasPrefix(p.text[p.at:], `\u`) {
				if pair := utf16.DecodeRune(unit, low); pair != utf8.RuneError {
					unit = pair
					p.at += 6
				}
			}
		}
		b.WriteRune(unit)
		return
	}
	b.WriteByte('\\')
	p.at++
}

// hexUnit reads the digits after the letter of an escape.
func hexUnit(text string, digits int) (rune, bool) {
	if digits == 0 || len(text) < 1+digits {
		return 0, false
	}
	n, err := strconv.ParseUint(text[1:1+digits], 16, 32)
	if err != nil || n > utf8.MaxRune {
		return 0, false
	}
	return rune(n), true
}

// clip shortens a text for a message.
func clip(s string) string { return text.Clip(s, 60) }
