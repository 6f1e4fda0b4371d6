package stages

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
	"github.com/captionlake/captionlake/stages/llm"
)

// answerStage asks readers the questions of the bank: about every set of captions that the lake holds, about the pictures,
// and blind, as the evidence says. Its replies are read and scored under every protocol that reads them.
var answerStage = engine.Stage{
	Name:     "answer",
	Help:     "ask the questions about captions, about pictures, or blind, and score the answers",
	Flags:    []string{"captioner", "prompt", "reader", "evidence", "protocol", "repeats", "pool"},
	Section:  "answers",
	Units:    answerUnits,
	Forecast: answerForecast,
}

// A reading is what one reader is asked under one set of conditions (CaptionQA sections 3.1, 3.5 and 5).
type reading struct {
	Protocol  string // one of captionqa.AskProtocols
	Reader    config.Model
	Evidence  string // one of captionqa.Evidences
	Captioner string // model_id whose captions are read; only with captionqa.EvidenceCaption
	Prompt    string // prompt of these captions; only with captionqa.EvidenceCaption
	Repeat    int    // number of the repetition, from 0
	Pool      string // digest of the question pool; empty asks every question
}

func (j reading) name() string {
	return conditions(j.Protocol, j.Reader.ID, j.Evidence, j.Captioner, j.Prompt, fmt.Sprintf("r%d", j.Repeat))
}

// A posed is a question of the bank with what the reader gets to answer it.
type posed struct {
	data.Question
	captionqa.Presentation
	caption  string
	pictures []llm.Part
}

func answerUnits(s *engine.Scope) ([]engine.AnyUnit, error) {
	c := s.Config
	if len(s.Choice.Benchmarks) > 0 {
		return nil, nil // A run about annotated elements.
	}
	if s.Choice.Pool != 0 && s.Choice.Stage != "answer" {
		return nil, data.WithHint(errors.New("a pool is drawn from the captions that the lake has"), "make them first, and then: captionlake run answer --pool")
	}
	blindOrCaption := func(e string) bool { return e != captionqa.EvidenceImage }
	if len(c.Answers.Readers) == 0 && slices.ContainsFunc(c.Answers.Evidence, blindOrCaption) {
		return nil, data.WithHint(fmt.Errorf("%w: no reader is named", engine.ErrNothingToAsk), "name one with --reader, or under answers in %s", config.File)
	}
	sets, simulated, err := captionSets(s.Lake)
	if err != nil {
		return nil, err
	}
	chosen := s.Choice
	if chosen.Pool != 0 && len(chosen.Prompts) == 0 {
		chosen.Prompts = []string{poolPrompt}
	}
	sets = slices.DeleteFunc(sets, func(set captionSet) bool { return !chosen.Wants(set.Captioner, set.Prompt) })
	var pool *questionPool
	if chosen.Pool != 0 {
		if len(sets) == 0 && slices.Contains(c.Answers.Evidence, captionqa.EvidenceCaption) {
			return nil, data.WithHint(fmt.Errorf("the lake has no captions of the prompt %s to draw a pool from", strings.Join(chosen.Prompts, ", ")),
				"name the prompts of the pool with --prompt, here and, with --pool-prompt, for analyze")
		}
		if pool, err = drawPool(s.Lake, s.Choice.Pool, sets); err != nil {
			return nil, err
		}
	}
	var units []engine.AnyUnit
	for _, evidence := range c.Answers.Evidence {
		readers := c.Answers.Readers
		if evidence == captionqa.EvidenceImage {
			readers = c.Captions.Captioners // The utility gap compares a model with its own captions.
		}
		for _, name := range readers {
			reader, err := c.Model(name)
			if err != nil {
				return nil, err
			}
			for repeat := range c.Answers.Repeats {
				j := reading{Protocol: c.Answers.Protocol, Reader: reader, Evidence: evidence, Repeat: repeat}
				if evidence != captionqa.EvidenceCaption {
					units = append(units, j.unit(nil, false))
					continue
				}
				for _, set := range sets {
					j.Captioner, j.Prompt = set.Captioner, set.Prompt
					units = append(units, j.unit(pool, simulated[set]))
				}
			}
		}
	}
	if len(units) == 0 {
		return nil, noCaptions(s.Choice.Captioners, s.Choice.Prompts)
	}
	return units, nil
}

// noCaptions says that the lake has no captions to ask about.
func noCaptions(captioners, prompts []string) error {
	if len(captioners)+len(prompts) > 0 {
		return data.WithHint(fmt.Errorf("%w: the lake has no captions of %s", engine.ErrNothingToAsk, conditions(strings.Join(captioners, ", "), strings.Join(prompts, ", "))),
			"see which it has: captionlake sql \"select distinct captioner, prompt from captions\"; make them with: captionlake run caption")
	}
	return data.WithHint(fmt.Errorf("%w: the lake has no captions", engine.ErrNothingToAsk), "make them with: captionlake run caption, or load them with: captionlake ingest FILE")
}

