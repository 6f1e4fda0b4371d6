package server

import (
	"cmp"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/sashabaranov/go-openai"
)

// Version is the reply of /version.
const Version = "0.0.0+captionlake.rehearsal"

// ContextTokens is the default of the longest prompt and reply together, in tokens of the rehearsal
// models.
const ContextTokens = 32768

// largestBody is the largest request in bytes: a few frames of the largest pictures.
const largestBody = 256 << 20

// Options configure a server. The zero value answers at once, without faults, and knows no picture.
type Options struct {
	World   *World
	Latency Latency
	Faults  *Faults

	// Retry-After of a 429; 0 is 1 s. Fractions of a second are beyond the standard, but some
	// gateways send them
	RetryAfter time.Duration
	SlowBy     time.Duration // delay of FaultSlow; 0 is 2 s

	ContextTokens int // longest prompt and reply together; 0 is the constant of this name
}

// Server is the rehearsal server. It is an http.Handler and may be used from any number of
// goroutines.
type Server struct {
	opts   Options
	engine *engine
	ids    atomic.Int64
}

// New returns a server.
func New(o Options) *Server {
	o.RetryAfter, o.SlowBy = cmp.Or(o.RetryAfter, time.Second), cmp.Or(o.SlowBy, 2*time.Second)
	o.ContextTokens = cmp.Or(o.ContextTokens, ContextTokens)
	return &Server{opts: o, engine: newEngine(o.Latency)}
}

// ServeHTTP answers the paths of OpenAI's API that the stages use, and vLLM's own paths.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Server", "captionlake-rehearsal (every reply is simulated)")
	switch r.URL.Path {
	case string(openai.BatchEndpointChatCompletions):
		s.posted(w, r, s.chat)
	case string(openai.BatchEndpointEmbeddings):
		s.posted(w, r, s.embeddings)
	case "/health":
		w.WriteHeader(http.StatusOK)
	case "/version":
		sendJSON(w, http.StatusOK, map[string]string{"version": Version})
	case "/metrics":
		send(w, http.StatusOK, "text/plain; version=1.0.0; charset=utf-8", []byte(s.engine.metrics()))
	case "/v1/models":
		s.models(w)
	default:
		refuse(w, &refusal{status: http.StatusNotFound})
	}
}

// models lists the models of the server, in the form of vLLM.
func (s *Server) models(w http.ResponseWriter) {
	type model struct {
		openai.Model
		Parent      any `json:"parent"` // openai.Model would write it as a text
		MaxModelLen int `json:"max_model_len"`
	}
	list := []model{}
	for _, p := range Profiles() {
		list = append(list, model{Model: openai.Model{
			ID: p.ID, Object: "model", CreatedAt: 1, OwnedBy: "captionlake-rehearsal", Root: p.ID,
			Permission: []openai.Permission{{
				ID: "modelperm-" + p.ID, Object: "model_permission", CreatedAt: 1, AllowSampling: true,
				AllowLogprobs: true, AllowView: true, Organization: "*",
			}},
		}, MaxModelLen: s.opts.ContextTokens})
	}
	sendJSON(w, http.StatusOK, map[string]any{"object": "list", "data": list})
}
