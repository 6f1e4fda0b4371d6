package llm

import (
	"fmt"

	"github.com/sashabaranov/go-openai"

	"github.com/captionlake/captionlake/data"
)

// States of a call, as the calls table records them.
const (
	StateOK        = "ok"        // the reply is whole
	StateTruncated = "truncated" // the reply ended at its largest number of tokens
	StateFailed    = "failed"    // there is no reply
)

// Reply is a row of calls as far as a server decides it: what a model said, or the trace of a call
// that failed. Its Model is the name by which the server calls the model, empty when it did not
// say; its text has the endpoint's key removed, and of vectors is their JSON, a list for each text.
// State is empty when the call was given up unsent or dropped.
type Reply = data.Call

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

// First is how many tokens of the reply are wanted, whatever follows them; 0 for all.
func (r Request) First() int64 {
	if r.FirstTokens {
		return int64(r.Sampling.MaxTokens)
	}
	return 0
}

// Whole reports whether a reply that ended at its largest number of tokens is all that was asked
// for: first tokens are wanted of it, and there are as many. completionTokens is 0 when the server
// did not count.
func Whole(first int64, finishReason string, completionTokens int64) bool {
	return first > 0 && finishReason == string(openai.FinishReasonLength) && (completionTokens == 0 || completionTokens >= first)
}

// malformed is the error of a reply that is none.
func malformed(format string, args ...any) error { return callError(ClassMalformed, format, args...) }

func callError(class Class, format string, args ...any) *CallError {
	return &CallError{Class: class, Message: fmt.Sprintf(format, args...)}
}
