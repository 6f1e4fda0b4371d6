package review

import (
	"cmp"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/construct"
)

// item is a question to decide on.
type item struct {
	ID        string // in addresses and forms
	Candidate string
	Stage     string // of a drawn question; nobody sees it
	Image     string
	Domain    string
	Levels    []string // of the taxonomy: domain, category and further ones
	Generator string
	Written   construct.Item // as it was generated, or drawn
	Route     string
	Verdicts  []verdict
	Simulated bool
}

// verdict is one validator's choice.
type verdict struct {
	Validator string
	construct.Verdict
}

// loadCandidates reads the candidates with one of the chosen routes, grouped by image.
func (p *Page) loadCandidates(l *data.Lake) error {
	routes := map[string]string{}
	for r, err := range data.Select(l, data.Routes, nil) {
		if err != nil {
			return err
		}
		if len(p.options.Routes) == 0 || slices.Contains(p.options.Routes, r.Route) {
			routes[r.CandidateID] = r.Route
		}
	}
	verdicts := map[string][]verdict{}
	for v, err := range data.Select(l, data.Validations, nil) {
		if err != nil {
			return err
		}
		chosen := verdict{v.Validator, construct.Verdict{Choice: v.Choice, Option: -1}}
		if v.ChoiceIndex != nil {
			chosen.Option = int(*v.ChoiceIndex)
		}
		verdicts[v.CandidateID] = append(verdicts[v.CandidateID], chosen)
	}
	for c, err := range data.Select(l, data.Candidates, nil) {
		if err != nil {
			return err
		}
		route, routed := routes[c.CandidateID]
		if !routed {
			continue
		}
		delete(routes, c.CandidateID)
		p.add(item{
			ID: c.CandidateID, Candidate: c.CandidateID, Image: c.ImageID, Domain: c.Domain,
			Levels: []string{c.Domain, c.Category, c.Subcategory, c.Aspect}, Generator: c.Generator,
			Written: construct.Item{Question: c.Question, Options: c.Options, Answer: int(c.AnswerIndex)},
			Route:   route, Verdicts: verdicts[c.CandidateID], Simulated: c.Provenance == data.ProvenanceSimulated,
		})
	}
	if len(routes) > 0 {
		p.Left["routes whose candidate is gone are not shown"] = len(routes)
	}
	slices.SortFunc(p.items, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.Domain, b.Domain), cmp.Compare(a.Image, b.Image), cmp.Compare(a.ID, b.ID))
	})
	return nil
}

// loadSamples reads the drawn questions of all stages, in the order of their digests.
func (p *Page) loadSamples(l *data.Lake) error {
	for q, err := range data.Select(l, data.QualitySamples, nil) {
		if err != nil {
			return err
		}
		p.add(item{
			ID: drawnID(q.Stage, q.CandidateID), Candidate: q.CandidateID, Stage: q.Stage, Image: q.ImageID,
			Domain: q.Domain, Levels: []string{q.Domain, q.Category},
			Written:   construct.Item{Question: q.Question, Options: q.Options, Answer: int(q.AnswerIndex)},
			Simulated: q.Provenance == data.ProvenanceSimulated,
		})
	}
	slices.SortFunc(p.items, func(a, b item) int { return cmp.Compare(a.ID, b.ID) })
	return nil
}

// add adds an item of a chosen domain if it has a picture.
func (p *Page) add(it item) {
	p.domainsSeen[it.Domain] = true
	if len(p.options.Domains) > 0 &&
		!slices.ContainsFunc(p.options.Domains, func(d string) bool { return strings.EqualFold(d, it.Domain) }) {
		return
	}
	if len(p.Pictures.Frames(it.Image)) == 0 {
		p.Left["questions without a picture are not shown: load pictures with captionlake ingest FOLDER"]++
		return
	}
	it.Levels = slices.DeleteFunc(it.Levels, func(level string) bool { return level == "" })
	p.items = append(p.items, it)
}
