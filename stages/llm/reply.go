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
	StateFailed    = "failed"    // there is no valid reply
)

// Reply is the part of a row of calls that a server decides: a model's reply, or the trace of a
// failed call. Model is the server's name for the model, empty if it gave none. Text does not
// contain the endpoint's key; for vectors it is their JSON, a list for each text. State is empty if
// the call was given up unsent or dropped.
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

// First is the number of tokens of a reply that the protocol reads, from the first one on; 0 for
// all.
func (r Request) First() int64 {
	if r.FirstTokens {
		return int64(r.Sampling.MaxTokens)
	}
	return 0
}

// Whole reports whether a reply is complete although it ended at its largest number of tokens: the
// protocol reads only the first tokens, and the reply has them. first is the number of these
// tokens, as First returns it; completionTokens is 0 if the server did not count.
func Whole(first int64, finishReason string, completionTokens int64) bool {
	return first > 0 && finishReason == string(openai.FinishReasonLength) &&
		(completionTokens == 0 || completionTokens >= first)
}

// malformed is the error of an invalid reply.
func malformed(format string, args ...any) error { return callError(ClassMalformed, format, args...) }

func callError(class Class, format string, args ...any) *CallError {
	return &CallError{Class: class, Message: fmt.Sprintf(format, args...)}
}
