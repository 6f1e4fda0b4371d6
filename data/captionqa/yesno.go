package captionqa

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// CannotOption is the option by which the reader says that the caption does not contain the answer
// (CaptionQA section 3.4). The paper prints this option with a full stop; the authors' evaluation
// code has this text.
const CannotOption = "Cannot answer from the caption"

// yesNoStarters are the first words that make a question a yes/no question, as published by the
// authors' evaluation code.
var yesNoStarters = map[string]bool{
	"is": true, "are": true, "was": true, "were": true,
	"do": true, "does": true, "did": true,
	"have": true, "has": true, "had": true,
	"can": true, "could": true, "will": true, "would": true,
	"should": true, "shall": true, "may": true, "might": true, "must": true,
}

// IsYesNo reports whether the published rule calls a question a yes/no question; such questions get
// no cannot option. The rule comes from the authors' evaluation code and ignores letter case.
// A question is a yes/no question if some option contains "yes" and some option contains "no", or
// if the question starts with one of 19 auxiliary verbs (is, are, was, …, must) and a space.
//
// The tests are on substrings, and we keep their surprising results: "eyes" counts as yes; "North",
// "None", "Unknown" and "Cannot tell" count as no. "Isn't it red?" is decided by its options alone,
// since its first word is not listed. options are the bank's options, without the cannot option
// (which itself contains "no").
func IsYesNo(question string, options []string) bool {
	anyContains := func(word string) bool {
		return slices.ContainsFunc(options, func(o string) bool { return strings.Contains(pythonLower(o), word) })
	}
	if anyContains("yes") && anyContains("no") {
		return true
	}
	first, _, spaced := strings.Cut(pythonStrip(question), " ")
	return spaced && yesNoStarters[pythonLower(first)]
}

// WithCannot returns the options offered to a reader: the bank's options and then CannotOption,
// unless IsYesNo holds (CaptionQA section 3.4). The result is a new slice; options are not changed.
func WithCannot(question string, options []string) []string {
	offered := slices.Clone(options)
	if !IsYesNo(question, options) {
		offered = append(offered, CannotOption)
	}
	return offered
}

// pythonStrip is Python's str.strip, which also treats the four ASCII separators as white space.
func pythonStrip(s string) string {
	return strings.TrimFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f
	})
}

// pythonLower is Python's str.lower: the full Unicode mapping, in which İ becomes i and a combining
// dot. A Caser has state, so each call makes a new Caser; ASCII text needs no Caser.
func pythonLower(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	return cases.Lower(language.Und).String(s)
}

// pythonUpper is Python's str.upper: the full Unicode mapping, in which ß becomes SS.
func pythonUpper(s string) string {
	if isASCII(s) {
		return strings.ToUpper(s)
	}
	return cases.Upper(language.Und).String(s)
}

// isASCII reports whether all characters of a text are ASCII.
func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
}
