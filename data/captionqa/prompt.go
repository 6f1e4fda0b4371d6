package captionqa

import (
	"fmt"
	"strings"
)

// SystemMessage is the system message of every question (as published by the authors' evaluation
// code).
const SystemMessage = "You are given a caption describing an image, and a question about the image. " +
	"Answer with a SINGLE LETTER (A, B, C, ...), no explanation."

// MaxTokens is the largest number of tokens that the reader may generate (as published by the
// authors' evaluation code, which decodes greedily).
const MaxTokens = 4

// MaxOptions is the largest number of options that a question can present, the cannot option
// included: one for each letter from A to Z. The shuffle has no such limit, but the authors'
// evaluation code stops with an error after Z, and extractLetter finds no position after Z.
const MaxOptions = 26

// Letter returns the letter of the option presented at position index, counted from 0. The result
// is false if there is no letter from A to Z for index.
func Letter(index int) (string, bool) {
	if index < 0 || index >= MaxOptions {
		return "", false
	}
	return string(rune('A' + index)), true
}

// UserPrompt returns the user message of a question: caption, question and the options in presented
// order, including the cannot option (layout as published by the authors' evaluation code). Texts
// are not trimmed. The empty caption tests a reader's faithfulness (CaptionQA section 3.5). More
// than MaxOptions options are an error.
func UserPrompt(caption, question string, presented []string) (string, error) {
	var b strings.Builder
	b.Grow(len(caption) + len(question) + 256) // 256 bytes hold the headings and the usual options.
	for _, part := range []string{"Caption:\n", caption, "\n\nQuestion:\n", question, "\n\nOptions:\n"} {
		b.WriteString(part)
	}
	for i, option := range presented {
		letter, ok := Letter(i)
		if !ok {
			return "", fmt.Errorf("question %q presents %d options, but letters name at most %d; "+
				"split the question or drop options", question, len(presented), MaxOptions)
		}
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(letter + ". " + option)
	}
	b.WriteString("\n\nAnswer:")
	return b.String(), nil
}
