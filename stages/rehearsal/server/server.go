package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Version is what /version says.
const Version = "0.0.0+captionlake.rehearsal"

// ContextTokens is the longest prompt and reply together, in tokens of the rehearsal models, unless Options say another.
const ContextTokens = 32768

// largestBody is the largest request in bytes: some frames of the largest pictures.
const largestBody = 256 << 20

// Options say how a server behaves. The zero value answers at once, without faults, and knows no picture.
type Options struct {
	World      *World
	Latency    Latency
	Faults     *Faults
	RetryAfter time.Duration // what a 429 asks for; 0 is 1 s. Fractions of a second are beyond the standard, as with some gateways
	SlowBy     time.Duration // delay of FaultSlow; 0 is 2 s
	Key        string        // key that requests must carry; empty wants none

	ContextTokens int // longest prompt and reply together; 0 is the constant of this name
}

// State is whether a server takes part, for tests of what a client does about one that does not.
type State int32

// The states of a server.
const (
	Up    State = iota
	Down        // connections are cut
	Hung        // requests are never answered
	Dying       // the engine is dead and the server not yet gone: every request ends with HTTP 500, those under way too
)

// Server is the rehearsal server. It is an http.Handler and may be used from any number of goroutines.
type Server struct {
	opts   Options
	engine *engine
	state  atomic.Int32
	ids    atomic.Int64
	died   chan struct{} // closed when the engine dies for the first time
	death  sync.Once
}

// New returns a server.
func New(o Options) *Server {
	if o.RetryAfter <= 0 {
		o.RetryAfter = time.Second
	}
	if o.SlowBy <= 0 {
		o.SlowBy = 2 * time.Second
	}
	if o.ContextTokens <= 0 {
		o.ContextTokens = ContextTokens
	}
	return &Server{opts: o, engine: newEngine(o.Latency), died: make(chan struct{})}
}

// SetState takes the server down, makes it hang, lets its engine die, or brings it back.
func (s *Server) SetState(state State) {
	if s.state.Swap(int32(state)) == int32(state) || state != Dying {
		return
	}
	s.engine.die()
	s.death.Do(func() { close(s.died) })
}

// dead is what vLLM says of a request that its engine did not survive.
var dead = &refusal{status: http.StatusInternalServerError, kind: "InternalServerError", message: "EngineCore encountered an issue. See stack trace (above) for the root cause."}

// ServeHTTP answers the paths of OpenAI's API that the stages use, and vLLM's own.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch State(s.state.Load()) {
	case Down:
		panic(http.ErrAbortHandler) // cuts the connection
	case Hung:
		// Only a request whose body is read notices that the client has gone.
		if _, err := io.Copy(io.Discard, http.MaxBytesReader(w, r.Body, largestBody)); err != nil {
			panic(http.ErrAbortHandler)
		}
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	case Dying:
		refuseFor(w, dead)
		return
	}
	w.Header().Set("Server", "captionlake-stub (rehearsal; every reply is simulated)")
	if s.opts.Key != "" && r.URL.Path != "/health" && r.Header.Get("Authorization") != "Bearer "+s.opts.Key {
		send(w, http.StatusUnauthorized, []byte(`{"error":"Unauthorized"}`))
		return
	}
	switch r.URL.Path {
	case "/v1/chat/completions":
		s.posted(w, r, s.chat)
	case "/v1/completions":
		s.posted(w, r, s.completions)
	case "/v1/embeddings":
		s.posted(w, r, s.embeddings)
	case "/health":
		w.WriteHeader(http.StatusOK)
	case "/version":
		sendJSON(w, map[string]string{"version": Version})
	case "/metrics":
		w.Header().Set("Content-Type", "text/plain; version=1.0.0; charset=utf-8")
		if _, err := io.WriteString(w, s.engine.metrics()); err != nil {
			panic(http.ErrAbortHandler) // the client has gone
		}
	case "/v1/models":
		s.models(w)
	default:
		detail(w, http.StatusNotFound)
	}
}

