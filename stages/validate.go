package stages

import (
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
	"github.com/captionlake/captionlake/stages/llm"
)

// validateStage asks vision-language models to answer or flag the candidates (CaptionQA section
// 4.4).
var validateStage = ofConstruct(engine.Stage{
	Name: "validate",
	Help: "have validators answer each candidate from its picture, or flag it",
	Asks: func(c *config.Config) ([]string, int) { return c.Construct.Validators, captionqa.MaxTokens },
	Units: unitsOf(validatorsOf, func(c config.Construct, d domain, validator config.Model) engine.AnyUnit {
		return validateUnit{d.Name, validator, c.Attempts}.unit(d)
	}),
	Forecast: forecastOf(validatorsOf, func(_ config.Construct, f funnel) (float64, []llm.Request, error) {
		r, err := candidateItem{Candidate: f.typical}.request()
		// Of the candidates that have no group yet, only those without duplicates go to validators.
		return (f.passing + float64(f.ungrouped)) * f.kept, []llm.Request{r}, err
	}),
})

// validatorsOf are the validators of the configuration. Fewer than two are an error, because
// agreement needs two.
func validatorsOf(s *engine.Scope) ([]config.Model, error) {
	return modelsOf(s, s.Config.Construct.Validators, 2,
		nothing("fewer than two validators are configured", "name two or more as construct.validators"))
}

// A validateUnit is the set of requests to one validator about the candidates of one domain.
type validateUnit struct {
	Domain    string
	Validator config.Model
	Attempts  int
}

// A candidateItem is a candidate with its pictures.
type candidateItem struct {
	data.Candidate
	pictures []llm.Part
}

// request shows a validator the pictures, the question and its options, and the flags to choose if
// the question has a fault. A reply that is cut off after captionqa.MaxTokens tokens counts as
// whole (FirstTokens).
func (c candidateItem) request() (llm.Request, error) {
	p, err := construct.PresentValidation(c.Question, c.Options)
	return llm.Request{
		Messages: []llm.Message{llm.System(construct.ValidateSystem),
			llm.User(p.User, c.pictures...)},
		Sampling: llm.Greedy(captionqa.MaxTokens), FirstTokens: true,
	}, err
}

func (j validateUnit) unit(d domain) *engine.Unit[candidateItem] {
	return &engine.Unit[candidateItem]{
		Conditions: engine.Conditions{
			Name: conditions(j.Domain, j.Validator.ID), Model: j.Validator, Protocol: construct.ProtocolValidate,
			Source: "candidates, question_groups, images", Simulated: d.Simulated, Attempts: j.Attempts,
		},
		Inputs:  engine.Inputs{Settings: j}, // Reads stays nil: see sightedCandidates.
		Items:   j.items,
		Request: candidateItem.request,
		Accept: func(c candidateItem, r llm.Reply) error {
			_, _, err := j.read(c, r.Text)
			return err
		},
		Rows: engine.Into("validations", data.Validations, j.rows),
	}
}

// items gives the distinct candidates with their pictures. A candidate without a picture is an
// error.
func (j validateUnit) items(s *engine.Scope, each engine.Each[candidateItem]) error {
	pictures, err := picturesOf(s.Lake)
	if err != nil {
		return err
	}
	for c, err := range candidates(s, distinctCandidates, j.Domain) {
		if err == nil && len(pictures[c.ImageID]) == 0 {
			err = data.Errorf("load it again, or remove the candidates",
				"candidate %s: the picture %s is not in the lake any more", c.CandidateID, c.ImageID)
		}
		if err == nil {
			err = each(candidateItem{c, pictures[c.ImageID]}, engine.Keys{Subject: c.CandidateID, Group: c.ImageID})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// read reads a validator's choice; option is its position if choice is construct.ChoiceOption.
func (j validateUnit) read(c candidateItem, reply string) (choice string, option int, err error) {
	p, err := construct.PresentValidation(c.Question, c.Options)
	if err != nil {
		return "", 0, err
	}
	return construct.ReadValidation(p, reply)
}

// rows gives the validator's choice. A failed call is the choice failed.
func (j validateUnit) rows(c candidateItem, o engine.Outcome) ([]data.Validation, error) {
	row := data.Validation{CandidateID: c.CandidateID, Validator: j.Validator.ID, Choice: construct.ChoiceFailed,
		RequestHash: o.RequestHash, Provenance: o.Provenance}
	if !o.Failed {
		choice, option, _ := j.read(c, o.Text) // An unreadable reply is the choice unparsed.
		row.Choice = choice
		if choice == construct.ChoiceOption {
			index := int32(option)
			row.ChoiceIndex, row.AgreesKey = &index, index == c.AnswerIndex
		}
	}
	return []data.Validation{row}, nil
}
