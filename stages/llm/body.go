package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/sashabaranov/go-openai"
)

// Dialect says which fields a server understands.
type Dialect string

// The dialects of an endpoint.
const (
	DialectVLLM   Dialect = "vllm"   // OpenAI's API with vLLM's additions; the default
	DialectOpenAI Dialect = "openai" // OpenAI's API only: a request that needs more is refused before it is sent
)

// version is the version of the API. An endpoint's address ends in it, and a request's path begins
// with it.
const version = "/v1"

// Path is the path of the request, below a server's root.
func (r Request) Path() string {
	if r.Embeds() {
		return string(openai.BatchEndpointEmbeddings)
	}
	return string(openai.BatchEndpointChatCompletions)
}

// chat is the body of a chat: OpenAI's request with vLLM's additions. Messages and Temperature
// replace the library's fields, which have no videos and leave out a temperature of 0.
type chat struct {
	openai.ChatCompletionRequest
	Messages    []chatMessage `json:"messages"`
	MaxTokens   int           `json:"max_tokens,omitempty"` // OpenAI's old name of max_completion_tokens
	Temperature *float64      `json:"temperature,omitempty"`
	*vllmDecoding
	StructuredOutputs *structuredOutputs `json:"structured_outputs,omitempty"`
	TemplateFlags     map[string]any     `json:"chat_template_kwargs,omitempty"`
}

// vllmDecoding are vLLM's additional parameters. If they are missing, vLLM takes them from a
// model's generation_config.json.
type vllmDecoding struct {
	TopK              int     `json:"top_k"`
	MinP              float64 `json:"min_p"`
	RepetitionPenalty float64 `json:"repetition_penalty"`
}

// structuredOutputs are vLLM's constraints on a reply.
type structuredOutputs struct {
	Choice []string        `json:"choice,omitempty"`
	JSON   json.RawMessage `json:"json,omitempty"`
}

type chatMessage struct {
	Role    string `json:"role"`
	Content any    `json:"content"` // a text, or parts
}

// part is OpenAI's part of a message, or a video as a data URL.
type part struct {
	openai.ChatMessagePart
	VideoURL *openai.ChatMessageImageURL `json:"video_url,omitempty"`
}

// Body returns the JSON body of a request, including media, for sending and for a line of an
// offline batch. If media is nil, no file stays in memory after the call. If the dialect or the
// model does not accept a parameter of the request, the error has ClassParameter.
func (r Request) Body(dialect Dialect, media *Media) ([]byte, error) {
	if r.Embeds() {
		return encode(openai.EmbeddingRequest{
			Model: openai.EmbeddingModel(r.Model), Input: r.Inputs, User: r.User,
			EncodingFormat: openai.EmbeddingEncodingFormatFloat,
		})
	}
	body := r.chat()
	if dialect != DialectOpenAI {
		r.vllm(&body)
	} else if err := r.openAI(&body); err != nil {
		return nil, err
	}
	if media == nil {
		media = &Media{}
	}
	for i, m := range r.Messages {
		content, err := m.content(media)
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i, err)
		}
		body.Messages = append(body.Messages, chatMessage{m.Role, content})
	}
	return encode(body)
}

// encode writes JSON without the escapes that a web page would need. It uses the standard library,
// which writes a picture in two thirds of the time of the package that reads replies; that package
// reads a reply in a third of the standard library's time.
func encode(v any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// chat is the common part of all dialects, without the messages.
func (r Request) chat() chat {
	s := r.Sampling
	body := chat{ChatCompletionRequest: openai.ChatCompletionRequest{
		Model: r.Model, User: r.User, N: 1, LogProbs: s.Logprobs, TopLogProbs: s.TopLogprobs,
	}}
	if r.Mode != SamplingDefault {
		seed := int(s.Seed)
		body.Temperature, body.TopP, body.Seed = &s.Temperature, float32(s.TopP), &seed
		body.PresencePenalty, body.FrequencyPenalty = float32(s.PresencePenalty), float32(s.FrequencyPenalty)
	}
	return body
}

// vllm adds the fields that only vLLM understands.
func (r Request) vllm(body *chat) {
	body.MaxTokens, body.TemplateFlags = r.Sampling.MaxTokens, r.TemplateFlags
	if r.Mode != SamplingDefault {
		body.vllmDecoding = &vllmDecoding{r.Sampling.TopK, r.Sampling.MinP, r.Sampling.RepetitionPenalty}
	}
	if len(r.Choice) > 0 || r.Schema != "" {
		body.StructuredOutputs = &structuredOutputs{r.Choice, json.RawMessage(r.Schema)}
	}
}

// openAI adds the fields that OpenAI names differently, and refuses requests that OpenAI's API
// cannot express.
func (r Request) openAI(body *chat) error {
	body.MaxCompletionTokens = r.Sampling.MaxTokens
	if r.Schema != "" {
		body.ResponseFormat = &openai.ChatCompletionResponseFormat{
			Type: openai.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{Name: "reply", Strict: true,
				Schema: json.RawMessage(r.Schema)},
		}
	}
	switch {
	case len(r.Choice) > 0:
		return parameterError("structured_outputs", "a choice constraint is not in OpenAI's API")
	case len(r.TemplateFlags) > 0:
		return parameterError("chat_template_kwargs", "template flags are not in OpenAI's API")
	case slices.ContainsFunc(r.Messages, Message.films):
		return parameterError("video_url", "videos are not in OpenAI's API")
	case r.Mode == SamplingExplicit:
		return nil
	}
	// The library knows which parameters the models accept. It treats a temperature of 0 as
	// missing.
	checked := body.ChatCompletionRequest
	if body.Temperature != nil {
		checked.Temperature = max(float32(*body.Temperature), math.SmallestNonzeroFloat32)
	}
	if err := openai.NewReasoningValidator().Validate(checked); err != nil {
		// The library's error has no parameter: temperature represents all parameters of sampling.
		param := "temperature"
		if r.Sampling.Logprobs { // These models accept no log-probabilities at all.
			param = "logprobs"
		}
		return parameterError(param, fmt.Sprintf("%s is not asked: %v", r.Model, err))
	}
	return nil
}

// films reports whether the message has a video.
func (m Message) films() bool {
	return slices.ContainsFunc(m.Parts, func(p Part) bool { return p.Kind == PartVideo })
}

// content is the value of a message's field content: a text if the message is a single text,
// otherwise the parts of the message, with the media files.
func (m Message) content(media *Media) (any, error) {
	if len(m.Parts) == 1 && m.Parts[0].Kind == PartText {
		return m.Parts[0].Text, nil
	}
	var parts []part
	for i, p := range m.Parts {
		var one part
		if p.Kind == PartText {
			one.Type, one.Text = openai.ChatMessagePartTypeText, p.Text
		} else {
			url, err := media.dataURL(p)
			if err != nil {
				return nil, fmt.Errorf("part %d: %w", i, err)
			}
			file := &openai.ChatMessageImageURL{URL: url}
			if p.Kind == PartVideo {
				one.Type, one.VideoURL = "video_url", file
			} else {
				one.Type, one.ImageURL = openai.ChatMessagePartTypeImageURL, file
			}
		}
		parts = append(parts, one)
	}
	return parts, nil
}
