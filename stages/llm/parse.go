package llm

import (
	"cmp"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The reply of a server is foreign text: these types name what is read of it.

// lenient takes what servers send that is not quite JSON: names that come twice, of which the last counts, and wrong UTF-8.
var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

type wireReply struct {
	Model   string         `json:"model"`
	Error   jsontext.Value `json:"error"`
	Choices []wireChoice   `json:"choices"`
	Usage   wireUsage      `json:"usage"`
}

type wireUsage struct {
	PromptTokens     int64 `json:"prompt_tokens"`
	CompletionTokens int64 `json:"completion_tokens"`
	Details          struct {
		CachedTokens int64 `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

type wireChoice struct {
	Message struct {
		Content          *string `json:"content"`
		Reasoning        string  `json:"reasoning"`         // vLLM since 0.11
		ReasoningContent string  `json:"reasoning_content"` // vLLM before, and other servers
	} `json:"message"`
	FinishReason string `json:"finish_reason"`
	Logprobs     struct {
		Content []wireToken `json:"content"`
	} `json:"logprobs"`
}

type wireToken struct {
	Token   string    `json:"token"`
	Logprob float64   `json:"logprob"`
	Top     []Logprob `json:"top_logprobs"`
}

const (
	finishLength = "length"
	// longestFinish is the largest length of a finish reason in bytes; those of vLLM and OpenAI have at most fourteen.
	longestFinish = 32
	// mostTokens is the largest count of tokens that is taken for one.
	mostTokens = 1 << 30
	// tokenBytes is the largest mean length of a reply's tokens in bytes: the longest tokens of vocabularies in use have
	// some hundred. A longer reply was not written under the limit that was sent.
	tokenBytes = 1024
	// likeliest is the largest logarithm of a probability that rounding can have left above 0.
	likeliest = 1e-3
)

// logprobBytes is the largest mean length in JSON of a token with its logarithm: with the list of its bytes, as vLLM sends
// it, an ordinary one has some hundred.
const logprobBytes = 1024

// envelopeBytes is the largest length of a reply beside what the model said.
const envelopeBytes = 64 << 10

// replyBytes is the largest reply that a request can bring: a character takes up to six bytes when it is escaped.
func (r Request) replyBytes() int64 {
	if r.Embeds() {
		return min(int64(len(r.Inputs)+1)*vectorBytes, embedBytes)
	}
	token := int64(6 * tokenBytes)
	if r.Sampling.Logprobs {
		token += int64(r.Sampling.TopLogprobs+2) * logprobBytes
	}
	return min(envelopeBytes+token*int64(min(r.Sampling.MaxTokens, chatBytes)), chatBytes)
}

// ParseReply reads the body of the reply to a request, as a server sends it and as an offline batch returns it. The
// errors are of ClassMalformed, ClassEmpty, ClassServer and ClassSilent; with the last comes what there is of the reply.
func ParseReply(r Request, body []byte) (Reply, error) {
	if r.Embeds() {
		vectors, tokens, err := parseVectors(body, len(r.Inputs))
		if err != nil {
			return Reply{}, malformed("%v", err)
		}
		text, err := stdjson.Marshal(vectors)
		return Reply{State: StateOK, Text: string(text), PromptTokens: tokens}, err
	}
	var w wireReply
	if err := json.Unmarshal(body, &w, lenient); err != nil {
		return Reply{}, malformed("the reply is not JSON of the expected form: %v", err)
	}
	if len(w.Error) > 0 && string(w.Error) != "null" {
		return Reply{}, malformed("the reply is an error with HTTP 200: %s", errorText(body, 200))
	}
	switch len(w.Choices) {
	case 0:
		return Reply{}, &CallError{Class: ClassEmpty, Message: "the reply has no choice"}
	case 1:
	default:
		return Reply{}, malformed("there are several choices, and one was asked for")
	}
	choice := &w.Choices[0]
	reply := Reply{
		State: StateOK, Model: w.Model, Reasoning: cmp.Or(choice.Message.Reasoning, choice.Message.ReasoningContent),
		FinishReason: choice.FinishReason, PromptTokens: w.Usage.PromptTokens, CompletionTokens: w.Usage.CompletionTokens,
		CachedTokens: min(w.Usage.Details.CachedTokens, w.Usage.PromptTokens),
	}
	if choice.Message.Content != nil {
		reply.Text = *choice.Message.Content
	}
	if err := check(reply, r, w.Usage); err != nil {
		return Reply{}, err
	}
	if r.Sampling.Logprobs {
		tokens, err := tokenLogprobs(choice.Logprobs.Content, r.Sampling)
		if err != nil {
			return Reply{}, malformed("log-probabilities: %v", err)
		}
		if len(tokens) > 0 {
			text, err := stdjson.Marshal(tokens)
			if err != nil {
				return Reply{}, err
			}
			reply.Logprobs = string(text)
		}
	}
	if reply.FinishReason == finishLength && !Whole(r.First(), reply.FinishReason, reply.CompletionTokens) {
		reply.State = StateTruncated
	}
	switch {
	case strings.TrimSpace(reply.Text) == "" && strings.TrimSpace(reply.Reasoning) != "":
		reply.State = StateFailed
		return reply, &CallError{Class: ClassSilent, Message: silence(r, reply)}
	case choice.Message.Content == nil:
		return Reply{}, &CallError{Class: ClassEmpty, Message: "the reply has no content"}
	}
	return reply, nil
}

// check refuses what no server says that did as it was asked.
func check(reply Reply, r Request, u wireUsage) error {
	for _, n := range []int64{u.PromptTokens, u.CompletionTokens, u.Details.CachedTokens} {
		if n < 0 || n > mostTokens {
			return malformed("the reply counts %d tokens", n)
		}
	}
	switch {
	case len(reply.FinishReason) > longestFinish:
		return malformed("the reply's finish reason has %d bytes", len(reply.FinishReason))
	case reply.FinishReason == "abort" || reply.FinishReason == "error":
		return &CallError{Class: ClassServer, Message: "the server broke the reply off: its finish reason is " + reply.FinishReason}
	case max(len(reply.Text), len(reply.Reasoning))/tokenBytes > r.Sampling.MaxTokens:
		return malformed("the reply has %d bytes, which is more than max_tokens %d can be", max(len(reply.Text), len(reply.Reasoning)), r.Sampling.MaxTokens)
	}
	return nil
}

// silence words that a model thought and gave no answer.
func silence(r Request, reply Reply) string {
	end := "ended without an answer"
	if reply.FinishReason == finishLength {
		end = fmt.Sprintf("reached max_tokens %d before an answer", r.Sampling.MaxTokens)
	}
	return fmt.Sprintf("the model thinks: its reply is %d characters of reasoning and %s", len([]rune(reply.Reasoning)), end)
}

// tokenLogprobs reads the log-probabilities of a reply: at most so many tokens and candidates as were asked for.
func tokenLogprobs(tokens []wireToken, s Sampling) (all []TokenLogprob, err error) {
	if len(tokens) > s.MaxTokens {
		return nil, fmt.Errorf("there are more than %d tokens", s.MaxTokens)
	}
	for _, t := range tokens {
		if len(t.Top) > s.TopLogprobs+1 { // A server may add the token that was drawn to the likeliest ones.
			return nil, fmt.Errorf("a token has more than %d candidates", s.TopLogprobs)
		}
		err = errors.Join(err, probability(t.Logprob))
		for _, top := range t.Top {
			err = errors.Join(err, probability(top.Logprob))
		}
		all = append(all, TokenLogprob(t))
	}
	return all, err
}

func probability(logarithm float64) error {
	if logarithm > likeliest || math.IsNaN(logarithm) {
		return fmt.Errorf("%v is the logarithm of no probability", logarithm)
	}
	return nil
}

// parseVectors reads the vectors of a reply, orders them by input and checks that none is missing, ragged or not a number.
func parseVectors(body []byte, inputs int) (out [][]float32, promptTokens int64, err error) {
	var w struct {
		Data []struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
		Usage wireUsage `json:"usage"`
	}
	if err := json.Unmarshal(body, &w, lenient); err != nil {
		return nil, 0, fmt.Errorf("the reply is not JSON of the expected form: %w", err)
	}
	if n := w.Usage.PromptTokens; n < 0 || n > mostTokens {
		return nil, 0, fmt.Errorf("the reply counts %d tokens", n)
	}
	out = make([][]float32, inputs)
	for _, v := range w.Data {
		if v.Index < 0 || v.Index >= inputs || out[v.Index] != nil {
			return nil, 0, fmt.Errorf("the reply has a vector for input %d of %d twice or out of range", v.Index, inputs)
		}
		if len(v.Embedding) == 0 {
			return nil, 0, fmt.Errorf("the vector of input %d is empty", v.Index)
		}
		out[v.Index] = v.Embedding
	}
	for i, v := range out {
		if v == nil {
			return nil, 0, fmt.Errorf("the reply has no vector for input %d of %d", i, inputs)
		}
		if len(v) != len(out[0]) {
			return nil, 0, fmt.Errorf("the vectors of inputs 0 and %d have %d and %d coordinates", i, len(out[0]), len(v))
		}
		length := 0.0
		for _, x := range v {
			length += float64(x) * float64(x)
		}
		if !(length > 0) || math.IsInf(length, 0) {
			return nil, 0, fmt.Errorf("the vector of input %d has no direction", i)
		}
	}
	return out, w.Usage.PromptTokens, nil
}
