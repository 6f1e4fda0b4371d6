package llm

import (
	"encoding/json"
	"fmt"
	"time"
)

// States of a call, as the calls table records them.
const (
	StateOK        = "ok"        // the reply is whole
	StateTruncated = "truncated" // the reply ended at its largest number of tokens
	StateFailed    = "failed"    // there is no reply
)

// Reply is what a model said, the vectors of texts, or the trace of a call that failed.
type Reply struct {
	State            string         // StateOK, StateTruncated or StateFailed; empty when the call was given up unsent or dropped
	Model            string         // name by which the server calls the model; empty when it did not say
	Text             string         // text of the reply as the server gave it, the endpoint's key removed
	Reasoning        string         // thoughts that the server kept apart from the text; empty when it did not
	FinishReason     string         // stop, length, …; empty when the server gave none
	PromptTokens     int            // 0 when the server did not count
	CachedTokens     int            // prompt tokens that came from the prefix cache; 0 when the server does not tell
	CompletionTokens int            // 0 when the server did not count
	Latency          time.Duration  // from the last attempt's start to the whole reply
	Attempts         int            // attempts made, 1 when the first succeeded, 0 when none was sent
	Endpoint         string         // name of the replica that was asked last
	Logprobs         []TokenLogprob // one for each token of the reply; nil unless asked for
	PromptLogprobs   string         // JSON of vLLM's prompt_logprobs; empty unless asked for
	Vectors          [][]float32    // of the texts that were asked about, in their order; nil for a chat
}

// TokenLogprob is one token of a reply with the likeliest tokens at its position.
type TokenLogprob struct {
	Token   string    `json:"token"`
	Logprob float64   `json:"logprob"` // natural logarithm of the probability
	Top     []Logprob `json:"top"`
}

// Logprob is one candidate token.
type Logprob struct {
	Token   string  `json:"token"`
	Logprob float64 `json:"logprob"`
}

// LogprobsJSON returns the log-probabilities as the calls table stores them, empty when there are none.
func (reply Reply) LogprobsJSON() (string, error) {
	if len(reply.Logprobs) == 0 {
		return "", nil
	}
	b, err := json.Marshal(reply.Logprobs)
	return string(b), err
}

// Whole reports whether a reply that ended at its largest number of tokens is all that was asked for: the request wants no
// more than its first tokens, and got as many. completionTokens is 0 when the server did not count.
func (r Request) Whole(finishReason string, completionTokens int) bool {
	return r.FirstTokens && finishReason == finishLength && (completionTokens == 0 || completionTokens >= r.Sampling.MaxTokens)
}

func malformed(format string, args ...any) error {
	return &CallError{Class: ClassMalformed, Message: fmt.Sprintf(format, args...)}
}
