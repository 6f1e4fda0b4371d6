package stages

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/spelling"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
	"github.com/captionlake/captionlake/stages/llm"
)

// answerStage asks readers the questions of the bank. The evidence says whether they read every set
// of captions in the lake, see the pictures, or answer blind. Replies are read and scored as their
// protocol says.
var answerStage = engine.Stage{
	Name:    "answer",
	Help:    "ask the questions about captions, about pictures, or blind, and score the answers",
	Flags:   []string{"captioner", "prompt", "reader", "evidence", "protocol", "repeats", "pool"},
	Section: "answers",
	Asks: func(c *config.Config) ([]string, int) {
		models := c.Answers.Readers
		if slices.Contains(c.Answers.Evidence, captionqa.EvidenceImage) {
			models = slices.Concat(models, c.Captions.Captioners)
		}
		return models, captionqa.MaxTokens
	},
	Check: func(k *config.Check) {
		c := k.Config.Answers
		k.Served("answers.readers", "reader", c.Readers)
		k.Known("answers.evidence", "evidence", c.Evidence, captionqa.Evidences())
		k.One("answers.protocol", c.Protocol, captionqa.AskProtocols()...)
		k.Whole("answers.repeats", 1)
	},
	Units:        answerUnits,
	DependsOnRun: true,
}

// An answerUnit is the set of questions to one reader under one set of conditions (CaptionQA
// sections 3.1, 3.5 and 5).
type answerUnit struct {
	Protocol   string // one of captionqa.AskProtocols
	Reader     config.Model
	Evidence   string // one of captionqa.Evidences
	captionSet        // captions that are read; only with captionqa.EvidenceCaption
	Repeat     int    // number of the repetition, from 0
	Pool       string // digest of the question pool; empty asks every question
}

// A questionItem is a question of the bank with its evidence.
type questionItem struct {
	data.Question
	captionqa.Presentation
	caption  string
	digest   *string // of the caption; nil without one
	pictures []llm.Part
}

// answerUnits adds a unit for each evidence, reader, repetition and set of captions.
func answerUnits(s *engine.Scope) error {
	c := s.Config
	if len(s.Choice.Benchmarks) > 0 {
		return nil // The run is about annotated elements.
	}
	if s.Choice.Pool != 0 && s.Choice.Stage != "answer" {
		return data.Errorf("make them first, and then: captionlake run answer --pool",
			"a pool is drawn from the captions that the lake has")
	}
	needsReader := func(evidence string) bool { return evidence != captionqa.EvidenceImage }
	if len(c.Answers.Readers) == 0 && slices.ContainsFunc(c.Answers.Evidence, needsReader) {
		return nothing("no reader is named", "name one with --reader, or under answers")
	}
	sets, simulated, err := captionSets(s)
	if err != nil {
		return err
	}
	var known []string // captioners and prompts of the lake's captions
	for _, set := range sets {
		known = append(known, set.Captioner, set.Prompt)
	}
	chosen := s.Choice
	if chosen.Pool != 0 && len(chosen.Prompts) == 0 {
		chosen.Prompts = []string{poolPrompt}
	}
	sets = slices.DeleteFunc(sets, func(set captionSet) bool { return !chosen.Wants(set.Captioner, set.Prompt) })
	pool, digest, err := poolOf(s, chosen, sets)
	if err != nil {
		return err
	}
	for _, evidence := range c.Answers.Evidence {
		if s.Assumed && evidence != captionqa.EvidenceCaption {
			continue // This evidence does not wait for captions: the units without Assumed have it.
		}
		names := c.Answers.Readers
		if evidence == captionqa.EvidenceImage {
			names = c.Captions.Captioners // The utility gap compares a model with its own captions.
		}
		readers, err := c.ModelsOf(names)
		if hint := new(data.HintError); evidence == captionqa.EvidenceImage && errors.As(err, &hint) {
			err = data.WithHint(err, "%s; its pictures are left out with --evidence caption", hint.Hint)
		}
		if err != nil {
			return err
		}
		setsToRead, poolDigest := sets, digest
		if evidence != captionqa.EvidenceCaption {
			setsToRead, poolDigest = []captionSet{{}}, "" // Without captions there is one unit, and no pool.
		}
		for _, reader := range readers {
			for repeat := range c.Answers.Repeats {
				for _, set := range setsToRead {
					j := answerUnit{c.Answers.Protocol, reader, evidence, set, repeat, poolDigest}
					s.Add(j.unit(pool, simulated[set]))
				}
			}
		}
	}
	if s.Empty() {
		return noCaptions(s.Choice.Captioners, s.Choice.Prompts, known)
	}
	return nil
}

