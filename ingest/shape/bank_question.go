package shape

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/ingest/file"
)

// questionRow renames data.Question for rawQuestion, which embeds it: an embedded Question would
// hide its own field Question.
type questionRow = data.Question

// A rawQuestion is a question as its file gives it. Its image, its source and its place in the bank
// are not known yet.
type rawQuestion struct {
	questionRow
	optionsKey, answerKey string // columns of options and answer, for faults
}

// readQuestion reads the columns of a question; ok is false if the question has a fault. Everything
// that makes the question unfit for the protocol is a fault, because upstream silently skips such
// questions, which shifts the option orders of all later ones.
func readQuestion(r *Row) (q rawQuestion, ok bool) {
	q.optionsKey, q.answerKey = "choices", "answer"
	if r.Has("ground_truth") {
		q.answerKey = "ground_truth"
	}
	q.Question = r.String("question")
	if hint := r.Text("hint"); hint != "" {
		q.Question = hint + "\n" + q.Question
	}
	q.readOptions(r)
	answer, _ := r.Field(q.answerKey)
	if answer.Kind == file.Number {
		r.Report(answer.At, "the answer is a number, which may count from 0 or from 1: write the right option's text")
	} else {
		r.need(q.answerKey, file.String)
	}
	q.readCategory(r)
	if r.Faulty {
		return q, false
	}
	if strings.TrimSpace(q.Question) == "" {
		r.Fault("question", "the question is empty: give it a text or remove it")
	}
	if len(q.Options) < 2 {
		r.Fault(q.optionsKey, "%d options where at least 2 belong: add options or remove the question",
			len(q.Options))
		return q, false
	}
	if reason := captionqa.Unaskable(q.Question, q.Options); reason != "" {
		r.Fault(q.optionsKey, "%s", reason)
	}
	// The key of the options is A if readLetters has read them.
	right, reason := rightOption(q.Options, answer.Text, q.optionsKey == "A")
	if q.AnswerIndex = int32(right); reason != "" {
		r.Fault(q.answerKey, "%s", reason)
	}
	return q, !r.Faulty
}

// readOptions reads the options: a list, a text that contains a list, or the columns A, B, C and so
// on. A whole number becomes its digits, as in the authors' code; other numbers have several
// spellings and are faults.
func (q *rawQuestion) readOptions(r *Row) {
	choices, hasChoices := r.Field("choices")
	if options, hasOptions := r.Field("options"); hasOptions {
		if hasChoices {
			r.Report(options.At, "the question has both \"choices\" and \"options\": keep the right one")
		}
		q.optionsKey, choices = "options", options
	}
	if r.Path("A").Kind != file.Null && choices.Kind == file.Null {
		q.readLetters(r)
		return
	}
	// A text may be a list as Python prints it. length is how much of the text the list takes.
	list, length, err := rubric.ParseLiteral(choices.Str())
	if items, isList := list.([]any); isList && err == nil && length == len(choices.Text) {
		for _, item := range items {
			q.Options = append(q.Options, fmt.Sprint(item))
		}
	} else if choices.Kind != file.Array {
		r.need(q.optionsKey, file.Array)
	}
	for i, item := range choices.Items {
		isWhole := item.Kind == file.Number && !strings.ContainsAny(item.Text, ".eE")
		if item.Kind != file.String && !isWhole {
			r.Report(item.At, "option %d is %s where a string belongs: write its text in quotes", i+1, item.Kind)
		}
		q.Options = append(q.Options, item.Text)
	}
}

// readLetters reads options from the columns of their letters. The columns of options that a
// question does not have are empty.
func (q *rawQuestion) readLetters(r *Row) {
	q.optionsKey = "A"
	for i, letter := range letters {
		option := r.Text(letter)
		if option == "" {
			continue
		}
		if len(q.Options) < i {
			r.Fault(letter, "there is an option %s, and none before it: write the options from A on", letter)
			return
		}
		q.Options = append(q.Options, option)
	}
}

// readCategory reads the taxonomy node: a string, or the first of a list of strings, as in the
// authors' code. It may be missing.
func (q *rawQuestion) readCategory(r *Row) {
	category := r.Path("category")
	if category.Kind == file.Array {
		category = category.First()
	}
	if category.Kind != file.String && category.Kind != file.Null {
		r.Report(category.At, "\"category\" is %s where a string belongs: write it as in \"Attribute - Color\"",
			category.Kind)
	}
	q.Category, q.Subcategory, q.Aspect = captionqa.SplitCategory(category.Text)
	q.Subcategory = cmp.Or(r.Text("subcategory"), q.Subcategory)
}

// letterAnswer matches a key given as the capital letter of an option: B, B., B) or (B).
var letterAnswer = regexp.MustCompile(`^(?:([A-Z])[.)]?|\(([A-Z])\))$`)

// rightOption finds the position of the option that an answer means, or the reason why no option is
// meant. The published rule comes first: the answer is the text of an option, ignoring white space
// at the ends, and the first of several equal ones (captionqa.KeyIndex). A capital letter, alone or
// as B., B) or (B), counts as the option's position only if no option is such a letter itself,
// because it would then have two meanings. If the options come from columns named A, B, C …,
// lettered is true and the letter comes first.
func rightOption(options []string, answer string, lettered bool) (position int, reason string) {
	answer = strings.TrimSpace(answer)
	letter := letterAnswer.FindStringSubmatch(answer)
	if position, ok := captionqa.KeyIndex(options, answer); ok && (letter == nil || !lettered) {
		return position, ""
	}
	if answer == "" {
		return 0, "the answer is empty: write the text of the right option"
	}
	if letter == nil {
		return 0, "the answer \"" + Clip(answer) +
			"\" is not the text of an option: write the right option's text, or its capital letter"
	}
	isLetter := func(option string) bool { return letterAnswer.MatchString(strings.TrimSpace(option)) }
	if !lettered && slices.ContainsFunc(options, isLetter) {
		return 0, "the answer \"" + answer + "\" may be the text of an option or its letter, " +
			"but no option has this text: write the right option's text"
	}
	position = int((letter[1] + letter[2])[0] - 'A') // One of the two groups of the pattern is empty.
	if position >= len(options) {
		return 0, "the answer \"" + answer + "\" names no option: write the right option's text"
	}
	return position, ""
}
