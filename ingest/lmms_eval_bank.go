package ingest

import (
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
			return l.docQuestions(list, imageID), nil
		}
	}
	if err := l.readBank(); err != nil {
		return nil, err
	}
	return l.bank[imageID], nil
}

// docQuestions reads the questions that a sample carries. They get their names from the same rule as the bank's. One that
// upstream skips keeps its place and has no name.
func (l *lmmsLoad) docQuestions(list node, imageID string) []data.Question {
	domain, ok := domainOf(imageID, l.options)
	if !ok {
		domain = lmmsDomain(l.run, l.task, l.options)
	}
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
	}
	return questions
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
