package stages

import (
	"fmt"
	"math"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
	"github.com/captionlake/captionlake/stages/llm"
)

// Assumptions for a lake with too few candidates: 150 images, 22 nodes and three generators give
// some 30,000 candidates, and a third of them is kept (CaptionQA sections 4.3.1 and 12, and Table
// 1).
const (
	assumedCandidates = 3.0     // candidates of a request
	assumedKept       = 1.0 / 3 // share of the candidates that are not duplicates
	enoughToTell      = 50      // least number in the lake from which a share is computed
)

// assumedCandidate is a candidate of the usual length.
var assumedCandidate = data.Candidate{
	CandidateID: "image/candidate",
	Question:    "What colour is the umbrella that the woman in the middle of the picture holds?",
	Options:     []string{"Dark red", "Light blue", "Yellow with white dots", "Black"},
}

// A funnel says how many candidates pass each step of the construction, and how many are on their
// way.
type funnel struct {
	written   float64 // well-formed candidates of a request to a generator
	sighted   float64 // share of the well-formed candidates that pass the blind test
	kept      float64 // share of the sighted candidates that are not duplicates, and go to validators
	typical   data.Candidate
	batch     int     // candidates that are encoded together: the candidates of an image and a node
	ungrouped int     // candidates that passed the blind test and have no group yet
	unwritten float64 // candidates that the run has yet to write
	passing   float64 // unwritten and untried candidates that will pass the blind test
	note      string  // what is assumed, for the user
}

// funnelCounts are a lake's counts for the candidates of some domains.
type funnelCounts struct {
	Formed    int `parquet:"formed"`    // well-formed candidates
	Tried     int `parquet:"tried"`     // formed candidates with a blind trial
	Sighted   int `parquet:"sighted"`   // tried candidates that passed the blind test
	Ungrouped int `parquet:"ungrouped"` // sighted candidates without a group
	Replies   int `parquet:"replies"`   // replies of generators about all domains
	Grouped   int `parquet:"grouped"`   // candidates of all domains with a group
	Kept      int `parquet:"kept"`      // candidates of all domains that represent their groups
	Images    int `parquet:"images"`
}

// inDomains narrows a selection of candidates to the domains in the list $1. It is text for the end
// of a where clause over a table with the name c.
const inDomains = " and list_contains($1::varchar[], c.domain)"

// countCandidates counts the candidates of the named domains.
func countCandidates(s *engine.Scope, names []string) (n funnelCounts, err error) {
	reader := "" // Without a reader, no candidate counts as sighted.
	if s.Config.Construct.Reader != "" {
		readers, err := readerOf(s)
		if err != nil {
			return n, err
		}
		reader = readers[0].ID
	}
	counts, err := data.QueryAll[funnelCounts](s.Lake, `
		with formed as (select c.candidate_id, s.state `+formedCandidates+inDomains+`),
			sighted as (select s.state `+sightedCandidates+inDomains+`)
		select (select count(*) from formed) as formed,
			(select count(*) from formed where candidate_id in (select candidate_id from blind_trials)) as tried,
			(select count(*) from sighted) as sighted,
			(select count(*) from sighted where state = 'not_grouped') as ungrouped,
			(select count(distinct request_hash) from calls where stage = 'generate' and state <> 'failed') as replies,
			(select count(*) from question_groups) as grouped,
			(select count(*) from question_groups where representative) as kept,
			(select count(distinct image_id) from images as c where true`+inDomains+
		`) as images`, names, reader, s.Config.Construct.Trials)
	if err != nil {
		return n, err
	}
	return counts[0], nil
}

