package data

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain is a foreign text as a page shows it. Control characters and characters that change the
// direction of writing are replaced by a visible sign, because such characters could hide a part of
// the text or show its parts in another order. The template escapes the text for HTML.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r':
			return -1 // Carriage returns are dropped: texts from Windows have one before each line feed.
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(text, string(utf8.RuneError)))
}
