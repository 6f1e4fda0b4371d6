package server

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	_ "image/gif" // decoders of the formats that requests carry
	_ "image/jpeg"
	_ "image/png"
	"math"
	"strings"

	json "github.com/go-json-experiment/json/v1"
	"github.com/sashabaranov/go-openai"
	_ "golang.org/x/image/webp"
)

// chatRequest is OpenAI's request, as far as the server uses it, with vLLM's additions. It ignores
// guided_choice, which vLLM 0.12 removed. It accepts a JSON schema but does not enforce it:
// behaviours with JSON replies follow the schemas of their protocols.
type chatRequest struct {
	openai.ChatCompletionRequest
	MaxTokens           *int `json:"max_tokens"` // null is not 0
	MaxCompletionTokens *int `json:"max_completion_tokens"`
	StructuredOutputs   struct {
		Choice []string `json:"choice"`
	} `json:"structured_outputs"`
	TemplateFlags struct {
		EnableThinking *bool `json:"enable_thinking"`
	} `json:"chat_template_kwargs"`
}

// texts is a field that may be a string or a list of strings.
type texts []string

// UnmarshalJSON implements json.Unmarshaler.
func (t *texts) UnmarshalJSON(b []byte) error {
	if b[0] != '"' {
		return json.Unmarshal(b, (*[]string)(t))
	}
	*t = make(texts, 1)
	return json.Unmarshal(b, &(*t)[0])
}

// patchPixels is the pixels of one image token: 28 by 28, as in Qwen2.5-VL.
const patchPixels = 28 * 28

