package bank

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/construct"
)

// Reasons why a candidate is not in the bank, in the order of the construction. construct.Final has
// further reasons. The first five are states of the mart construct_states.
const (
	malformed    = "malformed"     // the candidate cannot be asked
	notTried     = "not_tried"     // the candidate waits for the blind test
	known        = "known"         // a reader without the picture answers the candidate
	notGrouped   = "not_grouped"   // the candidate waits for the search for duplicates
	duplicate    = "duplicate"     // another candidate represents the candidate's group
	unpictured   = "no_picture"    // the candidate's item is not among the images of the lake
	unaskable    = "unaskable"     // the evaluation protocol cannot ask the candidate
	sameQuestion = "same_question" // a review made the candidate the same as another question of its item
)

// waits lists the reasons of candidates that are not decided yet: what they wait for, and the
// command that decides.
var waits = []struct{ reason, what, command string }{
	{notTried, "for the blind test", "captionlake run construct"},
	{notGrouped, "for the search for duplicates", "captionlake run construct"},
	{construct.NotRouted, "for the validators", "captionlake run construct"},
	{construct.NotReviewed, "for a person", "captionlake bank review"},
	{construct.Undecided, "for a decision that is keep, fix or drop", "captionlake bank review"},
}

// A candidateStatus is one candidate, with the reason why it is not in the bank.
type candidateStatus struct {
	data.Candidate
	State     string `parquet:"state"` // the candidate's state in the mart construct_states
	Route     string `parquet:"route"`
	Node      int    `parquet:"node"`      // position of the candidate's node in the taxonomy, or unknownNode
	Pictured  bool   `parquet:"pictured"`  // the candidate's item is among the images of the lake
	Simulated bool   `parquet:"simulated"` // the candidate, its route or a review of it is simulated

	final  construct.Item // the question as it would be published
	reason string         // why the candidate is not in the bank; empty if it is
	by     string         // what brings the candidate into the bank: construct.RouteAccept or the decision of a person
}

// distinct is the state of candidates that go to validators and reviewers.
const distinct = "distinct"

// unknownNode is the position of taxonomy nodes that are no longer in the taxonomy: after all
// nodes of the taxonomy.
const unknownNode = math.MaxInt32

// DomainOf gives the name of a domain in the letter case of its candidates. If several domains
// differ only in letter case, the domain with the given letter case is preferred. A domain without
// candidates is an error.
func DomainOf(l *data.Lake, name string) (string, error) {
	domains, err := texts(l,
		"select domain as text from candidates group by domain order by domain <> $1, domain", name)
	if err != nil {
		return "", err
	}
	for _, d := range domains {
		if strings.EqualFold(d, name) {
			return d, nil
		}
	}
	missing := errors.New("the lake has no candidates")
	if len(domains) > 0 {
		missing = fmt.Errorf("the domain %q has no candidates; these have some: %s", name, strings.Join(domains, ", "))
	}
	return "", data.WithHint(missing, "make some with: captionlake run construct --domain %q", name)
}

// statuses gives every candidate of a domain with its status, in the order of the bank: by item,
// position in the taxonomy and candidate_id.
func statuses(l *data.Lake, domain string) ([]candidateStatus, error) {
	decisions, err := decisionsOf(l)
	if err != nil {
		return nil, err
	}
	var all []candidateStatus
	taken := map[string]bool{} // question_ids of earlier candidates in the bank
	for s, err := range data.Query[candidateStatus](l, `
		select c.* exclude (unit), s.state, r.route, i.image_id is not null as pictured, coalesce(n.ordinal, $2) as node,
			'simulated' in (c.provenance, coalesce(r.provenance, ''))
				or c.candidate_id in (select candidate_id from reviews where provenance = 'simulated') as simulated
		from candidates as c
		inner join construct_states as s using (candidate_id)
		left join routes as r using (candidate_id)
		left join taxonomy as n
			on (n.domain, n.category, n.subcategory, n.aspect) = (c.domain, c.category, c.subcategory, c.aspect)
		left join (select distinct image_id from images) as i using (image_id)
		where c.domain = $1
		order by c.image_id, node, c.candidate_id`, domain, unknownNode) {
		if err != nil {
			return nil, err
		}
		s.final = construct.Item{Question: s.Question, Options: s.Options, Answer: int(s.AnswerIndex)}
		// A candidate in another state did not come as far as a decision: the state is the reason.
		if s.reason = s.State; s.reason == distinct {
			byPeople := decisions[s.CandidateID]
			s.final, s.reason = construct.Final(s.final, s.Route, byPeople)
			s.by = construct.RouteAccept
			if latest, decided := construct.Latest(byPeople); decided {
				s.by = latest.Decision
			}
			switch {
			case s.reason != "": // The decision leaves it out.
			case !s.Pictured:
				s.reason = unpictured
			case captionqa.Unaskable(s.final.Question, s.final.Options) != "":
				s.reason = unaskable
			}
		}
		if s.reason == "" { // The first of an item's questions with the same text and options is kept.
			id := captionqa.QuestionID(s.ImageID, s.final.Question, s.final.Options)
			if taken[id] {
				s.reason = sameQuestion
			}
			taken[id] = true
		}
		all = append(all, s)
	}
	return all, nil
}

// decisionsOf gives people's decisions by candidate_id.
func decisionsOf(l *data.Lake) (map[string][]construct.Decision, error) {
	decisions := map[string][]construct.Decision{}
	for r, err := range data.Scan(l, data.Reviews) {
		if err != nil {
			return nil, err
		}
		d := construct.Decision{Reviewer: r.Reviewer, Decision: r.Decision, Question: r.Question, Options: r.Options}
		if r.AnswerIndex != nil {
			d.Answer = new(int(*r.AnswerIndex))
		}
		if r.ReviewedAt != nil {
			d.At = *r.ReviewedAt
		}
		decisions[r.CandidateID] = append(decisions[r.CandidateID], d)
	}
	return decisions, nil
}
