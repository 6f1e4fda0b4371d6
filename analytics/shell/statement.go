package shell

import (
	"regexp"
	"strings"
)

// asRecords ends a statement whose rows are to be shown as lines of column and value.
const asRecords = `\G`

// A statement is one that is complete.
type statement struct {
	text     string // without its end
	end      string // ; or asRecords
	joinable bool   // whether its lines may become one: none ends in a comment, a quoted text or a quoted name
}

var dollarQuote = regexp.MustCompile(`^\$[A-Za-z_]?\w*\$`)

// cut takes complete statements off the front of a text. An end within quotes or a comment is none. Of what nobody asked, empty statements,
// nothing is left.
func cut(text string) (statements []statement, rest string) {
	start, joinable := 0, true
	end := func(i int, mark string) {
		if body := strings.TrimSpace(text[start:i]); body != "" {
			statements = append(statements, statement{text: body, end: mark, joinable: joinable})
		}
		start, joinable = i+len(mark), true
	}
	for i := 0; i < len(text); {
		skipped := 1
		switch {
		case text[i] == ';':
			end(i, ";")
		case strings.HasPrefix(text[i:], asRecords):
			end(i, asRecords)
			skipped = len(asRecords)
		default:
			skipped = token(text, i)
			if strings.HasPrefix(text[i:], "--") || skipped > 1 && strings.Contains(text[i:i+skipped], "\n") {
				joinable = false
			}
		}
		i += skipped
	}
	return statements, text[start:]
}

// token is the length of what stands at a place: a comment, a quoted text, a quoted name, or one byte. What is not closed goes to the end.
func token(text string, i int) int {
	rest := text[i:]
	until := func(from int, mark string) int {
		if n := strings.Index(rest[from:], mark); n >= 0 {
			return from + n + len(mark)
		}
		return len(rest)
	}
	switch {
	case strings.HasPrefix(rest, "--"):
		return until(2, "\n")
	case strings.HasPrefix(rest, "/*"):
		return until(2, "*/")
	case rest[0] == '\'' && i > 0 && (text[i-1] == 'e' || text[i-1] == 'E') && (i == 1 || !wordByte(text[i-2])):
		for n := 1; n < len(rest); n++ {
			switch rest[n] {
			case '\\':
				n++
			case '\'':
				return n + 1
			}
		}
		return len(rest)
	case rest[0] == '\'' || rest[0] == '"':
		return until(1, rest[:1]) // a doubled quote is the end of one text and the beginning of the next
	case rest[0] == '$':
		if mark := dollarQuote.FindString(rest); mark != "" && (i == 0 || !wordByte(text[i-1])) {
			return until(len(mark), mark)
		}
	}
	return 1
}

// wordByte reports whether a byte may be part of a name.
func wordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}
