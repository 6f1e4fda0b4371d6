package engine

import (
	"fmt"
	"strings"

	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
)

// bytesPerToken is the mean length of a token of English text, for estimates only.
const bytesPerToken = 4

// An Estimate says what a unit would ask, without asking it. Tokens of prompts are estimated from
// the length of the texts, without pictures. Tokens of replies and time are estimated from the
// lake's calls of the same model and stage.
type Estimate struct {
	Stage   string  `json:"stage"`
	Unit    string  `json:"unit"`
	Model   string  `json:"model"`
	Planned int     `json:"planned"` // requests of the plan, equal ones counted once
	Pending int     `json:"pending"` // planned requests without a recorded reply
	Prompt  int64   `json:"prompt_tokens"`
	Shared  int64   `json:"shared_tokens"`     // prompt tokens that a prefix cache can serve
	Output  int64   `json:"completion_tokens"` // estimated from recorded replies
	Seconds float64 `json:"seconds"`           // 0 if the model's speed is unknown
	Cost    float64 `json:"cost"`              // in the currency of the configuration's prices
	// whether all pending requests have a price; if some request has no price, Cost says nothing
	Priced bool `json:"priced"`
	// Most and CostMost are Output and Cost if every reply had the largest length.
	Most     int64   `json:"completion_tokens_most"`
	CostMost float64 `json:"cost_most"`
	Failed   int     `json:"recorded_failed"` // recorded requests that failed or were cut off; they are not pending
	// Replaces are pending requests whose settings have changed since replies were recorded; nil
	// for none. A run repeats these requests only with --replace.
	Replaces *Replacement `json:"replaces,omitempty"`
	Assumed  bool         `json:"assumed,omitempty"` // about items that do not exist yet; their length is assumed
	Note     string       `json:"note,omitempty"`    // message to the user about the unit
}

// add counts the requests of a group. All requests but the first one find the text that they share
// with the first one in the cache.
func (e *Estimate) add(group []llm.Request) {
	for i, r := range group {
		e.Pending++
		e.Prompt += int64(len(r.Text()) / bytesPerToken)
		e.Most += int64(r.Sampling.MaxTokens) // 0 for vectors
		if i > 0 {
			e.Shared += int64(commonPrefix(group[0].Text(), r.Text()) / bytesPerToken)
		}
	}
}

// commonPrefix is the number of bytes in which two texts begin alike.
func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// Total adds estimates up. The total time is 0, which means unknown, if the time of any unit with
// pending requests is unknown.
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

// A Replacement describes requests that a run would repeat because their settings have changed
// since replies were recorded.
type Replacement struct {
	Requests int      `json:"requests"`           // requests that would be repeated
	Settings []string `json:"settings,omitempty"` // what differs, each as "name: old → new"
	Prompt   int64    `json:"prompt_tokens"`      // as in Estimate, for these requests
	Most     int64    `json:"completion_tokens_most"`
}

// String says what would be repeated, why, and what it costs.
func (r *Replacement) String() string {
	return fmt.Sprintf("%d items have replies that were asked for under other settings (%s); asking again takes "+
		"as many requests, about %d prompt tokens without pictures and at most %d tokens of replies",
		r.Requests, strings.Join(r.Settings, "; "), r.Prompt, r.Most)
}

// A Forecast is what a stage will ask about the future results of earlier stages, estimated from
// the lake or from assumptions.
type Forecast struct {
	Models []config.Model // the models to ask; each model gets the same requests
	Groups int            // number of groups of requests; Group is a typical group
	Group  []llm.Request
	Note   string // the assumption, as a message to the user
}

// A speed is measured from the recorded calls of a model at a stage.
type speed struct {
	Model string `parquet:"model"`
	Stage string `parquet:"stage"`
	// requests answered in a second, skipping seconds without a reply; 0 with fewer than a hundred
	// calls
	Rate   float64 `parquet:"rate"`
	Tokens float64 `parquet:"tokens"` // mean tokens of a reply; 0 if unknown
}

// speeds asks for the speeds of all models. It leaves out the times of offline replies, which have
// no latency: the column finished_at has the time of their import.
const speeds = `
	select model, stage, avg(completion_tokens) filter (where completion_tokens > 0) as tokens,
		case when count(latency_ms) >= 100
			then count(latency_ms)
				/ count(distinct date_trunc('second', finished_at)) filter (where latency_ms is not null) end as rate
	from calls
	group by model, stage`
