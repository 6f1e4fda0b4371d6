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
)

// protocolPublish names the rule that turns candidates into questions.
const protocolPublish = "construct/publish/1"

// PublishOptions say which candidates are published.
type PublishOptions struct {
	Domain  string
	Partial bool // publish the decided candidates although others wait
}

// A PublishReport says what the bank of a domain holds now, and what changed.
type PublishReport struct {
	Unit         string         `json:"unit"`
	Domain       string         `json:"domain"`
	Questions    int            `json:"questions"`
	Images       int            `json:"images"`
	By           map[string]int `json:"by"`            // questions by the decision for them: accept, keep, fix
	Left         map[string]int `json:"left"`          // candidates that are not in the bank, by reason
	Waiting      map[string]int `json:"waiting"`       // undecided candidates, by the command that continues with them
	UnknownNodes []string       `json:"unknown_nodes"` // nodes of questions that are no longer in the taxonomy
	// images with the same first picture as an earlier image, byte for byte: their questions count
	// twice
	Copies    []string `json:"copies"`
	Simulated bool     `json:"simulated"`
	New       bool     `json:"new"`     // the bank was published for the first time
	Added     int      `json:"added"`   // questions of candidates that are new in the bank
	Changes   []Change `json:"changes"` // questions of the former bank that changed
	Stale     []Stale  `json:"stale"`   // answers that no longer count
}

// A Change is a question of the bank that was removed or changed.
type Change struct {
	QuestionID  string `json:"question_id"`
	CandidateID string `json:"candidate_id"`
	What        string `json:"what"`    // removed, reworded, or rekeyed (another key or another node of the taxonomy)
	Becomes     string `json:"becomes"` // question_id of a reworded question
}

// A Stale counts the answers of one reader, under the same protocol and with the same evidence, to
// questions that are gone or have another key.
type Stale struct {
	Protocol  string `json:"protocol"`
	Reader    string `json:"reader"`
	Evidence  string `json:"evidence"`
	Captioner string `json:"captioner"`
	Prompt    string `json:"prompt"`
	Answers   int    `json:"answers"`
}

// simulatedSource begins the source of a question if its candidate, a validator or a reviewer is
// simulated.
const simulatedSource = "SIMULATED "

// errWaiting is wrapped by the error of a bank with undecided candidates.
var errWaiting = errors.New("candidates wait for a decision")

// Publish makes the questions of a domain's accepted and reviewed candidates, as one whole unit.
// The published protocol deals the option orders. Publishing again changes nothing unless reviews
// or candidates have changed. If something has changed, Publish replaces the unit, and the report
// names the changed questions and the answers to these questions.
//
// A question's id depends on its text and options, so that result files of other programs, which
// have no ids, find it. The id changes with the text; candidate_id does not. Candidates that wait
// are an error that wraps errWaiting, unless Partial is set.
func Publish(l *data.Lake, o PublishOptions) (*PublishReport, error) {
	domain, err := DomainOf(l, o.Domain)
	if err != nil {
		return nil, err
	}
	all, err := statuses(l, domain)
	if err != nil {
		return nil, err
	}
	u := data.Unit{Stage: "bank", Name: domain, Protocol: protocolPublish,
		Source: "candidates, routes, reviews", Provenance: data.ProvenanceMeasured}
	p := &PublishReport{Unit: u.FileStem(), Domain: domain, By: map[string]int{}, Left: map[string]int{},
		Waiting:      map[string]int{},
		UnknownNodes: []string{}, Changes: []Change{}, Stale: []Stale{}}
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
	if p.Simulated { // The source goes into exported files, which must say that it is simulated.
		u.Provenance = data.ProvenanceSimulated
		for i := range questions {
			questions[i].Source = simulatedSource + questions[i].Source
		}
	}
	switch waiting := p.waiting(); {
	case waiting != "" && !o.Partial:
		return nil, data.WithHint(fmt.Errorf("%w in the domain %s: %s", errWaiting, domain, waiting),
			"continue with %s, or publish the others with --partial",
			strings.Join(slices.Sorted(maps.Keys(p.Waiting)), " and "))
	case len(questions) == 0:
		return nil, data.Errorf(
			"see where they are left: captionlake analyze, then captionlake sql \"from construct_funnel\"",
			"no candidate of the domain %s is accepted or kept by a reviewer", domain)
	}
	content, _ := json.Marshal(questions) // Texts and numbers can always be marshalled.
	u.Fingerprint = data.Fingerprint(protocolPublish, u.Provenance, string(content))
	// compare reads the former questions of the unit, so it comes before Put.
	if err := p.compare(l, u, questions); err != nil {
		return nil, err
	}
	detail, _ := json.Marshal(map[string]any{"by": p.By, "left": p.Left, "partial": o.Partial && len(p.Waiting) > 0})
	u.Detail = string(detail)
	_, err = data.Put(l, u, data.Questions, questions...)
	return p, err
}

