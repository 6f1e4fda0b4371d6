package ingest

import (
	"regexp"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// A rawQuestion is a question as a bank's file writes it.
type rawQuestion struct {
	question string
	options  []string
	answer   string
	category string
}

// fieldFault reports a fault of one field of a question.
type fieldFault func(field, format string, args ...any)

// check looks for everything that makes a question unfit for the protocol and returns the position of its key. Upstream
// leaves such questions out without a word, which shifts the option orders of all later ones; here they are faults.
func (q rawQuestion) check(fault fieldFault) (key int, ok bool) {
	ok = true
	report := func(field, format string, args ...any) {
		fault(field, format, args...)
		ok = false
	}
	if strings.TrimSpace(q.question) == "" {
		report("question", "the question is empty: give it a text or take it out")
	}
	if len(q.options) < 2 {
		report("choices", "%d options where at least 2 belong: add options or take the question out", len(q.options))
		return 0, false
	}
	if offered := captionqa.WithCannot(q.question, q.options); len(offered) > captionqa.MaxOptions {
		report("choices", "%d options with the cannot option, but letters name at most %d: take some out", len(offered), captionqa.MaxOptions)
	}
	for _, option := range q.options {
		if option == captionqa.CannotOption {
			report("choices", "the options hold %q, which the protocol adds itself: take it out", captionqa.CannotOption)
		}
	}
	key, reason := keyOf(q.options, q.answer)
	if reason != "" {
		report("answer", "%s", reason)
	}
	return key, ok
}

// letterAnswer is a key given as the capital letter of an option: B, B., B) or (B).
var letterAnswer = regexp.MustCompile(`^(?:([A-Z])[.)]?|\(([A-Z])\))$`)

// keyOf finds the option that an answer names, or says why none. The published rule is that the answer is the text of
// an option, white space at the ends aside, and the first of several equal ones (captionqa.KeyIndex); it goes before
// all else. A capital letter, alone or as B., B) or (B), is taken for the option's place only where no option is such
// a letter itself, because there it would have two readings. Numbers are refused: they may count from 0 or from 1.
func keyOf(options []string, answer string) (key int, reason string) {
	if key, ok := captionqa.KeyIndex(options, answer); ok {
		return key, ""
	}
	answer = strings.TrimSpace(answer)
	if answer == "" {
		return 0, "the answer is empty: write the text of the right option"
	}
	m := letterAnswer.FindStringSubmatch(answer)
	if m == nil {
		return 0, "the answer \"" + quoted(answer) + "\" is the text of no option: write the right option's text, or its capital letter"
	}
	for _, option := range options {
		if letterAnswer.MatchString(strings.TrimSpace(option)) {
			return 0, "the answer \"" + answer + "\" may be the text of an option or the letter of its place, and is the text of none: write the right option's text"
		}
	}
	place := int((m[1] + m[2])[0] - 'A')
	if place >= len(options) {
		return 0, "the answer \"" + answer + "\" names the place of no option: write the right option's text"
	}
	return place, ""
}

// A bankWriter turns the questions of one bank, in bank order, into rows of `questions`. The published option orders
// come from one random stream over the whole bank, so a bank is one unit, however many files it has.
type bankWriter struct {
	rows    *data.RowWriter[data.Question]
	stream  *captionqa.OrderStream
	ordinal int32
}

func newBankWriter(tx *data.Tx) (*bankWriter, error) {
	rows, err := data.NewRowWriter(tx, data.Questions)
	if err != nil {
		return nil, err
	}
	return &bankWriter{rows: rows, stream: captionqa.NewOrderStream(captionqa.OrderSeed)}, nil
}

// add writes a checked question and gives it its place in the bank, its name and its option order.
func (w *bankWriter) add(q data.Question, ids *QuestionIDs) error {
	q.QuestionID = ids.Next(q.ImageID, q.Question, q.Options)
	q.Ordinal = w.ordinal
	q.YesNo = captionqa.IsYesNo(q.Question, q.Options)
	q.OptionOrder = w.stream.Next(len(captionqa.WithCannot(q.Question, q.Options)))
	q.OrderRule = captionqa.OrderFullBank
	w.ordinal++
	return w.rows.Write(q)
}

// row makes the row of a checked question, but for what its place in the bank decides.
func (q rawQuestion) row(imageID, domain string, key int, source string) data.Question {
	category, subcategory, aspect := splitCategory(q.category)
	return data.Question{
		ImageID: imageID, Domain: domain, Category: category, Subcategory: subcategory, Aspect: aspect,
		Question: q.question, Options: q.options, AnswerIndex: int32(key), Source: source,
	}
}
