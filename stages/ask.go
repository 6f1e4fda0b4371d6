package stages

import (
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
	"github.com/captionlake/captionlake/stages/llm"
)

// askStage puts annotations to captioners as questions, for know-but-cannot-tell (CAPability section 3.2), and has their
// open answers judged.
var askStage = engine.Stage{
	Name:     "ask",
	Help:     "put the annotations to captioners as questions, and have open answers judged, for know-but-cannot-tell",
	Flags:    []string{"captioner", "judge", "benchmark", "repeats"},
	Section:  "judges",
	Named:    true,
	Units:    askUnits,
	Forecast: askForecast,
}

// questionSeed draws the distractors. It is fixed: another draw would be another set of questions.
const questionSeed = 0

// openAnswerTokens is the largest length of an open answer.
const openAnswerTokens = 256

// An interview is the questions that one model is asked about the media files of a benchmark.
type interview struct {
	Benchmark string
	Model     config.Model
	Repeat    int
}

// An asked is an element with its media file and its question.
type asked struct {
	illustrated
	question rubric.Question
}

func askUnits(s *engine.Scope) (units []engine.AnyUnit, err error) {
	err = eachInterview(s, func(asking *engine.Unit[asked], judging *engine.Unit[openAnswer], _ openJudging) {
		if judging == nil {
			units = append(units, asking)
		} else {
			units = append(units, judging)
		}
	})
	return units, err
}

// eachInterview goes through the units: the questions to a captioner about the media of a benchmark, and after each the
// judges of its open answers.
func eachInterview(s *engine.Scope, do func(*engine.Unit[asked], *engine.Unit[openAnswer], openJudging)) error {
	c := s.Config
	if len(c.Judges.Models) == 0 {
		return data.WithHint(errors.New("open answers need a judge, and none is configured"), "name one with --judge, or under judges: in %s", config.File)
	}
	if len(c.Captions.Captioners) == 0 {
		return data.WithHint(fmt.Errorf("%w: no captioner is named", engine.ErrNothingToAsk), "name captioners under captions, and readers under answers, in %s", config.File)
	}
	prompts, err := config.LoadJudgePrompts(c.Judges.Templates)
	if err != nil {
		return err
	}
	for _, benchmark := range c.Judges.Benchmarks {
		for _, name := range c.Captions.Captioners {
			model, err := c.Model(name)
			if err != nil {
				return err
			}
			for repeat := range c.Judges.Repeats {
				asking := interview{benchmark, model, repeat}
				leader := asking.unit()
				do(leader, nil, openJudging{})
				for _, judgeName := range c.Judges.Models {
					judge, err := c.Model(judgeName)
					if err != nil {
						return err
					}
					j := openJudging{asking, judge, decodingOf(c.Judges), prompts}
					do(leader, j.unit(leader), j)
				}
			}
		}
	}
	return nil
}

func (j interview) unit() *engine.Unit[asked] {
	return &engine.Unit[asked]{
		Name:  conditions(j.Benchmark, j.Model.ID, fmt.Sprintf("r%d", j.Repeat)),
		Model: j.Model, Protocol: j.Benchmark + "/questions", Source: "annotations, media", Repeat: j.Repeat, Settings: j,
		Marks:   []data.AnyTable{data.Annotations},
		Items:   func(s *engine.Scope) iter.Seq2[asked, error] { return j.items(s) },
		Subject: func(a asked) string { return a.row.SampleID + "/" + a.row.Dimension },
		Group:   func(a asked) string { return a.row.SampleID },
		Request: j.request,
		Keep:    true, // for the judges of open answers
		Results: []engine.Result[asked]{{Stage: "element_answers", Tables: []engine.Rows[asked]{engine.Into(data.ElementAnswers, j.rows)}}},
	}
}

// items streams the elements of which the media folder has the file, each with its question.
func (j interview) items(s *engine.Scope) iter.Seq2[asked, error] {
	return func(yield func(asked, error) bool) {
		for a, err := range withMedia(s, j.Benchmark) {
			i := asked{illustrated: a}
			if err == nil {
				i.question = a.dimension.Question(a.element(), j.Benchmark, a.row.SampleID, questionSeed)
			}
			if !yield(i, err) {
				return
			}
		}
	}
}

// request is one question. The paper shows its questions and not the instructions around them; ours are those of
// CaptionQA's QA-on-image.
func (j interview) request(a asked) (engine.Request, error) {
	article := map[string]string{rubric.MediaImage: "an "}[a.dimension.Media]
	if article == "" {
		article = "a "
	}
	system := fmt.Sprintf("You are given %s, and a question about the %s. ", article+a.dimension.Media, a.dimension.Media)
	text, tokens := "Question:\n"+a.question.Text+"\n\nAnswer:", openAnswerTokens
	if a.question.Open() {
		system += "Answer with the name, the words or the short phrase that is asked for, no explanation."
	} else {
		system += "Answer with a SINGLE LETTER (A, B, C, ...), no explanation."
		user, err := captionqa.UserPrompt("", a.question.Text, a.question.Options)
		if err != nil {
			return engine.Request{}, err
		}
		text, tokens = captionqa.WithoutCaption(user), captionqa.MaxTokens
	}
	parts := append(a.media[:len(a.media):len(a.media)], llm.Text(text))
	return engine.Chat(llm.Request{Messages: []llm.Message{llm.System(system), llm.User(parts...)}, Sampling: llm.Greedy(tokens), FirstTokens: !a.question.Open()}), nil
}

// row is the answer to one question but for what came of it.
func (j interview) row(a asked, o engine.Outcome) data.ElementAnswer {
	return data.ElementAnswer{
		Benchmark: j.Benchmark, Model: j.Model.ID, Repeat: int32(j.Repeat), SampleID: a.row.SampleID, Element: a.row.Element,
		Dimension: a.row.Dimension, RequestHash: o.RequestHash, Provenance: o.Provenance, ValueDigest: textDigest(a.row.Value),
	}
}

