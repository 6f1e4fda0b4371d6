package stub

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	_ "image/gif" // decoders of the formats that requests carry
	_ "image/jpeg"
	_ "image/png"
	"math"
	"strings"

	_ "golang.org/x/image/webp"
)

// chatRequest is the part of a chat request that the server heeds.
type chatRequest struct {
	Model    string `json:"model"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	MaxTokens           *int            `json:"max_tokens"`
	MaxCompletionTokens *int            `json:"max_completion_tokens"`
	Stop                json.RawMessage `json:"stop"`
	Seed                int64           `json:"seed"`
	N                   *int            `json:"n"`
	Stream              bool            `json:"stream"`
	Logprobs            bool            `json:"logprobs"`
	TopLogprobs         int             `json:"top_logprobs"`
	PromptLogprobs      *int            `json:"prompt_logprobs"`
	Temperature         *float64        `json:"temperature"`
	TopP                *float64        `json:"top_p"`
	StructuredOutputs   *struct {
		Choice []string `json:"choice"`
	} `json:"structured_outputs"`
	// guided_choice, which vLLM 0.12 removed, is ignored as there.
}

type contentPart struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	ImageURL *struct {
		URL string `json:"url"`
	} `json:"image_url"`
}

// patchPixels is the pixels of one image token: 28 by 28, as in Qwen2.5-VL.
const patchPixels = 28 * 28

// read turns a chat request into what behaviours see and the bytes whose blocks the prefix cache holds: the messages in
// the chat template of Qwen, each picture as its digest repeated over its tokens.
func (w *World) read(body []byte) (request chatRequest, ask Ask, prompt []byte, err error) {
	if err := json.Unmarshal(body, &request); err != nil {
		return request, ask, nil, fmt.Errorf("the body is not a chat request: %w", err)
	}
	if err := request.check(); err != nil {
		return request, ask, nil, err
	}
	ask = Ask{Model: request.Model, Seed: request.Seed}
	if request.StructuredOutputs != nil {
		ask.Choice = request.StructuredOutputs.Choice
	}
	if ask.Stop, err = oneOrMore(request.Stop); err != nil {
		return request, ask, nil, fmt.Errorf("stop: %w", err)
	}
	for _, n := range []*int{request.MaxTokens, request.MaxCompletionTokens} {
		if n != nil {
			ask.MaxTokens = *n
		}
	}
	prompt = make([]byte, 0, len(body)+256)
	for _, m := range request.Messages {
		prompt = append(prompt, "<|im_start|>"+m.Role+"\n"...)
		parts, err := partsOf(m.Content)
		if err != nil {
			return request, ask, nil, fmt.Errorf("message content: %w", err)
		}
		for _, p := range parts {
			switch p.Type {
			case "text":
				prompt = append(prompt, p.Text...)
				if m.Role == "system" {
					ask.System = joined(ask.System, p.Text)
				} else {
					ask.User = joined(ask.User, p.Text)
				}
			case "image_url":
				digest, pixels, err := w.picture(p)
				if err != nil {
					return request, ask, nil, err
				}
				ask.Images = append(ask.Images, digest)
				for end := len(prompt) + bytesPerToken*max(pixels/patchPixels, 1); len(prompt) < end; {
					prompt = append(prompt, digest[:min(len(digest), end-len(prompt))]...)
				}
			default:
				return request, ask, nil, fmt.Errorf("content of type %q is not served; use text or image_url", p.Type)
			}
		}
		prompt = append(prompt, "<|im_end|>\n"...)
	}
	return request, ask, append(prompt, "<|im_start|>assistant\n"...), nil
}

// check refuses what the server does not do rather than do something else.
func (r chatRequest) check() error {
	switch {
	case len(r.Messages) == 0:
		return errors.New("there are no messages")
	case r.Stream:
		return errors.New("the rehearsal server does not stream")
	case r.N != nil && *r.N != 1:
		return errors.New("the rehearsal server gives one choice; n must be 1")
	case r.PromptLogprobs != nil:
		return errors.New("the rehearsal server has no prompt_logprobs")
	case r.MaxTokens != nil && *r.MaxTokens < 1:
		return fmt.Errorf("max_tokens must be at least 1, got %d.", *r.MaxTokens)
	case r.Temperature != nil && *r.Temperature < 0:
		return fmt.Errorf("temperature must be non-negative, got %v.", *r.Temperature)
	case r.TopP != nil && (*r.TopP <= 0 || *r.TopP > 1):
		return fmt.Errorf("top_p must be in (0, 1], got %v.", *r.TopP)
	case r.TopLogprobs < 0 || r.TopLogprobs > 20:
		return fmt.Errorf("Requested sample logprobs of %d, which is greater than max allowed: 20", r.TopLogprobs)
	}
	return nil
}

func joined(before, text string) string {
	if before == "" {
		return text
	}
	return before + "\n" + text
}

// partsOf reads a message's content in both of its forms.
func partsOf(raw json.RawMessage) ([]contentPart, error) {
	if len(raw) > 0 && raw[0] == '"' {
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return nil, err
		}
		return []contentPart{{Type: "text", Text: text}}, nil
	}
	var parts []contentPart
	if err := json.Unmarshal(raw, &parts); err != nil {
		return nil, err
	}
	return parts, nil
}

// oneOrMore reads a field that may be a string or a list of strings.
func oneOrMore(raw json.RawMessage) ([]string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	if raw[0] == '"' {
		var one string
		err := json.Unmarshal(raw, &one)
		return []string{one}, err
	}
	var list []string
	err := json.Unmarshal(raw, &list)
	return list, err
}

// picture returns the digest and the size of a picture that a part carries.
func (w *World) picture(p contentPart) (digest string, pixels int, err error) {
	if p.ImageURL == nil {
		return "", 0, errors.New("image_url has no url")
	}
	kind, data, found := strings.Cut(p.ImageURL.URL, ";base64,")
	if !found || !strings.HasPrefix(kind, "data:image/") {
		return "", 0, errors.New("pictures must come as data:image/…;base64 URLs; the rehearsal server fetches nothing")
	}
	content, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return "", 0, fmt.Errorf("picture: %w", err)
	}
	sum := sha256.Sum256(content)
	digest = hex.EncodeToString(sum[:])
	if s := w.scene([]string{digest}); s != nil && s.Width > 0 && s.Height > 0 {
		return digest, s.Width * s.Height, nil
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(content))
	if err != nil {
		return "", 0, fmt.Errorf("cannot identify image file: %w", err)
	}
	const largest = 16 << 20 // pixels; a header may claim anything
	return digest, min(max(config.Width, 1)*max(config.Height, 1), largest), nil
}

type usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	TotalTokens      int `json:"total_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	Details          *struct {
		CachedTokens int `json:"cached_tokens"`
	} `json:"prompt_tokens_details,omitempty"`
}

