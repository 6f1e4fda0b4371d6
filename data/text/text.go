// Package text shortens texts for messages and finds the answer in what a model writes. It knows
// nothing of what texts are about.
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clip shortens a text to so many bytes at most, an ellipsis beyond them, and never within a
// character.
func Clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}

// OneLine makes a foreign text one valid line without the control characters that would steer a
// terminal, of so many bytes at most.
func OneLine(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return Clip(strings.Join(strings.Fields(s), " "), most)
}
