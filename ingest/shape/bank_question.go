package shape

import (
	"regexp"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data/captionqa"
)

// check finds everything that makes a question unfit for the protocol, and returns the position of
// its key. Upstream silently skips such questions, which shifts the option orders of all later
// ones; here they are faults.
func (q rawQuestion) check(r *Row) (key int, ok bool) {
	if strings.TrimSpace(q.question) == "" {
		r.Fault("question", "the question is empty: give it a text or remove it")
	}
	if len(q.options) < 2 {
		r.Fault(q.optionsKey, "%d options where at least 2 belong: add options or remove the question",
			len(q.options))
		return 0, false
	}
	if why := captionqa.Unaskable(q.question, q.options); why != "" {
		r.Fault(q.optionsKey, "%s", why)
	}
	key, reason := keyOf(q.options, q.answer, q.lettered)
	if reason != "" {
		r.Fault(q.answerKey, "%s", reason)
	}
	return key, !r.Faulty
}

// letterAnswer matches a key given as the capital letter of an option: B, B., B) or (B).
var letterAnswer = regexp.MustCompile(`^(?:([A-Z])[.)]?|\(([A-Z])\))$`)

// keyOf finds the option of an answer, or says why it cannot. The published rule comes first:
// the answer is the text of an option, ignoring white space at the ends, and the first of several
// equal ones (captionqa.KeyIndex). A capital letter, alone or as B., B) or (B), counts as the
// option's position only if no option is such a letter itself, because it would then have two
// meanings. If the options are lettered, the letter comes first. Numbers are refused: they may
// count from 0 or from 1.
func keyOf(options []string, answer string, lettered bool) (key int, reason string) {
	answer = strings.TrimSpace(answer)
	m := letterAnswer.FindStringSubmatch(answer)
	if key, ok := captionqa.KeyIndex(options, answer); ok && (m == nil || !lettered) {
		return key, ""
	}
	if answer == "" {
		return 0, "the answer is empty: write the text of the right option"
	}
	if m == nil {
		return 0, "the answer \"" + Clip(answer) +
			"\" is not the text of an option: write the right option's text, or its capital letter"
	}
	isLetter := func(option string) bool { return letterAnswer.MatchString(strings.TrimSpace(option)) }
	if !lettered && slices.ContainsFunc(options, isLetter) {
		return 0,
			"the answer \"" + answer +
				"\" may be the text of an option or its letter, but no option has this text: write the right option's text"
	}
	place := int((m[1] + m[2])[0] - 'A')
	if place >= len(options) {
		return 0, "the answer \"" + answer + "\" names no option: write the right option's text"
	}
	return place, ""
}
