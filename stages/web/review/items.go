package review

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/construct"
)

// item is a question to decide on.
type item struct {
	id        string // in addresses and forms
	candidate string
	stage     string // of a drawn question; nobody sees it
	image     string
	domain    string
	node      []string // of the taxonomy, the category first
	generator string
	written   construct.Item // as it was generated, or drawn
	route     string
	verdicts  []verdict
	simulated bool
}

// verdict is one validator's choice.
type verdict struct {
	validator string
	construct.Verdict
}

// loadCandidates reads the candidates with one of the chosen routes, grouped by image.
func (p *Page) loadCandidates() error {
	routes := map[string]string{}
	for r, err := range data.Select(p.lake, data.Routes, nil) {
		if err != nil {
			return err
		}
		if len(p.options.Routes) == 0 || slices.Contains(p.options.Routes, r.Route) {
			routes[r.CandidateID] = r.Route
		}
	}
	if len(routes) == 0 {
		return nil
	}
	verdicts := map[string][]verdict{}
	for v, err := range data.Select(p.lake, data.Validations, nil) {
		if err != nil {
			return err
		}
		if _, routed := routes[v.CandidateID]; !routed {
			continue
		}
		chosen := verdict{v.Validator, construct.Verdict{Choice: v.Choice, Option: -1}}
		if v.ChoiceIndex != nil {
			chosen.Option = int(*v.ChoiceIndex)
		}
		verdicts[v.CandidateID] = append(verdicts[v.CandidateID], chosen)
	}
	for c, err := range data.Select(p.lake, data.Candidates, nil) {
		if err != nil {
			return err
		}
		route, routed := routes[c.CandidateID]
		if !routed {
			continue
		}
		delete(routes, c.CandidateID)
		p.add(item{
			id: c.CandidateID, candidate: c.CandidateID, image: c.ImageID, domain: c.Domain,
			node: []string{c.Category, c.Subcategory, c.Aspect}, generator: c.Generator,
			written: construct.Item{Question: c.Question, Options: c.Options, Answer: int(c.AnswerIndex)},
			route:   route, verdicts: verdicts[c.CandidateID], simulated: c.Provenance == data.ProvenanceSimulated,
		})
	}
	p.left.NoCandidate = len(routes)
	slices.SortFunc(p.items, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.domain, b.domain), cmp.Compare(a.image, b.image), cmp.Compare(a.id, b.id))
	})
	return nil
}

// loadSamples reads the drawn questions of all stages, in a drawn order.
func (p *Page) loadSamples() error {
	for q, err := range data.Select(p.lake, data.QualitySamples, nil) {
		if err != nil {
			return err
		}
		p.add(item{
			id: drawnID(q.Stage, q.CandidateID), candidate: q.CandidateID, stage: q.Stage, image: q.ImageID,
			domain: q.Domain, node: []string{q.Category},
			written:   construct.Item{Question: q.Question, Options: q.Options, Answer: int(q.AnswerIndex)},
			simulated: q.Provenance == data.ProvenanceSimulated,
		})
	}
	place := func(it item) string {
		sum := sha256.Sum256([]byte(strconv.FormatInt(p.options.Seed, 10) + "\x00" + it.id))
		return hex.EncodeToString(sum[:])
	}
	slices.SortFunc(p.items, func(a, b item) int { return cmp.Compare(place(a), place(b)) })
	return nil
}

// add adds an item of a chosen domain if it has a picture.
func (p *Page) add(it item) {
	p.domainsSeen[it.domain] = true
	if len(p.options.Domains) > 0 &&
		!slices.ContainsFunc(p.options.Domains, func(d string) bool { return strings.EqualFold(d, it.domain) }) {
		return
	}
	if len(p.pictures.Frames(it.image)) == 0 {
		p.left.NoPicture++
		return
	}
	it.domain = data.Plain(it.domain) // Forms must send back the text that they showed.
	for i, level := range it.node {
		it.node[i] = data.Plain(level)
	}
	it.node = slices.DeleteFunc(it.node, func(level string) bool { return level == "" })
	p.items = append(p.items, it)
}

// flagWords explain a validator's choice that is not an option of the question.
var flagWords = map[string]string{
	construct.ChoiceAmbiguous:    "flagged it as ambiguous: more than one option is right, or it can be read in more than one way",
	construct.ChoiceUnanswerable: "flagged it as unanswerable: the picture does not show what is asked",
	construct.ChoiceUnsuitable:   "flagged it as unsuitable: no caption could be expected to tell",
	construct.ChoiceNone:         "chose none of the options: none is right",
	construct.ChoiceUnparsed:     "gave a reply that cannot be read",
	construct.ChoiceFailed:       "gave no reply",
}

// why says why a candidate is reviewed.
func (it *item) why() string {
	switch it.route {
	case construct.RouteAccept:
		return "All validators chose the key, so the question is accepted without a person; this is a second look."
	case construct.RouteDiscard:
		return "All validators flagged it, so discarding it is suggested."
	}
	return "Its validators do not all choose the key, or fewer than two looked at it; their choices are below."
}
