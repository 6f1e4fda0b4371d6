package stages

import (
	"errors"
	"fmt"
	"slices"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/data/text"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
	"github.com/captionlake/captionlake/stages/llm"
)

// askStage turns annotated elements into questions and asks captioners these questions, for
// know-but-cannot-tell (CAPability section 3.2). Judges decide whether open answers are right.
var askStage = engine.Stage{
	Name: "ask",
	Help: "ask captioners the question forms of annotations, and judges about the open answers, " +
		"for know-but-cannot-tell",
	Flags:   []string{"captioner", "judge", "benchmark", "repeats"},
	Section: "judges",
	Asks: func(c *config.Config) ([]string, int) {
		return slices.Concat(c.Captions.Captioners, c.Judges.Models), max(openAnswerTokens, c.Judges.MaxTokens)
	},
	Named:        true,
	Units:        askUnits,
	DependsOnRun: true,
}

// questionSeed draws the wrong options. It is fixed, since another draw would give other questions.
const questionSeed = 0

// openAnswerTokens is the largest length of an open answer.
const openAnswerTokens = 256

// An askUnit is the set of questions to one model about the media files of a benchmark.
type askUnit struct {
	Benchmark string
	Model     config.Model
	Repeat    int
}

// An elementQuestion is an element with its media file and its question.
type elementQuestion struct {
	elementItem
	question rubric.Question
}

// askUnits adds the questions to each captioner about the media files of a benchmark, and then the
// judgments of its open answers. With Assumed it adds only the judgments, because only they depend
// on answers that do not exist yet.
func askUnits(s *engine.Scope) error {
	jc := s.Config.Judges
	judges, err := judgesOf(s, "open answers need a judge, and none is configured")
	if err != nil {
		return err
	}
	captioners, err := captionersOf(s)
	if err != nil {
		return err
	}
	prompts, err := judgePrompts(jc.Templates)
	if err != nil {
		return err
	}
	for _, benchmark := range jc.Benchmarks {
		for _, model := range captioners {
			for repeat := range jc.Repeats {
				j := askUnit{benchmark, model, repeat}
				questions := j.unit()
				if !s.Assumed {
					s.Add(questions)
				}
				for _, judge := range judges {
					s.Add(openAnswerUnit{j, judge, judgeSampling(jc.Temperature, jc.MaxTokens, repeat),
						prompts.Digest(), prompts}.unit(questions, jc.Attempts))
				}
			}
		}
	}
	return nil
}

func (j askUnit) unit() *engine.Unit[elementQuestion] {
	return &engine.Unit[elementQuestion]{
		Conditions: engine.Conditions{
			Name:  conditions(j.Benchmark, j.Model.ID, fmt.Sprintf("r%d", j.Repeat)),
			Model: j.Model, Protocol: j.Benchmark + "/questions", Source: "annotations, media", Repeat: j.Repeat,
		},
		Inputs: engine.Inputs{Settings: j}, // Reads stays nil, because the unit also depends on media files.
		Items: func(s *engine.Scope, each engine.Each[elementQuestion]) error {
			return withMedia(s, j.Benchmark, func(a elementItem) error {
				question := a.dimension.Question(a.element(), j.Benchmark, a.row.SampleID, questionSeed)
				return each(elementQuestion{a, question}, a.keys())
			})
		},
		Request: j.request,
		Accept:  func(a elementQuestion, r llm.Reply) error { return a.readable(r.Text) },
		Rows:    engine.Into("element_answers", data.ElementAnswers, j.rows),
	}
}

// request makes the request of one question.
func (j askUnit) request(a elementQuestion) (r llm.Request, err error) {
	prompt, maxTokens := "Question:\n"+a.question.Text+"\n\nAnswer:", openAnswerTokens
	if !a.question.Open() {
		// The caption is empty, because the model sees the media file.
		prompt, err = captionqa.UserPrompt("", a.question.Text, a.question.Options)
		prompt, maxTokens = captionqa.WithoutCaption(prompt), captionqa.MaxTokens
	}
	instruction := a.question.Instruction(a.dimension.Media)
	return llm.Request{
		Messages: []llm.Message{llm.System(instruction), llm.User(prompt, a.media...)},
		Sampling: llm.Greedy(maxTokens), FirstTokens: !a.question.Open(),
	}, err
}

// readable returns an error if a reply does not answer the question.
func (a elementQuestion) readable(reply string) error {
	if _, namesOption := captionqa.ParseStrict(reply, a.question.Options); !namesOption && !a.question.Open() {
		return fmt.Errorf("it names none of the %d options", len(a.question.Options))
	}
	if text.Answer(reply) == "" {
		return errors.New("it is empty")
	}
	return nil
}

