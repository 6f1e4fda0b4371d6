package ingest

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// questions returns the bank's questions about an image, in bank order: from the sample's own doc where the log kept
// it, otherwise from the lake. It is empty for an image that neither knows.
func (l *lmmsLoad) questions(q *questionFields, imageID string) ([]data.Question, error) {
	if doc := q.value.path("doc"); doc.kind == kindObject {
		if list := doc.path("questions"); list.kind == kindArray {
			return l.docQuestions(doc, list, imageID)
		}
	}
	if err := l.readBank(); err != nil {
		return nil, err
	}
	return l.bank[imageID], nil
}

// docQuestions reads the questions that a sample carries. They get their names from the same rule as the bank's. One that
// upstream skips keeps its place and has no name.
func (l *lmmsLoad) docQuestions(doc, list node, imageID string) ([]data.Question, error) {
	domain, ok := domainOf(imageID, l.options)
	if !ok {
		domain = lmmsDomain(l.run, l.task, l.options)
	}
	asked := shufflePerms(doc)
	questions := make([]data.Question, len(list.items))
	var ids captionqa.QuestionIDs
	for i, item := range list.items {
		f := &questionFields{at: item.at, value: item, fault: func(int, int, string, ...any) {}, ok: item.kind == kindObject}
		raw, _ := readBankQuestion(f)
		key, ok := raw.check(func(string, string, ...any) {})
		if !f.ok || !ok {
			continue
		}
		questions[i] = raw.row(imageID, domain, key, l.source.base())
		questions[i].QuestionID = ids.Next(imageID, raw.question, raw.options)
		if asked == nil {
			continue
		}
		order, shown := asked[strconv.Itoa(i)]
		if err := l.orders.add(l.job, questions[i], len(captionqa.WithCannot(questions[i].Question, questions[i].Options)), func(other []int32) (agrees, says bool) { return slices.Equal(order, other), shown }); err != nil {
			return nil, err
		}
	}
	return questions, nil
}

// shufflePerms are the option orders that lmms-eval's captionqa_process_docs writes into a doc, as JSON within a string,
// by the number of the question; nil for a doc without.
func shufflePerms(doc node) map[string][]int32 {
	var orders map[string][]int32
	if err := json.Unmarshal([]byte(doc.path("shuffle_perms").str()), &orders); err != nil {
		return nil
	}
	return orders
}

// wholeNumber reads a number that is a place in a list, also one written as 3.0.
func wholeNumber(text string) (int, bool) {
	x, err := strconv.ParseFloat(text, 64)
	return int(x), err == nil && x == float64(int(x))
}

// readBank reads the lake's questions: memory grows with the bank, not with the log.
func (l *lmmsLoad) readBank() error {
	if l.bank != nil {
		return nil
	}
	l.bank = map[string][]data.Question{}
	for question, err := range data.Scan(l.job.Lake, data.Questions) {
		if err != nil {
			return err
		}
		l.bank[question.ImageID] = append(l.bank[question.ImageID], question)
	}
	for _, questions := range l.bank {
		slices.SortFunc(questions, func(a, b data.Question) int { return int(a.Ordinal - b.Ordinal) })
	}
	return nil
}

// orderEvidence compares the option orders that a file shows with those that the rules give.
type orderEvidence struct {
	own     *captionqa.OrderStream // orders dealt over the file's questions alone
	bank    *bankOfOrders          // of the lake; nil before it was read
	domains map[string]bool

	dealt      int // questions that an order was dealt for
	shown      int // questions whose order the file shows
	ownAgree   int
	banked     int // questions that the bank has
	bankAgree  int
	bankRule   string
	mixedRules bool
}

// A bankOrder is the part of a question's row that says how its options are presented.
type bankOrder struct {
	QuestionID  string  `parquet:"question_id"`
	Domain      string  `parquet:"domain,dict"`
	OptionOrder []int32 `parquet:"option_order,list"`
	OrderRule   string  `parquet:"order_rule,dict"`
}

// add takes the next question that the file's evaluation dealt an order of so many offered options for. fits reports whether an order is the one that
// the file shows, and whether it shows any.
func (e *orderEvidence) add(j *Job, q data.Question, offered int, fits func(order []int32) (agrees, shown bool)) error {
	if e.bank == nil {
		e.own, e.domains = captionqa.NewOrderStream(captionqa.OrderSeed), map[string]bool{}
		var err error
		if e.bank, err = j.known.bankOf(j.Lake); err != nil {
			return err
		}
	}
	e.dealt++
	e.domains[q.Domain] = true
	agrees, shown := fits(e.own.Next(offered))
	if !shown {
		return nil
	}
	e.shown++
	if agrees {
		e.ownAgree++
	}
	row, ok := e.bank.questions[q.QuestionID]
	if !ok {
		return nil
	}
	e.banked++
	if agrees, _ := fits(row.OptionOrder); agrees {
		e.bankAgree++
	}
	e.mixedRules = e.mixedRules || e.bankRule != "" && e.bankRule != row.OrderRule
	e.bankRule = row.OrderRule
	return nil
}

// fewestShown is how many questions must show their order before a rule is named: two options fall into one order by
// chance half of the time.
const fewestShown = 10

// note returns the rule of the orders that the file shows, empty when it shows none, and notes where it is not the rule of
// the bank in the lake.
func (e *orderEvidence) note(j *Job, what string) (rule string) {
	bank := 0
	for domain := range e.domains {
		bank += e.bank.sizes[domain]
	}
	switch {
	case e.shown < fewestShown:
		return ""
	case e.banked == e.shown && e.bankAgree == e.banked && !e.mixedRules:
		return e.bankRule
	case e.ownAgree == e.shown && bank > e.dealt:
		rule = captionqa.OrderSkipMissing
	case e.ownAgree == e.shown && len(e.domains) == 1:
		rule = captionqa.OrderPerSplit
	case e.ownAgree == e.shown:
		rule = captionqa.OrderFullBank
	default:
		j.Note("%s: %s that no known rule gives: %d of %d as in the lake's bank, %d of %d as dealt over the file's questions alone",
			j.Source.Path, what, e.bankAgree, e.banked, e.ownAgree, e.shown)
		return orderUnknown
	}
	if e.banked > 0 {
		j.Note("%s: %s by the rule %s, and the lake's bank has others: %d of %d agree; load the bank again with --order to ask in the same ones",
			j.Source.Path, what, rule, e.bankAgree, e.banked)
	}
	return rule
}

// record keeps the rule of the orders that the file shows in the detail of the run.
func (e *orderEvidence) record(j *Job, what string) error {
	rule := e.note(j, what)
	if rule == "" {
		return nil
	}
	detail, err := json.Marshal(map[string]any{"orders": rule, "shown": e.shown, "as_in_bank": e.bankAgree})
	if err != nil {
		return err
	}
	j.Tx.SetDetail(string(detail))
	return nil
}

// orderUnknown is the rule of orders that no known rule gives.
const orderUnknown = "unknown"
