package shape

import (
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// orderRules are the rules for dealing a bank's option orders, by their names in --option-order.
// Without this option the rule is empty, and End chooses one.
var orderRules = map[string]string{"": "", "full-bank": captionqa.OrderFullBank, "per-split": captionqa.OrderPerSplit}

// A BankWriter turns the questions of one bank, in bank order, into rows of `questions`. The
// published option orders come from one random stream over the questions that are evaluated
// together, so a bank is one unit, however many files it has. The rule says which questions share a
// stream:
//
//   - upstream-full-bank: all questions of the bank, as in lmms-eval's task and the split "all";
//   - upstream-per-split: the questions of one domain, as in the authors' code run on one split.
//
// Without --option-order a bank with only one of the four published domains is a split, and any
// other bank is a full bank. The questions wait in memory for the end of the bank.
type BankWriter struct {
	job       *Job
	rule      string // the rule that the user named; empty for the default
	ids       captionqa.QuestionIDs
	questions []data.Question
	keys      map[string]string // right options, by the digest of image, question and options
}

// NewBankWriter begins a bank.
func NewBankWriter(j *Job) (*BankWriter, error) {
	rule, known := orderRules[j.Options.Order]
	if !known {
		return nil, data.Errorf("write --option-order full-bank or --option-order per-split",
			"there is no rule of option orders %q", j.Options.Order)
	}
	return &BankWriter{job: j, rule: rule, keys: map[string]string{}}, nil
}

// ambiguous reports a question for which a right reply may count as wrong: two of its options are
// equal, or the bank asks it twice with different keys. Only banks are checked: the published
// protocol asks such questions, so files of results may have answers to them.
func (w *BankWriter) ambiguous(r *Row, q rawQuestion) bool {
	options := make([]string, len(q.Options))
	for i, option := range q.Options {
		options[i] = strings.TrimSpace(option)
		if first := slices.Index(options[:i], options[i]); first >= 0 {
			r.Fault(q.optionsKey, "options %d and %d are both %q: make them different or remove one", first+1, i+1,
				options[i])
			return true
		}
	}
	right := options[q.AnswerIndex]
	slices.Sort(options) // The order of options does not make another question.
	parts := append([]string{q.ImageID, strings.TrimSpace(q.Question)}, options...)
	digest := data.Fingerprint(parts...)
	if other, isSecond := w.keys[digest]; isSecond && other != right {
		r.Fault(q.answerKey, "the bank asks this question of %s with the answer %q, too: keep the right one",
			q.ImageID, other)
		return true
	}
	w.keys[digest] = right
	return false
}

// Add adds a checked question, and gives it its id and its place in the bank.
func (w *BankWriter) Add(q data.Question) {
	q.QuestionID = w.ids.Next(q.ImageID, q.Question, q.Options)
	q.Ordinal, q.YesNo = int32(len(w.questions)), captionqa.IsYesNo(q.Question, q.Options)
	w.questions = append(w.questions, q)
}

// End deals the option orders and writes the questions. A split alone cannot have the orders of the
// full bank, unless it is the first domain: the questions of the domains before it come first in
// the random stream.
func (w *BankWriter) End() error {
	var domains []string
	for _, q := range w.questions {
		if !slices.Contains(domains, q.Domain) {
			domains = append(domains, q.Domain)
		}
	}
	rule := data.CaptionQA().OrderRule(domains)
	switch isSplit := rule == captionqa.OrderPerSplit; {
	case isSplit && w.rule == captionqa.OrderFullBank && domains[0] != PublishedDomains[0].Name:
		return w.job.Source.Refuse("load the split all, or this one with --option-order per-split",
			"the option orders of %s in the full bank depend on the questions before it", domains[0])
	case w.rule != "":
		rule = w.rule
	case isSplit:
		w.job.Note("%s: the bank is only the split %s, and its option orders are the split's (%s): "+
			"load the split all for lmms-eval's orders", w.job.Source.Path, domains[0], rule)
	}
	orders := captionqa.NewBankOrders(rule)
	for i := range w.questions {
		q := &w.questions[i]
		q.OptionOrder, q.OrderRule = orders.Next(q.Domain, q.Question, q.Options), rule
	}
	return Write(w.job, data.Questions, w.questions...)
}
