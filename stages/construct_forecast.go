package stages

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
	"github.com/captionlake/captionlake/stages/llm"
)

// What is assumed where the lake has too few candidates to tell: some 30,000 come from 150 images, 22 nodes and three generators, and a third of
// them is kept (CaptionQA sections 4.3.1 and 12, and Table 1).
const (
	assumedCandidates = 3.0
	assumedKept       = 1.0 / 3
	enoughToTell      = 50 // replies, tried candidates or grouped ones from which the lake's own shares count
)

// assumedCandidate is of the usual length.
var assumedCandidate = data.Candidate{
	CandidateID: "image/candidate", Question: "What colour is the umbrella that the woman in the middle of the picture holds?",
	Options: []string{"Dark red", "Light blue", "Yellow with white dots", "Black"},
}

// A funnel is what becomes of the requests to generators, and how many candidates are on their way.
type funnel struct {
	written, sighted, kept float64 // candidates of a request that can be asked; share of these that pass the blind test; share of those that go to validators
	typical                data.Candidate
	batch                  int // candidates that are encoded together: those of an image and a node
	ungrouped              int // candidates that passed the blind test and have no group yet
	note                   string
}

// readFunnel takes the shares from the chosen domains of the lake, and says what it assumes.
func readFunnel(s *engine.Scope) (f funnel, err error) {
	f = funnel{written: assumedCandidates, sighted: 1, kept: assumedKept, typical: assumedCandidate}
	domains, err := madeDomains(s)
	if err != nil {
		return f, err
	}
	tried, grouped := map[string]bool{}, map[string]bool{}
	replies, formed, through, members, kept := map[string]bool{}, []data.Candidate{}, 0, 0, 0
	type trialOf struct {
		CandidateID string `parquet:"candidate_id"`
	}
	for t, err := range data.Project[trialOf](s.Lake, data.BlindTrials, nil) {
		if err != nil {
			return f, err
		}
		tried[t.CandidateID] = true
	}
	type member struct {
		CandidateID    string `parquet:"candidate_id"`
		Representative bool   `parquet:"representative"`
	}
	for m, err := range data.Project[member](s.Lake, data.QuestionGroups, nil) {
		if err != nil {
			return f, err
		}
		grouped[m.CandidateID] = true
		members++
		if m.Representative {
			kept++
		}
	}
	for _, domain := range domains {
		if err := wellFormed(s, domain, func(c data.Candidate) error {
			formed = append(formed, c)
			return nil
		}); err != nil {
			return f, err
		}
		if s.Config.Construct.Reader == "" {
			continue
		}
		if err := sighted(s, domain, func(c data.Candidate) error {
			through++
			if !grouped[c.CandidateID] {
				f.ungrouped++
			}
			return nil
		}); err != nil {
			return f, err
		}
	}
	type call struct {
		Stage       string `parquet:"stage"`
		RequestHash string `parquet:"request_hash"`
		State       string `parquet:"state"`
	}
	for c, err := range data.Project[call](s.Lake, data.Calls, data.Where{"stage": "generate"}) {
		if err != nil {
			return f, err
		}
		if c.State != llm.StateFailed {
			replies[c.RequestHash] = true
		}
	}

	var notes []string
	if len(replies) >= enoughToTell && len(formed) > 0 {
		f.written = float64(len(formed)) / float64(len(replies))
		slices.SortFunc(formed, func(a, b data.Candidate) int {
			return cmp.Or(cmp.Compare(len(a.Question), len(b.Question)), cmp.Compare(a.CandidateID, b.CandidateID))
		})
		f.typical = formed[len(formed)/2]
		notes = append(notes, fmt.Sprintf("%.2f candidates of a request, as in the lake", f.written))
	} else {
		notes = append(notes, fmt.Sprintf("%.0f candidates of a request, as CaptionQA section 12 has them", f.written))
	}
	n := 0
	for _, c := range formed {
		if tried[c.CandidateID] {
			n++
		}
	}
	if n >= enoughToTell {
		f.sighted = float64(through) / float64(n)
		notes = append(notes, fmt.Sprintf("%.0f%% of them pass the blind test, as in the lake", 100*f.sighted))
	} else {
		notes = append(notes, "all of them pass the blind test, which is the most there can be")
	}
	if members >= enoughToTell {
		f.kept = float64(kept) / float64(members)
		notes = append(notes, fmt.Sprintf("%.0f%% of those are no duplicates, as in the lake", 100*f.kept))
	} else {
		notes = append(notes, "a third of those goes to the validators, as CaptionQA section 12 has it")
	}
	f.batch = max(1, min(encodedTogether, int(math.Round(float64(len(s.Config.Construct.Generators))*f.written*f.sighted))))
	pictured, err := countImages(s, domains)
	if err != nil {
		return f, err
	}
	f.note = "Of what is yet to be written is assumed: " + strings.Join(notes, "; ") + ".\n" + publishedCost(pictured)
	return f, nil
}

