package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// Dialect says which fields a server understands.
type Dialect string

// The dialects of an endpoint.
const (
	DialectVLLM   Dialect = "vllm"   // OpenAI's API with vLLM's additions; the default
	DialectOpenAI Dialect = "openai" // OpenAI's API only: a request that needs more is refused before it is sent
)

// wireRequest is the JSON body of a chat request. Parameters have no omitempty: what is sent is explicit. Pointers are
// fields that one dialect does not have.
type wireRequest struct {
	Model               string          `json:"model"`
	Messages            []wireMessage   `json:"messages"`
	Temperature         float64         `json:"temperature"`
	TopP                float64         `json:"top_p"`
	N                   int             `json:"n"`
	PresencePenalty     float64         `json:"presence_penalty"`
	FrequencyPenalty    float64         `json:"frequency_penalty"`
	Seed                int64           `json:"seed"`
	Stop                []string        `json:"stop,omitempty"`
	Logprobs            bool            `json:"logprobs"`
	TopLogprobs         *int            `json:"top_logprobs,omitempty"`
	MaxTokens           *int            `json:"max_tokens,omitempty"`
	MaxCompletionTokens *int            `json:"max_completion_tokens,omitempty"`
	TopK                *int            `json:"top_k,omitempty"`
	MinP                *float64        `json:"min_p,omitempty"`
	RepetitionPenalty   *float64        `json:"repetition_penalty,omitempty"`
	PromptLogprobs      *int            `json:"prompt_logprobs,omitempty"`
	StructuredOutputs   *wireConstraint `json:"structured_outputs,omitempty"`
	ResponseFormat      *wireFormat     `json:"response_format,omitempty"`
	TemplateFlags       map[string]bool `json:"chat_template_kwargs,omitempty"`
	Stream              bool            `json:"stream"`
}

// wireConstraint is vLLM's: one of the two.
type wireConstraint struct {
	Choice []string        `json:"choice,omitempty"`
	JSON   json.RawMessage `json:"json,omitempty"`
}

// wireFormat is OpenAI's form of a schema.
type wireFormat struct {
	Type   string     `json:"type"` // json_schema
	Schema wireSchema `json:"json_schema"`
}

type wireSchema struct {
	Name   string          `json:"name"`
	Strict bool            `json:"strict"`
	Schema json.RawMessage `json:"schema"`
}

type wireMessage struct {
	Role    string `json:"role"`
	Content any    `json:"content"` // a string or a []wirePart
}

type wirePart struct {
	Type     string   `json:"type"`
	Text     *string  `json:"text,omitempty"`
	ImageURL *wireURL `json:"image_url,omitempty"`
	VideoURL *wireURL `json:"video_url,omitempty"`
}

type wireURL struct {
	URL string `json:"url"`
}

// Where requests are sent, below a server's root.
const (
	chatPath  = "/v1/chat/completions"
	embedPath = "/v1/embeddings"
)

// Path is where the request is sent, below a server's root.
func (r Request) Path() string {
	if r.Embeds() {
		return embedPath
	}
	return chatPath
}

