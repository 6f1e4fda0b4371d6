// Package text shortens texts for messages and finds the answer in what a model writes. It knows nothing of what texts are about.
package text

import "unicode/utf8"

// Clip shortens a text to so many bytes at most, an ellipsis beyond them, and never within a character.
func Clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}