// noCaptions is the error of a lake without captions by the chosen captioners under the chosen
// prompts. known are the captioners and prompts of the lake's captions, to suggest a name for a
// misspelt one; nil for no suggestion.
func noCaptions(captioners, prompts, known []string) error {
	if len(captioners)+len(prompts) > 0 {
		const hint = "see which it has: captionlake sql \"select distinct captioner, prompt from captions\"; " +
			"make them with: captionlake run caption"
		return data.Errorf(spelling.Meant(hint, known, slices.Concat(captioners, prompts)...),
			"%w: the lake has no captions of %s", engine.ErrNothingToAsk,
			conditions(strings.Join(captioners, ", "), strings.Join(prompts, ", ")))
	}
	return data.Errorf("make them with: captionlake run caption, or load them with: captionlake ingest FILE",
		"%w: the lake has no captions", engine.ErrNothingToAsk)
}

func (j answerUnit) unit(pool map[string]captionSet, simulated bool) *engine.Unit[*questionItem] {
	u := &engine.Unit[*questionItem]{
		Conditions: engine.Conditions{
			Name:  conditions(j.Protocol, j.Reader.ID, j.Evidence, j.Captioner, j.Prompt, fmt.Sprintf("r%d", j.Repeat)),
			Model: j.Reader, Protocol: j.Protocol, Repeat: j.Repeat, Simulated: simulated,
			Source: "questions, " + map[string]string{captionqa.EvidenceCaption: "captions",
				captionqa.EvidenceImage: "images", captionqa.EvidenceNone: "no evidence"}[j.Evidence],
			Empty: "the lake has no questions that this evidence belongs to: " +
				"load a bank with captionlake ingest PATH",
			// The length that is assumed for a caption depends only on its prompt.
			CostClass: conditions(j.Reader.ID, j.Prompt),
		},
		Inputs: engine.Inputs{
			Settings: j,
			Reads:    []data.AnyTable{data.Questions, data.Captions, data.Images},
		},
		Items:   func(s *engine.Scope, each engine.Each[*questionItem]) error { return j.items(s, pool, each) },
		Request: j.request,
		Accept:  j.readable,
	}
	u.Rows = engine.Into("score", data.Answers, j.rows)
	// The protocol is in this name twice. Under another name, a lake that has this unit would get a
	// second unit with the same rows.
	u.Rows.Name = conditions(j.Protocol, u.Name)
	return u
}

// items gives the questions that have evidence, each with its evidence: image by image, and in the
// order of the bank within an image.
func (j answerUnit) items(s *engine.Scope, pool map[string]captionSet, each engine.Each[*questionItem]) error {
	evidence, err := j.evidence(s)
	if err != nil {
		return err
	}
	for row, err := range data.Query[data.Question](s.Lake,
		"select * exclude (unit) from questions order by image_id, ordinal, question_id") {
		if err != nil {
			return err
		}
		q, hasEvidence := evidence[row.ImageID]
		if !hasEvidence && j.Evidence != captionqa.EvidenceNone {
			continue
		}
		q.Question = row
		// The published rule gives a yes/no question no cannot option.
		if q.Presentation, err = captionqa.NewPresentation(row.Question, row.Options,
			!row.YesNo && captionqa.OffersCannot(j.Protocol, j.Evidence), row.OptionOrder, j.Evidence); err != nil {
			return data.Errorf("load the bank that the question came from again", "question %s: %w", row.QuestionID,
				err)
		}
		// Questions of an image share the system message and the caption. With a pool, a question is
		// asked only in the unit of the captions that it was drawn for.
		if err := each(&q, engine.Keys{Subject: q.QuestionID, Group: q.ImageID,
			Spared: j.Pool != "" && pool[q.QuestionID] != j.captionSet}); err != nil {
			return err
		}
	}
	return nil
}

