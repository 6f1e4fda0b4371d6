package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
)

// Roles of a message.
const (
	RoleSystem    = "system"
	RoleUser      = "user"
	RoleAssistant = "assistant"
)

// PartKind says what a part of a message is.
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
	Path   string // media file; a place on this machine, so not part of the request hash
	SHA256 string // digest of the media file in lower-case hex, checked when the file is read
}

// Message is one turn of a conversation. A message with one text part is sent as a plain string.
type Message struct {
	Role  string
	Parts []Part
}

// System returns a system message.
func System(text string) Message { return Message{RoleSystem, []Part{{Kind: PartText, Text: text}}} }

// User returns a user message of the given parts.
func User(parts ...Part) Message { return Message{RoleUser, parts} }

// Text returns a text part.
func Text(text string) Part { return Part{Kind: PartText, Text: text} }

// Image returns an image part: a file and its SHA-256 digest, as the images table has it.
func Image(path, sha256 string) Part { return Part{Kind: PartImage, Path: path, SHA256: sha256} }

// Video returns a video part: a file and its SHA-256 digest.
func Video(path, sha256 string) Part { return Part{Kind: PartVideo, Path: path, SHA256: sha256} }

// Sampling is every sampling parameter of a request. All of them are sent, because a vLLM server fills what is missing
// from the model's generation_config.json (Qwen2.5-Instruct then decodes with repetition_penalty 1.05). The zero value is
// not valid; start from Greedy or Sampled.
type Sampling struct {
	Temperature       float64  `json:"temperature"`        // 0 is greedy decoding; at least 0
	TopP              float64  `json:"top_p"`              // above 0, at most 1; 1 keeps every token
	TopK              int      `json:"top_k"`              // -1 keeps every token, otherwise at least 1
	MinP              float64  `json:"min_p"`              // 0 to 1; 0 keeps every token
	RepetitionPenalty float64  `json:"repetition_penalty"` // above 0; 1 is none
	PresencePenalty   float64  `json:"presence_penalty"`   // -2 to 2; 0 is none
	FrequencyPenalty  float64  `json:"frequency_penalty"`  // -2 to 2; 0 is none
	MaxTokens         int      `json:"max_tokens"`         // largest number of new tokens, at least 1
	Seed              int64    `json:"seed"`               // seed of the sampler; always sent
	Stop              []string `json:"stop"`               // texts that end the reply
	Logprobs          bool     `json:"logprobs"`           // ask for the log-probabilities of the reply's tokens
	TopLogprobs       int      `json:"top_logprobs"`       // number of likeliest tokens per position, 0 to 20; needs Logprobs
	PromptLogprobs    *int     `json:"prompt_logprobs"`    // likeliest tokens per prompt position (vLLM); nil asks for none
}

// Greedy returns the parameters of greedy decoding of at most maxTokens tokens, with every modifier neutral.
func Greedy(maxTokens int) Sampling {
	return Sampling{Temperature: 0, TopP: 1, TopK: -1, RepetitionPenalty: 1, MaxTokens: maxTokens}
}

// Sampled returns the parameters of sampling at a temperature with a seed, with every other modifier neutral.
func Sampled(temperature float64, seed int64, maxTokens int) Sampling {
	s := Greedy(maxTokens)
	s.Temperature, s.Seed = temperature, seed
	return s
}

// Request asks a model once: for a reply to messages, or for the vectors of texts. Repeat is not sent: it tells equal
// requests apart and is a column of its own beside the hash.
type Request struct {
	Model         string
	Messages      []Message
	Inputs        []string // texts whose vectors are asked for; of the other fields only Model and Protocol then count
	Sampling      Sampling
	Choice        []string        // the reply must be one of these (structured_outputs of vLLM); empty is unconstrained
	Schema        string          // JSON schema that the reply must follow, where the server decodes under one; empty is unconstrained
	TemplateFlags map[string]bool // chat_template_kwargs, such as enable_thinking; nil sends none
	Protocol      string          // name under which the request is recorded, such as captionqa/upstream
	Repeat        int             // number of the repetition, from 0
	FirstTokens   bool            // the protocol reads the first MaxTokens tokens: a reply of as many is whole. It changes nothing that is asked
}

