package stages

import (
	"cmp"
	"slices"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/stages/engine"
)

// routeStage decides about each candidate whether it is accepted or goes to a person (CaptionQA
// section 4.4). It asks no model.
var routeStage = ofConstruct(engine.Stage{
	Name: "route",
	Help: "accept the candidates that all validators answered with their key, and send the others to people",
	Units: func(s *engine.Scope) error {
		validators, err := validatorsOf(s)
		if err != nil {
			return err
		}
		var names []string
		for _, v := range validators {
			names = append(names, v.ID)
		}
		return addUnits(s, func(d domain) { s.Add(routeUnit{d.Name, names}.unit(d)) })
	},
})

// A routeUnit is the set of routes of one domain's candidates.
type routeUnit struct {
	Domain     string
	Validators []string // their model_ids
}

// A routeItem is a candidate with its validators' choices.
type routeItem struct {
	data.Candidate
	verdicts []construct.Verdict
}

func (j routeUnit) unit(d domain) *engine.Unit[routeItem] {
	return &engine.Unit[routeItem]{
		Conditions: engine.Conditions{
			Name: j.Domain, Protocol: construct.ProtocolRoute, Source: "validations", Simulated: d.Simulated,
		},
		Inputs: engine.Inputs{Settings: j}, // Reads stays nil: see sightedCandidates.
		Items:  j.items,
		Rows: engine.Into("routes", data.Routes, func(c routeItem, o engine.Outcome) ([]data.Route, error) {
			return []data.Route{{CandidateID: c.CandidateID, Route: construct.RouteOf(c.verdicts, int(c.AnswerIndex)),
				Validators: int32(len(c.verdicts)), Provenance: o.Provenance}}, nil
		}),
	}
}

// items gives the candidates with a choice of every validator.
func (j routeUnit) items(s *engine.Scope, each engine.Each[routeItem]) error {
	verdicts := map[string][]construct.Verdict{}
	for v, err := range data.Select(s.Lake, data.Validations, nil) {
		if err != nil {
			return err
		}
		if slices.Contains(j.Validators, v.Validator) {
			option := int(*cmp.Or(v.ChoiceIndex, new(int32(-1)))) // -1 if the validator chose no option
			verdicts[v.CandidateID] = append(verdicts[v.CandidateID], construct.Verdict{Choice: v.Choice, Option: option})
		}
	}
	for c, err := range candidates(s, distinctCandidates, j.Domain) {
		if err == nil && len(verdicts[c.CandidateID]) == len(j.Validators) {
			err = each(routeItem{c, verdicts[c.CandidateID]}, engine.Keys{Subject: c.CandidateID})
		}
		if err != nil {
			return err
		}
	}
	return nil
}
