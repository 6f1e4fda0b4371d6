package review

import (
	"cmp"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/construct"
)

// item is a question to decide on: a candidate as it was generated, or a drawn question.
type item struct {
	data.Candidate
	ID       string            `parquet:"id"`    // in addresses and forms
	Stage    string            `parquet:"stage"` // of a drawn question; no page shows it
	Route    string            `parquet:"route"` // of a candidate
	Verdicts []data.Validation // the validators' choices
}

// Written is the question as it was generated, or drawn.
func (it item) Written() construct.Item {
	return construct.Item{Question: it.Question, Options: it.Options, Answer: int(it.AnswerIndex)}
}

// Simulated reports whether the question is simulated.
func (it item) Simulated() bool { return it.Provenance == data.ProvenanceSimulated }

// Node is the question's place in the taxonomy.
func (it item) Node() string {
	levels := []string{it.Domain, it.Category, it.Subcategory, it.Aspect}
	return strings.Join(slices.DeleteFunc(levels, func(level string) bool { return level == "" }), " › ")
}

// routes selects all routes with their candidates. If a candidate is gone, its columns are null.
const routes = `select r.candidate_id as id, r.route, c.* exclude (unit)
	from routes as r left join candidates as c using (candidate_id)
	order by c.domain, c.image_id, id`

// samples selects the drawn questions of all stages.
const samples = `select stage, candidate_id, image_id, domain, category, question, options, answer_index, provenance
	from quality_samples`

// load reads the questions of the chosen routes and domains that have a picture: candidates grouped
// by image, or drawn questions in the order of their digests, which does not show their stages.
func (p *Page) load(l *data.Lake) error {
	query, verdicts := samples, map[string][]data.Validation{}
	if !p.options.Samples {
		query = routes
		for v, err := range data.Select(l, data.Validations, nil) {
			if err != nil {
				return err
			}
			verdicts[v.CandidateID] = append(verdicts[v.CandidateID], v)
		}
	}
	isChosen := func(name string, chosen []string) bool {
		isName := func(other string) bool { return strings.EqualFold(other, name) }
		return len(chosen) == 0 || slices.ContainsFunc(chosen, isName)
	}
	for it, err := range data.Query[item](l, query) {
		switch {
		case err != nil:
			return err
		case p.options.Samples:
			it.ID = drawnID(it.Stage, it.CandidateID)
		case !isChosen(it.Route, p.options.Routes):
			continue
		case it.CandidateID == "":
			p.Left["routes whose candidate is gone are not shown"]++
			continue
		}
		p.domainsSeen[it.Domain] = true
		if !isChosen(it.Domain, p.options.Domains) {
			continue
		}
		if len(p.Pictures.Frames(it.ImageID)) == 0 {
			p.Left["questions without a picture are not shown: load pictures with captionlake ingest FOLDER"]++
			continue
		}
		it.Verdicts = verdicts[it.ID]
		p.items = append(p.items, it)
	}
	if p.options.Samples {
		slices.SortFunc(p.items, func(a, b item) int { return cmp.Compare(a.ID, b.ID) })
	}
	return nil
}