// rows gives the answer to a multiple-choice question. Those to open questions come from their judges.
func (j interview) rows(a asked, o engine.Outcome) ([]data.ElementAnswer, error) {
	if a.question.Open() {
		return nil, nil
	}
	row := j.row(a, o)
	row.Outcome = string(captionqa.Failed)
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

// An openJudging is what one judge is asked about the open answers of an interview.
type openJudging struct {
	interview
	Judge    config.Model
	Decoding decoding

	prompts *config.JudgePrompts
}

// An openAnswer is an open question with what the model said.
type openAnswer struct {
	asked
	said engine.Outcome
}

func (a openAnswer) text() string { return strings.TrimSpace(captionqa.AfterThinking(a.said.Text)) }

func (j openJudging) unit(asking *engine.Unit[asked]) *engine.Unit[openAnswer] {
	return &engine.Unit[openAnswer]{
		Name:  conditions(j.Benchmark, j.Model.ID, j.Judge.ID, fmt.Sprintf("r%d", j.Repeat)),
		Model: j.Judge, Protocol: j.Benchmark + "/judge-answer", Source: "calls, annotations", Simulated: j.Model.Simulated(), Repeat: j.Repeat, Settings: j,
		Marks:   []data.AnyTable{data.Annotations},
		Items:   func(s *engine.Scope) iter.Seq2[openAnswer, error] { return openAnswers(s, asking) },
		Subject: func(a openAnswer) string { return a.row.SampleID + "/" + a.row.Dimension },
		Group:   func(a openAnswer) string { return a.row.SampleID },
		Request: j.request,
		Accept:  func(a openAnswer, r engine.Reply) error { return readable(a.annotated, r) },
		Retry:   j.Decoding.retry(),
		Results: []engine.Result[openAnswer]{{Stage: "element_answers", Tables: []engine.Rows[openAnswer]{engine.Into(data.ElementAnswers, j.rows)}}},
	}
}

// openAnswers streams what the model answered to open questions.
func openAnswers(s *engine.Scope, asking *engine.Unit[asked]) iter.Seq2[openAnswer, error] {
	return func(yield func(openAnswer, error) bool) {
		for a, err := range engine.Outcomes(s, asking) {
			if err == nil && !a.Item.question.Open() {
				continue
			}
			if !yield(openAnswer{a.Item, a.Outcome}, err) {
				return
			}
		}
	}
}

// request asks about an answer. Where the model gave no reply there is nothing to judge.
func (j openJudging) request(a openAnswer) (engine.Request, error) {
	if a.said.Failed {
		return engine.Nothing(), nil
	}
	text := j.prompts.Answer(a.element(), a.question.Text, a.text())
	return engine.Chat(llm.Request{Messages: []llm.Message{llm.User(llm.Text(text))}, Sampling: j.Decoding.sampling(j.Repeat)}), nil
}

func (j openJudging) rows(a openAnswer, o engine.Outcome) ([]data.ElementAnswer, error) {
	row := j.row(a.asked, o)
	row.Judge, row.Outcome = j.Judge.ID, string(captionqa.Failed)
	if a.said.Failed {
		row.RequestHash = a.said.RequestHash
		return []data.ElementAnswer{row}, nil
	}
	row.Answer = a.text()
	if !o.Failed {
		reply, _ := a.dimension.ReadReply(a.element(), o.Text) // What cannot be read is the verdict unparsed.
		switch reply.Verdict {
		case rubric.Positive:
			row.Outcome = string(captionqa.Correct)
		case rubric.Unparsed:
			row.Outcome = string(captionqa.Unparsed)
		default:
			row.Outcome = string(captionqa.Incorrect)
		}
	}
	return []data.ElementAnswer{row}, nil
}

// assumedAnswer takes the place of an open answer that is still to come.
const assumedAnswer = "a short phrase of a few words"

// askForecast plans the judging of open answers that the run has yet to get.
func askForecast(s *engine.Scope) (units []engine.AnyUnit, err error) {
	if s.Choice.Stage != "ask" {
		return nil, nil
	}
	var failed error
	err = eachInterview(s, func(asking *engine.Unit[asked], judging *engine.Unit[openAnswer], j openJudging) {
		if judging == nil || failed != nil {
			return
		}
		var ahead []openAnswer
		if ahead, failed = unanswered(s, asking); len(ahead) == 0 {
			return
		}
		judging.Items = func(*engine.Scope) iter.Seq2[openAnswer, error] {
			return func(yield func(openAnswer, error) bool) {
				for _, a := range ahead {
					if !yield(a, nil) {
						return
					}
				}
			}
		}
		units = append(units, judging)
	})
	return units, errors.Join(err, failed)
}

// unanswered are the open questions of an interview that have no reply yet, with assumed ones.
func unanswered(s *engine.Scope, asking *engine.Unit[asked]) ([]openAnswer, error) {
	answered := map[string]bool{}
	for a, err := range engine.Outcomes(s, asking) {
		if err != nil {
			return nil, err
		}
		answered[a.Item.row.SampleID+"/"+a.Item.row.Dimension+"/"+a.Item.row.Element] = true
	}
	var ahead []openAnswer
	for a, err := range asking.Items(s) {
		if err != nil {
			return nil, err
		}
		if a.question.Open() && !answered[a.row.SampleID+"/"+a.row.Dimension+"/"+a.row.Element] {
			ahead = append(ahead, openAnswer{a, engine.Outcome{Asked: true, Reply: engine.Reply{Text: assumedAnswer}}})
		}
	}
	return ahead, nil
}