// readChat decodes a chat request. It returns the request itself, its content as an Ask, and the
// prompt as the prefix cache has it: the messages in Qwen's chat template, each picture as its
// digest repeated over its tokens.
func readChat(body []byte, contextTokens int) (request chatRequest, ask Ask, prompt []byte, err error) {
	if err := json.Unmarshal(body, &request); err != nil {
		return request, ask, nil, unreadable(err)
	}
	if err := request.check(contextTokens); err != nil {
		return request, ask, nil, err
	}
	thinks := request.TemplateFlags.EnableThinking
	ask = Ask{Model: request.Model, Unthinking: thinks != nil && !*thinks, Choice: request.StructuredOutputs.Choice}
	if request.Seed != nil {
		ask.Seed = int64(*request.Seed)
	}
	if n := cmp.Or(request.MaxCompletionTokens, request.MaxTokens); n != nil {
		ask.MaxTokens = *n
	}
	prompt = make([]byte, 0, len(body)+256)
	for _, m := range request.Messages {
		prompt = append(prompt, "<|im_start|>"+m.Role+"\n"...)
		parts := m.MultiContent
		if parts == nil {
			parts = []openai.ChatMessagePart{{Type: openai.ChatMessagePartTypeText, Text: m.Content}}
		}
		for _, p := range parts {
			switch p.Type {
			case openai.ChatMessagePartTypeText:
				prompt = append(prompt, p.Text...)
				text := &ask.User
				if m.Role == openai.ChatMessageRoleSystem {
					text = &ask.System
				}
				if *text != "" {
					*text += "\n"
				}
				*text += p.Text
			case openai.ChatMessagePartTypeImageURL:
				digest, pixels, err := picture(p)
				if err != nil {
					return request, ask, nil, err
				}
				ask.Images = append(ask.Images, digest)
				patches := max(pixels/patchPixels, 1)
				ask.imageTokens += patches
				for end := len(prompt) + bytesPerToken*patches; len(prompt) < end; {
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

// check refuses requests that vLLM refuses, as far as a run may send them, with vLLM's errors. It
// also refuses features that the rehearsal server lacks, instead of ignoring them.
func (r chatRequest) check(contextTokens int) error {
	switch {
	case r.Messages == nil:
		return invalid("body.messages", "{'type': 'missing', 'loc': 'body.messages', 'msg': 'Field required'}")
	case len(r.Messages) == 0:
		return bad("", "Cannot apply chat template to an empty conversation. Provide at least one message.")
	case r.Stream:
		return errors.New("the rehearsal server does not stream")
	case len(r.Stop) > 0:
		return errors.New("the rehearsal server stops at no text")
	case r.N > 1:
		return errors.New("the rehearsal server gives one choice; n must be 1")
	}
	for param, n := range map[string]*int{"max_tokens": r.MaxTokens, "max_completion_tokens": r.MaxCompletionTokens} {
		switch {
		case n == nil:
		case *n < 1:
			return tooFew(param, *n)
		case *n > contextTokens:
			return badValue(param, *n,
				"%s=%d cannot be greater than max_model_len=%d. Please request fewer output tokens.", param, *n,
				contextTokens)
		}
	}
	return nil
}

// tooFew refuses a limit of a reply below one token.
func tooFew(param string, n int) *refusal {
	return badValue(param, n, "%s must be at least 1, got %d.", param, n)
}

// fit refuses a prompt that leaves no room for a reply, and silently lowers the reply's limit to
// the room that is left. A prompt that fills the context exactly leaves a limit of 0 tokens, and is
// refused for this limit.
func (a *Ask) fit(promptBytes, contextTokens int) error {
	const (
		longestToken = 32 // bytes: vLLM does not tokenize a text with more than this for each token of its context
		limit        = "This model's maximum context length is %d tokens. However, your prompt contains "
		please       = ". Please reduce the length of the input prompt."
	)
	switch left := contextTokens - tokens(promptBytes); {
	case promptBytes > longestToken*contextTokens:
		return badValue("input_text", promptBytes,
			limit+"%d characters (more than %d characters, which is the upper bound for %d input tokens)"+please,
			contextTokens, promptBytes, longestToken*contextTokens, contextTokens)
	case left < 0: // vLLM counts only one token above the limit.
		return badValue("input_tokens", contextTokens+1,
			limit+"at least %d input tokens, which exceeds this limit even without any output tokens"+please,
			contextTokens, contextTokens+1)
	case left == 0:
		return tooFew("max_tokens", 0)
	case a.MaxTokens == 0 || a.MaxTokens > left:
		a.MaxTokens = left
	}
	return nil
}

// picture returns the digest and the size of the picture in a part.
func picture(p openai.ChatMessagePart) (digest string, pixels int, err error) {
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
	config, _, err := image.DecodeConfig(bytes.NewReader(content))
	if err != nil {
		return "", 0, bad("", "Failed to load image: cannot identify image file <_io.BytesIO object>")
	}
	const largest = 16 << 20 // pixels; a header may claim anything
	return digest, min(max(config.Width, 1)*max(config.Height, 1), largest), nil
}

// The replies have all fields of vLLM's replies that are not null.

type usage struct {
	openai.Usage
	Details           promptDetails `json:"prompt_tokens_details"`
	CompletionDetails any           `json:"completion_tokens_details"`
}

type promptDetails struct {
	CachedTokens  int            `json:"cached_tokens"`
	CreatedTokens int            `json:"created_cache_tokens"`
	Multimodal    map[string]int `json:"multimodal_tokens"` // by kind; null without pictures
}

type chatResponse struct {
	openai.ChatCompletionResponse
	Choices []chatChoice `json:"choices"`
	Usage   usage        `json:"usage"`
}

type chatChoice struct {
	Index        int                 `json:"index"`
	Message      chatMessage         `json:"message"`
	Logprobs     *logprobs           `json:"logprobs"`
	FinishReason openai.FinishReason `json:"finish_reason"`
}

type chatMessage struct {
	Role      string  `json:"role"`
	Content   *string `json:"content"` // null if all tokens went into the thoughts
	Reasoning *string `json:"reasoning"`
}

type logprobs struct {
	Content []tokenLogprob `json:"content"`
}

type tokenLogprob struct {
	logprob
	Top []logprob `json:"top_logprobs"`
}

type logprob struct {
	openai.TopLogProbs
	Bytes []int `json:"bytes"` // openai.TopLogProbs would write it in base64
}

// logprobOf is a token with the logarithm of its probability.
func logprobOf(token string, probability float64) logprob {
	const least = -9999 // vLLM's replacement for minus infinity
	l := logprob{TopLogProbs: openai.TopLogProbs{Token: token, LogProb: max(math.Log(probability), least)}}
	for _, b := range []byte(token) {
		l.Bytes = append(l.Bytes, int(b))
	}
	return l
}

// endToken is the token that ends a reply. It counts as one, and has a log-probability like all
// others.
const endToken = "<|im_end|>"

// logprobsOf gives the log-probabilities of a reply. A reply of one word has the probabilities of
// its candidates; every other token is certain.
func logprobsOf(say Say, top int) *logprobs {
	out := &logprobs{Content: []tokenLogprob{}}
	words := strings.SplitAfter(say.Text, " ")
	if say.Text == "" {
		words = nil
	}
	drawn := len(words) == 1 && len(say.Candidates) > 0 // the reply is one word, drawn from its candidates
	if say.FinishReason == "stop" {
		words = append(words, endToken)
	}
	for i, w := range words {
		candidates := []Candidate{{w, 1}}
		if drawn && i == 0 {
			candidates = say.Candidates
		}
		t := tokenLogprob{logprob: logprobOf(w, 1), Top: []logprob{}}
		for j, c := range candidates {
			l := logprobOf(c.Token, c.Probability)
			if c.Token == w {
				t.logprob = l
			}
			if j < top {
				t.Top = append(t.Top, l)
			}
		}
		out.Content = append(out.Content, t)
	}
	return out
}
