package ingest

import (
	"context"
	"math"
	"strconv"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// unknownTime is written where a file does not say when a reply came.
var unknownTime = time.Unix(0, 0).UTC()

// scoreTolerance is how far a recorded score may lie from the computed one.
const scoreTolerance = 1e-9

// resultsFormat reads the result files of the authors' evaluation code: an object from image_id to lists of answers
// with question, choices, ground_truth, model_answer, model_response, is_correct, is_cannot_answer, score and
// category. The rows come under protocol captionqa/upstream with evidence caption; captioner and prompt come from the
// options or the path <prompt>/<org_model>.json, the reader from the options.
//
// Outcome and score are computed again from model_answer, ground_truth and choices, and a row that contradicts itself
// is a fault. A score may be written in full or, as the authors' code does, rounded to four decimals; the row keeps
// it as written, because published averages are means of the rounded scores.
func resultsFormat() Format {
	return Format{
		Name:    "captionqa-results",
		What:    "CaptionQA result file as JSON {image_id: [{question, choices, ground_truth, model_answer, …}]}",
		Version: "1",
		Detect: func(_ Source, head []byte) bool {
			shape := shapeOf(head)
			return shape.value == kindArray && isResult(shape)
		},
		Unit: func(s Source, o Options) (string, error) {
			captioner, prompt, err := needCaptionedBy(s, o)
			if err != nil {
				return "", err
			}
			reader, err := readerID(s, o)
			return unitOf(s, captioner, prompt, reader), err
		},
		Load: loadResults,
	}
}

// isResult tells a result file from a bank, which has no answers of models.
func isResult(shape jsonShape) bool {
	return shape.keys["model_answer"] || shape.keys["model_response"] || shape.keys["ground_truth"]
}

// answerFile is what all answers of a file have in common.
type answerFile struct {
	job                       *Job
	captioner, prompt, reader string
	answers                   *data.RowWriter[data.Answer]
}

func newAnswerFile(j *Job, captioner, prompt string) (*answerFile, error) {
	reader, err := readerID(j.Source, j.Options)
	if err != nil {
		return nil, err
	}
	answers, err := data.NewRowWriter(j.Tx, data.Answers)
	return &answerFile{j, captioner, prompt, reader, answers}, err
}

// answer is the row of an answer to a question, without what the reply decides; offers says whether the cannot option was
// offered.
func (f *answerFile) answer(q data.Question, offers bool) data.Answer {
	return data.Answer{
		Protocol: captionqa.ProtocolUpstream, Reader: f.reader, Evidence: captionqa.EvidenceCaption,
		Captioner: f.captioner, Prompt: f.prompt, QuestionID: q.QuestionID, ImageID: q.ImageID, Domain: q.Domain,
		Category: q.Category, Subcategory: q.Subcategory, Options: int32(len(q.Options)),
		OffersCannot: offers, Provenance: data.ProvenanceOf(f.job.Tx.Unit().Provenance, f.captioner, f.reader),
	}
}

func loadResults(ctx context.Context, j *Job) error {
	captioner, prompt, err := needCaptionedBy(j.Source, j.Options)
	if err != nil {
		return err
	}
	f, err := newAnswerFile(j, captioner, prompt)
	if err != nil {
		return err
	}
	calls, err := data.NewRowWriter(j.Tx, data.Calls)
	if err != nil {
		return err
	}
	return eachImage(j, j.knownDomain(), unknownToBank, func(imageID, domain string, _ pos, value node) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		var ids captionqa.QuestionIDs
		return eachQuestion(j.Fault, imageID, value, func(q *questionFields) error {
			r := readResult(q)
			if !q.ok {
				return nil
			}
			key, ok := r.check(func(field, format string, args ...any) {
				if field == "answer" {
					field = "ground_truth"
				}
				q.report(q.place(field), format, args...)
			})
			if !ok {
				return nil
			}
			r.offered = captionqa.WithCannot(r.question, r.options)
			question := r.row(imageID, domain, key, "")
			question.QuestionID = ids.Next(imageID, r.question, r.options)
			row := f.answer(question, len(r.offered) > len(r.options))
			r.decide(q, key, &row)
			if !q.ok || domain == "" {
				return nil
			}
			row.RequestHash = data.Fingerprint("ingest", f.reader, captioner, prompt, row.QuestionID, strconv.Itoa(int(row.Repeat)))
			if err := f.answers.Write(row); err != nil {
				return err
			}
			return calls.Write(data.Call{
				RequestHash: row.RequestHash, Repeat: row.Repeat, Stage: "ingest", Protocol: row.Protocol, Model: f.reader,
				Subject: row.QuestionID, State: "ok", Text: r.response, Attempts: 1, Endpoint: j.Source.base(),
				FinishedAt: unknownTime, Provenance: row.Provenance,
			})
		})
	})
}

