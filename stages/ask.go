package stages

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/stages/llm"
)

// AskStage is the name of the stage that puts annotations as questions to captioners, for know-but-cannot-tell
// (CAPability section 3.2).
const AskStage = "ask"

// questionSeed draws the distractors. It is fixed: another draw would be another set of questions.
const questionSeed = 0

// openAnswerTokens is the largest length of an open answer.
const openAnswerTokens = 256

// An AskJob is the questions that one model is asked about the media files of a benchmark.
type AskJob struct {
	Benchmark string
	Model     ModelName
	Repeat    int
	Media     MediaConfig
}

func (j AskJob) unit() string {
	return conditions(j.Benchmark, j.Model.ID, fmt.Sprintf("r%d", j.Repeat))
}

func (j AskJob) protocol() string { return j.Benchmark + "/questions" }

// asked is an element with its question.
type asked struct {
	annotated
	question elementQuestion
}

// plan is the inquiry of a job, and the elements that it asks about: those of which the media folder has the file.
func (j AskJob) plan(l *data.Lake) (*inquiry, []asked, error) {
	files, err := newMedia(l, j.Media)
	if err != nil {
		return nil, nil, err
	}
	elements, err := annotations(l, j.Benchmark)
	if err != nil {
		return nil, nil, err
	}
	if elements, err = atHand(files, elements); err != nil {
		return nil, nil, err
	}
	things := make([]asked, len(elements))
	for i, a := range elements {
		things[i] = asked{a, questionOf(a, questionSeed)}
	}
	return &inquiry{
		work: Work{
			Stage: AskStage, Name: j.unit(), Model: j.Model.ID, Protocol: j.protocol(), Source: "annotations, media",
			Provenance: provenance(j.Model.Simulated()),
		},
		n: len(things), attempts: 1,
		affinity: func(i int) string { return things[i].row.SampleID },
		subject:  func(i int) string { return things[i].row.SampleID + "/" + things[i].row.Dimension },
		request: func(i int) (llm.Request, error) {
			parts, err := files.of(things[i].row)
			if err != nil {
				return llm.Request{}, err
			}
			messages, tokens, err := askMessages(things[i], parts)
			return llm.Request{
				Model: j.Model.Served, Messages: messages, Sampling: llm.Greedy(tokens), TemplateFlags: j.Model.Flags,
				Protocol: j.protocol(), Repeat: j.Repeat, FirstTokens: !things[i].question.open(),
			}, err
		},
		readable: func(int, string) error { return nil },
	}, things, nil
}

// askMessages are the messages of one question. The paper shows its questions and not the instructions around them; ours
// are those of CaptionQA's QA-on-image.
func askMessages(a asked, parts []llm.Part) (messages []llm.Message, tokens int, err error) {
	system := fmt.Sprintf("You are given %s, and a question about the %s. ", withArticle(a.dimension.Media), a.dimension.Media)
	if a.question.open() {
		system += "Answer with the name, the words or the short phrase that is asked for, no explanation."
		text := llm.Text("Question:\n" + a.question.Text + "\n\nAnswer:")
		return []llm.Message{llm.System(system), llm.User(append(slices.Clone(parts), text)...)}, openAnswerTokens, nil
	}
	system += "Answer with a SINGLE LETTER (A, B, C, ...), no explanation."
	text, err := captionqa.UserPrompt("", a.question.Text, a.question.Options)
	if err != nil {
		return nil, 0, err
	}
	question := llm.Text(strings.TrimPrefix(text, "Caption:\n\n\n"))
	return []llm.Message{llm.System(system), llm.User(append(slices.Clone(parts), question)...)}, captionqa.MaxTokens, nil
}

// row is the answer to one question but for its outcome.
func (j AskJob) row(a asked, h heard) data.ElementAnswer {
	return data.ElementAnswer{
		Benchmark: j.Benchmark, Model: j.Model.ID, Repeat: int32(j.Repeat), SampleID: a.row.SampleID, Element: a.row.Element,
		Dimension: a.row.Dimension, RequestHash: h.call.RequestHash, ValueDigest: textDigest(a.row.Value),
	}
}

