package ingest

import (
	"fmt"
	"regexp"
	"slices"
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
	if why := captionqa.Unaskable(q.question, q.options); why != "" {
		report("choices", "%s", why)
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
		return 0, "the answer \"" + clip(answer) + "\" is the text of no option: write the right option's text, or its capital letter"
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

// orderRules are the rules by which a user may have a bank's option orders dealt, by the names that --option-order takes.
var orderRules = map[string]string{
	"": "", "full-bank": captionqa.OrderFullBank, captionqa.OrderFullBank: captionqa.OrderFullBank,
	"per-split": captionqa.OrderPerSplit, captionqa.OrderPerSplit: captionqa.OrderPerSplit,
}

// orderRule is the rule that the options name; empty when they name none.
func (o Options) orderRule() (string, error) {
	rule, ok := orderRules[o.Order]
	if !ok {
		return "", data.WithHint(fmt.Errorf("there is no rule of option orders %q", o.Order), "write --option-order full-bank or --option-order per-split")
	}
	return rule, nil
}

// A bankWriter turns the questions of one bank, in bank order, into rows of `questions`. The published option orders
// come from one random stream over the questions that are evaluated together, so a bank is one unit, however many files
// it has. Which questions those are is the rule:
//
//   - upstream-full-bank: all of the bank, as lmms-eval's task and the split "all" have it.
//   - upstream-per-split: those of one domain, as the authors' code run on one split has it.
//
// Without --option-order a bank of one of the four published domains alone is a split, and any other bank is a full bank. A bank
// that begins with one of the four waits in memory until another domain tells.
type bankWriter struct {
	rows    *data.RowWriter[data.Question]
	rule    string // empty until it is known
	said    bool   // the user named the rule
	orders  *captionqa.BankOrders
	waiting []data.Question
	domains []string // in the order of the bank
	ordinal int32
	keys    map[string]string // of each question of an image with its options: the right one
}

func newBankWriter(tx *data.Tx, o Options) (*bankWriter, error) {
	rows, err := data.NewRowWriter(tx, data.Questions)
	if err != nil {
		return nil, err
	}
	rule, err := o.orderRule()
	return &bankWriter{rows: rows, rule: rule, said: rule != "", orders: captionqa.NewBankOrders(rule), keys: map[string]string{}}, err
}

// ambiguous reports a question for which a right reply may count as wrong: two of its options are equal, or the bank asks it twice with two
// keys. The published protocol asks such questions, so rows of results may be about one.
func (w *bankWriter) ambiguous(imageID string, q rawQuestion, key int, fault fieldFault) bool {
	options := make([]string, len(q.options))
	for i, option := range q.options {
		options[i] = strings.TrimSpace(option)
		if first := slices.Index(options[:i], options[i]); first >= 0 {
			fault("choices", "options %d and %d are both %q: write them apart or take one out", first+1, i+1, clip(options[i]))
			return true
		}
	}
	right := options[key]
	slices.Sort(options)
	name := strings.Join(append([]string{imageID, strings.TrimSpace(q.question)}, options...), "\x00")
	if other, twice := w.keys[name]; twice && other != right {
		fault("answer", "the bank asks this question of %s with the answer %q, too: keep the right one", clip(imageID), clip(other))
		return true
	}
	w.keys[name] = right
	return false
}

// add writes a checked question and gives it its place in the bank, its name and its option order.
func (w *bankWriter) add(q data.Question, ids *captionqa.QuestionIDs) error {
	q.QuestionID = ids.Next(q.ImageID, q.Question, q.Options)
	q.Ordinal = w.ordinal
	q.YesNo = captionqa.IsYesNo(q.Question, q.Options)
	w.ordinal++
	if !slices.Contains(w.domains, q.Domain) {
		w.domains = append(w.domains, q.Domain)
	}
	if w.rule == "" && data.CaptionQA().OrderRule(w.domains) == captionqa.OrderFullBank {
		if err := w.decide(captionqa.OrderFullBank); err != nil {
			return err
		}
	}
	if w.rule == "" {
		w.waiting = append(w.waiting, q)
		return nil
	}
	return w.write(q)
}

// decide sets the rule and writes what waited for it.
func (w *bankWriter) decide(rule string) error {
	w.rule, w.orders = rule, captionqa.NewBankOrders(rule)
	for _, q := range w.waiting {
		if err := w.write(q); err != nil {
			return err
		}
	}
	w.waiting = nil
	return nil
}

func (w *bankWriter) write(q data.Question) error {
	q.OptionOrder = w.orders.Next(q.Domain, q.Question, q.Options)
	q.OrderRule = w.rule
	return w.rows.Write(q)
}

// end writes what still waits: one of the four domains alone, which is a split. A full bank that the user asked for must
// have the domains before it, because they come first in the stream.
func (w *bankWriter) end(j *Job) error {
	split := len(w.domains) == 1 && isDomain(w.domains[0])
	first := captionqaDomains[0].Name
	switch {
	case w.said && w.rule == captionqa.OrderFullBank && split && w.domains[0] != first:
		return data.WithHint(fmt.Errorf("%s: the file holds %s alone, whose option orders in the full bank depend on the questions before it", j.Source.Path, w.domains[0]),
			"put the four splits, or the split all, into one folder as Parquet, or load the file with --option-order per-split")
	case w.rule == "":
		if split {
			j.Note("%s: the bank is the split %s alone; its option orders are those of that split evaluated alone (%s). lmms-eval and the split all deal one stream through the whole bank: load that, or the four splits of one folder with --option-order full-bank",
				j.Source.Path, w.domains[0], captionqa.OrderPerSplit)
		}
		return w.decide(captionqa.OrderPerSplit)
	}
	return nil
}

// row makes the row of a checked question, but for what its place in the bank decides.
func (q rawQuestion) row(imageID, domain string, key int, source string) data.Question {
	category, subcategory, aspect := captionqa.SplitCategory(q.category)
	return data.Question{
		ImageID: imageID, Domain: domain, Category: category, Subcategory: subcategory, Aspect: aspect,
		Question: q.question, Options: q.options, AnswerIndex: int32(key), Source: source,
	}
}
