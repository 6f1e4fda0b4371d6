package textmetrics

import (
	"regexp"
	"strings"
)

// contractions are the word endings that the Penn Treebank splits off.
var contractions = []string{"n't", "'s", "'m", "'d", "'re", "'ve", "'ll"}

// Tokens splits a text into words as COCO's evaluation does: in lower case, by the rules of the
// Penn Treebank, and without punctuation. A word is a run of letters, marks and digits, with single
// hyphens or apostrophes within it (well-known, o'clock), or dots, commas, colons or slashes
// between digits (3.5, 10:30). Contractions are split off (don't is do and n't, dog's is dog and
// 's). Chinese and Japanese characters, which are written without spaces, are words of their own.
// Everything else separates words, including bytes that are not UTF-8.
func Tokens(text string) (tokens []string) {
	text = strings.ToLower(strings.ReplaceAll(text, "’", "'"))
	for _, word := range wordPattern.FindAllString(alone.ReplaceAllString(text, " $0 "), -1) {
		tokens = append(tokens, split(word)...)
	}
	return tokens
}

// part is a character of a word, or a number with dots, commas, colons or slashes. Between letters
// these signs end a word, since texts often have no space after them ("a dog.It runs").
const part = `(?:\p{Nd}+(?:[.,:/]\p{Nd}+)*|[\pL\pM\pN])`

var (
	wordPattern = regexp.MustCompile(part + `(?:['-]?` + part + `)*`)
	alone       = regexp.MustCompile(`[\p{Han}\p{Hiragana}\p{Katakana}]`) // words of their own
)

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
