package ggsql

import (
	"fmt"
	"regexp"
	"strings"
)

// A kind of token. In the SELECT only texts, comments, brackets, parameters and words matter.
type kind int

const (
	end       kind = iota // of the file
	word                  // a keyword or a column
	quoted                // "a column"
	text                  // 'a text'
	numeral               // 12, 1.5, -3
	parameter             // $captioner or getvariable('captioner'); ggsql itself has only the second form
	sign                  // => <= , ( ) [ ] * and all else
)

// A token is a word, sign or constant of the file.
type token struct {
	kind kind
	raw  string // as it is written
	at   int    // byte of the file
}

// is reports whether the token is a keyword, in any case of letters.
func (t token) is(keyword string) bool { return t.kind == word && strings.EqualFold(t.raw, keyword) }

// value returns the content of a text or a name, without its quotes or the $$ around it.
func (t token) value() string {
	if content, dollars := strings.CutPrefix(t.raw, "$$"); dollars {
		return strings.TrimSuffix(content, "$$")
	}
	if t.kind == text || t.kind == quoted {
		q := t.raw[:1]
		return strings.ReplaceAll(t.raw[1:len(t.raw)-1], q+q, q)
	}
	return t.raw
}

// parameter returns the name in a token of a parameter.
func (t token) parameter() string {
	return strings.Trim(strings.TrimPrefix(t.raw, "getvariable"), "$(')")
}

// tokens are the forms of tokens; the first that fits is taken. Blanks and comments come first,
// with the kind end, because they become no tokens. A text without a closing quote fits no form.
var tokens = []struct {
	kind kind
	form *regexp.Regexp
}{
	{end, regexp.MustCompile(`^(\s+|--[^\n]*|/\*(?s:.*?)\*/)`)},
	{text, regexp.MustCompile(`^('([^']|'')*'|\$\$(?s:.*?)\$\$)`)},
	{quoted, regexp.MustCompile(`^"([^"]|"")*"`)},
	{numeral, regexp.MustCompile(`^-?\d+(\.\d+)?`)},
	{parameter, regexp.MustCompile(`^(\$\w+|getvariable\('\w+'\))`)},
	{word, regexp.MustCompile(`^[\pL_][\pL\pN_]*`)},
	{sign, regexp.MustCompile(`^(=>|[<>!]=|<>|[^'"])`)},
}

// lex cuts the file into tokens. The last token is the end of the file.
func (f *File) lex() (out []token, err error) {
	for at := 0; at < len(f.Text); {
		t := token{at: at}
		for i := 0; i < len(tokens) && t.raw == ""; i++ {
			t.kind, t.raw = tokens[i].kind, tokens[i].form.FindString(f.Text[at:])
		}
		if t.raw == "" {
			return nil, f.Fault(at, "this text has no closing quote")
		}
		if t.kind != end { // Blanks and comments have the kind end.
			out = append(out, t)
		}
		at += len(t.raw)
	}
	return append(out, token{at: len(f.Text)}), nil
}

// Fault is an error at a byte of the file.
func (f *File) Fault(at int, format string, args ...any) error {
	before := f.Text[:at]
	column := []rune(before[strings.LastIndexByte(before, '\n')+1:])
	return fmt.Errorf("%s:%d:%d: %s", f.Path, strings.Count(before, "\n")+1, len(column)+1,
		fmt.Sprintf(format, args...))
}
