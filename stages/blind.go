package stages

import (
	"fmt"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
	"github.com/captionlake/captionlake/stages/llm"
)

// blindStage asks a reader to guess the candidates without their pictures (CaptionQA section
// 4.3.2).
var blindStage = ofConstruct(engine.Stage{
	Name: "blind",
	Help: "have a reader guess each candidate several times without its picture, options shuffled, " +
		"to find questions that need none",
	Asks: func(c *config.Config) ([]string, int) { return []string{c.Construct.Reader}, captionqa.MaxTokens },
	Units: unitsOf(readerOf, func(c config.Construct, d domain, reader config.Model) engine.AnyUnit {
		return blindUnit{d.Name, reader, c.Trials, c.Seed}.unit(d)
	}),
	Forecast: forecastOf(readerOf, func(c config.Construct, f funnel) (float64, []llm.Request, error) {
		var trials []llm.Request
		for n := range c.Trials {
			r, err := blindUnit{Seed: c.Seed}.request(trial{f.typical, n})
			if err != nil {
				return 0, nil, err
			}
			trials = append(trials, r)
		}
		return f.unwritten, trials, nil // Each unwritten candidate needs all its trials, as one group.
	}),
})

// A blindUnit is the set of blind trials of one reader for the candidates of one domain.
type blindUnit struct {
	Domain string
	Reader config.Model
	Trials int
	Seed   int64
}

// A trial is one attempt at a candidate.
type trial struct {
	candidate data.Candidate
	number    int
}

func (j blindUnit) unit(d domain) *engine.Unit[trial] {
	return &engine.Unit[trial]{
		Conditions: engine.Conditions{
			Name: conditions(j.Domain, j.Reader.ID), Model: j.Reader, Protocol: construct.ProtocolBlind,
			Source: "candidates", Simulated: d.Simulated, Note: d.gone,
		},
		Inputs: engine.Inputs{Settings: j, Reads: []data.AnyTable{data.Candidates, data.Taxonomy}},
		Items: func(s *engine.Scope, each engine.Each[trial]) error {
			for c, err := range candidates(s, formedCandidates, j.Domain) {
				for n := range j.Trials { // at least one, so that an error of candidates is returned
					if err == nil {
						// Each trial has its own seed and therefore its own subject: different requests
						// about one subject look like one request with changed settings.
						err = each(trial{c, n}, engine.Keys{Subject: fmt.Sprintf("%s %d", c.CandidateID, n),
							Group: c.CandidateID, Picture: c.ImageID})
					}
					if err != nil {
						return err
					}
				}
			}
			return nil
		},
		Request: j.request,
		Accept: func(t trial, r llm.Reply) error {
			shown, err := j.show(t)
			if err == nil {
				_, err = shown.Read(r.Text)
			}
			return err
		},
		Rows: engine.Into("blind_trials", data.BlindTrials, j.rows),
	}
}

// request makes the request of a trial. A reply that is cut off after captionqa.MaxTokens tokens
// counts as whole (FirstTokens).
func (j blindUnit) request(t trial) (llm.Request, error) {
	shown, err := j.show(t)
	// The seeds of two values of Seed are far apart, so that their trials have different seeds.
	return llm.Request{
		Messages:    []llm.Message{llm.System(construct.BlindSystem), llm.User(shown.User)},
		Sampling:    llm.Sampled(construct.BlindTemperature, j.Seed<<16+int64(t.number), captionqa.MaxTokens),
		FirstTokens: true,
	}, err
}

// show is the candidate as a trial shows it, with its options shuffled.
func (j blindUnit) show(t trial) (construct.Presentation, error) {
	return construct.PresentBlind(j.Seed, t.candidate.CandidateID, t.candidate.Question, t.candidate.Options, t.number)
}

// rows gives the row of the trial. A failed call gives no row, so the candidate has too few trials.
func (j blindUnit) rows(t trial, o engine.Outcome) ([]data.BlindTrial, error) {
	if o.Failed {
		return nil, nil
	}
	shown, err := j.show(t)
	if err != nil {
		return nil, err
	}
	row := data.BlindTrial{
		CandidateID: t.candidate.CandidateID, Reader: j.Reader.ID, Trial: int32(t.number), OptionOrder: shown.Order,
		RequestHash: o.RequestHash, Provenance: o.Provenance,
	}
	if option, err := shown.Read(o.Text); err == nil { // An unreadable reply is no hit.
		choice := int32(option)
		row.ChoiceIndex, row.Hit = &choice, choice == t.candidate.AnswerIndex
	}
	return []data.BlindTrial{row}, nil
}