// readFunnel computes the funnel from the chosen domains of the lake. It assumes the shares for
// which the lake has too few candidates. before has the estimates of the earlier stages.
func readFunnel(s *engine.Scope, before []engine.Estimate) (f funnel, err error) {
	f = funnel{written: assumedCandidates, sighted: 1, kept: assumedKept, typical: assumedCandidate}
	all, err := domains(s)
	if err != nil {
		return f, err
	}
	names := namesOf(all)
	n, err := countCandidates(s, names)
	if err != nil {
		return f, err
	}
	f.ungrouped = n.Ungrouped
	if n.Formed == 0 {
		n.Replies = 0 // The replies then tell nothing about these domains.
	}

	// First compute the shares. share replaces an assumed value by part/whole if whole is large
	// enough, and notes the value. format shows scale times the value: scale is 100 for a percentage.
	var notes []string
	share := func(value *float64, part, whole int, format string, scale float64, assumption string) {
		note := assumption
		if whole >= enoughToTell {
			*value = float64(part) / float64(whole)
			note = fmt.Sprintf(format+", as in the lake", *value*scale)
		}
		notes = append(notes, note)
	}
	share(&f.written, n.Formed, n.Replies, "%.2f candidates of a request", 1,
		fmt.Sprintf("%.0f candidates of a request, as CaptionQA section 12 has them", assumedCandidates))
	share(&f.sighted, n.Sighted, n.Tried, "%.0f%% of them pass the blind test", 100,
		"all of them pass the blind test, which is the most there can be")
	share(&f.kept, n.Kept, n.Grouped, "%.0f%% of the passing ones are not duplicates", 100,
		"a third of the passing ones goes to the validators, as CaptionQA section 12 has it")
	if n.Replies >= enoughToTell { // The typical candidate has a question of median length.
		typical, err := data.QueryAll[data.Candidate](s.Lake, "select c.* exclude (unit)"+formedCandidates+inDomains+
			" order by strlen(c.question), c.candidate_id limit 1 offset $2", names, n.Formed/2)
		if err != nil {
			return f, err
		}
		f.typical = typical[0] // exists: without formed candidates Replies is 0
	}
	// ofNode is the number of candidates of an image and a node that pass the blind test. These
	// candidates are embedded together.
	ofNode := float64(len(s.Config.Construct.Generators)) * f.written * f.sighted
	f.batch = max(1, min(encodedTogether, int(math.Round(ofNode))))
	// Then count the candidates on their way, from the requests that earlier stages are to send.
	untried := 0.0
	for _, e := range before {
		switch {
		case e.Assumed: // about unwritten candidates, which the estimate of generate counts
		case e.Stage == "generate":
			f.unwritten += float64(e.Pending) * f.written
		case e.Stage == "blind":
			untried += float64(e.Pending) / float64(s.Config.Construct.Trials)
		}
	}
	f.passing = (f.unwritten + untried) * f.sighted
	f.note = "Assumed for candidates that do not exist yet: " + strings.Join(notes, "; ") + ".\n" +
		publishedCost(n.Images)
	return f, nil
}

// publishedCost states the cost in CaptionQA's section 12, for about 150 images and 10,000
// questions, and the proportional cost for a number of images. It counts 3.5 hours for the paper's
// 3 to 4 hours.
func publishedCost(images int) string {
	const tokens, low, high, hours, published = 17.7, 40.0, 60.0, 3.5, 150
	share := float64(images) / published
	return fmt.Sprintf("CaptionQA section 12 has %.1f million tokens and %.0f to %.0f USD of generators and validators, "+
		"pictures included, and 3 to 4 hours of one MI325 for the rest, for %d images. "+
		"For your %d that is %.2f million tokens, %.2f to %.2f USD and %.1f hours.",
		tokens, low, high, published, images, tokens*share, low*share, high*share, hours*share)
}

// forecastOf makes the Forecast function of a stage. asked gives the models that the stage asks,
// and typical a typical group of requests with the number of such groups.
func forecastOf(asked func(*engine.Scope) ([]config.Model, error),
	typical func(config.Construct, funnel) (groups float64, group []llm.Request, err error),
) func(*engine.Scope, []engine.Estimate) (engine.Forecast, error) {
	return func(s *engine.Scope, before []engine.Estimate) (engine.Forecast, error) {
		f, err := readFunnel(s, before)
		if err != nil {
			return engine.Forecast{}, err
		}
		models, err := asked(s)
		if err != nil {
			return engine.Forecast{}, err
		}
		groups, group, err := typical(s.Config.Construct, f)
		return engine.Forecast{Models: models, Groups: int(math.Ceil(groups)), Group: group, Note: f.note}, err
	}
}
