package captionqa

import (
	"regexp"
	"strconv"
	"strings"
)

// ParseUpstream reads a raw reply as the authors' evaluation code does. It trims white space at
// both ends, as the authors' model client does before it parses or stores a reply, and then applies
// extractLetter.
func ParseUpstream(reply string, options int) (index int, ok bool) {
	return extractLetter(pythonStrip(reply), options)
}

// extractLetter returns the position, from 0, of the presented option that a reply names, as
// published by the authors' evaluation code; options is the number of presented options, the cannot
// option included. The published steps, with their quirks:
//
//  1. Text up to the first "</think>", then up to the first "Answer: ", then up to the first
//     newline is dropped, each only if it occurs. So "A\nB" reads as B and "A\n" as nothing: the
//     line before the newline is dropped.
//  2. The text is upper-cased, and the first single letter A to Z between word boundaries counts if
//     it names an option. "a cat" therefore reads as A, and "I think A" with six options fails,
//     since only the first such letter is tried.
//  3. Otherwise the first number of one or two digits between word boundaries, not starting with 0,
//     counts as a 1-based position if it names an option, also if step 2 has found a letter that
//     names no option.
//
// Word boundaries are Python's: letters and digits of any script and the underscore are word
// characters, and an accent that upper-casing splits off a letter is not. Python and Go may have
// different versions of Unicode, and then differ in characters that are new. If options is below 1,
// it counts as 1, as published. A number above MaxOptions, where the authors' code stops with an
// error, is not ok.
func extractLetter(text string, options int) (index int, ok bool) {
	for _, mark := range []string{"</think>", "Answer: ", "\n"} {
		if _, after, found := strings.Cut(text, mark); found {
			text = after
		}
	}
	options = max(options, 1)
	if word := letterWord.FindStringSubmatch(pythonUpper(text)); word != nil {
		if position := int(word[1][0] - 'A'); position < options {
			return position, true
		}
	}
	if word := numberWord.FindStringSubmatch(text); word != nil {
		number, err := strconv.Atoi(word[1])
		return number - 1, err == nil && number <= min(options, MaxOptions)
	}
	return 0, false
}

// The words between boundaries that the published code looks for. Python's \w matches the letters
// and numbers of Unicode.
var (
	letterWord = regexp.MustCompile(`(?:^|[^\pL\pN_])([A-Z])(?:$|[^\pL\pN_])`)
	numberWord = regexp.MustCompile(`(?:^|[^\pL\pN_])([1-9][0-9]?)(?:$|[^\pL\pN_])`)
)
