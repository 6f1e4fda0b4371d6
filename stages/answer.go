package stages

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/llm"
)

// AnswerStage is the name of the stage that asks readers.
const AnswerStage = "answer"

// An AnswerJob is what one reader is asked under one set of conditions (CaptionQA sections 3.1, 3.5 and 5).
type AnswerJob struct {
	Protocol  string // one of AskProtocols
	Reader    ModelName
	Evidence  string // EvidenceCaption, EvidenceImage or EvidenceNone
	Captioner string // model_id whose captions are read; only with EvidenceCaption
	Prompt    string // prompt of these captions; only with EvidenceCaption
	Repeat    int    // number of the repetition, from 0

	pool *pool // what to ask; nil is every question
	all  bool  // plan the questions outside the pool, too, for the replies that are recorded
}

// Check reports conditions that do not go together.
func (j AnswerJob) Check() error {
	switch j.Evidence {
	case EvidenceCaption:
		if j.Captioner == "" || j.Prompt == "" {
			return fmt.Errorf("evidence %s needs a captioner and a prompt", j.Evidence)
		}
	case EvidenceImage, EvidenceNone:
		if j.Captioner != "" || j.Prompt != "" {
			return fmt.Errorf("evidence %s goes without captioner and prompt", j.Evidence)
		}
	default:
		return data.WithHint(fmt.Errorf("there is no evidence %q", j.Evidence), "choose caption, image or none")
	}
	return nil
}

func (j AnswerJob) unit() string {
	return conditions(j.Protocol, j.Reader.ID, j.Evidence, j.Captioner, j.Prompt, fmt.Sprintf("r%d", j.Repeat))
}

// evidenceOf is what the reader gets for the questions of one item.
type evidenceOf struct {
	caption   string
	pictures  []llm.Part
	simulated bool
}

// AnswerWork plans the questions of every item for which the evidence is at hand: those of one item together and in
// bank order, because they share the system message and the caption.
func AnswerWork(l *data.Lake, j AnswerJob) (Work, error) {
	if err := j.Check(); err != nil {
		return Work{}, err
	}
	if _, err := questionRequest(j.Protocol, j.Reader, j.Repeat, nil, 0); err != nil {
		return Work{}, err
	}
	evidence, err := evidenceFor(l, j)
	if err != nil {
		return Work{}, err
	}
	simulated := j.Reader.Simulated()
	for _, e := range evidence {
		simulated = simulated || e.simulated
	}
	w := Work{
		Stage: AnswerStage, Name: j.unit(), Model: j.Reader.ID, Protocol: j.Protocol,
		Source:     "questions, " + map[string]string{EvidenceCaption: "captions", EvidenceImage: "images", EvidenceNone: "no evidence"}[j.Evidence],
		Provenance: provenance(simulated),
	}
	w.Groups = func() iter.Seq2[Group, error] {
		return func(yield func(Group, error) bool) {
			for questions, err := range j.questions(l, evidence) {
				if err != nil {
					yield(Group{}, err)
					return
				}
				group := Group{Affinity: questions[0].ImageID + "\x00" + j.unit()}
				for i := range questions {
					outside := !j.pool.has(questions[i].QuestionID, captionSet{j.Captioner, j.Prompt})
					if outside && !j.all {
						continue
					}
					request, err := j.request(&questions[i], evidence[questions[0].ImageID])
					if err != nil {
						yield(Group{}, err)
						return
					}
					group.Tasks = append(group.Tasks, Task{Request: request, Subject: questions[i].QuestionID, Extra: outside})
				}
				if len(group.Tasks) > 0 && !yield(group, nil) {
					return
				}
			}
		}
	}
	return w, nil
}

// questions streams the questions to ask, item by item.
func (j AnswerJob) questions(l *data.Lake, evidence map[string]evidenceOf) iter.Seq2[[]data.Question, error] {
	return func(yield func([]data.Question, error) bool) {
		for questions, err := range questionsByItem(l) {
			if err == nil && j.Evidence != EvidenceNone {
				if _, ok := evidence[questions[0].ImageID]; !ok {
					continue
				}
			}
			if !yield(questions, err) {
				return
			}
		}
	}
}

func (j AnswerJob) request(q *data.Question, e evidenceOf) (llm.Request, error) {
	messages, presented, err := questionMessages(q, j.Evidence, e.caption, e.pictures)
	if err != nil {
		return llm.Request{}, err
	}
	return questionRequest(j.Protocol, j.Reader, j.Repeat, messages, presented)
}

// evidenceFor loads what the reader reads or sees, by image_id: the captions of one captioner under one prompt, or the
// places of the pictures. Its size does not depend on the number of questions.
func evidenceFor(l *data.Lake, j AnswerJob) (map[string]evidenceOf, error) {
	evidence := map[string]evidenceOf{}
	switch j.Evidence {
	case EvidenceCaption:
		for c, err := range data.Select(l, data.Captions, data.Where{"captioner": j.Captioner, "prompt": j.Prompt}) {
			if err != nil {
				return nil, err
			}
			evidence[c.ImageID] = evidenceOf{caption: c.Caption, simulated: c.Provenance == data.ProvenanceSimulated}
		}
		if len(evidence) == 0 {
			return nil, data.WithHint(fmt.Errorf("the lake has no captions of %s under the prompt %s", j.Captioner, j.Prompt),
				"make them with: captionlake run caption --captioner NAME --prompt %s, or load them with: captionlake ingest FILE", j.Prompt)
		}
	case EvidenceImage:
		for it, err := range items(l) {
			if err != nil {
				return nil, err
			}
			if len(it.pictures) > 0 {
				evidence[it.id] = evidenceOf{pictures: it.pictures}
			}
		}
	}
	return evidence, nil
}

// questionsByItem streams the bank item by item, the questions of an item in bank order.
func questionsByItem(l *data.Lake) iter.Seq2[[]data.Question, error] {
	return func(yield func([]data.Question, error) bool) {
		var group []data.Question
		flush := func() bool {
			slices.SortFunc(group, func(a, b data.Question) int { return cmp.Compare(a.Ordinal, b.Ordinal) })
			return len(group) == 0 || yield(group, nil)
		}
		// A question_id begins with its image_id and a slash, so the questions of an item stand together.
		for q, err := range data.Select(l, data.Questions, nil) {
			if err != nil {
				yield(nil, err)
				return
			}
			if len(group) > 0 && group[0].ImageID != q.ImageID {
				if !flush() {
					return
				}
				group = nil
			}
			group = append(group, q)
		}
		flush()
	}
}
