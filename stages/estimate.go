package stages

import (
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/llm"
)

// bytesPerToken is the mean length of a token of English text, for estimates only.
const bytesPerToken = 4

// An Estimate says what a step would ask, without asking it. Tokens are guessed from the length of the texts, pictures
// not counted; time comes from the calls of the model that the lake holds, if there are enough.
type Estimate struct {
	Stage   string  `json:"stage"`
	Name    string  `json:"name"`
	Model   string  `json:"model"`
	Planned int     `json:"planned"` // requests of the plan, equal ones counted once
	Pending int     `json:"pending"` // of these, the ones without a recorded reply
	Prompt  int64   `json:"prompt_tokens"`
	Shared  int64   `json:"shared_tokens"`     // prompt tokens that a prefix cache can serve
	Output  int64   `json:"completion_tokens"` // at most
	Seconds float64 `json:"seconds"`           // 0 when nothing is known of the model's speed
	Cost    float64 `json:"cost"`              // in the currency of the configuration's prices
	Priced  bool    `json:"priced"`            // whether there is a price for all that is pending; without one Cost says nothing
	// Replaces is what is pending because settings have changed since replies were recorded; nil when nothing is. A run
	// asks for it only when told to.
	Replaces *Replacement `json:"replaces,omitempty"`
	Assumed  bool         `json:"assumed,omitempty"` // about captions that are still to be made: their length is an assumption
}

// Estimate says what a step would ask now.
func (r *Runner) Estimate(s Step) (Estimate, error) {
	e := Estimate{Stage: s.Stage, Name: s.Name, Model: s.Model.ID}
	var summary Summary
	first := true
	for work, err := range s.tries(r.Lake) {
		if err != nil {
			return e, err
		}
		if first {
			again, err := replacementOf(r.Lake, work)
			if err != nil {
				return e, err
			}
			if again.Requests > 0 {
				e.Replaces = again
			}
			first = false
		}
		for group, err := range pending(r.Lake, work, r.RetryFailed, &summary) {
			if err != nil {
				return e, err
			}
			e.add(group)
		}
	}
	e.Planned = summary.Planned
	return e, r.price(&e, s.Model.Served)
}

// price adds time and cost to the counts of an estimate.
func (r *Runner) price(e *Estimate, served string) error {
	rate, err := measuredRate(r.Lake, e.Model, e.Stage)
	if err != nil {
		return err
	}
	if rate > 0 {
		e.Seconds = float64(e.Pending) / rate
	}
	p := r.Config.settings(served).Price
	e.Priced = p != PriceConfig{} || e.Pending == 0
	e.Cost = (p.Input*float64(e.Prompt-e.Shared) + p.Cached*float64(e.Shared) + p.Output*float64(e.Output)) / 1e6
	return nil
}

// add counts a group. All but its first task find the text that they have in common with it in the cache.
func (e *Estimate) add(g Group) {
	first := text(g.Tasks[0].Request)
	for i, t := range g.Tasks {
		own := text(t.Request)
		e.Pending++
		e.Prompt += int64(len(own) / bytesPerToken)
		e.Output += int64(t.Request.Sampling.MaxTokens)
		if i > 0 {
			e.Shared += int64(commonPrefix(first, own) / bytesPerToken)
		}
	}
}

func text(r llm.Request) string {
	var s string
	for _, m := range r.Messages {
		for _, p := range m.Parts {
			s += p.Text
		}
	}
	return s
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// enoughCalls is how many calls make a speed worth naming.
const enoughCalls = 100

// measuredRate is how many requests the model answered in a second of the recorded calls of a stage, seconds without a
// reply left out; 0 when there are too few calls.
func measuredRate(l *data.Lake, model, stage string) (float64, error) {
	type finished struct {
		Model      string    `parquet:"model"`
		Stage      string    `parquet:"stage"`
		LatencyMS  float64   `parquet:"latency_ms"`
		FinishedAt time.Time `parquet:"finished_at,timestamp(microsecond)"`
	}
	seconds := map[int64]int{}
	n := 0
	for c, err := range data.Project[finished](l, data.Calls, data.Where{"model": model, "stage": stage}) {
		if err != nil {
			return 0, err
		}
		if c.LatencyMS == 0 {
			continue // From an offline batch: finished when it was imported.
		}
		seconds[c.FinishedAt.Unix()]++
		n++
	}
	if n < enoughCalls {
		return 0, nil
	}
	return float64(n) / float64(len(seconds)), nil
}