func (j reading) unit(pool *questionPool, simulated bool) *engine.Unit[*posed] {
	set := captionSet{j.Captioner, j.Prompt}
	j.Pool = pool.digest()
	u := &engine.Unit[*posed]{
		Name: j.name(), Model: j.Reader, Protocol: j.Protocol, Repeat: j.Repeat, Simulated: simulated, Settings: j,
		Source:  "questions, " + map[string]string{captionqa.EvidenceCaption: "captions", captionqa.EvidenceImage: "images", captionqa.EvidenceNone: "no evidence"}[j.Evidence],
		Idle:    "the lake has no questions that this evidence belongs to: load a bank with captionlake ingest PATH",
		Reads:   []data.AnyTable{data.Questions, data.Captions, data.Images},
		Marks:   []data.AnyTable{data.Questions}, // A corrected key changes scores and no request.
		Items:   func(s *engine.Scope) iter.Seq2[*posed, error] { return j.items(s.Lake) },
		Count:   func(s *engine.Scope) (int, error) { return j.count(s.Lake) },
		Subject: func(q *posed) string { return q.QuestionID },
		Group:   func(q *posed) string { return q.ImageID }, // They share the system message and the caption.
		Asked:   func(q *posed) bool { return pool.has(q.QuestionID, set) },
		Request: j.request,
	}
	for _, protocol := range captionqa.ReadingProtocols(j.Protocol) {
		rows := engine.Into(data.Answers, func(q *posed, o engine.Outcome) ([]data.Answer, error) { return j.rows(q, o, protocol) })
		u.Results = append(u.Results, engine.Result[*posed]{
			Stage: "score", Name: conditions(protocol, u.Name), Protocol: protocol, Tables: []engine.Rows[*posed]{rows},
		})
	}
	return u
}

// items streams the questions for which there is evidence, each with it.
func (j reading) items(l *data.Lake) iter.Seq2[*posed, error] {
	return func(yield func(*posed, error) bool) {
		evidence, err := j.evidence(l)
		if err != nil {
			yield(nil, err)
			return
		}
		for q, err := range j.pose(bank(l), evidence) {
			if !yield(q, err) {
				return
			}
		}
	}
}

// pose gives questions their evidence, by image_id. Those without any are left out, unless the reader is asked blind.
func (j reading) pose(questions iter.Seq2[data.Question, error], evidence map[string]posed) iter.Seq2[*posed, error] {
	return func(yield func(*posed, error) bool) {
		for row, err := range questions {
			q, ok := evidence[row.ImageID]
			if err == nil && !ok && j.Evidence != captionqa.EvidenceNone {
				continue
			}
			if q.Question = row; err == nil {
				q.Presentation, err = captionqa.NewPresentation(row.Question, row.Options, row.YesNo, row.OptionOrder, j.Evidence)
				if err != nil {
					err = data.WithHint(fmt.Errorf("question %s: %w", row.QuestionID, err), "load the bank that the question came from again")
				}
			}
			if !yield(&q, err) || err != nil {
				return
			}
		}
	}
}

// evidence loads what the reader reads or sees, by image_id: the captions of one captioner under one prompt, or the places
// of the pictures. Its size does not depend on the number of questions.
func (j reading) evidence(l *data.Lake) (map[string]posed, error) {
	evidence := map[string]posed{}
	switch j.Evidence {
	case captionqa.EvidenceCaption:
		for c, err := range data.Select(l, data.Captions, data.Where{"captioner": j.Captioner, "prompt": j.Prompt}) {
			if err != nil {
				return nil, err
			}
			evidence[c.ImageID] = posed{caption: c.Caption}
		}
		if len(evidence) == 0 {
			return nil, noCaptions([]string{j.Captioner}, []string{j.Prompt})
		}
	case captionqa.EvidenceImage:
		for d, err := range depictions(l) {
			if err != nil {
				return nil, err
			}
			evidence[d.id] = posed{pictures: d.pictures}
		}
	}
	return evidence, nil
}

// count is the number of questions for which there is evidence.
func (j reading) count(l *data.Lake) (n int, err error) {
	evidence, err := j.evidence(l)
	if err != nil {
		return 0, err
	}
	type place struct {
		ImageID string `parquet:"image_id"`
	}
	for q, err := range data.Project[place](l, data.Questions, nil) {
		if err != nil {
			return 0, err
		}
		if _, ok := evidence[q.ImageID]; ok || j.Evidence == captionqa.EvidenceNone {
			n++
		}
	}
	return n, nil
}

// topLogprobs is how many tokens the probability protocol asks for: the most that vLLM gives by default.
const topLogprobs = 20