// A rawResult is an answer as a result file writes it.
type rawResult struct {
	rawQuestion
	chosen   *string  // text of the chosen option; nil when the reply named none
	response string   // raw reply
	offered  []string // options with the cannot option, where that was offered
	correct  bool
	cannot   bool
	score    float64
}

func readResult(q *questionFields) rawResult {
	r := rawResult{rawQuestion: rawQuestion{
		question: q.string("question"), options: q.options("choices"), answer: q.string("ground_truth"), category: q.category(),
	}}
	if n, ok := q.value.field("model_answer"); !ok || n.kind != kindNull {
		text := q.string("model_answer")
		r.chosen = &text
	}
	r.response = q.string("model_response")
	r.correct, r.cannot = q.truth("is_correct"), q.truth("is_cannot_answer")
	r.score = q.number("score")
	return r
}

func (q *questionFields) truth(key string) bool {
	n, _ := q.need(key, kindBool)
	return n.truth
}

func (q *questionFields) number(key string) float64 {
	n, ok := q.need(key, kindNumber)
	if !ok {
		return 0
	}
	value, err := strconv.ParseFloat(n.text, 64)
	if err != nil {
		q.report(n.at, "%q is %s, which is out of range: correct it", key, clip(n.text))
	}
	return value
}

// decide computes outcome and score from the chosen option, compares them with what the file records and fills the row.
// Where several options have the chosen text, the file's own record tells which of them it was.
func (r rawResult) decide(q *questionFields, key int, row *data.Answer) {
	choice, outcome := -1, captionqa.Unparsed
	if r.chosen != nil {
		for i, option := range r.offered {
			if option != *r.chosen {
				continue
			}
			found := captionqa.Decide(r.offered, i, key)
			if choice < 0 || r.correct == (found == captionqa.Correct) && r.correct != (outcome == captionqa.Correct) {
				choice, outcome = i, found
			}
		}
		if choice < 0 {
			q.report(q.place("model_answer"), "the model's answer %q is not one of the options offered: write one of them, or null for a reply that names none", clip(*r.chosen))
			return
		}
	}
	score := captionqa.Score(outcome, len(r.options))
	if want := outcome == captionqa.Correct; r.correct != want {
		q.report(q.place("is_correct"), "is_correct is %t, but model_answer, ground_truth and choices make it %t: correct the wrong one", r.correct, want)
	}
	if want := outcome == captionqa.Cannot; r.cannot != want {
		q.report(q.place("is_cannot_answer"), "is_cannot_answer is %t, but model_answer makes it %t: correct the wrong one", r.cannot, want)
	}
	if !sameScore(r.score, score) {
		q.report(q.place("score"), "score is %v, but an answer that is %s with %d options scores %v: correct the wrong one", r.score, outcome, len(r.options), captionqa.FileScore(score))
	}
	row.Outcome, row.Score = string(outcome), r.score
	if choice >= 0 && choice < len(r.options) {
		index := int32(choice)
		row.ChoiceIndex = &index
	}
}

// sameScore takes a score in full and as the authors' code rounds it.
func sameScore(recorded, computed float64) bool {
	return math.Abs(recorded-computed) <= scoreTolerance || math.Abs(recorded-captionqa.FileScore(computed)) <= scoreTolerance
}