// Body returns the JSON body of a request, media included, as it is sent and as a line of an offline batch carries it. A
// nil media reads files with the default limits. The error reports everything that is wrong with the request.
func (r Request) Body(dialect Dialect, media *Media) ([]byte, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	if r.Embeds() {
		return marshal(wireEmbed{Model: r.Model, Input: r.Inputs, EncodingFormat: "float"})
	}
	if media == nil {
		media = &Media{}
	}
	s := r.Sampling
	w := wireRequest{
		Model: r.Model, Temperature: s.Temperature, TopP: s.TopP, N: 1, PresencePenalty: s.PresencePenalty,
		FrequencyPenalty: s.FrequencyPenalty, Seed: s.Seed, Stop: s.Stop, Logprobs: s.Logprobs, Messages: make([]wireMessage, len(r.Messages)),
	}
	if s.Logprobs {
		w.TopLogprobs = &s.TopLogprobs
	}
	switch dialect {
	case DialectVLLM, "":
		w.MaxTokens, w.TopK, w.MinP, w.RepetitionPenalty = &s.MaxTokens, &s.TopK, &s.MinP, &s.RepetitionPenalty
		w.PromptLogprobs, w.TemplateFlags = s.PromptLogprobs, r.TemplateFlags
		if len(r.Choice) > 0 || r.Schema != "" {
			w.StructuredOutputs = &wireConstraint{r.Choice, json.RawMessage(r.Schema)}
		}
	case DialectOpenAI:
		if err := r.needsVLLM(); err != nil {
			return nil, err
		}
		w.MaxCompletionTokens = &s.MaxTokens
		if r.Schema != "" {
			w.ResponseFormat = &wireFormat{"json_schema", wireSchema{"reply", true, json.RawMessage(r.Schema)}}
		}
	default:
		return nil, fmt.Errorf("unknown dialect %q; use %s or %s", dialect, DialectVLLM, DialectOpenAI)
	}
	for i, m := range r.Messages {
		content, err := m.content(media)
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i, err)
		}
		w.Messages[i] = wireMessage{m.Role, content}
	}
	return marshal(w)
}

// needsVLLM names what a request asks beyond OpenAI's API.
func (r Request) needsVLLM() error {
	s := r.Sampling
	switch {
	case s.TopK != -1:
		return fmt.Errorf("top_k %d is not in OpenAI's API; use -1 or the dialect %s", s.TopK, DialectVLLM)
	case s.MinP != 0:
		return fmt.Errorf("min_p %v is not in OpenAI's API; use 0 or the dialect %s", s.MinP, DialectVLLM)
	case s.RepetitionPenalty != 1:
		return fmt.Errorf("repetition_penalty %v is not in OpenAI's API; use 1 or the dialect %s", s.RepetitionPenalty, DialectVLLM)
	case s.PromptLogprobs != nil:
		return fmt.Errorf("prompt_logprobs are not in OpenAI's API; use the dialect %s", DialectVLLM)
	case len(r.Choice) > 0:
		return fmt.Errorf("a choice constraint is not in OpenAI's API; use an unconstrained protocol or the dialect %s", DialectVLLM)
	case len(r.TemplateFlags) > 0:
		return fmt.Errorf("template flags are not in OpenAI's API; use the dialect %s", DialectVLLM)
	}
	for _, m := range r.Messages {
		if slices.ContainsFunc(m.Parts, func(p Part) bool { return p.Kind == PartVideo }) {
			return fmt.Errorf("videos are not in OpenAI's API; send frames or use the dialect %s", DialectVLLM)
		}
	}
	return nil
}

func (m Message) content(media *Media) (any, error) {
	if len(m.Parts) == 1 && m.Parts[0].Kind == PartText {
		return m.Parts[0].Text, nil
	}
	parts := make([]wirePart, len(m.Parts))
	for i, p := range m.Parts {
		if p.Kind == PartText {
			parts[i] = wirePart{Type: "text", Text: &p.Text}
			continue
		}
		url, err := media.DataURL(p)
		if err != nil {
			return nil, fmt.Errorf("part %d: %w", i, err)
		}
		if p.Kind == PartVideo {
			parts[i] = wirePart{Type: "video_url", VideoURL: &wireURL{url}}
		} else {
			parts[i] = wirePart{Type: "image_url", ImageURL: &wireURL{url}}
		}
	}
	return parts, nil
}

// wireEmbed is the JSON body of an embedding request.
type wireEmbed struct {
	Model          string   `json:"model"`
	Input          []string `json:"input"`
	EncodingFormat string   `json:"encoding_format"`
}

// marshal encodes without HTML escaping, which would lengthen captions for nothing.
func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encode request: %w", err)
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}
