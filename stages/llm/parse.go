package llm

import (
	"bytes"
	"cmp"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The reply of a server is foreign text: these types name what is read of it, and lists are read one element at a time,
// so that a reply of some megabytes cannot become gigabytes. Types that hold all of a reply would build all that a body lists.

// lenient takes what servers send that is not quite JSON: names that come twice, of which the last counts, and wrong UTF-8.
var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

type wireReply struct {
	Model   string         `json:"model"`
	Error   jsontext.Value `json:"error"`
	Choices wireChoices    `json:"choices"`
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
	FinishReason string         `json:"finish_reason"`
	Logprobs     jsontext.Value `json:"logprobs"`
}

type wireToken struct {
	Token   string         `json:"token"`
	Logprob float64        `json:"logprob"`
	Top     jsontext.Value `json:"top_logprobs"`
}

// wireChoices is a list of which one element is wanted. More are not read.
type wireChoices struct {
	seen   bool // the field has come: of two lists, which one counts would be a guess
	length int
	first  wireChoice
}

var (
	errDuplicate = errors.New("a field is duplicate")
	errSeveral   = errors.New("there are several choices, and one was asked for")
	errNoList    = errors.New("a list is missing")
)

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (c *wireChoices) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if c.seen {
		return errDuplicate
	}
	c.seen = true
	switch d.PeekKind() {
	case 'n':
		return d.SkipValue()
	case '[':
	default:
		return errNoList
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for ; d.PeekKind() != ']'; c.length++ {
		if c.length == 1 {
			return errSeveral
		}
		if err := json.UnmarshalDecode(d, &c.first); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
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
	if r.Sampling.PromptLogprobs != nil {
		return chatBytes
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
	choice := &w.Choices.first
	if w.Choices.length == 0 {
		return Reply{}, &CallError{Class: ClassEmpty, Message: "the reply has no choice"}
	}
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
		tokens, err := tokenLogprobs(choice.Logprobs, r.Sampling)
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
	if reply.FinishReason == finishLength && !r.Whole(reply.FinishReason, reply.CompletionTokens) {
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
func tokenLogprobs(raw jsontext.Value, s Sampling) ([]TokenLogprob, error) {
	var w struct {
		Content jsontext.Value `json:"content"`
	}
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	if err := json.Unmarshal(raw, &w, lenient); err != nil {
		return nil, err
	}
	var out []TokenLogprob
	err := each(w.Content, func(t wireToken) error {
		if len(out) == s.MaxTokens {
			return fmt.Errorf("there are more than %d tokens", s.MaxTokens)
		}
		token := TokenLogprob{Token: t.Token, Logprob: t.Logprob}
		if err := each(t.Top, func(top Logprob) error {
			// A server may add the token that was drawn to the likeliest ones.
			if len(token.Top) > s.TopLogprobs {
				return fmt.Errorf("a token has more than %d candidates", s.TopLogprobs)
			}
			token.Top = append(token.Top, top)
			return probability(top.Logprob)
		}); err != nil {
			return err
		}
		out = append(out, token)
		return probability(t.Logprob)
	})
	return out, err
}

func probability(logarithm float64) error {
	if logarithm > likeliest || math.IsNaN(logarithm) {
		return fmt.Errorf("%v is the logarithm of no probability", logarithm)
	}
	return nil
}

// each decodes the elements of a JSON list one after the other, until the function returns an error. Nothing and null are
// empty lists.
func each[T any](list []byte, do func(T) error) error {
	if len(list) == 0 || string(list) == "null" {
		return nil
	}
	d := jsontext.NewDecoder(bytes.NewReader(list), lenient)
	if d.PeekKind() != '[' {
		return errNoList
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != ']' {
		var element T
		if err := json.UnmarshalDecode(d, &element); err != nil {
			return err
		}
		if err := do(element); err != nil {
			return err
		}
	}
	return nil
}

// parseVectors reads the vectors of a reply, orders them by input and checks that none is missing, ragged or not a number.
func parseVectors(body []byte, inputs int) (out [][]float32, promptTokens int64, err error) {
	var w struct {
		Data  jsontext.Value `json:"data"`
		Usage wireUsage      `json:"usage"`
	}
	if err := json.Unmarshal(body, &w, lenient); err != nil {
		return nil, 0, fmt.Errorf("the reply is not JSON of the expected form: %w", err)
	}
	if n := w.Usage.PromptTokens; n < 0 || n > mostTokens {
		return nil, 0, fmt.Errorf("the reply counts %d tokens", n)
	}
	type vector struct {
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	}
	out = make([][]float32, inputs)
	err = each(w.Data, func(v vector) error {
		if v.Index < 0 || v.Index >= inputs || out[v.Index] != nil {
			return fmt.Errorf("the reply has a vector for input %d of %d twice or out of range", v.Index, inputs)
		}
		if len(v.Embedding) == 0 {
			return fmt.Errorf("the vector of input %d is empty", v.Index)
		}
		out[v.Index] = v.Embedding
		return nil
	})
	if err != nil {
		return nil, 0, err
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