// ReadChoices turns the recorded replies to the multiple-choice questions of a job into answers and returns their number.
func ReadChoices(l *data.Lake, j AskJob) (int, error) {
	q, things, err := j.plan(l)
	if err != nil {
		return 0, err
	}
	found, err := q.read(l, 1)
	if err != nil {
		return 0, err
	}
	marks, err := l.State(data.Annotations)
	if err != nil {
		return 0, err
	}
	unit := data.Unit{
		Stage: "element_answers", Name: j.unit(), Protocol: j.protocol(), Source: "calls", Provenance: q.work.Provenance,
		Fingerprint: data.Fingerprint(found.fingerprint, marks),
	}
	return writeUnit(l, unit, data.ElementAnswers, func(write func(data.ElementAnswer) error) error {
		for i, h := range found.things {
			question := things[i].question
			if !h.asked || question.open() {
				continue
			}
			row := j.row(things[i], h)
			row.Outcome, row.Provenance = string(captionqa.Failed), q.work.Provenance
			if !h.failed {
				row.Outcome = string(captionqa.Unparsed)
				if position, ok := captionqa.ParseStrict(h.call.Reply, question.Options); ok {
					row.Answer, row.Outcome = question.Options[position], string(captionqa.Incorrect)
					if position == question.Answer {
						row.Outcome = string(captionqa.Correct)
					}
				}
			}
			if err := write(row); err != nil {
				return err
			}
		}
		return nil
	})
}

// An OpenAnswerJob is the judging of one model's answers to open questions.
type OpenAnswerJob struct {
	Ask         AskJob
	Judge       ModelName
	Attempts    int
	MaxTokens   int
	Temperature float64
	Prompts     *JudgePrompts
}

func (j OpenAnswerJob) unit() string {
	return conditions(j.Ask.Benchmark, j.Ask.Model.ID, j.Judge.ID, fmt.Sprintf("r%d", j.Ask.Repeat))
}

func (j OpenAnswerJob) protocol() string { return j.Ask.Benchmark + "/judge-answer" }

// openAnswer is an open question with what the model said.
type openAnswer struct {
	asked
	said heard
}

func (a openAnswer) text() string { return strings.TrimSpace(afterThinking(a.said.call.Reply)) }

// plan is the inquiry of a job and the answers that it asks about. failed are the questions that the model gave no reply
// to, about which there is nothing to judge.
func (j OpenAnswerJob) plan(l *data.Lake) (q *inquiry, things, failed []openAnswer, err error) {
	asking, elements, err := j.Ask.plan(l)
	if err != nil {
		return nil, nil, nil, err
	}
	found, err := asking.read(l, 1)
	if err != nil {
		return nil, nil, nil, err
	}
	for i, h := range found.things {
		switch {
		case !h.asked || !elements[i].question.open():
		case h.failed:
			failed = append(failed, openAnswer{elements[i], h})
		default:
			things = append(things, openAnswer{elements[i], h})
		}
	}
	return &inquiry{
		work: Work{
			Stage: AskStage, Name: j.unit(), Model: j.Judge.ID, Protocol: j.protocol(), Source: "calls, annotations",
			Provenance: provenance(j.Ask.Model.Simulated() || j.Judge.Simulated()),
		},
		n: len(things), attempts: j.Attempts,
		affinity: func(i int) string { return things[i].row.SampleID },
		subject:  func(i int) string { return things[i].row.SampleID + "/" + things[i].row.Dimension },
		request: func(i int) (llm.Request, error) {
			a := things[i]
			text := j.Prompts.answer(a.element(), a.question.Text, a.text())
			return llm.Request{
				Model: j.Judge.Served, Messages: []llm.Message{llm.User(llm.Text(text))}, TemplateFlags: j.Judge.Flags,
				Sampling: sampling(j.Temperature, j.Ask.Repeat, j.MaxTokens), Protocol: j.protocol(), Repeat: j.Ask.Repeat,
			}, nil
		},
		readable: func(i int, reply string) error {
			_, err := things[i].dimension.ReadReply(things[i].element(), reply)
			return err
		},
	}, things, failed, nil
}

