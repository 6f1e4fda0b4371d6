package server

import (
	"slices"
	"strings"
	"unicode"
)

// plain are words without evidence.
var plain = wordSet(`a an the is are was were be been being of in on at to from by with and or it its
	this that these those there here what which who whom whose where when why how does do did has have had can could will
	would should may might must shown show shows image picture photo scene visible seen appear appears depicted any some
	one's as for into you your see kind type following best describe describes option not no none never without s t`)

// denials are words that negate a statement.
var denials = wordSet("no not none never without neither nobody nothing absent isn aren lacks")

// wordSet is the words of a text, as a set.
func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}

// respelled has other spellings of words: number words become digits, and American spelling
// becomes British.
var respelled = map[string]string{"zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5",
	"six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "color": "colour",
	"gray": "grey", "colored": "colour", "coloured": "colour"}

// split returns the words of a text in lower case, lightly stemmed: plural and verb endings go, and
// number words become digits.
func split(text string) []string {
	fields := strings.FieldsFunc(strings.ToLower(text),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	for i, w := range fields {
		fields[i] = stem(w)
	}
	return fields
}

// stem removes a plural or verb ending, so that most forms of a word are equal.
func stem(w string) string {
	if n, ok := respelled[w]; ok {
		return n
	}
	for _, end := range []string{"ing", "ies", "es", "ed", "s"} {
		// At least four letters stay, and a word such as glass keeps its ss.
		if len(w) > len(end)+3 && strings.HasSuffix(w, end) && !strings.HasSuffix(w, "ss") {
			w = strings.TrimSuffix(w, end)
			break
		}
	}
	if len(w) > 4 && w[len(w)-1] == 'e' { // The word tables has lost es, so table loses its e.
		w = w[:len(w)-1]
	}
	return w
}

// content returns the distinct words of a text that carry evidence.
func content(text string) []string {
	var out []string
	for _, w := range split(text) {
		if !plain[w] && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// sentence is one statement of a caption.
type sentence struct {
	words  map[string]bool
	denies bool
}

// sentencesOf splits a text at line ends, at ! ? ; and at full stops before a space. Other stops
// may be within a number.
func sentencesOf(text string) []sentence {
	var out []sentence
	for _, part := range strings.FieldsFunc(strings.ReplaceAll(text, ". ", "\n"),
		func(r rune) bool { return strings.ContainsRune("!?;\n", r) }) {
		s := sentence{words: map[string]bool{}}
		for _, w := range split(part) {
			s.words[w] = true
			s.denies = s.denies || denials[w]
		}
		if len(s.words) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// has reports whether the sentence has all of these words; false without words.
func (s sentence) has(words []string) bool {
	return len(words) > 0 && s.shared(words) == len(words)
}

// shared counts how many of these words the sentence has.
func (s sentence) shared(words []string) int {
	shared := 0
	for _, w := range words {
		if s.words[w] {
			shared++
		}
	}
	return shared
}
