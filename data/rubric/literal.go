package rubric

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/captionlake/captionlake/data/text"
)

// maxDepth is how deep a value may nest. Replies nest three deep; the limit keeps a hostile reply
// from exhausting the stack.
const maxDepth = 32

// maxEntries is how many entries a dictionary may have, because each new key is compared with all
// earlier keys. The largest annotation has eleven entries.
const maxEntries = 4096

// A Number is a number as it was written, such as 2 or 1e3.
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
	p := &parser{text: text}
	value, err = p.value(0)
	return value, p.read, err
}

// A parser reads the values of a text, token by token.
type parser struct {
	text       string
	read       int // number of bytes that were read
	start, end int // offsets of the token that peek has found last
}

// token matches white space and a token: a quotation, a number, a word, or any other sign. An
// opening quotation mark without a closing one is a token of its own.
var token = regexp.MustCompile(`^[ \t\r\n]*((?s)"""(?:\\.|[^\\])*?"""|'''(?:\\.|[^\\])*?'''|"""|'''|` +
	`"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|` +
	`[-+.0-9][-+.\w\x80-\x{10ffff}]*|[\w\x80-\x{10ffff}]+|.)`)

// constants are the words that are values.
var constants = map[string]any{"true": true, "True": true, "false": false, "False": false, "null": nil, "None": nil}

// peek is the next token, which stays unread; empty at the end of the text.
func (p *parser) peek() string {
	p.start, p.end = len(p.text), len(p.text)
	if found := token.FindStringSubmatchIndex(p.text[p.read:]); found != nil {
		p.start, p.end = p.read+found[2], p.read+found[3] // the token without the white space before it
	}
	return p.text[p.start:p.end]
}

// accept reads the next token if it is the sign, and reports whether it is.
func (p *parser) accept(sign string) bool {
	if p.peek() != sign {
		return false
	}
	p.read = p.end
	return true
}

// fail says where the text stops being a value.
func (p *parser) fail(format string, args ...any) error {
	return fmt.Errorf("byte %d: %s", p.start+1, fmt.Sprintf(format, args...))
}

// value reads a value; depth is the number of values that it is nested in.
func (p *parser) value(depth int) (any, error) {
	next := p.peek()
	switch constant, known := constants[next]; {
	case depth > maxDepth:
		return nil, p.fail("values are nested more than %d deep", maxDepth)
	case next == "":
		return nil, p.fail("the text ends where a value belongs")
	case p.accept("{"):
		return p.object(depth)
	case p.accept("["):
		return p.list("]", depth)
	case p.accept("("):
		return p.list(")", depth)
	case isQuotation(next):
		p.read = p.end
		return unescape(next), nil
	case strings.Contains(`"'`, next[:1]):
		return nil, p.fail("the quotation never ends")
	case strings.Contains("+-.0123456789", next[:1]):
		// ParseFloat also reads NaN, infinities, hexadecimal numbers and underscores.
		if _, err := strconv.ParseFloat(next, 64); err != nil || strings.ContainsAny(next, "nNiIxXpP_") {
			return nil, p.fail("%q is no number", clip(next))
		}
		p.read = p.end
		return Number(next), nil
	case !known:
		return nil, p.fail("no value starts here")
	default:
		p.read = p.end
		return constant, nil
	}
}

// isQuotation reports whether a token is a whole quotation, and not only its opening mark.
func isQuotation(token string) bool {
	return token != "" && strings.Contains(`"'`, token[:1]) &&
		!slices.Contains([]string{`"`, `'`, `"""`, "'''"}, token)
}

// list reads the items of a list or tuple after its opening bracket, and the closing bracket end.
func (p *parser) list(end string, depth int) (any, error) {
	items := []any{}
	for !p.accept(end) {
		item, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
		if !p.accept(",") && p.peek() != end {
			return nil, p.fail("a comma or %q belongs here", end)
		}
	}
	return items, nil
}

// object reads the entries of a dictionary after its opening brace, and the closing brace.
func (p *parser) object(depth int) (any, error) {
	o := Object{}
	for !p.accept("}") {
		next := p.peek()
		if !isQuotation(next) {
			return nil, p.fail("a quoted key belongs here")
		}
		key := unescape(next)
		if len(o) >= maxEntries {
			return nil, p.fail("a dictionary has more than %d entries", maxEntries)
		}
		if _, twice := o.Get(key); twice {
			return nil, p.fail("the key %q is a duplicate", clip(key))
		}
		p.read = p.end
		if !p.accept(":") {
			return nil, p.fail("a colon belongs after the key %q", clip(key))
		}
		value, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		o = append(o, Field{key, value})
		if !p.accept(",") && p.peek() != "}" {
			return nil, p.fail("a comma or %q belongs here", "}")
		}
	}
	return o, nil
}

// escape matches an escape of JSON or Python: two \u escapes that stand for one character, one \u,
// \U or \x escape, or a backslash and any character.
var escape = regexp.MustCompile(`\\(?s:u[dD][89abAB][[:xdigit:]]{2}\\u[dD][c-fC-F][[:xdigit:]]{2}|` +
	`u[[:xdigit:]]{4}|U[[:xdigit:]]{8}|x[[:xdigit:]]{2}|.)`)

// unescape is the text within a quotation, with its escapes replaced. As in Python, an unknown
// escape stays as it is, and an escaped line feed is removed.
func unescape(quotation string) string {
	marks := 1 // length of the opening mark
	// Two marks of three signs have 6 bytes, so a shorter quotation has marks of one sign.
	if triple := strings.Repeat(quotation[:1], 3); len(quotation) >= 6 && strings.HasPrefix(quotation, triple) {
		marks = 3
	}
	return escape.ReplaceAllStringFunc(quotation[marks:len(quotation)-marks], func(found string) string {
		// Each sign of the first text, behind a backslash, stands for the text in the same place below.
		if i := strings.IndexByte(`"'\/bfnrtav`+"\n", found[1]); i >= 0 {
			return []string{`"`, `'`, `\`, `/`, "\b", "\f", "\n", "\r", "\t", "\a", "\v", ""}[i]
		}
		// A second \u follows only in a surrogate pair.
		digits, lowDigits, _ := strings.Cut(found[2:], `\u`)
		code, err := strconv.ParseUint(digits, 16, 32)
		if err != nil || code > unicode.MaxRune {
			return found
		}
		if low, err := strconv.ParseUint(lowDigits, 16, 32); err == nil { // low is the second half of the pair.
			return string(utf16.DecodeRune(rune(code), rune(low)))
		}
		return string(rune(code))
	})
}

// clip shortens a text for a message.
func clip(s string) string { return text.Clip(s, 60) }