// ReadOpenAnswers turns the recorded replies of the judge into answers and returns their number.
func ReadOpenAnswers(l *data.Lake, j OpenAnswerJob) (int, error) {
	q, things, failed, err := j.plan(l)
	if err != nil {
		return 0, err
	}
	found, err := q.read(l, j.Attempts)
	if err != nil {
		return 0, err
	}
	marks, err := l.State(data.Annotations)
	if err != nil {
		return 0, err
	}
	unit := data.Unit{
		Stage: "element_answers", Name: j.unit(), Protocol: j.protocol(), Source: "calls", Provenance: q.work.Provenance,
		Fingerprint: data.Fingerprint(found.fingerprint, marks, fmt.Sprint(len(failed))),
	}
	return writeUnit(l, unit, data.ElementAnswers, func(write func(data.ElementAnswer) error) error {
		put := func(a openAnswer, outcome captionqa.Outcome, hash string) error {
			row := j.Ask.row(a.asked, a.said)
			row.Judge, row.Outcome, row.Provenance = j.Judge.ID, string(outcome), q.work.Provenance
			row.RequestHash = hash
			if !a.said.failed {
				row.Answer = a.text()
			}
			return write(row)
		}
		for _, a := range failed {
			if err := put(a, captionqa.Failed, a.said.call.RequestHash); err != nil {
				return err
			}
		}
		for i, h := range found.things {
			if !h.asked {
				continue
			}
			outcome := captionqa.Failed
			if !h.failed {
				// What could not be read is the verdict unparsed.
				reply, _ := things[i].dimension.ReadReply(things[i].element(), h.call.Reply)
				switch reply.Verdict {
				case rubric.Positive:
					outcome = captionqa.Correct
				case rubric.Unparsed:
					outcome = captionqa.Unparsed
				default:
					outcome = captionqa.Incorrect
				}
			}
			if err := put(things[i], outcome, h.call.RequestHash); err != nil {
				return err
			}
		}
		return nil
	})
}

// AskSteps lists the questions to ask: every captioner about the media of every benchmark, and then every judge about the
// open answers.
func AskSteps(c *Config) ([]Step, error) {
	jc := c.Judges
	if len(jc.Models) == 0 {
		return nil, data.WithHint(errors.New("open answers need a judge, and none is configured"), "name one with --judge, or under judges: in %s", ConfigFile)
	}
	prompts, err := LoadJudgePrompts(jc.Templates)
	if err != nil {
		return nil, err
	}
	var steps []Step
	for _, benchmark := range jc.Benchmarks {
		for _, name := range c.Captions.Captioners {
			model, endpoint, err := c.Model(name)
			if err != nil {
				return nil, err
			}
			for repeat := range jc.Repeats {
				ask := AskJob{Benchmark: benchmark, Model: model, Repeat: repeat, Media: c.Media}
				steps = append(steps, Step{
					Stage: AskStage, Name: ask.unit(), Model: model, Endpoint: endpoint, Protocol: ask.protocol(),
					Work: func(l *data.Lake) (Work, error) {
						q, _, err := ask.plan(l)
						if err != nil {
							return Work{}, err
						}
						return q.first(), nil
					},
					Read: func(l *data.Lake) (int, error) { return ReadChoices(l, ask) },
				})
				for _, judgeName := range jc.Models {
					judge, place, err := c.Model(judgeName)
					if err != nil {
						return nil, err
					}
					j := OpenAnswerJob{
						Ask: ask, Judge: judge, Attempts: jc.Attempts, MaxTokens: jc.MaxTokens, Temperature: jc.Temperature,
						Prompts: prompts,
					}
					steps = append(steps, inquiryStep(Step{
						Stage: AskStage, Name: j.unit(), Model: judge, Endpoint: place, Protocol: j.protocol(),
						Read: func(l *data.Lake) (int, error) { return ReadOpenAnswers(l, j) },
					}, func(l *data.Lake) (*inquiry, error) {
						q, _, _, err := j.plan(l)
						return q, err
					}))
				}
			}
		}
	}
	return steps, nil
}
