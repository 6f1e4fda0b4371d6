package llm

import (
	"slices"
	"strings"

	json "github.com/go-json-experiment/json/v1"
	"github.com/sashabaranov/go-openai"
)

// PartKind is the kind of a part of a message.
type PartKind string

// The kinds of message parts.
const (
	PartText  PartKind = "text"
	PartImage PartKind = "image" // sent as image_url with the file's bytes
	PartVideo PartKind = "video" // sent as video_url, which vLLM adds to the OpenAI API
)

// Part is one piece of a message: a text or a media file.
type Part struct {
	Kind   PartKind
	Text   string // for PartText
	Path   string // media file; its path is local and not part of the request hash
	SHA256 string // digest of the media file in lower-case hex, checked when the file is read
}

// Message is one turn of a conversation. A message with one text part is sent as a plain string.
type Message struct {
	Role  string
	Parts []Part
}

// System returns a system message.
func System(text string) Message { return Message{openai.ChatMessageRoleSystem, []Part{Text(text)}} }

// User returns a user message: media files, and a text after them.
func User(text string, media ...Part) Message {
	return Message{openai.ChatMessageRoleUser, append(slices.Clone(media), Text(text))}
}

// Text returns a text part.
func Text(text string) Part { return Part{Kind: PartText, Text: text} }

// Image returns an image part: a file and its SHA-256 digest, as the images table has it.
func Image(path, sha256 string) Part { return Part{Kind: PartImage, Path: path, SHA256: sha256} }

// Video returns a video part: a file and its SHA-256 digest.
func Video(path, sha256 string) Part { return Part{Kind: PartVideo, Path: path, SHA256: sha256} }

// Sampling is every sampling parameter of a request. If a parameter is missing, a vLLM server takes
// it from the model's generation_config.json (Qwen2.5-Instruct would decode with repetition_penalty
// 1.05). So a request has all parameters that this file may have. The zero value of Sampling is not
// valid; start from Greedy or Sampled.
type Sampling struct {
	Temperature       float64 `json:"temperature"`        // 0 is greedy decoding; at least 0
	TopP              float64 `json:"top_p"`              // above 0, at most 1; 1 keeps every token
	TopK              int     `json:"top_k"`              // -1 keeps every token, otherwise at least 1
	MinP              float64 `json:"min_p"`              // 0 to 1; 0 keeps every token
	RepetitionPenalty float64 `json:"repetition_penalty"` // above 0; 1 has no effect
	PresencePenalty   float64 `json:"presence_penalty"`   // -2 to 2; 0 has no effect
	FrequencyPenalty  float64 `json:"frequency_penalty"`  // -2 to 2; 0 has no effect
	MaxTokens         int     `json:"max_tokens"`         // largest number of new tokens, at least 1
	Seed              int64   `json:"seed"`               // seed of the sampler; always sent
	Logprobs          bool    `json:"logprobs"`           // ask for the log-probabilities of the reply's tokens
	// number of likeliest tokens per position, 0 to 20; needs Logprobs
	TopLogprobs int `json:"top_logprobs"`
}

// SamplingMode says whether sampling parameters are sent: temperature, top_p, penalties, seed, and
// vLLM's own.
type SamplingMode string

// The modes.
const (
	SamplingChecked  SamplingMode = ""         // the parameters are sent, but models known to refuse them are not asked
	SamplingExplicit SamplingMode = "explicit" // the parameters are sent to any model
	SamplingDefault  SamplingMode = "default"  // the parameters are left to the server, as GPT-5 and the o-series require
)

// Greedy returns the parameters of greedy decoding of at most maxTokens tokens, with every modifier
// neutral.
func Greedy(maxTokens int) Sampling {
	return Sampling{Temperature: 0, TopP: 1, TopK: -1, RepetitionPenalty: 1, MaxTokens: maxTokens}
}

// Sampled returns the parameters of sampling at a temperature with a seed, with every other
// modifier neutral.
func Sampled(temperature float64, seed int64, maxTokens int) Sampling {
	s := Greedy(maxTokens)
	s.Temperature, s.Seed = temperature, seed
	return s
}

// Request asks a model once: for a reply to messages, or for the vectors of texts. Repeat is not
// sent: it distinguishes equal requests, and is a separate key column beside the hash.
type Request struct {
	Model         string
	Messages      []Message
	Inputs        []string // texts to encode; only Model and Protocol count beside them
	Sampling      Sampling
	Mode          SamplingMode
	Choice        []string       // the reply must be one of these (structured_outputs of vLLM); empty is unconstrained
	Schema        string         // JSON schema of the reply, if the server decodes under one; empty is unconstrained
	TemplateFlags map[string]any // chat_template_kwargs, such as enable_thinking; nil sends none
	Protocol      string         // name under which the request is recorded, such as captionqa/upstream
	Repeat        int            // number of the repetition, from 0
	// name of the calls that share a prefix, for a router that reads it in the body; not part of
	// the hash
	User string
	// the protocol reads only the first MaxTokens tokens, so a reply of MaxTokens tokens counts as
	// whole; the field does not change the request
	FirstTokens bool
}

// Embeds reports whether the request asks for vectors.
func (r Request) Embeds() bool { return len(r.Inputs) > 0 }

// Text is all text of a request that a model reads, without pictures.
func (r Request) Text() string {
	s := strings.Join(r.Inputs, "")
	for _, m := range r.Messages {
		for _, p := range m.Parts {
			s += p.Text
		}
	}
	return s
}

// Settings is the JSON of the settings of a request, as calls record them. The text of the messages
// is a setting only if textIsSetting says so. Settings is empty for a request for vectors.
func (r Request) Settings(textIsSetting bool) string {
	if r.Embeds() {
		return ""
	}
	type common struct {
		Choice        []string       `json:"choice,omitempty"`
		TemplateFlags map[string]any `json:"chat_template_kwargs,omitempty"`
		Model         string         `json:"model"`
		Prompt        string         `json:"prompt,omitempty"`
	}
	shared := common{r.Choice, r.TemplateFlags, r.Model, ""}
	if textIsSetting {
		shared.Prompt = r.Text()
	}
	var all any = struct {
		Sampling
		common
	}{r.Sampling, shared}
	if r.Mode == SamplingDefault { // The server chooses the other parameters of sampling.
		all = struct {
			Mode      SamplingMode `json:"sampling"`
			MaxTokens int          `json:"max_tokens"`
			Logprobs  bool         `json:"logprobs,omitempty"`
			common
		}{r.Mode, r.Sampling.MaxTokens, r.Sampling.Logprobs, shared}
	}
	content, _ := json.Marshal(all) // Texts and numbers can always be marshalled.
	return string(content)
}
