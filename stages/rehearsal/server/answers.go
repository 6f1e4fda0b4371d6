package server

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	json "github.com/go-json-experiment/json/v1"
	"github.com/sashabaranov/go-openai"
)

// chat answers a chat request with the reply of a behaviour, after the time that the engine takes.
// A fault may ignore the request's constraint or leave the reply without a choice.
func (s *Server) chat(ctx context.Context, body []byte, fault Fault) (any, error) {
	request, ask, prompt, err := readChat(body, s.opts.ContextTokens)
	if err != nil {
		return nil, err
	}
	if fault == FaultIgnoreChoice {
		ask.Choice = nil
	}
	if err := served(ask.Model, false); err != nil { // false: a model for chat
		return nil, err
	}
	if err := ask.fit(len(prompt), s.opts.ContextTokens); err != nil {
		return nil, err
	}
	say := s.opts.World.Reply(ask)
	length := tokens(len(prompt))
	cached := s.engine.run(ctx, blockKeys(prompt), length, say.Tokens, say.FinishReason == "length")
	reply := chatResponse{
		ChatCompletionResponse: openai.ChatCompletionResponse{
			ID:     "chatcmpl-rehearsal-" + strconv.FormatInt(s.ids.Add(1), 10),
			Object: "chat.completion", Created: time.Now().Unix(),
			Model: ask.Model, SystemFingerprint: "captionlake-rehearsal-" + Version,
		},
		Choices: make([]chatChoice, 1), Usage: usage{Details: promptDetails{CachedTokens: cached}, Usage: openai.Usage{
			PromptTokens: length, CompletionTokens: say.Tokens, TotalTokens: length + say.Tokens,
		}},
	}
	if ask.imageTokens > 0 {
		reply.Usage.Details.Multimodal = map[string]int{"image": ask.imageTokens}
	}
	c := &reply.Choices[0]
	c.Message.Role, c.FinishReason = openai.ChatMessageRoleAssistant, openai.FinishReason(say.FinishReason)
	if say.Thoughts != "" {
		c.Message.Reasoning = &say.Thoughts
	}
	if say.Thoughts == "" || say.Text != "" { // Otherwise all tokens went into the thoughts.
		c.Message.Content = &say.Text
	}
	if profiles[ask.Model].Thinks {
		reply.Usage.CompletionDetails = map[string]int{"reasoning_tokens": min(tokens(len(say.Thoughts)), say.Tokens)}
	}
	if request.LogProbs {
		c.Logprobs = logprobsOf(say, request.TopLogProbs)
	}
	if fault == FaultEmpty {
		reply.Choices = []chatChoice{}
	}
	return reply, nil
}

// served refuses a model that the server does not have, and lists its models. It also refuses chat
// with an embedding model, and embeddings of a chat model: a vLLM server has only the paths that
// fit its model.
func served(model string, embeds bool) error {
	if p, ok := profiles[model]; ok && p.Embeds == embeds {
		return nil
	} else if ok {
		return &refusal{status: http.StatusNotFound}
	}
	return &refusal{http.StatusNotFound, "NotFoundError",
		fmt.Sprintf("The model `%s` does not exist. Valid aliases: %s.", model, modelsFor("")), "model"}
}

// embeddings answers with the vectors of one text or of a list of texts.
func (s *Server) embeddings(ctx context.Context, body []byte, fault Fault) (any, error) {
	var request struct {
		openai.EmbeddingRequest
		Input texts `json:"input"`
	}
	if err := json.Unmarshal(body, &request); err != nil {
		return nil, unreadable(err)
	}
	switch {
	case len(request.Input) == 0:
		return nil, bad("", "You must pass at least one prompt")
	case request.EncodingFormat == openai.EmbeddingEncodingFormatBase64:
		return nil, bad("", "the rehearsal server encodes vectors as float only")
	}
	if err := served(string(request.Model), true); err != nil { // true: a model for embeddings
		return nil, err
	}
	data, total := []openai.Embedding{}, 0
	for i, text := range request.Input {
		s.engine.run(ctx, nil, tokens(len(text)), 0, false) // no prefix cache, and no tokens of a reply
		total += tokens(len(text))
		data = append(data, openai.Embedding{Object: "embedding", Index: i, Embedding: Embed(text)})
	}
	if fault == FaultEmpty {
		data = nil
	}
	return map[string]any{
		"id": "embd-rehearsal-" + strconv.FormatInt(s.ids.Add(1), 10), "object": "list", "created": time.Now().Unix(),
		"data": data, "model": request.Model,
		"usage": openai.Usage{PromptTokens: total, TotalTokens: total},
	}, nil
}