// questions makes the rows of the bank, and counts the candidates inside and outside of the bank.
func (p *PublishReport) questions(all []candidateStatus) []data.Question {
	rule := data.CaptionQA().OrderRule([]string{p.Domain})
	orders := captionqa.NewBankOrders(rule)
	var questions []data.Question
	var ids captionqa.QuestionIDs // of the present image
	image := ""
	for _, s := range all {
		if s.reason != "" {
			p.Left[s.reason]++
			continue
		}
		if s.ImageID != image {
			image, ids = s.ImageID, captionqa.QuestionIDs{}
			p.Images++
		}
		p.By[s.by]++
		p.Simulated = p.Simulated || s.Simulated
		node := strings.Join([]string{s.Category, s.Subcategory, s.Aspect}, " / ")
		if s.Node == unknownNode && !slices.Contains(p.UnknownNodes, node) {
			p.UnknownNodes = append(p.UnknownNodes, node)
		}
		questions = append(questions, data.Question{
			QuestionID: ids.Next(s.ImageID, s.final.Question, s.final.Options), ImageID: s.ImageID, Domain: p.Domain,
			Category: s.Category, Subcategory: s.Subcategory, Aspect: s.Aspect, Ordinal: int32(len(questions)),
			Question: s.final.Question, Options: s.final.Options,
			AnswerIndex: int32(s.final.Answer), YesNo: captionqa.IsYesNo(s.final.Question, s.final.Options),
			OptionOrder: orders.Next(p.Domain, s.final.Question, s.final.Options), OrderRule: rule,
			Source: "candidates of " + p.Domain, CandidateID: new(s.CandidateID),
		})
	}
	p.Questions = len(questions)
	return questions
}

// waiting counts the undecided candidates, and says what they wait for; empty if all are decided.
func (p *PublishReport) waiting() string {
	var parts []string
	for _, w := range waits {
		if n := p.Left[w.reason]; n > 0 {
			p.Waiting[w.command] += n
			parts = append(parts, fmt.Sprintf("%d %s", n, w.what))
		}
	}
	return strings.Join(parts, ", ")
}

// compare finds what changed since the bank was last published, and which answers depended on it.
func (p *PublishReport) compare(l *data.Lake, u data.Unit, questions []data.Question) (err error) {
	byID, byCandidate := map[string]data.Question{}, map[string]data.Question{}
	for _, q := range questions {
		byID[q.QuestionID], byCandidate[*q.CandidateID] = q, q
	}
	p.New, p.Added = true, len(questions) // unless there are earlier questions
	lost := map[string]bool{}             // question_ids of earlier questions: answers to them no longer count
	for old, err := range data.UnitRows(l, data.Questions, u) {
		if err != nil {
			return err
		}
		p.New = false
		c := Change{QuestionID: old.QuestionID, What: "removed"}
		if old.CandidateID != nil {
			c.CandidateID = *old.CandidateID
		}
		sameText, hasSameText := byID[old.QuestionID]
		successor, hasSuccessor := byCandidate[c.CandidateID]
		if hasSuccessor {
			p.Added--
		}
		switch {
		// The aspect may differ, because answers do not have it.
		case hasSameText && sameText.AnswerIndex == old.AnswerIndex && sameText.Category == old.Category &&
			sameText.Subcategory == old.Subcategory:
			continue // unchanged
		case hasSameText:
			c.What = "rekeyed"
		case hasSuccessor:
			c.What, c.Becomes = "reworded", successor.QuestionID
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

// texts are the values of a query's only column, which has the name text.
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