func usageOf(prompt, cached, completion int) usage {
	u := usage{PromptTokens: prompt, TotalTokens: prompt + completion, CompletionTokens: completion}
	u.Details = &struct {
		CachedTokens int `json:"cached_tokens"`
	}{cached}
	return u
}

type chatResponse struct {
	ID      string       `json:"id"`
	Object  string       `json:"object"`
	Created int64        `json:"created"`
	Model   string       `json:"model"`
	Choices []chatChoice `json:"choices"`
	Usage   usage        `json:"usage"`
}

type chatChoice struct {
	Index   int `json:"index"`
	Message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"message"`
	Logprobs     *logprobs `json:"logprobs"`
	FinishReason string    `json:"finish_reason"`
}

type logprobs struct {
	Content []tokenLogprob `json:"content"`
}

type tokenLogprob struct {
	Token   string         `json:"token"`
	Logprob float64        `json:"logprob"`
	Top     []tokenLogprob `json:"top_logprobs,omitempty"`
}

// logprobsOf lays out the log-probabilities of a reply: the first token's candidates, and certainty after it.
func logprobsOf(say Say, top int) *logprobs {
	out := &logprobs{Content: []tokenLogprob{}}
	words := strings.SplitAfter(say.Text, " ")
	if say.Text == "" {
		words = nil
	}
	for i, w := range words {
		t := tokenLogprob{Token: w}
		candidates := []Candidate{{w, 1}}
		if i == 0 && len(say.Candidates) > 0 && len(words) == 1 {
			candidates = say.Candidates
		}
		for j, c := range candidates {
			l := max(math.Log(c.Probability), -9999) // vLLM's stand-in for minus infinity
			if c.Token == w {
				t.Logprob = l
			}
			if j < top {
				t.Top = append(t.Top, tokenLogprob{Token: c.Token, Logprob: l})
			}
		}
		out.Content = append(out.Content, t)
	}
	return out
}

// errorBody is an error as vLLM's OpenAI server words it.
func errorBody(status int, kind, message string) []byte {
	b, err := json.Marshal(map[string]any{"error": map[string]any{"message": message, "type": kind, "param": nil, "code": status}})
	if err != nil {
		return []byte(`{"error":{"message":"unknown error"}}`) // strings and numbers always encode
	}
	return b
}
