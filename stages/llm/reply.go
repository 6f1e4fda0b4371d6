package llm

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/sashabaranov/go-openai"
)

// States of a call, as the calls table records them.
const (
	StateOK        = "ok"        // the reply is whole
	StateTruncated = "truncated" // the reply ended at its largest number of tokens
	StateFailed    = "failed"    // there is no reply
)

// Reply is what a model said, or the trace of a call that failed.
type Reply struct {
	State            string         // StateOK, StateTruncated or StateFailed; empty when the call was given up unsent or dropped
	Text             string         // text of the reply as the server gave it
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
func (r Reply) LogprobsJSON() (string, error) {
	if len(r.Logprobs) == 0 {
		return "", nil
	}
	b, err := json.Marshal(r.Logprobs)
	return string(b), err
}

// EmbedReply is the vectors of an embedding request, one for each input and in its order.
type EmbedReply struct {
	Vectors      [][]float32
	PromptTokens int
	Latency      time.Duration
	Attempts     int
	Endpoint     string
}

// ParseReply reads the body of a chat reply, as a server sends it and as an offline batch returns it.
func ParseReply(body []byte) (Reply, error) {
	var response openai.ChatCompletionResponse
	if err := json.Unmarshal(body, &response); err != nil {
		return Reply{}, &CallError{Class: ClassMalformed, Message: "the reply is not a chat completion: " + err.Error()}
	}
	return fromResponse(response)
}

func fromResponse(response openai.ChatCompletionResponse) (Reply, error) {
	if len(response.Choices) == 0 {
		return Reply{}, &CallError{Class: ClassEmpty, Message: "the reply has no choice"}
	}
	choice := response.Choices[0]
	reply := Reply{
		State: StateOK, Text: choice.Message.Content, Reasoning: choice.Message.ReasoningContent, FinishReason: string(choice.FinishReason),
		PromptTokens: max(response.Usage.PromptTokens, 0), CompletionTokens: max(response.Usage.CompletionTokens, 0),
	}
	if choice.FinishReason == openai.FinishReasonLength {
		reply.State = StateTruncated
	}
	if d := response.Usage.PromptTokensDetails; d != nil {
		reply.CachedTokens = max(d.CachedTokens, 0)
	}
	if choice.LogProbs != nil {
		for _, t := range choice.LogProbs.Content {
			token := TokenLogprob{Token: t.Token, Logprob: t.LogProb}
			for _, top := range t.TopLogProbs {
				token.Top = append(token.Top, Logprob{top.Token, top.LogProb})
			}
			reply.Logprobs = append(reply.Logprobs, token)
		}
	}
	return reply, nil
}

// promptLogprobs takes vLLM's prompt_logprobs, which go-openai does not know, from the raw body.
func promptLogprobs(body []byte) (string, error) {
	var raw struct {
		PromptLogprobs json.RawMessage `json:"prompt_logprobs"`
	}
	if err := json.Unmarshal(body, &raw); err != nil {
		return "", err
	}
	if len(raw.PromptLogprobs) == 0 || string(raw.PromptLogprobs) == "null" {
		return "", nil
	}
	return string(raw.PromptLogprobs), nil
}

// vectors orders the vectors of a reply by input and checks that none is missing, ragged or not a number.
func vectors(response openai.EmbeddingResponse, inputs int) ([][]float32, error) {
	out := make([][]float32, inputs)
	for _, e := range response.Data {
		if e.Index < 0 || e.Index >= inputs || out[e.Index] != nil {
			return nil, fmt.Errorf("the reply has a vector for input %d of %d twice or out of range", e.Index, inputs)
		}
		if len(e.Embedding) == 0 {
			return nil, fmt.Errorf("the vector of input %d is empty", e.Index)
		}
		out[e.Index] = e.Embedding
	}
	for i, v := range out {
		if v == nil {
			return nil, fmt.Errorf("the reply has no vector for input %d of %d", i, inputs)
		}
		if len(v) != len(out[0]) {
			return nil, fmt.Errorf("the vectors of inputs 0 and %d have %d and %d coordinates", i, len(out[0]), len(v))
		}
		for _, x := range v {
			if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
				return nil, fmt.Errorf("the vector of input %d holds a coordinate that is not a number", i)
			}
		}
	}
	return out, nil
}