func (j reading) request(q *posed) (engine.Request, error) {
	system, user, err := q.Messages(q.caption)
	if err != nil {
		return engine.Request{}, err
	}
	parts := append(q.pictures[:len(q.pictures):len(q.pictures)], llm.Text(user))
	r := llm.Request{Messages: []llm.Message{llm.System(system), llm.User(parts...)}, Sampling: llm.Greedy(captionqa.MaxTokens), FirstTokens: true}
	switch j.Protocol {
	case captionqa.ProtocolConstrained:
		r.Choice = q.Letters()
	case captionqa.ProtocolProbabilities:
		r.Sampling.MaxTokens, r.Sampling.Logprobs, r.Sampling.TopLogprobs = 1, true, topLogprobs
	}
	return engine.Chat(r), nil
}

// rows reads and scores one reply under a protocol (CaptionQA section 3.4). A failed call gives the outcome failed.
func (j reading) rows(q *posed, o engine.Outcome, protocol string) ([]data.Answer, error) {
	a := data.Answer{
		Protocol: protocol, Reader: j.Reader.ID, Evidence: j.Evidence, Captioner: j.Captioner, Prompt: j.Prompt, QuestionID: q.QuestionID,
		Repeat: int32(j.Repeat), ImageID: q.ImageID, Domain: q.Domain, Category: q.Category, Subcategory: q.Subcategory,
		Options: int32(len(q.Options)), OffersCannot: len(q.Offered) > len(q.Options), RequestHash: o.RequestHash, Provenance: o.Provenance,
	}
	if j.Evidence == captionqa.EvidenceImage {
		a.Captioner = j.Reader.ID // The model that looked.
	}
	if j.Evidence == captionqa.EvidenceCaption {
		a.CaptionDigest = textDigest(q.caption)
	}
	outcome := captionqa.Failed
	if !o.Failed {
		said, err := q.Read(protocol, o.Text, o.Logprobs, len(q.Options), int(q.AnswerIndex))
		if err != nil {
			return nil, fmt.Errorf("question %s: %w", q.QuestionID, err)
		}
		outcome, a.Probabilities = said.Outcome, said.Probabilities
		if said.Choice >= 0 {
			index := int32(said.Choice)
			a.ChoiceIndex = &index
		}
	}
	a.Outcome, a.Score = string(outcome), captionqa.Score(outcome, len(q.Options))
	return []data.Answer{a}, nil
}

// answerForecast plans the questions about captions that the run has yet to make: every reader on every captioner and
// prompt of the configuration of which the lake has no caption. A text of the length that such captions are assumed to
// have takes the place of each.
func answerForecast(s *engine.Scope) ([]engine.AnyUnit, error) {
	c := s.Config
	if s.Choice.Stage != "" || len(s.Choice.Benchmarks) > 0 || !slices.Contains(c.Answers.Evidence, captionqa.EvidenceCaption) {
		return nil, nil
	}
	_, have, err := captionSets(s.Lake)
	if err != nil {
		return nil, err
	}
	var units []engine.AnyUnit
	for _, name := range c.Answers.Readers {
		reader, err := c.Model(name)
		if err != nil {
			return nil, err
		}
		for _, captioner := range c.Captions.Captioners {
			model, err := c.Model(captioner)
			if err != nil {
				return nil, err
			}
			for _, prompt := range c.Captions.Prompts {
				if _, made := have[captionSet{model.ID, prompt}]; made {
					continue
				}
				for repeat := range c.Answers.Repeats {
					j := reading{
						Protocol: c.Answers.Protocol, Reader: reader, Evidence: captionqa.EvidenceCaption, Captioner: model.ID, Prompt: prompt, Repeat: repeat,
					}
					u := j.unit(nil, false)
					u.Shape, u.Reads = conditions(reader.ID, prompt), nil
					u.Items = func(s *engine.Scope) iter.Seq2[*posed, error] { return j.assumed(s.Lake) }
					units = append(units, u)
				}
			}
		}
	}
	return units, nil
}

// assumed streams the whole bank with assumed captions, if the lake has a picture to caption.
func (j reading) assumed(l *data.Lake) iter.Seq2[*posed, error] {
	return func(yield func(*posed, error) bool) {
		for _, err := range depictions(l) {
			evidence := map[string]posed{}
			caption := strings.Repeat("word", captionqa.AssumedTokens(j.Prompt))
			for row, err := range bank(l) {
				if _, known := evidence[row.ImageID]; !known && err == nil {
					evidence[row.ImageID] = posed{caption: caption}
				}
			}
			for q, err := range j.pose(bank(l), evidence) {
				if !yield(q, err) {
					return
				}
			}
			if err != nil {
				yield(nil, err)
			}
			return
		}
	}
}
