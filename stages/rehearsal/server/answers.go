package server

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
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
		unserved(w, err)
		return
	}
	reply := chatResponse{
		ID: "chatcmpl-rehearsal-" + strconv.FormatInt(s.ids.Add(1), 10), Object: "chat.completion", Created: time.Now().Unix(), Model: ask.Model,
		Choices: make([]chatChoice, 1), Usage: usageOf(tokens(len(prompt)), cached, say.Tokens), SystemFingerprint: "captionlake-rehearsal-" + Version,
	}
	if ask.imageTokens > 0 {
		reply.Usage.Details.Multimodal = map[string]int{"image": ask.imageTokens}
	}
	c := &reply.Choices[0]
	c.Message.Role, c.FinishReason = "assistant", say.FinishReason
	if say.Thoughts != "" {
		c.Message.Reasoning = &say.Thoughts
	}
	if say.Thoughts == "" || say.Text != "" {
		c.Message.Content = &say.Text
	}
	if say.StopReason != "" {
		c.StopReason = &say.StopReason
	}
	if profiles[ask.Model].Thinks {
		reply.Usage.CompletionDetails = map[string]int{"reasoning_tokens": min(tokens(len(say.Thoughts)), say.Tokens)}
	}
	if request.Logprobs {
		c.Logprobs = logprobsOf(say, request.TopLogprobs)
	}
	if fault == FaultEmpty {
		reply.Choices = []chatChoice{}
	}
	sendFaulty(w, reply, fault)
}

// say asks the behaviours, and refuses unknown models and prompts that are too long as vLLM does.
func (s *Server) say(ask Ask, promptBytes int) (Say, error) {
	if err := served(ask.Model); err != nil {
		return Say{}, err
	}
	if err := ask.fit(promptBytes, s.opts.ContextTokens); err != nil {
		return Say{}, err
	}
	return Rehearsal{s.opts.World}.Reply(ask)
}

// served refuses a model that the server does not have, with those that it has.
func served(model string) error {
	if _, ok := profiles[model]; ok {
		return nil
	}
	var ids []string
	for _, p := range Profiles() {
		ids = append(ids, p.ID)
	}
	return &refusal{http.StatusNotFound, "NotFoundError", fmt.Sprintf("The model `%s` does not exist. Valid aliases: %s.", model, strings.Join(ids, ", ")), "model"}
}

// unserved ends a request that the engine did not finish: its client has gone, or the engine is dead.
func unserved(w http.ResponseWriter, err error) {
	if !errors.Is(err, errDead) {
		panic(http.ErrAbortHandler) // cuts the connection
	}
	refuseFor(w, dead)
}

// embeddings answers with the vectors of one text or a list of them.
func (s *Server) embeddings(w http.ResponseWriter, r *http.Request, body []byte) {
	fault := s.opts.Faults.pick(body)
	if s.failEarly(w, r, fault) {
		return
	}
	var request struct {
		Model          string `json:"model"`
		Input          texts  `json:"input"`
		EncodingFormat string `json:"encoding_format"`
	}
	if err := json.Unmarshal(body, &request); err != nil {
		refuseFor(w, unreadable(err))
		return
	}
	switch {
	case len(request.Input) == 0:
		refuse(w, http.StatusBadRequest, "BadRequestError", "You must pass at least one prompt")
		return
	case request.EncodingFormat != "" && request.EncodingFormat != "float":
		refuse(w, http.StatusBadRequest, "BadRequestError", "the rehearsal server encodes vectors as float only")
		return
	}
	if err := served(request.Model); err != nil {
		refuseFor(w, err)
		return
	}
	type vector struct {
		Object    string    `json:"object"`
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	}
	data := []vector{}
	total := 0
	for i, text := range request.Input {
		if _, err := s.engine.run(r.Context(), nil, tokens(len(text)), 0, false); err != nil {
			unserved(w, err)
			return
		}
		total += tokens(len(text))
		data = append(data, vector{"embedding", i, Embed(text)})
	}
	if fault == FaultEmpty {
		data = []vector{}
	}
	sendFaulty(w, map[string]any{
		"id": "embd-rehearsal-" + strconv.FormatInt(s.ids.Add(1), 10), "object": "list", "created": time.Now().Unix(), "data": data, "model": request.Model,
		"usage": usage{PromptTokens: total, TotalTokens: total},
	}, fault)
}
