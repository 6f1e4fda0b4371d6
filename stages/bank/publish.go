package bank

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/construct"
)

// ProtocolPublish names the rule by which candidates become questions.
const ProtocolPublish = "construct/publish/1"

// PublishOptions say whose candidates are published.
type PublishOptions struct {
	Domain  string
	Partial bool // publish what is decided, although candidates wait
}

// A Published says what is in the bank of a domain now, and what changed by it.
type Published struct {
	Unit         string         `json:"unit"`
	Domain       string         `json:"domain"`
	Questions    int            `json:"questions"`
	Images       int            `json:"images"`
	By           map[string]int `json:"by"`            // questions by what put them there: accept, keep, fix
	Left         map[string]int `json:"left"`          // candidates that are not in the bank, by reason
	Waiting      map[string]int `json:"waiting"`       // of them, those that nobody has decided on, by the command that goes on with them
	UnknownNodes []string       `json:"unknown_nodes"` // nodes of questions that the taxonomy does not have any more
	Copies       []string       `json:"copies"`        // images whose first picture is that of an earlier one, byte for byte: their questions count twice
	Simulated    bool           `json:"simulated"`
	New          bool           `json:"new"`     // the bank was published for the first time
	Added        int            `json:"added"`   // questions of candidates that were not in it
	Changes      []Change       `json:"changes"` // of questions that were in it
	Stale        []Stale        `json:"stale"`   // answers that count no more
}

// A Change is a question of the bank that is gone or is another one now.
type Change struct {
	QuestionID  string `json:"question_id"`
	CandidateID string `json:"candidate_id"`
	What        string `json:"what"`    // removed, reworded, or rekeyed: its key or its place in the taxonomy is another one
	Becomes     string `json:"becomes"` // question_id of a reworded question
}

// A Stale is the answers under one condition that hang on questions that are gone or have another key.
type Stale struct {
	Protocol  string `json:"protocol"`
	Reader    string `json:"reader"`
	Evidence  string `json:"evidence"`
	Captioner string `json:"captioner"`
	Prompt    string `json:"prompt"`
	Answers   int    `json:"answers"`
}

// simulatedSource is how the source of a question begins of which a candidate, a validator or a reviewer is simulated.
const simulatedSource = "SIMULATED "

// ErrWaiting is wrapped by the error of a bank whose candidates nobody has decided on.
var ErrWaiting = errors.New("candidates wait for a decision")

// Publish makes the questions of a domain's accepted and reviewed candidates: one unit, whole, with the order of options that the published
// protocol deals. Publishing again changes nothing unless reviews or candidates have changed; then the unit is replaced, and the report
// names the questions that changed and the answers that hung on them.
//
// A question's id is that of its text and options, so that result files of other programs, which carry no ids, find it. It changes
// with the text, and candidate_id does not. Candidates that wait are an error that wraps ErrWaiting, unless they are to be left out.
func Publish(l *data.Lake, o PublishOptions) (*Published, error) {
	domain, err := domainOf(l, o.Domain)
	if err != nil {
		return nil, err
	}
	all, err := statuses(l, domain)
	if err != nil {
		return nil, err
	}
	u := data.Unit{Stage: "bank", Name: domain, Protocol: ProtocolPublish, Source: "candidates, routes, reviews", Provenance: data.ProvenanceMeasured}
	p := &Published{Unit: u.FileStem(), Domain: domain, By: map[string]int{}, Left: map[string]int{}, Waiting: map[string]int{},
		UnknownNodes: []string{}, Copies: []string{}, Changes: []Change{}, Stale: []Stale{}}
	questions := p.questions(all)
	images := make([]string, len(questions))
	for i, q := range questions {
		images[i] = q.ImageID
	}
	if p.Copies, err = texts(l, `
		select image_id as text
		from (
			select image_id, row_number() over (partition by sha256 order by image_id) as place
			from images
			where frame = 0 and sha256 <> '' and image_id in (select unnest($1::varchar[]))
		)
		where place > 1
		order by image_id`, images); err != nil {
		return nil, err
	}
	if p.Simulated { // The source goes into exported files, which must not hide it.
		for i := range questions {
			questions[i].Source = simulatedSource + questions[i].Source
		}
	}
	switch waiting := p.waiting(); {
	case waiting != "" && !o.Partial:
		return nil, data.WithHint(fmt.Errorf("%w in the domain %s: %s", ErrWaiting, domain, waiting), "go on with %s, or publish the others with --partial",
			strings.Join(slices.Sorted(maps.Keys(p.Waiting)), " and "))
	case len(questions) == 0:
		return nil, data.WithHint(fmt.Errorf("no candidate of the domain %s is accepted or kept by a reviewer", domain),
			"see where they are left: captionlake analyze, then captionlake sql \"from construct_funnel\"")
	}
	if p.Simulated {
		u.Provenance = data.ProvenanceSimulated
	}
	content, err := json.Marshal(questions)
	if err != nil {
		return nil, err
	}
	u.Fingerprint = data.Fingerprint(ProtocolPublish, u.Provenance, string(content))
	if err := p.compare(l, u, questions); err != nil {
		return nil, err
	}
	detail, err := json.Marshal(map[string]any{"by": p.By, "left": p.Left, "partial": o.Partial && len(p.Waiting) > 0})
	if err != nil {
		return nil, err
	}
	u.Detail = string(detail)
	_, err = data.Put(l, u, data.Questions, questions...)
	return p, err
}