// row is the row of one question before its result is known, with the outcome failed.
func (j askUnit) row(a elementQuestion, o engine.Outcome) data.ElementAnswer {
	return data.ElementAnswer{
		Benchmark: j.Benchmark, Model: j.Model.ID, Repeat: int32(j.Repeat), SampleID: a.row.SampleID,
		Element: a.row.Element, Dimension: a.row.Dimension,
		Outcome: string(captionqa.Failed), RequestHash: o.RequestHash, Provenance: o.Provenance,
		ValueDigest: textDigest(a.row.Value),
	}
}

// rows gives the row of a multiple-choice question. The rows of open questions come from judges, as
// openAnswerUnit makes them.
func (j askUnit) rows(a elementQuestion, o engine.Outcome) ([]data.ElementAnswer, error) {
	if a.question.Open() {
		return nil, nil
	}
	row := j.row(a, o)
	if !o.Failed {
		row.Outcome = string(captionqa.Unparsed)
		if position, ok := captionqa.ParseStrict(o.Text, a.question.Options); ok {
			row.Answer, row.Outcome = a.question.Options[position], string(captionqa.Incorrect)
			if position == a.question.Answer {
				row.Outcome = string(captionqa.Correct)
			}
		}
	}
	return []data.ElementAnswer{row}, nil
}

// An openAnswerUnit is the set of requests to one judge about the open answers to an askUnit.
type openAnswerUnit struct {
	askUnit
	Judge     config.Model
	Sampling  llm.Sampling
	Templates string // digest of the templates

	prompts *rubric.JudgePrompts
}

// An openAnswer is an open question with the model's reply.
type openAnswer struct {
	elementQuestion
	outcome engine.Outcome
}

// text is the answer, without the model's reasoning.
func (a openAnswer) text() string { return text.Answer(a.outcome.Text) }

func (j openAnswerUnit) unit(questions *engine.Unit[elementQuestion], attempts int) *engine.Unit[openAnswer] {
	return &engine.Unit[openAnswer]{
		Conditions: engine.Conditions{
			Name:  conditions(j.Benchmark, j.Model.ID, j.Judge.ID, fmt.Sprintf("r%d", j.Repeat)),
			Model: j.Judge, Protocol: j.Benchmark + "/judge-answer", Source: "calls, annotations",
			Simulated: j.Model.Simulated(), Repeat: j.Repeat, Attempts: attempts,
		},
		Inputs: engine.Inputs{Settings: j}, // Reads stays nil, because the unit also depends on media files.
		Items: func(s *engine.Scope, each engine.Each[openAnswer]) error {
			return engine.Outcomes(s, questions, func(a elementQuestion, o engine.Outcome) error {
				if !a.question.Open() {
					return nil
				}
				if s.Assumed { // There is no reply yet, so assume a short one.
					o = engine.Outcome{Reply: llm.Reply{Text: "a short phrase of a few words"}}
				}
				return each(openAnswer{a, o}, a.keys())
			})
		},
		Request: func(a openAnswer) (llm.Request, error) {
			if a.outcome.Failed {
				return llm.Request{}, nil // There is nothing to judge.
			}
			return judgeRequest(j.prompts.Answer(a.element(), a.question.Text, a.text()), j.Sampling), nil
		},
		Accept: func(a openAnswer, r llm.Reply) error { return readable(a.elementItem, r) },
		Rows:   engine.Into("element_answers", data.ElementAnswers, j.rows),
	}
}

// rows gives the row of an open question. The row starts with the outcome failed, and keeps it if
// the model's call or the judge's call failed. Then the row has the hash of the failed call.
func (j openAnswerUnit) rows(a openAnswer, o engine.Outcome) ([]data.ElementAnswer, error) {
	row := j.row(a.elementQuestion, o)
	row.Judge = j.Judge.ID
	if a.outcome.Failed {
		row.RequestHash = a.outcome.RequestHash
		return []data.ElementAnswer{row}, nil
	}
	row.Answer = a.text()
	if !o.Failed {
		reply, _ := a.dimension.ReadReply(a.element(), o.Text) // An unreadable reply has the verdict unparsed.
		switch reply.Verdict {
		case rubric.Positive:
			row.Outcome = string(captionqa.Correct)
		case rubric.Unparsed:
			row.Outcome = string(captionqa.Unparsed)
		default: // The answer is wrong (negative), or does not say what was asked (miss).
			row.Outcome = string(captionqa.Incorrect)
		}
	}
	return []data.ElementAnswer{row}, nil
}