// Embeds reports whether the request asks for vectors.
func (r Request) Embeds() bool { return len(r.Inputs) > 0 }

// Text is all that a model reads of a request, pictures aside.
func (r Request) Text() string {
	s := strings.Join(r.Inputs, "")
	for _, m := range r.Messages {
		for _, p := range m.Parts {
			s += p.Text
		}
	}
	return s
}

// Settings is the JSON of what a request is asked under: all but its messages, or with them where the prompt is a setting. It is empty for
// vectors, which have none.
func (r Request) Settings(prompt bool) (string, error) {
	if r.Embeds() {
		return "", nil
	}
	s := struct {
		Sampling
		Choice        []string        `json:"choice,omitempty"`
		TemplateFlags map[string]bool `json:"chat_template_kwargs,omitempty"`
		Model         string          `json:"model"`
		Prompt        string          `json:"prompt,omitempty"`
	}{r.Sampling, r.Choice, r.TemplateFlags, r.Model, ""}
	if prompt {
		s.Prompt = r.Text()
	}
	content, err := json.Marshal(s)
	return string(content), err
}

// Validate reports everything that is wrong with a request before it costs anything.
func (r Request) Validate() error {
	if r.Embeds() {
		if r.Model == "" {
			return errors.New("no model is named")
		}
		return nil
	}
	var faults []error
	fault := func(bad bool, format string, args ...any) {
		if bad {
			faults = append(faults, fmt.Errorf(format, args...))
		}
	}
	fault(r.Model == "", "no model is named")
	fault(len(r.Messages) == 0, "there are no messages")
	fault(r.Repeat < 0, "repeat %d is negative", r.Repeat)
	for i, m := range r.Messages {
		fault(m.Role != RoleSystem && m.Role != RoleUser && m.Role != RoleAssistant, "message %d has the role %q; use system, user or assistant", i, m.Role)
		fault(len(m.Parts) == 0, "message %d has no parts", i)
		for j, p := range m.Parts {
			switch p.Kind {
			case PartText:
			case PartImage, PartVideo:
				fault(!isDigest(p.SHA256), "message %d part %d: the %s %q has no SHA-256 digest; take it from the images table", i, j, p.Kind, p.Path)
			default:
				fault(true, "message %d part %d is of unknown kind %q", i, j, p.Kind)
			}
		}
	}
	if err := r.Sampling.Validate(); err != nil {
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

// Validate reports the parameters that lie outside their ranges.
func (s Sampling) Validate() error {
	var faults []error
	within := func(name string, v, low, high float64, openLow bool) {
		if math.IsNaN(v) || v < low || v > high || openLow && v == low {
			faults = append(faults, fmt.Errorf("%s %v is out of range; start from Greedy or Sampled", name, v))
		}
	}
	within("temperature", s.Temperature, 0, 100, false)
	within("top_p", s.TopP, 0, 1, true)
	within("min_p", s.MinP, 0, 1, false)
	within("repetition_penalty", s.RepetitionPenalty, 0, 100, true)
	within("presence_penalty", s.PresencePenalty, -2, 2, false)
	within("frequency_penalty", s.FrequencyPenalty, -2, 2, false)
	if s.TopK != -1 && s.TopK < 1 {
		faults = append(faults, fmt.Errorf("top_k %d is out of range; -1 keeps every token", s.TopK))
	}
	if s.MaxTokens < 1 {
		faults = append(faults, fmt.Errorf("max_tokens %d is out of range; allow at least 1", s.MaxTokens))
	}
	if s.TopLogprobs < 0 || s.TopLogprobs > 20 || s.TopLogprobs > 0 && !s.Logprobs {
		faults = append(faults, fmt.Errorf("top_logprobs %d needs logprobs and a value from 0 to 20", s.TopLogprobs))
	}
	return errors.Join(faults...)
}

func isDigest(s string) bool {
	if len(s) != 64 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
