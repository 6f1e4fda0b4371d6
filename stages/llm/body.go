package llm

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Dialect says which fields a server understands.
type Dialect string

// The dialects of an endpoint.
const (
	DialectVLLM   Dialect = "vllm"   // OpenAI's API with vLLM's additions; the default
	DialectOpenAI Dialect = "openai" // OpenAI's API only: a request that needs more is refused before it is sent
)

// Where requests are sent, below a server's root.
const (
	version   = "/v1"
	chatPath  = version + "/chat/completions"
	embedPath = version + "/embeddings"
)

// Path is where the request is sent, below a server's root.
func (r Request) Path() string {
	if r.Embeds() {
		return embedPath
	}
	return chatPath
}

// Body returns the JSON body of a request, media included, as it is sent and as a line of an offline batch carries it. A
// nil media keeps no file.
func (r Request) Body(dialect Dialect, media *Media) ([]byte, error) {
	if r.Embeds() {
		return json.Marshal(wireEmbed{Model: r.Model, Input: r.Inputs, EncodingFormat: "float"}, lenient)
	}
	if media == nil {
		media = &Media{}
	}
	var schema jsontext.Value
	if r.Schema != "" {
		schema = jsontext.Value(r.Schema)
		if err := schema.Compact(); err != nil {
			return nil, fmt.Errorf("the schema is not JSON: %w", err)
		}
	}
	body := r.wire()
	switch dialect {
	case DialectVLLM, "":
		r.vllm(&body, schema)
	case DialectOpenAI:
		if err := r.needsVLLM(); err != nil {
			return nil, err
		}
		body.MaxCompletionTokens = r.Sampling.MaxTokens
		if r.Schema != "" {
			body.ResponseFormat = &wireFormat{Type: "json_schema", Schema: wireSchema{Name: "reply", Strict: true, Schema: schema}}
		}
	default:
		return nil, fmt.Errorf("unknown dialect %q; use %s or %s", dialect, DialectVLLM, DialectOpenAI)
	}
	for i, m := range r.Messages {
		content, err := m.content(media)
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i, err)
		}
		body.Messages = append(body.Messages, wireMessage{Role: m.Role, Content: content})
	}
	return json.Marshal(body, lenient, json.Deterministic(true))
}

// wireBody is the JSON body of a chat. Parameters are never left out: what is sent is explicit. Some fields one dialect does
// not have.
type wireBody struct {
	Model               string          `json:"model"`
	Messages            []wireMessage   `json:"messages"`
	Temperature         float64         `json:"temperature"`
	TopP                float64         `json:"top_p"`
	N                   int             `json:"n"`
	PresencePenalty     float64         `json:"presence_penalty"`
	FrequencyPenalty    float64         `json:"frequency_penalty"`
	Seed                int64           `json:"seed"`
	Logprobs            bool            `json:"logprobs"`
	TopLogprobs         *int            `json:"top_logprobs,omitempty"`
	MaxTokens           int             `json:"max_tokens,omitzero"`
	TopK                *int            `json:"top_k,omitempty"`
	MinP                *float64        `json:"min_p,omitempty"`
	RepetitionPenalty   *float64        `json:"repetition_penalty,omitempty"`
	StructuredOutputs   *wireOutputs    `json:"structured_outputs,omitempty"`
	TemplateFlags       map[string]bool `json:"chat_template_kwargs,omitempty"`
	MaxCompletionTokens int             `json:"max_completion_tokens,omitzero"`
	ResponseFormat      *wireFormat     `json:"response_format,omitempty"`
	Stream              bool            `json:"stream"`
}

type wireMessage struct {
	Role    string `json:"role"`
	Content any    `json:"content"` // a text, or parts
}

// wirePart is a text, or a picture or video as a data URL.
type wirePart struct {
	Type  string   `json:"type"`
	Text  *string  `json:"text,omitzero"`
	Image *wireURL `json:"image_url,omitempty"`
	Video *wireURL `json:"video_url,omitempty"`
}

type wireURL struct {
	URL string `json:"url"`
}

// wireOutputs is what vLLM lets a reply be.
type wireOutputs struct {
	Choice []string       `json:"choice,omitempty"`
	JSON   jsontext.Value `json:"json,omitzero"`
}

// wireFormat is what OpenAI's API lets a reply be.
type wireFormat struct {
	Type   string     `json:"type"`
	Schema wireSchema `json:"json_schema"`
}

type wireSchema struct {
	Name   string         `json:"name"`
	Strict bool           `json:"strict"`
	Schema jsontext.Value `json:"schema"`
}

// wire is what all dialects send, without the messages.
func (r Request) wire() wireBody {
	s := r.Sampling
	body := wireBody{
		Model: r.Model, Temperature: s.Temperature, TopP: s.TopP, N: 1, PresencePenalty: s.PresencePenalty,
		FrequencyPenalty: s.FrequencyPenalty, Seed: s.Seed, Logprobs: s.Logprobs,
	}
	if s.Logprobs {
		body.TopLogprobs = &s.TopLogprobs
	}
	return body
}

// vllm adds what only vLLM understands.
func (r Request) vllm(body *wireBody, schema jsontext.Value) {
	s := r.Sampling
	body.MaxTokens, body.TopK, body.MinP, body.RepetitionPenalty = s.MaxTokens, &s.TopK, &s.MinP, &s.RepetitionPenalty
	body.TemplateFlags = r.TemplateFlags
	if len(r.Choice) > 0 || r.Schema != "" {
		body.StructuredOutputs = &wireOutputs{Choice: r.Choice, JSON: schema}
	}
}

// content is a text where a message has nothing else, and its parts otherwise.
func (m Message) content(media *Media) (any, error) {
	if len(m.Parts) == 1 && m.Parts[0].Kind == PartText {
		return m.Parts[0].Text, nil
	}
	var parts []wirePart
	for i, p := range m.Parts {
		if p.Kind == PartText {
			parts = append(parts, wirePart{Type: "text", Text: &p.Text})
			continue
		}
		url, err := media.DataURL(p)
		if err != nil {
			return nil, fmt.Errorf("part %d: %w", i, err)
		}
		if p.Kind == PartVideo {
			parts = append(parts, wirePart{Type: "video_url", Video: &wireURL{url}})
		} else {
			parts = append(parts, wirePart{Type: "image_url", Image: &wireURL{url}})
		}
	}
	return parts, nil
}

// needsVLLM names what a request asks beyond OpenAI's API.
func (r Request) needsVLLM() error {
	switch {
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

// wireEmbed is the JSON body of an embedding request.
type wireEmbed struct {
	Model          string   `json:"model"`
	Input          []string `json:"input"`
	EncodingFormat string   `json:"encoding_format"`
}