// evidence loads the evidence of each image, by image_id: the captions of one captioner under one
// prompt, or the paths of the pictures. For blind questions the result is empty.
func (j answerUnit) evidence(s *engine.Scope) (map[string]questionItem, error) {
	evidence := map[string]questionItem{}
	switch {
	case s.Assumed:
		// Assume a caption for each image of the bank. If the lake has no pictures at all, the run
		// makes no captions.
		for q, err := range data.Query[data.Question](s.Lake,
			"select distinct image_id from questions where exists (from images where path <> '')") {
			if err != nil {
				return nil, err
			}
			evidence[q.ImageID] = questionItem{caption: assumedCaption(j.Prompt)}
		}
	case j.Evidence == captionqa.EvidenceCaption:
		for c, err := range data.Select(s.Lake, data.Captions,
			data.Where{"captioner": j.Captioner, "prompt": j.Prompt}) {
			if err != nil {
				return nil, err
			}
			evidence[c.ImageID] = questionItem{caption: c.Caption, digest: textDigest(c.Caption)}
		}
		if len(evidence) == 0 { // Captions may have been removed since the units were made.
			return nil, noCaptions([]string{j.Captioner}, []string{j.Prompt}, nil)
		}
	case j.Evidence == captionqa.EvidenceImage:
		items, err := depictions(s.Lake)
		for _, d := range items {
			evidence[d.id] = questionItem{pictures: d.pictures}
		}
		return evidence, err
	}
	return evidence, nil
}

// topLogprobs is the number of tokens that the probability protocol asks for: the most that vLLM
// gives by default.
const topLogprobs = 20

// request makes the request of a question. A reply that is cut off after MaxTokens tokens counts as
// whole (FirstTokens), because the protocol reads no more tokens.
func (j answerUnit) request(q *questionItem) (llm.Request, error) {
	system, user, err := q.Messages(q.caption)
	message := llm.User(user, q.pictures...)
	r := llm.Request{Messages: []llm.Message{llm.System(system), message}, Sampling: llm.Greedy(captionqa.MaxTokens),
		FirstTokens: true}
	switch j.Protocol {
	case captionqa.ProtocolConstrained:
		r.Choice = q.Letters()
	case captionqa.ProtocolProbabilities: // 1: this protocol reads the candidates of the first token only.
		r.Sampling.MaxTokens, r.Sampling.Logprobs, r.Sampling.TopLogprobs = 1, true, topLogprobs
	}
	return r, err
}

// readable returns an error if neither the protocol's parser nor the strict parser can read a
// reply.
func (j answerUnit) readable(q *questionItem, r llm.Reply) error {
	reading, err := q.Read(j.Protocol, r.Text, r.Logprobs, len(q.Options), int(q.AnswerIndex))
	if err != nil || reading.Outcome != captionqa.Unparsed {
		return err
	}
	if q.ReadStrict(r.Text, len(q.Options), int(q.AnswerIndex)).Outcome != captionqa.Unparsed {
		return nil
	}
	return fmt.Errorf("it names none of the %d options", len(q.Offered))
}

// rows reads and scores one reply (CaptionQA section 3.4). A failed call gives the outcome failed.
// Under the protocol upstream the row also has the result of the strict parser.
func (j answerUnit) rows(q *questionItem, o engine.Outcome) ([]data.Answer, error) {
	a := data.Answer{
		Protocol: j.Protocol, Reader: j.Reader.ID, Evidence: j.Evidence, Captioner: j.Captioner, Prompt: j.Prompt,
		QuestionID: q.QuestionID, Repeat: int32(j.Repeat), ImageID: q.ImageID,
		Domain: q.Domain, Category: q.Category, Subcategory: q.Subcategory,
		Options: int32(len(q.Options)), OffersCannot: len(q.Offered) > len(q.Options),
		RequestHash: o.RequestHash, Provenance: o.Provenance, CaptionDigest: q.digest,
	}
	if j.Evidence == captionqa.EvidenceImage {
		a.Captioner = j.Reader.ID // The model that saw the picture.
	}
	reading := captionqa.Reading{Outcome: captionqa.Failed}
	strict := reading
	if !o.Failed {
		var err error
		if reading, err = q.Read(j.Protocol, o.Text, o.Logprobs, len(q.Options), int(q.AnswerIndex)); err != nil {
			return nil, fmt.Errorf("question %s: %w", q.QuestionID, err)
		}
		strict = q.ReadStrict(o.Text, len(q.Options), int(q.AnswerIndex))
	}
	a.ChoiceIndex, a.Probabilities = reading.Choice, reading.Probabilities
	a.Outcome, a.Score = string(reading.Outcome), captionqa.Score(reading.Outcome, len(q.Options))
	if j.Protocol == captionqa.ProtocolUpstream {
		a.StrictOutcome, a.StrictChoiceIndex = new(string(strict.Outcome)), strict.Choice
	}
	return []data.Answer{a}, nil
}
