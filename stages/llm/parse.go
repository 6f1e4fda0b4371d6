package llm

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	json "github.com/go-json-experiment/json/v1"
	"github.com/sashabaranov/go-openai"

	"github.com/captionlake/captionlake/data/text"
)

// The reply of a server is foreign text. These types name every part that is read, so that nothing
// else in the reply can do harm.

type wireReply struct {
	Model   string          `json:"model"`
	Error   json.RawMessage `json:"error"`
	Choices []choice        `json:"choices"`
	Usage   json.RawMessage `json:"usage"`
}

type choice struct {
	Message struct {
		Content          content `json:"content"`
		Reasoning        content `json:"reasoning"`         // vLLM since 0.11
		ReasoningContent content `json:"reasoning_content"` // vLLM before 0.11, and other servers
		Refusal          content `json:"refusal"`
		ToolCalls        []struct {
			Function struct {
				Name string `json:"name"`
			} `json:"function"`
		} `json:"tool_calls"`
	} `json:"message"`
	FinishReason openai.FinishReason `json:"finish_reason"`
	Logprobs     openai.LogProbs     `json:"logprobs"`
}

// content is a field with a text, or with parts, some of them thoughts. Anything else counts as
// null.
type content struct {
	text, thoughts, refusal string
	said                    bool // the field is not null
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *content) UnmarshalJSON(b []byte) error {
	switch b[0] {
	case '"':
		c.said = true
		return json.Unmarshal(b, &c.text)
	case '[':
		c.said = true
	default:
		return nil
	}
	var parts []struct {
		Text      content `json:"text"`
		Thinking  content `json:"thinking"`
		Reasoning content `json:"reasoning"`
		Refusal   content `json:"refusal"`
		Type      string  `json:"type"`
	}
	err := json.Unmarshal(b, &parts)
	for _, p := range parts {
		if p.Type == "thinking" || p.Type == "reasoning" {
			c.thoughts += p.Thinking.text + p.Reasoning.text + p.Text.text
		} else {
			c.text += p.Text.text
		}
		c.refusal += p.Refusal.text
	}
	return err
}

