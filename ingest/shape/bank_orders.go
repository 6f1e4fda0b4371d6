package shape

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// orderRules are the rules for dealing a bank's option orders, by their names in --option-order.
var orderRules = map[string]string{"": "", "full-bank": captionqa.OrderFullBank, "per-split": captionqa.OrderPerSplit}

// orderRule is the rule in the options; empty if they have none.
func (o Options) orderRule() (string, error) {
	rule, ok := orderRules[o.Order]
	if !ok {
		return "", data.WithHint(fmt.Errorf("there is no rule of option orders %q", o.Order),
			"write --option-order full-bank or --option-order per-split")
	}
	return rule, nil
}

// A BankWriter turns the questions of one bank, in bank order, into rows of `questions`. The
// published option orders come from one random stream over the questions that are evaluated
// together, so a bank is one unit, however many files it has. The rule says which questions share a
// stream:
//
//   - upstream-full-bank: all questions of the bank, as in lmms-eval's task and the split "all";
//   - upstream-per-split: the questions of one domain, as in the authors' code run on one split.
//
// Without --option-order a bank with only one of the four published domains is a split, and any
// other bank is a full bank. A bank that begins with a published domain waits in memory until
// another domain comes or the bank ends.
type BankWriter struct {
	job     *Job
	rule    string // empty until it is known
	said    bool   // the user named the rule
	orders  *captionqa.BankOrders
	waiting []data.Question
	domains []string // in the order of the bank
	ordinal int32
	keys    map[[sha256.Size]byte]string // the right option of each question of an image with its options
}

// NewBankWriter begins a bank.
func NewBankWriter(j *Job) (*BankWriter, error) {
	rule, err := j.Options.orderRule()
	return &BankWriter{job: j, rule: rule, said: rule != "", keys: map[[sha256.Size]byte]string{}}, err
}

// ambiguous reports a question for which a right reply may count as wrong: two of its options are
// equal, or the bank asks it twice with different keys. The published protocol asks such questions,
// so rows of results may be about them.
func (w *BankWriter) ambiguous(r *Row, imageID string, q rawQuestion, key int) bool {
	options := make([]string, len(q.options))
	for i, option := range q.options {
		options[i] = strings.TrimSpace(option)
		if first := slices.Index(options[:i], options[i]); first >= 0 {
			r.Fault(q.optionsKey, "options %d and %d are both %q: make them different or remove one", first+1, i+1,
				Clip(options[i]))
			return true
		}
	}
	right := options[key]
	slices.Sort(options)
	name := sha256.Sum256([]byte(strings.Join(append([]string{imageID, strings.TrimSpace(q.question)}, options...),
		"\x00")))
	if other, twice := w.keys[name]; twice && other != right {
		r.Fault(q.answerKey, "the bank asks this question of %s with the answer %q, too: keep the right one",
			Clip(imageID), Clip(other))
		return true
	}
	w.keys[name] = right
	return false
}

// Add writes a checked question with its ordinal, id and option order.
func (w *BankWriter) Add(q data.Question, ids *captionqa.QuestionIDs) error {
	q.QuestionID = ids.Next(q.ImageID, q.Question, q.Options)
	q.Ordinal = w.ordinal
	q.YesNo = captionqa.IsYesNo(q.Question, q.Options)
	w.ordinal++
	if !slices.Contains(w.domains, q.Domain) {
		w.domains = append(w.domains, q.Domain)
	}
	w.waiting = append(w.waiting, q)
	if w.rule == "" && data.CaptionQA().OrderRule(w.domains) == captionqa.OrderFullBank {
		w.rule = captionqa.OrderFullBank
	}
	return w.write()
}

// write writes waiting questions, once the rule is known.
func (w *BankWriter) write() error {
	if w.rule == "" {
		return nil
	}
	if w.orders == nil {
		w.orders = captionqa.NewBankOrders(w.rule)
	}
	for i := range w.waiting {
		q := &w.waiting[i]
		q.OptionOrder, q.OrderRule = w.orders.Next(q.Domain, q.Question, q.Options), w.rule
	}
	err := Write(w.job, data.Questions, w.waiting...)
	w.waiting = nil
	return err
}

// end writes the questions that still wait: a single published domain, which is a split. If the
// user asked for the full bank, a domain needs the domains before it, because they come first in
// the stream.
func (w *BankWriter) end() error {
	split := len(w.domains) == 1 && IsDomain(w.domains[0])
	first := PublishedDomains[0].Name
	switch {
	case w.said && w.rule == captionqa.OrderFullBank && split && w.domains[0] != first:
		return data.WithHint(fmt.Errorf("%s: the option orders of %s in the full bank depend on the questions before it",
			w.job.Source.Path, w.domains[0]),
			"load the split all, or this one with --option-order per-split")
	case w.rule == "":
		if split {
			w.job.Note("%s: the bank is only the split %s, and its option orders are the split's (%s): load the split all for lmms-eval's orders",
				w.job.Source.Path, w.domains[0], captionqa.OrderPerSplit)
		}
		w.rule = captionqa.OrderPerSplit
	}
	return w.write()
}
