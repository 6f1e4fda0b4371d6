package shape

import (
	"cmp"
	"math"
	"strings"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/ingest/file"
)

// unknownTime is the time of all replies, because the files do not give it.
var unknownTime = time.Unix(0, 0).UTC()

// scoreTolerance is how far a recorded score may differ from the computed one: the authors' code
// rounds to four decimals.
const scoreTolerance = 5e-5 + 1e-9

// Answers are a model's answers to questions about captions, or, with the evidence image, about the
// pictures themselves. The default protocol is captionqa/upstream.
//
// model_answer is the text of the chosen option, or null if the reply named none. Under a protocol
// other than CaptionQA's, the reply in model_response may replace it: A is the first choice, B the
// second, because these protocols show the choices in the order of the file and have no cannot
// option. Outcome and score are computed. Everything else that a file records about an answer
// (is_correct, is_cannot_answer, score) must agree with them.
var Answers = &Shape{
	Name: "answers",
	What: "answers to questions with options; model_answer is the chosen option's text, or else model_response the reply",
	Columns: append(strings.Fields("image question answer choices model_answer model_response captioner prompt "+
		"reader evidence protocol is_correct is_cannot_answer score category subcategory domain hint questions"), letters...),
	Needs: 3,
	Reads: []data.AnyTable{data.Images, data.Questions},
	Unit: func(s file.Source, o Options) (string, error) {
		captioner, prompt := CaptionedBy(s, o)
		return UnitOf(s, modelID(captioner), prompt, modelID(o.Reader)), nil
	},
	Begin: func(j *Job) (Filler, error) {
		f := &answerFiller{naming: newNaming(j), ids: map[string]*captionqa.QuestionIDs{}}
		return Filler{Row: f.row}, nil
	},
}

// An answerFiller fills the tables answers and calls from answers.
type answerFiller struct {
	naming
	ids  map[string]*captionqa.QuestionIDs // question_ids given so far, by the conditions of the answers
	bank map[string][]data.Question        // questions of the lake by image, in bank order; nil until it is needed
}

// row writes the answers of a row.
func (f *answerFiller) row(r *Row) error {
	_, imageID := r.item()
	common, err := f.common(r)
	common.ImageID, common.Domain = imageID, f.domain(r, imageID, false)
	if err != nil || r.Faulty {
		return err
	}
	answered := map[string]bool{} // question_ids of the questions that the row gives by number
	for _, answer := range r.questions(imageID) {
		if answer.Has("question_idx") {
			err = f.writeNumbered(answer, common, answered)
		} else {
			err = f.write(answer, common)
		}
		if err != nil {
			return err
		}
	}
	if len(answered) > 0 {
		for range len(f.bank[imageID]) - len(answered) {
			f.Count("%d questions of the bank have no answer; lmms-eval skips questions without two options or a key")
		}
	}
	return nil
}

// common is the part that all answers of a row have in common, without the image.
func (f *answerFiller) common(r *Row) (row data.Answer, err error) {
	row.Protocol = cmp.Or(r.Text("protocol"), captionqa.ProtocolUpstream)
	row.Evidence = cmp.Or(r.Text("evidence"), captionqa.EvidenceCaption)
	reader := cmp.Or(r.Text("reader"), f.Options.Reader)
	switch row.Evidence {
	case captionqa.EvidenceImage: // The model that sees the picture also answers.
		reader = cmp.Or(r.Text("captioner"), f.captioner, reader)
		row.Captioner = modelID(reader)
	case captionqa.EvidenceCaption:
		if row.Captioner, row.Prompt, err = f.captionedBy(r); err != nil || r.Faulty {
			return row, err
		}
	case captionqa.EvidenceNone: // The reader got only the question, so there is no captioner.
	default:
		r.Fault("evidence", "the evidence is %q: write one of %q", row.Evidence, captionqa.Evidences())
	}
	if reader == "" { // There is no default: a row under another reader's name is a wrong result.
		return row, f.Source.Refuse(
			"name it with --reader, such as --reader qwen2.5-72b, the reader of the published scores",
			Unsaid+"which model answered the questions")
	}
	row.Reader, err = f.ModelID(reader)
	row.Provenance = data.ProvenanceOf(f.Tx.Unit().Provenance, row.Captioner, row.Reader)
	return row, err
}

