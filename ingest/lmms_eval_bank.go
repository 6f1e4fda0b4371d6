package ingest

import (
	"slices"

	"github.com/captionlake/captionlake/data"
)

// questions returns the bank's questions about an image, in bank order: from the sample's own doc where the log kept
// it, otherwise from the lake.
func (l *lmmsLoad) questions(q *questionFields, imageID, domain string) ([]data.Question, error) {
	if doc, ok := q.value.field("doc"); ok && doc.kind == kindObject {
		if list, ok := doc.field("questions"); ok && list.kind == kindArray {
			return l.docQuestions(q, list, imageID, domain)
		}
	}
	if l.bank == nil {
		if err := l.readBank(); err != nil {
			return nil, err
		}
	}
	questions, ok := l.bank[imageID]
	if !ok {
		q.report(q.place("target"), "the log names questions by their number only, and the lake has no questions about %q: load the bank first, with captionlake ingest", quoted(imageID))
	}
	return questions, nil
}

// docQuestions reads the questions that a sample carries. They get their names from the same rule as the bank's.
func (l *lmmsLoad) docQuestions(q *questionFields, list node, imageID, domain string) ([]data.Question, error) {
	var questions []data.Question
	var ids QuestionIDs
	err := eachQuestion(l.job, imageID, list, func(f *questionFields) error {
		raw, _ := readBankQuestion(f)
		if !f.ok {
			q.ok = false
			return nil
		}
		key, ok := raw.check(func(field, format string, args ...any) { f.report(f.place(field), format, args...) })
		q.ok = q.ok && ok
		row := raw.row(imageID, domain, key, l.job.Source.base())
		row.QuestionID = ids.Next(imageID, raw.question, raw.options)
		questions = append(questions, row)
		return nil
	})
	return questions, err
}

// readBank reads the lake's questions: memory grows with the bank, not with the log.
func (l *lmmsLoad) readBank() error {
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
