package engine

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
)

// bytesPerToken is the mean length of a token of English text, for estimates only.
const bytesPerToken = 4

// An Estimate says what a unit would ask, without asking it. Tokens of prompts are guessed from the length of the texts, pictures
// not counted; those of replies, and the time, from the calls of the model and the stage that the lake holds.
type Estimate struct {
	Stage   string  `json:"stage"`
	Unit    string  `json:"unit"`
	Model   string  `json:"model"`
	Planned int     `json:"planned"` // requests of the plan, equal ones counted once
	Pending int     `json:"pending"` // of these, the ones without a recorded reply
	Prompt  int64   `json:"prompt_tokens"`
	Shared  int64   `json:"shared_tokens"`     // prompt tokens that a prefix cache can serve
	Output  int64   `json:"completion_tokens"` // guessed from the replies that are recorded
	Seconds float64 `json:"seconds"`           // 0 when nothing is known of the model's speed
	Cost    float64 `json:"cost"`              // in the currency of the configuration's prices
	Priced  bool    `json:"priced"`            // whether there is a price for all that is pending; without one Cost says nothing
	// Most and CostMost are Output and Cost if every reply were as long as it may be.
	Most     int64   `json:"completion_tokens_most"`
	CostMost float64 `json:"cost_most"`
	Failed   int     `json:"recorded_failed"` // recorded requests that failed or were cut off, which are not pending
	// Replaces is what is pending because settings have changed since replies were recorded; nil when nothing is. A run
	// asks for it only when told to.
	Replaces *Replacement `json:"replaces,omitempty"`
	Assumed  bool         `json:"assumed,omitempty"` // about what is still to be made, whose length is an assumption
	Note     string       `json:"note,omitempty"`    // what a user should know of the unit
}

// Estimate says what the units of the run would ask now, and after them what would follow from what they make. Where
// nothing can be asked, the error says why, as that of Run does; it comes without estimates.
func (r *Runner) Estimate() (_ []Estimate, err error) {
	if r.speeds, err = data.QueryAll[speed](r.Lake, speeds); err != nil {
		return nil, err
	}
	estimates := []Estimate{}
	nothing := r.each(false, func(u *unit, s *Scope, _ bool) error {
		e, err := r.estimate(u, s)
		estimates = append(estimates, e)
		return err
	})
	if nothing != nil && !errors.Is(nothing, ErrNothingToAsk) {
		return nil, nothing
	}
	shapes := map[string]Estimate{}
	err = r.each(true, func(u *unit, s *Scope, _ bool) (err error) {
		shape := u.stage + " " + u.Shape
		e, known := shapes[shape]
		if !known || u.Shape == "" {
			u.Reads = nil // What is assumed is nothing that a run remembers.
			if e, err = r.estimate(u, s); err != nil {
				return err
			}
			shapes[shape] = e
		}
		if e.Planned > 0 {
			e.Unit, e.Assumed = u.Name, true
			estimates = append(estimates, e)
		}
		return nil
	})
	if err != nil && !errors.Is(err, ErrNothingToAsk) {
		return nil, err
	}
	if len(estimates) == 0 {
		return nil, nothing
	}
	return r.forecasts(estimates)
}

func (r *Runner) estimate(u *unit, s *Scope) (Estimate, error) {
	e := Estimate{Stage: u.stage, Unit: u.Name, Model: u.Model.ID, Note: u.Note}
	known, ok, err := r.recalled(u)
	if err != nil || ok {
		e.Planned, e.Failed, e.Priced = known.Planned, known.Failed, true
		return e, err
	}
	w, err := r.walk(u, s, r.asks(u))
	if err != nil {
		return e, err
	}
	w.asker = lister{w, func(group []*request) error {
		bodies := make([]llm.Request, len(group))
		for i, q := range group {
			if bodies[i], err = w.body(q); err != nil {
				return err
			}
		}
		e.add(bodies)
		return nil
	}}
	if err := w.run(); err != nil {
		return e, err
	}
	e.Planned, e.Failed = w.summary.Planned, w.summary.RecordedFailed
	if e.Pending > 0 {
		e.Replaces, err = w.replacement(r.pendingOnly(u))
	}
	r.price(&e, u.Model.Served)
	return e, err
}

// AssumedReply is how many tokens a reply is taken to have of a model whose replies at a stage are not recorded, where it may have as
// many: those of a caption.
var AssumedReply = captionqa.AssumedTokens(captionqa.PromptSimple)

// price adds length of replies, time and cost to the counts of an estimate.
func (r *Runner) price(e *Estimate, served string) {
	known := speed{}
	for _, s := range r.speeds {
		if s.Model == e.Model && s.Stage == e.Stage {
			known = s
		}
	}
	if known.Rate > 0 {
		e.Seconds = float64(e.Pending) / known.Rate
	}
	e.Output = min(e.Most, int64(float64(e.Pending)*cmp.Or(known.Tokens, float64(AssumedReply))))
	p := r.Config.Settings(served).Price
	e.Priced = p != config.Price{} || e.Pending == 0
	prompts := p.Input*float64(e.Prompt-e.Shared) + p.Cached*float64(e.Shared)
	e.Cost, e.CostMost = (prompts+p.Output*float64(e.Output))/1e6, (prompts+p.Output*float64(e.Most))/1e6
}

// add counts a group. All but its first request find the text that they have in common with it in the cache.
func (e *Estimate) add(group []llm.Request) {
	var first string
	for i, r := range group {
		own := r.Text()
		e.Pending++
		e.Prompt += int64(len(own) / bytesPerToken)
		e.Most += int64(r.Sampling.MaxTokens) // 0 for vectors
		if i == 0 {
			first = own
			continue
		}
		e.Shared += int64(commonPrefix(first, own) / bytesPerToken)
	}
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// A speed is what the recorded calls of a stage tell of a model.
type speed struct {
	Model  string  `parquet:"model"`
	Stage  string  `parquet:"stage"`
	Rate   float64 `parquet:"rate"`   // requests answered in a second, seconds without a reply left out; 0 when a hundred calls do not tell
	Tokens float64 `parquet:"tokens"` // of a reply in the mean; 0 when none is known
}

// speeds leaves out that the replies of a batch, which have no latency, were finished when they were imported.
const speeds = `
	select model, stage, avg(completion_tokens) filter (where completion_tokens > 0) as tokens,
		case when count(latency_ms) >= 100
			then count(latency_ms) / count(distinct date_trunc('second', finished_at)) filter (where latency_ms is not null) end as rate
	from calls
	group by model, stage`

// Total adds estimates up. Its time is 0, unknown, when that of a unit with something pending is.
func Total(estimates []Estimate) Estimate {
	total := Estimate{Unit: fmt.Sprintf("%d units", len(estimates)), Priced: true}
	unknown := false
	for _, e := range estimates {
		total.Planned += e.Planned
		total.Pending += e.Pending
		total.Prompt += e.Prompt
		total.Shared += e.Shared
		total.Output += e.Output
		total.Most += e.Most
		total.CostMost += e.CostMost
		total.Failed += e.Failed
		total.Seconds += e.Seconds
		total.Cost += e.Cost
		total.Assumed = total.Assumed || e.Assumed
		total.Priced = total.Priced && e.Priced
		unknown = unknown || e.Pending > 0 && e.Seconds == 0
	}
	if unknown {
		total.Seconds = 0
	}
	return total
}
