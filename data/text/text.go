// Package text shortens texts for messages and finds the answer in a model's reply. It knows
// nothing of the subject of these texts.
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clip shortens a text that is longer than most bytes to at most these bytes, and adds an ellipsis.
// It never cuts within a character.
func Clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}

// OneLine makes a foreign text one valid line, without the control characters that could steer a
// terminal, and shortens the line as Clip does.
func OneLine(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return Clip(strings.Join(strings.Fields(s), " "), most)
}

// Visible makes a text fit to be shown on a terminal: on one line, with control and formatting
// characters replaced by visible ones.
func Visible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return '↵'
		case r == '\t':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			return '�'
		}
		return r
	}, s)
}
