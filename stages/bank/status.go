package bank

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/construct"
)

// Reasons why a candidate is not in the bank, beside those of construct.Final, in the order of the construction.
const (
	malformed    = "malformed"     // it cannot be asked
	notTried     = "not_tried"     // it waits for the blind test
	known        = "known"         // a reader without the picture answers it
	notGrouped   = "not_grouped"   // it waits for the search for duplicates
	duplicate    = "duplicate"     // another candidate stands for its group
	unpictured   = "no_picture"    // its item is not among the images of the lake
	unaskable    = "unaskable"     // the evaluation protocol cannot ask it
	sameQuestion = "same_question" // a review made it the same as another question of its item
)

// waits reports whether a reason is no decision yet, and which command makes it.
func waits(reason string) (command string, yes bool) {
	switch {
	case reason == notTried || reason == notGrouped || reason == construct.NotRouted:
		return "captionlake run construct", true
	case construct.Waits(reason):
		return "captionlake bank review", true
	}
	return "", false
}

// A candidateStatus is one candidate with what has become of it.
type candidateStatus struct {
	data.Candidate
	final  construct.Item
	reason string // why it is not in the bank; empty when it is
	by     string // of those that are: construct.RouteAccept or the decision of a person
	node   int    // place of its node in the taxonomy, or unknownNode
	fake   bool   // it or what decided on it is simulated
}

// unknownNode is the place of what the taxonomy does not have: after all others.
const unknownNode = math.MaxInt32

// distinct reports whether a candidate is one of those that are validated and reviewed: well-formed, sighted, and standing for its group.
func (s candidateStatus) distinct() bool {
	return !slices.Contains([]string{malformed, notTried, known, notGrouped, duplicate}, s.reason)
}

// domainOf spells a domain as the candidates do.
func domainOf(l *data.Lake, name string) (string, error) {
	type row struct {
		Domain string `parquet:"domain"`
	}
	var domains []string
	for r, err := range data.Project[row](l, data.Candidates, nil) {
		if err != nil {
			return "", err
		}
		if r.Domain == name {
			return name, nil
		}
		if !slices.Contains(domains, r.Domain) {
			domains = append(domains, r.Domain)
		}
	}
	for _, d := range domains {
		if strings.EqualFold(d, name) {
			return d, nil
		}
	}
	if len(domains) == 0 {
		return "", data.WithHint(fmt.Errorf("the lake has no candidates"), "make some with: captionlake run construct --domain %q", name)
	}
	slices.Sort(domains)
	return "", data.WithHint(fmt.Errorf("the domain %q has no candidates; these have some: %s", name, strings.Join(domains, ", ")),
		"make some with: captionlake run construct --domain %q", name)
}

// statuses says of every candidate of a domain what has become of it, in the order of the bank: by item, place in the taxonomy and
// candidate_id. A candidate is known when any reader answers it blindly, as the mart construct_funnel counts.
func statuses(l *data.Lake, domain string) ([]candidateStatus, error) {
	var all []candidateStatus
	for c, err := range data.Select(l, data.Candidates, data.Where{"domain": domain}) {
		if err != nil {
			return nil, err
		}
		all = append(all, candidateStatus{Candidate: c, node: unknownNode, fake: c.Provenance == data.ProvenanceSimulated,
			final: construct.Item{Question: c.Question, Options: c.Options, Answer: int(c.AnswerIndex)}})
	}
	blind, err := blindResults(l)
	if err != nil {
		return nil, err
	}
	type member struct {
		CandidateID    string `parquet:"candidate_id"`
		Representative bool   `parquet:"representative"`
	}
	grouped := map[string]bool{}
	for m, err := range data.Project[member](l, data.QuestionGroups, nil) {
		if err != nil {
			return nil, err
		}
		grouped[m.CandidateID] = m.Representative
	}
	routes := map[string]data.Route{}
	for r, err := range data.Scan(l, data.Routes) {
		if err != nil {
			return nil, err
		}
		routes[r.CandidateID] = r
	}
	decisions, fake, err := decisionsOf(l)
	if err != nil {
		return nil, err
	}
	nodes, err := nodesOf(l, domain)
	if err != nil {
		return nil, err
	}
	pictured, err := picturesOf(l)
	if err != nil {
		return nil, err
	}
	for i := range all {
		s := &all[i]
		if place, ok := nodes[[3]string{s.Category, s.Subcategory, s.Aspect}]; ok {
			s.node = place
		}
		representative, isGrouped := grouped[s.CandidateID]
		switch b, tried := blind[s.CandidateID]; {
		case s.Malformed != "":
			s.reason = malformed
		case !tried:
			s.reason = notTried
		case b.known(len(s.Options)):
			s.reason = known
		case !isGrouped:
			s.reason = notGrouped
		case !representative:
			s.reason = duplicate
		default:
			route := routes[s.CandidateID]
			s.fake = s.fake || route.Provenance == data.ProvenanceSimulated || fake[s.CandidateID]
			s.final, s.reason = construct.Final(s.final, route.Route, decisions[s.CandidateID])
			s.by = construct.RouteAccept
			if latest, decided := construct.Latest(decisions[s.CandidateID]); decided {
				s.by = latest.Decision
			}
			if s.reason == "" && !pictured[s.ImageID] {
				s.reason = unpictured
			}
			if s.reason == "" && captionqa.Unaskable(s.final.Question, s.final.Options) != "" {
				s.reason = unaskable
			}
		}
	}
	slices.SortStableFunc(all, func(a, b candidateStatus) int {
		return cmp.Or(cmp.Compare(a.ImageID, b.ImageID), cmp.Compare(a.node, b.node), cmp.Compare(a.CandidateID, b.CandidateID))
	})
	markSame(all)
	return all, nil
}

