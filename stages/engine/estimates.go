package engine

import (
	"fmt"
	"strings"

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

// A Replacement is what a run would ask again, although replies for the same items are recorded, because settings have
// changed since.
type Replacement struct {
	Requests int      `json:"requests"`           // requests that would be asked again
	Settings []string `json:"settings,omitempty"` // what differs: name: old → new
	Prompt   int64    `json:"prompt_tokens"`      // as in Estimate, of these requests
	Most     int64    `json:"completion_tokens_most"`
}

// String says what would be asked again, why, and what it costs.
func (r *Replacement) String() string {
	return fmt.Sprintf("%d items have replies that were asked for under other settings (%s); asking again takes as many requests, about %d prompt tokens without pictures and at most %d tokens of replies",
		r.Requests, strings.Join(r.Settings, "; "), r.Prompt, r.Most)
}

// A Forecast is what a stage will ask about what the stages before it have yet to make, as far as a lake, or an assumption, tells.
type Forecast struct {
	Unit   string       // what is asked about, for people
	Model  config.Model // who is asked
	Groups int          // groups of requests of which Group is a typical one
	Group  []llm.Request
	Note   string // the assumption
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