// posted reads a request's body and serves it.
func (s *Server) posted(w http.ResponseWriter, r *http.Request, serve func(http.ResponseWriter, *http.Request, []byte)) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		detail(w, http.StatusMethodNotAllowed)
		return
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		refuseFor(w, invalid("", "Unsupported Media Type: Only 'application/json' is allowed"))
		return
	}
	var body bytes.Buffer
	body.Grow(int(min(max(r.ContentLength, 0), 1<<20)) + bytes.MinRead) // a header may claim anything
	if _, err := body.ReadFrom(http.MaxBytesReader(w, r.Body, largestBody)); err != nil {
		refuse(w, http.StatusRequestEntityTooLarge, "BadRequestError", err.Error())
		return
	}
	serve(w, r, body.Bytes())
}

func (s *Server) models(w http.ResponseWriter) {
	type model struct {
		ID          string           `json:"id"`
		Object      string           `json:"object"`
		Created     int64            `json:"created"`
		OwnedBy     string           `json:"owned_by"`
		Root        string           `json:"root"`
		Parent      any              `json:"parent"`
		MaxModelLen int              `json:"max_model_len"`
		Permission  []map[string]any `json:"permission"`
	}
	list := []model{}
	for _, p := range Profiles() {
		list = append(list, model{p.ID, "model", 1, "captionlake-stub", p.ID, nil, s.opts.ContextTokens, []map[string]any{{
			"id": "modelperm-" + p.ID, "object": "model_permission", "created": 1, "allow_create_engine": false, "allow_sampling": true, "allow_logprobs": true,
			"allow_search_indices": false, "allow_view": true, "allow_fine_tuning": false, "organization": "*", "group": nil, "is_blocking": false,
		}}})
	}
	sendJSON(w, map[string]any{"object": "list", "data": list})
}

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
		ID: "chatcmpl-stub-" + strconv.FormatInt(s.ids.Add(1), 10), Object: "chat.completion", Created: time.Now().Unix(), Model: ask.Model,
		Choices: make([]chatChoice, 1), Usage: usageOf(tokens(len(prompt)), cached, say.Tokens), SystemFingerprint: "captionlake-stub-" + Version,
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

// completions answers the older text interface, with one prompt or a list of them.
func (s *Server) completions(w http.ResponseWriter, r *http.Request, body []byte) {
	fault := s.opts.Faults.pick(body)
	if s.failEarly(w, r, fault) {
		return
	}
	var request struct {
		Model     string          `json:"model"`
		Prompt    json.RawMessage `json:"prompt"`
		MaxTokens int             `json:"max_tokens"`
	}
	if err := json.Unmarshal(body, &request); err != nil {
		refuseFor(w, unreadable(err))
		return
	}
	prompts, err := oneOrMore(request.Prompt)
	if err != nil || len(prompts) == 0 {
		refuse(w, http.StatusBadRequest, "BadRequestError", "prompt must be a text or a list of texts")
		return
	}
	type choice struct {
		Index        int    `json:"index"`
		Text         string `json:"text"`
		FinishReason string `json:"finish_reason"`
	}
	choices := []choice{}
	var total usage
	cached := 0
	for i, p := range prompts {
		ask := Ask{Model: request.Model, User: p, MaxTokens: max(request.MaxTokens, 0)}
		if ask.MaxTokens == 0 {
			ask.MaxTokens = 16 // the interface's default
		}
		say, err := s.say(ask, len(p))
		if err != nil {
			refuseFor(w, err)
			return
		}
		hit, err := s.engine.run(r.Context(), blockKeys([]byte(p)), tokens(len(p)), say.Tokens, say.FinishReason == "length")
		if err != nil {
			unserved(w, err)
			return
		}
		cached += hit
		total.PromptTokens += tokens(len(p))
		total.CompletionTokens += say.Tokens
		choices = append(choices, choice{i, say.Text, say.FinishReason})
	}
	if fault == FaultEmpty {
		choices = []choice{}
	}
	sendFaulty(w, map[string]any{
		"id": "cmpl-stub-" + strconv.FormatInt(s.ids.Add(1), 10), "object": "text_completion", "created": time.Now().Unix(),
		"model": request.Model, "choices": choices, "usage": usageOf(total.PromptTokens, cached, total.CompletionTokens),
	}, fault)
}

