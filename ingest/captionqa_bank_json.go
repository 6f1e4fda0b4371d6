package ingest

import (
	"cmp"
	"context"
	"path"
	"strings"

	"github.com/captionlake/captionlake/data/captionqa"
)

// bankJSONFormat reads a question bank as the authors' construction pipeline writes it: an object from image names to
// lists of questions with question, choices (or options), answer and category, and candidate_id and bank, as captionlake
// exports them. Other fields are passed over. The file is one bank: ordinals and option orders follow its order.
func bankJSONFormat() Format {
	return Format{
		Name:    "captionqa-bank-json",
		What:    "CaptionQA question bank as JSON {image: [{question, choices, answer, category}]}",
		Version: "2",
		Detect: func(_ Source, head []byte) bool {
			shape := shapeOf(head)
			return shape.value == kindArray && shape.keys["question"] && !isResult(shape)
		},
		Unit: func(s Source, o Options) (string, error) {
			return bankUnit(s, strings.TrimSuffix(s.base(), path.Ext(s.base())), o), nil
		},
		Load: loadBankJSON,
	}
}

func loadBankJSON(ctx context.Context, j *Job) error {
	w, err := newBankWriter(j.Tx, j.Options)
	if err != nil {
		return err
	}
	err = eachImage(j, j.namedDomain, ": name the domain with --domain", func(imageID, domain string, _ pos, value node) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return w.ask(j.Fault, imageID, domain, j.Source.base(), value)
	})
	if err != nil {
		return err
	}
	return w.end(j)
}

// ask writes the questions of an item that can be asked, and reports the others.
func (w *bankWriter) ask(fault faultFunc, imageID, domain, source string, questions node) error {
	var ids captionqa.QuestionIDs
	return eachQuestion(fault, imageID, questions, func(q *questionFields) error {
		raw, optionsKey := readBankQuestion(q)
		if !q.ok {
			return nil
		}
		fault := func(field, format string, args ...any) {
			if field == "choices" {
				field = optionsKey
			}
			q.report(q.place(field), format, args...)
		}
		key, ok := raw.check(fault)
		if !ok || domain == "" || w.ambiguous(imageID, raw, key, fault) {
			return nil
		}
		row := raw.row(imageID, domain, key, source)
		if candidate := q.value.path("candidate_id").str(); candidate != "" {
			row.CandidateID = &candidate
		}
		row.Source = cmp.Or(q.value.path("bank").str(), row.Source)
		return w.add(row, &ids)
	})
}

// readBankQuestion takes the fields of a bank's question out and says which key its options have.
func readBankQuestion(q *questionFields) (raw rawQuestion, optionsKey string) {
	optionsKey = "choices"
	_, choices := q.value.field("choices")
	if options, both := q.value.field("options"); both {
		optionsKey = "options"
		if choices {
			q.report(options.at, "the question has both \"choices\" and \"options\": keep the right one")
		}
	}
	raw = rawQuestion{question: q.string("question"), options: q.options(optionsKey), category: q.category()}
	if answer, ok := q.value.field("answer"); ok && answer.kind == kindNumber {
		q.report(answer.at, "the answer is a number, which may count from 0 or from 1: write the right option's text")
	} else {
		raw.answer = q.string("answer")
	}
	return raw, optionsKey
}