// usage is the token counts of a reply. The counts are floats, because some servers write 20.0.
type usage struct {
	Prompt     float64 `json:"prompt_tokens"`
	Completion float64 `json:"completion_tokens"`
	Details    struct {
		Cached float64 `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

// usageOf reads the token counts of a reply. Unreadable counts become 0, which means unknown. A
// count that no reply can have is an error.
func usageOf(field json.RawMessage) (u usage, err error) {
	if json.Unmarshal(field, &u) != nil {
		u = usage{}
	}
	for _, n := range []float64{u.Prompt, u.Completion, u.Details.Cached} {
		if n < 0 || n > mostTokens {
			err = malformed("the reply counts %v tokens", n)
		}
	}
	return u, err
}

const (
	// longestFinish is the largest length of a finish reason in bytes. The reasons of vLLM and
	// OpenAI have at most fourteen bytes.
	longestFinish = 32
	// mostTokens is the largest plausible count of tokens.
	mostTokens = 1 << 30
	// tokenBytes is the largest mean length of a reply's tokens in bytes: the longest tokens of
	// vocabularies in use have about a hundred bytes. A longer reply was not written under the limit
	// that was sent.
	tokenBytes = 1024
	// likeliest is the largest logarithm of a probability that rounding can produce.
	likeliest = 1e-3
	// logprobBytes is the largest mean length in JSON of a token with its logarithm. In replies of
	// vLLM, which also list the bytes of each token, an ordinary token takes about a hundred bytes.
	logprobBytes = 1024
	// envelopeBytes is the largest length of a reply without the model's text.
	envelopeBytes = 64 << 10
)

// replyBytes is the largest length of a reply to the request in bytes. A longer reply is refused.
func (r Request) replyBytes() int64 {
	if r.Embeds() {
		return min(int64(len(r.Inputs)+1)*vectorBytes, embedBytes) // + 1: the reply without its vectors
	}
	// JSON writes an escaped character with up to six bytes.
	perToken := int64(6 * tokenBytes)
	if r.Sampling.Logprobs { // of the token, its candidates, and one candidate that a server may add
		perToken += int64(r.Sampling.TopLogprobs+2) * logprobBytes
	}
	// MaxTokens is bounded first, so that the product does not overflow.
	return min(envelopeBytes+perToken*int64(min(r.Sampling.MaxTokens, chatBytes)), chatBytes)
}

// ParseReply reads the body of a reply, as a server sends it and as an offline batch returns it.
// The errors have ClassMalformed, ClassEmpty and ClassServer without a reply, or ClassSilent,
// ClassDeclined and ClassNoLogprobs with a partial reply.
func ParseReply(r Request, body []byte) (Reply, error) {
	if r.Embeds() {
		return parseVectors(body, len(r.Inputs))
	}
	var w wireReply
	if err := json.Unmarshal(body, &w); err != nil {
		return Reply{}, malformed("the reply is not JSON of the expected form: %v", err)
	}
	if len(w.Error) > 0 && string(w.Error) != "null" {
		return Reply{}, malformed("the reply is an error with HTTP 200: %s", errorText(body, 200))
	}
	switch len(w.Choices) {
	case 0:
		return Reply{}, callError(ClassEmpty, "the reply has no choice")
	case 1:
	default:
		return Reply{}, malformed("there are several choices, and one was asked for")
	}
	c := &w.Choices[0]
	usage, err := usageOf(w.Usage)
	if err != nil {
		return Reply{}, err
	}
	reply := Reply{
		State: StateOK, Model: w.Model, Text: c.Message.Content.text, FinishReason: string(c.FinishReason),
		Reasoning:    cmp.Or(c.Message.Content.thoughts, c.Message.Reasoning.text, c.Message.ReasoningContent.text),
		PromptTokens: int64(usage.Prompt), CompletionTokens: int64(usage.Completion),
		CachedTokens: int64(min(usage.Details.Cached, usage.Prompt)), // a part of the prompt
	}
	if err := check(reply, r); err != nil {
		return Reply{}, err
	}
	if reply.Logprobs, err = tokenLogprobs(c.Logprobs.Content, r.Sampling); err != nil {
		return Reply{}, err
	}
	// A reply that reached its token limit is whole if the protocol reads no more tokens than that.
	if c.FinishReason == openai.FinishReasonLength &&
		!Whole(r.First(), reply.FinishReason, reply.CompletionTokens) {
		reply.State = StateTruncated
	}
	// A text with nothing but thoughts comes from a server that does not separate thoughts.
	if strings.TrimSpace(reply.Text) != "" && text.Answer(reply.Text) == "" {
		reply.Text, reply.Reasoning = "", reply.Reasoning+reply.Text
	}
	return c.answer(r, reply)
}

// answer returns the reply of a choice if it answers the request. If not, the error says what the
// model or the server did instead of answering.
func (c *choice) answer(r Request, reply Reply) (Reply, error) {
	refusal := cmp.Or(c.Message.Refusal.text, c.Message.Content.refusal)
	cutOff := c.FinishReason == openai.FinishReasonLength
	var failure *CallError
	switch blank := strings.TrimSpace(reply.Text) == ""; {
	case blank && refusal != "":
		reply.Text = refusal
		failure = callError(ClassDeclined, "the model refuses: %s", refusal)
	case blank && c.FinishReason == openai.FinishReasonContentFilter:
		failure = callError(ClassDeclined, "the server's content filter held the reply back")
	case blank && len(c.Message.ToolCalls) > 0:
		failure = callError(ClassDeclined, "the model calls the tool %q instead of answering; serve it without tools",
			c.Message.ToolCalls[0].Function.Name)
	case blank && (cutOff || strings.TrimSpace(reply.Reasoning) != ""):
		failure = callError(ClassSilent, "%s", silence(r, reply))
	case !c.Message.Content.said:
		return Reply{}, callError(ClassEmpty, "the reply has no content")
	case r.Sampling.Logprobs && reply.Logprobs == "":
		failure = callError(ClassNoLogprobs, "the reply has no log-probabilities, which the protocol reads")
	default: // A blank text is a reply, too: the caller decides whether it can be read.
		return reply, nil
	}
	reply.State = StateFailed
	return reply, failure
}

// check refuses replies that no server sends if it did as it was asked.
func check(reply Reply, r Request) error {
	longest := max(len(reply.Text), len(reply.Reasoning))
	switch {
	case len(reply.FinishReason) > longestFinish:
		return malformed("the reply's finish reason has %d bytes", len(reply.FinishReason))
	case reply.FinishReason == "abort" || reply.FinishReason == "error":
		return callError(ClassServer, "the server broke the reply off: its finish reason is %s", reply.FinishReason)
	case longest/tokenBytes > r.Sampling.MaxTokens:
		return malformed("the reply has %d bytes, which is more than max_tokens %d can be", longest, r.Sampling.MaxTokens)
	}
	return nil
}

// silence says that a model thought and gave no answer. Some servers do not return the thoughts;
// then the length of the reasoning is 0.
func silence(r Request, reply Reply) string {
	end := "ended without an answer"
	if reply.FinishReason == string(openai.FinishReasonLength) {
		end = fmt.Sprintf("reached max_tokens %d before an answer", r.Sampling.MaxTokens)
	}
	return fmt.Sprintf("the model thinks: its reply is %d characters of reasoning and %s",
		len([]rune(reply.Reasoning)), end)
}

// tokenLogprobs is the JSON of a reply's log-probabilities, empty without any. More tokens or
// candidates than were asked for are an error.
func tokenLogprobs(tokens []openai.LogProb, s Sampling) (string, error) {
	if !s.Logprobs || len(tokens) == 0 {
		return "", nil
	}
	if len(tokens) > s.MaxTokens {
		return "", malformed("log-probabilities: there are more than %d tokens", s.MaxTokens)
	}
	highest := math.Inf(-1)
	all := make([]TokenLogprob, len(tokens))
	for i, t := range tokens {
		if len(t.TopLogProbs) > s.TopLogprobs+1 { // A server may add the drawn token to the likeliest ones.
			return "", malformed("log-probabilities: a token has more than %d candidates", s.TopLogprobs)
		}
		highest = max(highest, t.LogProb)
		all[i] = TokenLogprob{t.Token, t.LogProb, make([]Logprob, len(t.TopLogProbs))}
		for j, top := range t.TopLogProbs {
			highest = max(highest, top.LogProb)
			all[i].Top[j] = Logprob{top.Token, top.LogProb}
		}
	}
	if highest > likeliest {
		return "", malformed("log-probabilities: %v is not the logarithm of a probability", highest)
	}
	out, err := json.Marshal(all)
	return string(out), err
}

// parseVectors reads the vectors of a reply, and orders them by input. Missing vectors, vectors of
// different lengths, and vectors without a direction, such as a vector of zeros, are errors.
func parseVectors(body []byte, inputs int) (Reply, error) {
	var w struct {
		Data  []openai.Embedding `json:"data"`
		Usage json.RawMessage    `json:"usage"`
	}
	if err := json.Unmarshal(body, &w); err != nil {
		return Reply{}, malformed("the reply is not JSON of the expected form: %v", err)
	}
	usage, err := usageOf(w.Usage)
	if err != nil {
		return Reply{}, err
	}
	vectors := make([][]float32, inputs)
	for _, v := range w.Data {
		if v.Index < 0 || v.Index >= inputs || vectors[v.Index] != nil {
			return Reply{}, malformed("the reply has a vector for input %d of %d twice or out of range",
				v.Index, inputs)
		}
		vectors[v.Index] = v.Embedding
	}
	for i, v := range vectors {
		if len(v) == 0 {
			return Reply{}, malformed("the reply has no vector for input %d of %d", i, inputs)
		}
		if len(v) != len(vectors[0]) {
			return Reply{}, malformed("the vectors of inputs 0 and %d have %d and %d coordinates", i,
				len(vectors[0]), len(v))
		}
		squares := 0.0
		for _, x := range v {
			squares += float64(x) * float64(x)
		}
		if !(squares > 0) || math.IsInf(squares, 0) { // neither 0 nor NaN nor infinite
			return Reply{}, malformed("the vector of input %d has no direction", i)
		}
	}
	content, err := json.Marshal(vectors)
	return Reply{State: StateOK, Text: string(content), PromptTokens: int64(usage.Prompt)}, err
}