func countImages(s *engine.Scope, domains []string) (int, error) {
	ids := map[string]bool{}
	type image struct {
		ImageID string `parquet:"image_id"`
		Domain  string `parquet:"domain"`
	}
	for i, err := range data.Project[image](s.Lake, data.Images, nil) {
		if err != nil {
			return 0, err
		}
		if slices.Contains(domains, i.Domain) {
			ids[i.ImageID] = true
		}
	}
	return len(ids), nil
}

// publishedCost is what CaptionQA's section 12 says of about 150 images and 10,000 questions, and what that is for so many images: its costs grow
// with their number.
func publishedCost(images int) string {
	const tokens, low, high, hours, of = 17.7, 40.0, 60.0, 3.5, 150
	share := float64(images) / of
	return fmt.Sprintf("CaptionQA section 12 has %.1f million tokens and %.0f to %.0f USD of generators and validators, pictures included, and 3 to 4 hours of one MI325 for the rest, "+
		"for %d images. For your %d that is %.2f million tokens, %.2f to %.2f USD and %.1f hours.", tokens, low, high, of, images, tokens*share, low*share, high*share, hours*share)
}

// onTheirWay is how many candidates the run has yet to try blindly, and how many of these and others will pass.
func (f funnel) onTheirWay(s *engine.Scope, before []engine.Estimate) (unwritten, passing float64) {
	untried := 0.0
	for _, e := range before {
		switch {
		case e.Assumed:
		case e.Stage == "generate":
			unwritten += float64(e.Pending) * f.written
		case e.Stage == "blind":
			untried += float64(e.Pending) / float64(s.Config.Construct.Trials)
		}
	}
	return unwritten, (unwritten + untried) * f.sighted
}

// forecastOf makes the forecast of a stage: how many groups of requests, of which one is typical, each of its models gets.
func forecastOf(groups func(f funnel, unwritten, passing float64) float64, asked func(s *engine.Scope) ([]config.Model, error),
	typical func(s *engine.Scope, m config.Model, f funnel) ([]llm.Request, error)) func(*engine.Scope, []engine.Estimate) ([]engine.Forecast, error) {
	return func(s *engine.Scope, before []engine.Estimate) ([]engine.Forecast, error) {
		f, err := readFunnel(s)
		if err != nil {
			return nil, err
		}
		models, err := asked(s)
		if err != nil {
			return nil, err
		}
		unwritten, passing := f.onTheirWay(s, before)
		n := int(math.Ceil(groups(f, unwritten, passing)))
		var all []engine.Forecast
		for _, m := range models {
			requests, err := typical(s, m, f)
			if err != nil {
				return nil, err
			}
			all = append(all, engine.Forecast{Unit: m.ID, Model: m, Groups: n, Group: requests, Note: f.note})
		}
		return all, nil
	}
}