// markSame leaves the first of the questions of an item that ask the same with the same options.
func markSame(all []candidateStatus) {
	seen := map[string]bool{}
	for i := range all {
		if s := &all[i]; s.reason == "" {
			id := captionqa.QuestionID(s.ImageID, s.final.Question, s.final.Options)
			if seen[id] {
				s.reason = sameQuestion
			}
			seen[id] = true
		}
	}
}

// blindResult is how often each reader hit the key of one candidate.
type blindResult map[string]struct{ trials, hits int }

func (b blindResult) known(options int) bool {
	for _, r := range b {
		if r.hits >= captionqa.BlindDropAt(options, r.trials) {
			return true
		}
	}
	return false
}

func blindResults(l *data.Lake) (map[string]blindResult, error) {
	type trial struct {
		CandidateID string `parquet:"candidate_id"`
		Reader      string `parquet:"reader"`
		Hit         bool   `parquet:"hit"`
	}
	results := map[string]blindResult{}
	for t, err := range data.Project[trial](l, data.BlindTrials, nil) {
		if err != nil {
			return nil, err
		}
		if results[t.CandidateID] == nil {
			results[t.CandidateID] = blindResult{}
		}
		r := results[t.CandidateID][t.Reader]
		r.trials++
		if t.Hit {
			r.hits++
		}
		results[t.CandidateID][t.Reader] = r
	}
	return results, nil
}

// decisionsOf gives what people decided on each candidate, and the candidates of which a decision is simulated.
func decisionsOf(l *data.Lake) (map[string][]construct.Decision, map[string]bool, error) {
	decisions, fake := map[string][]construct.Decision{}, map[string]bool{}
	for r, err := range data.Scan(l, data.Reviews) {
		if err != nil {
			return nil, nil, err
		}
		d := construct.Decision{Reviewer: r.Reviewer, Decision: r.Decision, Question: r.Question, Options: r.Options}
		if r.AnswerIndex != nil {
			answer := int(*r.AnswerIndex)
			d.Answer = &answer
		}
		if r.ReviewedAt != nil {
			d.At = r.ReviewedAt.UTC().Truncate(time.Microsecond)
		}
		decisions[r.CandidateID] = append(decisions[r.CandidateID], d)
		fake[r.CandidateID] = fake[r.CandidateID] || r.Provenance == data.ProvenanceSimulated
	}
	return decisions, fake, nil
}

// nodesOf gives the place of each node in the taxonomy of a domain.
func nodesOf(l *data.Lake, domain string) (map[[3]string]int, error) {
	nodes := map[[3]string]int{}
	for n, err := range data.Select(l, data.Taxonomy, data.Where{"domain": domain}) {
		if err != nil {
			return nil, err
		}
		nodes[[3]string{n.Category, n.Subcategory, n.Aspect}] = int(n.Ordinal)
	}
	return nodes, nil
}

func picturesOf(l *data.Lake) (map[string]bool, error) {
	type row struct {
		ImageID string `parquet:"image_id"`
	}
	pictured := map[string]bool{}
	for r, err := range data.Project[row](l, data.Images, nil) {
		if err != nil {
			return nil, err
		}
		pictured[r.ImageID] = true
	}
	return pictured, nil
}
