package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/sashabaranov/go-openai"
)

// chat answers one chat request: faults before the engine, the behaviour, the engine's time, and faults of the reply.
func (s *Server) chat(w http.ResponseWriter, r *http.Request, body []byte) {
	fault := s.opts.Faults.pick(body)
	if s.failEarly(w, r, fault) {
		return
	}
	request, ask, prompt, err := s.opts.World.read(body, s.opts.ContextTokens)
	if err != nil {
		refuseFor(w, err)
		return
	}
	if fault == FaultIgnoreChoice {
		ask.Choice = nil
	}
	say, err := s.say(ask, len(prompt))
	if err != nil {
		refuseFor(w, err)
		return
	}
	cached, err := s.engine.run(r.Context(), blockKeys(prompt), tokens(len(prompt)), say.Tokens, say.FinishReason == "length")
	if err != nil {
		panic(http.ErrAbortHandler) // the client has gone
	}
	reply := chatResponse{
		ChatCompletionResponse: openai.ChatCompletionResponse{
			ID: "chatcmpl-rehearsal-" + strconv.FormatInt(s.ids.Add(1), 10), Object: "chat.completion", Created: time.Now().Unix(),
			Model: ask.Model, SystemFingerprint: "captionlake-rehearsal-" + Version,
		},
		Choices: make([]chatChoice, 1), Usage: usageOf(tokens(len(prompt)), cached, say.Tokens),
	}
	if ask.imageTokens > 0 {
		reply.Usage.Details.Multimodal = map[string]int{"image": ask.imageTokens}
	}
	c := &reply.Choices[0]
	c.Message.Role, c.FinishReason = openai.ChatMessageRoleAssistant, openai.FinishReason(say.FinishReason)
	if say.Thoughts != "" {
		c.Message.Reasoning = &say.Thoughts
	}
	if say.Thoughts == "" || say.Text != "" {
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
	sendFaulty(w, reply, fault)
}

// say asks the behaviours, and refuses unknown models and prompts that are too long as vLLM does.
func (s *Server) say(ask Ask, promptBytes int) (Say, error) {
	if err := served(ask.Model, false); err != nil {
		return Say{}, err
	}
	if err := ask.fit(promptBytes, s.opts.ContextTokens); err != nil {
		return Say{}, err
	}
	return Rehearsal{s.opts.World}.Reply(ask)
}

// served refuses a model that the server does not have, with those that it has, and one that does another thing: vLLM then has no such
// path.
func served(model string, embeds bool) error {
	if p, ok := profiles[model]; ok && p.Embeds == embeds {
		return nil
	} else if ok {
		return errNoPath
	}
	var ids []string
	for _, p := range Profiles() {
		ids = append(ids, p.ID)
	}
	return &refusal{http.StatusNotFound, "NotFoundError", fmt.Sprintf("The model `%s` does not exist. Valid aliases: %s.", model, strings.Join(ids, ", ")), "model"}
}

// embeddings answers with the vectors of one text or a list of them.
func (s *Server) embeddings(w http.ResponseWriter, r *http.Request, body []byte) {
	fault := s.opts.Faults.pick(body)
	if s.failEarly(w, r, fault) {
		return
	}
	var request struct {
		openai.EmbeddingRequest
		Input texts `json:"input"`
	}
	if err := json.Unmarshal(body, &request); err != nil {
		refuseFor(w, unreadable(err))
		return
	}
	switch {
	case len(request.Input) == 0:
		refuse(w, http.StatusBadRequest, "BadRequestError", "You must pass at least one prompt")
		return
	case request.EncodingFormat != "" && request.EncodingFormat != openai.EmbeddingEncodingFormatFloat:
		refuse(w, http.StatusBadRequest, "BadRequestError", "the rehearsal server encodes vectors as float only")
		return
	}
	if err := served(string(request.Model), true); err != nil {
		refuseFor(w, err)
		return
	}
	data := []openai.Embedding{}
	total := 0
	for i, text := range request.Input {
		if _, err := s.engine.run(r.Context(), nil, tokens(len(text)), 0, false); err != nil {
			panic(http.ErrAbortHandler) // the client has gone
		}
		total += tokens(len(text))
		data = append(data, openai.Embedding{Object: "embedding", Index: i, Embedding: Embed(text)})
	}
	if fault == FaultEmpty {
		data = nil
	}
	sendFaulty(w, map[string]any{
		"id": "embd-rehearsal-" + strconv.FormatInt(s.ids.Add(1), 10), "object": "list", "created": time.Now().Unix(), "data": data, "model": request.Model,
		"usage": openai.Usage{PromptTokens: total, TotalTokens: total},
	}, fault)
}