// embeddings answers with the vectors of one text or a list of them.
func (s *Server) embeddings(w http.ResponseWriter, r *http.Request, body []byte) {
	fault := s.opts.Faults.pick(body)
	if s.failEarly(w, r, fault) {
		return
	}
	var request struct {
		Model          string          `json:"model"`
		Input          json.RawMessage `json:"input"`
		EncodingFormat string          `json:"encoding_format"`
	}
	if err := json.Unmarshal(body, &request); err != nil {
		refuseFor(w, unreadable(err))
		return
	}
	inputs, err := oneOrMore(request.Input)
	switch {
	case err != nil:
		refuse(w, http.StatusBadRequest, "BadRequestError", "input must be a text or a list of texts")
		return
	case len(inputs) == 0:
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
	for i, text := range inputs {
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
		"id": "embd-stub-" + strconv.FormatInt(s.ids.Add(1), 10), "object": "list", "created": time.Now().Unix(), "data": data, "model": request.Model,
		"usage": usage{PromptTokens: total, TotalTokens: total},
	}, fault)
}

// failEarly plays the faults that come before any work, and reports whether the request is done with.
func (s *Server) failEarly(w http.ResponseWriter, r *http.Request, fault Fault) bool {
	switch fault {
	case FaultRateLimit:
		w.Header().Set("Retry-After", strconv.FormatFloat(s.opts.RetryAfter.Seconds(), 'f', -1, 64))
		refuse(w, http.StatusTooManyRequests, "RateLimitError", "Too many requests (a planned fault)")
	case FaultServer:
		refuse(w, http.StatusInternalServerError, "InternalServerError", "EngineCore encountered an issue (a planned fault)")
	case FaultOverload:
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusServiceUnavailable)
		if _, err := io.WriteString(w, "<html><body><h1>503 Service Unavailable</h1>A planned fault.</body></html>"); err != nil {
			panic(http.ErrAbortHandler) // the client has gone
		}
	case FaultReset:
		panic(http.ErrAbortHandler)
	case FaultDeath:
		s.SetState(Dying)
		refuseFor(w, dead)
	case FaultSlow:
		now := time.Now()
		if err := sleepUntil(r.Context(), now, now.Add(s.opts.SlowBy)); err != nil {
			panic(http.ErrAbortHandler) // the client has gone
		}
		return false
	default:
		return false
	}
	return true
}

// sendFaulty sends a reply with the faults that concern its body.
func sendFaulty(w http.ResponseWriter, reply any, fault Fault) {
	body, err := json.Marshal(reply)
	switch {
	case err != nil:
		refuse(w, http.StatusInternalServerError, "InternalServerError", err.Error())
	case fault == FaultGarbage:
		send(w, http.StatusOK, append([]byte("<<planned fault>>"), body...))
	case fault == FaultCut:
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.Header().Set("Content-Type", "application/json")
		w.Write(body[:len(body)/2]) // whether it arrives does not matter: the connection is cut next
		panic(http.ErrAbortHandler)
	default:
		send(w, http.StatusOK, body)
	}
}

func sendJSON(w http.ResponseWriter, v any) { sendFaulty(w, v, FaultNone) }

func send(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if _, err := w.Write(body); err != nil {
		panic(http.ErrAbortHandler) // the client has gone
	}
}

// ErrDied is the end of a server whose engine died.
var ErrDied = errors.New("the rehearsal server's engine died, as the fault plan says; start the server again")

// lastWords is how long a server still answers when its engine is dead. vLLM's was gone after about a second.
const lastWords = 500 * time.Millisecond

// Serve answers on an address, such as 127.0.0.1:8000 or 127.0.0.1:0 for any free port, until the context ends, and then
// lets requests under way finish for a few seconds. started, which may be nil, is told the address in use. When the engine
// dies, the server goes a moment later, as vLLM does: then connections are refused, and Serve returns ErrDied.
func Serve(ctx context.Context, address string, s *Server, started func(net.Addr)) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("stub server: %w; choose another address", err)
	}
	server := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	if started != nil {
		started(listener.Addr())
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("stub server: %w", err)
	case <-s.died:
		time.Sleep(lastWords)
		if err := server.Close(); err != nil {
			return fmt.Errorf("stub server: %w", err)
		}
		return ErrDied
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := server.Shutdown(grace); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("stub server: %w", err)
	}
	return server.Close()
}
