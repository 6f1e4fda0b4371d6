package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sashabaranov/go-openai"
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
	w.Header().Set("Server", "captionlake-rehearsal (every reply is simulated)")
	if s.opts.Key != "" && r.URL.Path != "/health" && r.Header.Get("Authorization") != "Bearer "+s.opts.Key {
		send(w, http.StatusUnauthorized, []byte(`{"error":"Unauthorized"}`))
		return
	}
	switch r.URL.Path {
	case string(openai.BatchEndpointChatCompletions):
		s.posted(w, r, s.chat)
	case string(openai.BatchEndpointEmbeddings):
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
		openai.Model
		Parent      any `json:"parent"`
		MaxModelLen int `json:"max_model_len"`
	}
	list := []model{}
	for _, p := range Profiles() {
		list = append(list, model{Model: openai.Model{
			ID: p.ID, Object: "model", CreatedAt: 1, OwnedBy: "captionlake-rehearsal", Root: p.ID,
			Permission: []openai.Permission{{
				ID: "modelperm-" + p.ID, Object: "model_permission", CreatedAt: 1, AllowSampling: true, AllowLogprobs: true, AllowView: true, Organization: "*",
			}},
		}, MaxModelLen: s.opts.ContextTokens})
	}
	sendJSON(w, map[string]any{"object": "list", "data": list})
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
		return fmt.Errorf("rehearsal server: %w; choose another address", err)
	}
	server := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	if started != nil {
		started(listener.Addr())
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("rehearsal server: %w", err)
	case <-s.died:
		time.Sleep(lastWords)
		if err := server.Close(); err != nil {
			return fmt.Errorf("rehearsal server: %w", err)
		}
		return ErrDied
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := server.Shutdown(grace); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("rehearsal server: %w", err)
	}
	return server.Close()
}