// write writes an answer to the question in the same entry, and the reader's call. common has the
// values that all answers of the row share.
func (f *answerFiller) write(r *Row, common data.Answer) error {
	q, ok := readQuestion(r)
	if !ok {
		return nil
	}
	conditions := data.Fingerprint("ingest", common.Reader, common.Captioner, common.Prompt, common.Protocol,
		common.Evidence)
	if f.ids[conditions] == nil {
		f.ids[conditions] = &captionqa.QuestionIDs{}
	}
	// A question that is asked twice under the same conditions gets two ids.
	q.QuestionID = f.ids[conditions].Next(common.ImageID, q.Question, q.Options)
	q.ImageID, q.Domain = common.ImageID, common.Domain
	row := withQuestion(common, q.questionRow)
	offered := q.Options // the options that the reader was shown
	shuffled := strings.HasPrefix(row.Protocol, "captionqa/")
	if shuffled && captionqa.OffersCannot(row.Protocol, row.Evidence) {
		offered = captionqa.WithCannot(q.Question, q.Options)
	}
	row.OffersCannot = len(offered) > len(q.Options)
	choice, outcome := q.choice(r, offered, shuffled)
	if index := int32(choice); choice >= 0 && choice < len(q.Options) { // The cannot option has no index.
		row.ChoiceIndex = &index
	}
	if r.Faulty || row.Domain == "" { // Only the first row without a domain gets a fault.
		return nil
	}
	if decide(r, &row, outcome); r.Faulty {
		return nil
	}
	row.RequestHash = data.Fingerprint(conditions, row.QuestionID) // The real request is not known.
	if err := Write(f.Job, data.Answers, row); err != nil {
		return err
	}
	reply, _ := r.Field("model_response")
	return Write(f.Job, data.Calls, data.Call{
		RequestHash: row.RequestHash, Stage: "ingest", Protocol: row.Protocol, Model: row.Reader,
		Subject: row.QuestionID, State: "ok", Text: reply.Str(), Attempts: 1, Endpoint: f.Source.Base(),
		FinishedAt: unknownTime, Provenance: row.Provenance,
	})
}

// withQuestion completes an answer with the data of its question.
func withQuestion(row data.Answer, q data.Question) data.Answer {
	row.QuestionID, row.ImageID, row.Domain, row.Category, row.Subcategory = q.QuestionID, q.ImageID, q.Domain,
		q.Category, q.Subcategory
	row.Options = int32(len(q.Options))
	return row
}

// writeNumbered writes an answer to a question that the file identifies only by its number in the
// lake's bank. The file does not have the reply, so a reply that could not be read counts as a
// wrong answer. answered collects the question_ids of the row's questions.
func (f *answerFiller) writeNumbered(r *Row, common data.Answer, answered map[string]bool) error {
	if err := f.readBank(); err != nil {
		return err
	}
	imageID := common.ImageID
	questions, number := f.bank[imageID], r.Path("question_idx")
	index, isWhole := WholeNumber(number)
	correct, hasCorrect := r.Truth("is_correct")
	cannot, hasCannot := r.Truth("is_cannot_answer")
	switch {
	case r.Faulty:
		return nil
	case !hasCorrect || !hasCannot:
		r.Report(r.At, "the entry does not say is_correct and is_cannot_answer: log the samples again")
		return nil
	case len(questions) == 0:
		r.Report(r.At,
			"questions are named by their number only, and the lake has none about %q: load the bank first", imageID)
		return nil
	case !isWhole || index < 0 || index >= len(questions):
		r.Report(number.At,
			"question_idx is %s, but the bank has %d questions about %q, counted from 0: load the bank of the log",
			number.Text, len(questions), imageID)
		return nil
	}
	q, logged := questions[index], r.Path("category")
	category, subcategory, _ := captionqa.SplitCategory(logged.Text)
	switch {
	case answered[q.QuestionID]:
		r.Report(number.At, "question %d has an entry already: keep one of the two", index)
	case logged.Text != "" && (category != q.Category || subcategory != q.Subcategory):
		r.Report(logged.At,
			"the category is %q, but the bank's question %d about %q has %q: load the bank of the log",
			logged.Text, index, imageID, strings.TrimSuffix(q.Category+" - "+q.Subcategory, " - "))
	}
	row := withQuestion(common, q)
	row.OffersCannot = !captionqa.IsYesNo(q.Question, q.Options)
	outcome := captionqa.Incorrect
	if correct {
		outcome, row.ChoiceIndex = captionqa.Correct, &q.AnswerIndex
	} else if cannot {
		outcome = captionqa.Cannot
	}
	if cannot && !row.OffersCannot {
		r.Fault("is_cannot_answer",
			"the answer is cannot to a yes/no question, which offers no such option: load the bank of the log")
	}
	if decide(r, &row, outcome); r.Faulty {
		return nil
	}
	answered[q.QuestionID] = true
	return Write(f.Job, data.Answers, row)
}