// questions makes the rows, and counts what is in the bank and what is not.
func (p *Published) questions(all []candidateStatus) []data.Question {
	rule := data.CaptionQA().OrderRule([]string{p.Domain})
	orders := captionqa.NewBankOrders(rule)
	var questions []data.Question
	var ids captionqa.QuestionIDs
	image := ""
	for _, s := range all {
		if s.reason != "" {
			p.Left[s.reason]++
			if command, yes := waits(s.reason); yes {
				p.Waiting[command]++
			}
			continue
		}
		if s.ImageID != image {
			image, ids = s.ImageID, captionqa.QuestionIDs{}
			p.Images++
		}
		p.By[s.by]++
		p.Simulated = p.Simulated || s.Simulated
		if name := strings.Join([]string{s.Category, s.Subcategory, s.Aspect}, " / "); s.Node == unknownNode && !slices.Contains(p.UnknownNodes, name) {
			p.UnknownNodes = append(p.UnknownNodes, name)
		}
		id := s.CandidateID
		questions = append(questions, data.Question{
			QuestionID: ids.Next(s.ImageID, s.final.Question, s.final.Options), ImageID: s.ImageID, Domain: p.Domain, Category: s.Category,
			Subcategory: s.Subcategory, Aspect: s.Aspect, Ordinal: int32(len(questions)), Question: s.final.Question, Options: s.final.Options,
			AnswerIndex: int32(s.final.Answer), YesNo: captionqa.IsYesNo(s.final.Question, s.final.Options),
			OptionOrder: orders.Next(p.Domain, s.final.Question, s.final.Options), OrderRule: rule, Source: "candidates of " + p.Domain, CandidateID: &id,
		})
	}
	p.Questions = len(questions)
	return questions
}

// waiting says how many candidates wait for what; empty when none do.
func (p *Published) waiting() string {
	var parts []string
	for _, w := range []struct{ reason, what string }{
		{notTried, "for the blind test"}, {notGrouped, "for the search for duplicates"}, {construct.NotRouted, "for the validators"},
		{construct.NotReviewed, "for a person"}, {construct.Undecided, "for a decision that is keep, fix or drop"},
	} {
		if n := p.Left[w.reason]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, w.what))
		}
	}
	return strings.Join(parts, ", ")
}

// compare finds what changed since the bank was last published, and which answers hung on it.
func (p *Published) compare(l *data.Lake, u data.Unit, questions []data.Question) (err error) {
	byID, byCandidate := map[string]data.Question{}, map[string]data.Question{}
	for _, q := range questions {
		byID[q.QuestionID], byCandidate[*q.CandidateID] = q, q
	}
	p.New = true
	p.Added = len(questions)
	lost := map[string]bool{} // question_ids whose answers do not count any more
	for old, err := range data.UnitRows(l, data.Questions, u) {
		if err != nil {
			return err
		}
		p.New = false
		c := Change{QuestionID: old.QuestionID, What: "removed"}
		if old.CandidateID != nil {
			c.CandidateID = *old.CandidateID
		}
		now, there := byID[old.QuestionID]
		next, goesOn := byCandidate[c.CandidateID]
		if goesOn {
			p.Added--
		}
		switch {
		case !there && goesOn:
			c.What, c.Becomes = "reworded", next.QuestionID
		case there && now.AnswerIndex == old.AnswerIndex && now.Category == old.Category && now.Subcategory == old.Subcategory:
			continue
		case there:
			c.What = "rekeyed"
		}
		lost[c.QuestionID] = true
		p.Changes = append(p.Changes, c)
	}
	if len(lost) == 0 {
		return nil
	}
	p.Stale, err = data.QueryAll[Stale](l, `
		select protocol, reader, evidence, captioner, prompt, count(*) as answers
		from answers
		where question_id in (select unnest($1::varchar[]))
		group by all
		order by reader, captioner, prompt, evidence, protocol`, slices.Sorted(maps.Keys(lost)))
	return err
}

// texts are the rows of a query with one column, text.
func texts(l *data.Lake, query string, args ...any) ([]string, error) {
	all := []string{}
	for row, err := range data.Query[struct {
		Text string `parquet:"text"`
	}](l, query, args...) {
		if err != nil {
			return nil, err
		}
		all = append(all, row.Text)
	}
	return all, nil
}
