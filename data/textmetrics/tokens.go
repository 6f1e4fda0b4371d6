package textmetrics

import (
	"strings"
	"unicode"
)

// contractions are the word endings that the Penn Treebank splits off.
var contractions = []string{"n't", "'s", "'m", "'d", "'re", "'ve", "'ll"}

// Tokens splits a text into words as COCO's evaluation does: in lower case, by the rules of the
// Penn Treebank, and without punctuation. A word is a run of letters, marks and digits, with single
// dots, commas, colons, hyphens, slashes or apostrophes within it (3.5, 10:30, well-known,
// o'clock). Contractions are split off (don't is do and n't, dog's is dog and 's). Chinese and
// Japanese characters, which are written without spaces, are words of their own. Everything else
// separates words, including bytes that are not UTF-8.
func Tokens(text string) []string {
	var tokens []string
	runes := []rune(strings.ToLower(strings.ReplaceAll(text, "’", "'")))
	for i := 0; i < len(runes); {
		if !inWord(runes[i]) {
			i++
			continue
		}
		if alone(runes[i]) {
			tokens = append(tokens, string(runes[i]))
			i++
			continue
		}
		start := i
		for i < len(runes) && (inWord(runes[i]) && !alone(runes[i]) || joins(runes, i)) {
			i++
		}
		tokens = append(tokens, split(string(runes[start:i]))...)
	}
	return tokens
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || unicode.IsNumber(r)
}

// alone reports whether a character is a word of its own.
func alone(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }

// joins reports whether the sign at i joins two characters of one word. Dots, commas, colons and
// slashes join only digits, since texts often miss the space after them.
func joins(runes []rune, i int) bool {
	if i == 0 || i+1 >= len(runes) || !inWord(runes[i-1]) || !inWord(runes[i+1]) || alone(runes[i-1]) ||
		alone(runes[i+1]) {
		return false
	}
	switch runes[i] {
	case '\'', '-':
		return true
	case '.', ',', ':', '/':
		return unicode.IsDigit(runes[i-1]) && unicode.IsDigit(runes[i+1])
	}
	return false
}

// split splits contractions off a word.
func split(word string) []string {
	for _, end := range contractions {
		if stem, ok := strings.CutSuffix(word, end); ok && stem != "" {
			return []string{stem, end}
		}
	}
	return []string{word}
}

// Words counts the words of a text as output length does: runs without white space.
func Words(text string) int { return len(strings.Fields(text)) }