// readBank reads the questions of the lake, once.
func (f *answerFiller) readBank() error {
	if f.bank != nil {
		return nil
	}
	f.bank = map[string][]data.Question{}
	const inOrder = "select * exclude (unit) from questions order by ordinal"
	for q, err := range data.Query[data.Question](f.Lake, inOrder) {
		if err != nil {
			return err
		}
		f.bank[q.ImageID] = append(f.bank[q.ImageID], q)
	}
	return nil
}

// decide sets outcome and score of an answer. If the file records them too, they must agree, except
// that a recorded score may be rounded.
func decide(r *Row, row *data.Answer, outcome captionqa.Outcome) {
	row.Outcome, row.Score = string(outcome), captionqa.Score(outcome, int(row.Options))
	for _, flag := range []struct {
		column string
		means  captionqa.Outcome
	}{{"is_correct", captionqa.Correct}, {"is_cannot_answer", captionqa.Cannot}} {
		if recorded, ok := r.Truth(flag.column); ok && recorded != (outcome == flag.means) {
			r.Fault(flag.column, "%s is %t, but the answer is %s: correct the wrong one", flag.column, recorded, outcome)
		}
	}
	if recorded, ok := r.Number("score"); ok && math.Abs(recorded-row.Score) > scoreTolerance {
		r.Fault("score", "score is %v, but an answer that is %s with %d options scores %v: correct the wrong one",
			recorded, outcome, row.Options, captionqa.FileScore(row.Score))
	}
}

// choice is the position of the chosen option among the offered ones, negative if the reply named
// none, and the outcome. Without model_answer it reads the reply, unless the reader saw the options
// shuffled, because then nobody knows which option a letter means. If several options have the text
// of model_answer, is_correct decides.
func (q rawQuestion) choice(r *Row, offered []string, shuffled bool) (choice int, outcome captionqa.Outcome) {
	answer, recorded := r.Field("model_answer")
	key := int(q.AnswerIndex)
	switch {
	case !recorded && !shuffled && r.Has("model_response"):
		reply := r.String("model_response")
		choice, ok := captionqa.ParseStrict(reply, offered)
		if !ok {
			choice, ok = captionqa.KeyIndex(offered, reply)
		}
		if !ok {
			return -1, captionqa.Unparsed
		}
		return choice, captionqa.Decide(offered, choice, key)
	case recorded && answer.Kind == file.Null:
		return -1, captionqa.Unparsed
	}
	chosen := r.String("model_answer")
	correct, isKnown := r.Truth("is_correct")
	agrees := func(o captionqa.Outcome) bool { return isKnown && correct == (o == captionqa.Correct) }
	choice = -1
	for i, option := range offered {
		if option != chosen {
			continue
		}
		if found := captionqa.Decide(offered, i, key); choice < 0 || agrees(found) && !agrees(outcome) {
			choice, outcome = i, found
		}
	}
	if choice < 0 && !r.Faulty {
		r.Fault("model_answer",
			"the model's answer %q is not one of the options: write one of them, or null for a reply without an option",
			chosen)
	}
	return choice, outcome
}
