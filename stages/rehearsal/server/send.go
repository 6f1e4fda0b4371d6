package server

import (
	"context"
	"io"
	"mime"
	"net/http"
	"strconv"

	json "github.com/go-json-experiment/json/v1"
)

// posted reads a request's body, has reply answer it, and sends the answer. If a fault is planned
// for the request, posted sends an error instead, cuts the connection, or delays or changes the
// answer.
func (s *Server) posted(w http.ResponseWriter, r *http.Request,
	reply func(context.Context, []byte, Fault) (any, error)) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		refuse(w, &refusal{status: http.StatusMethodNotAllowed})
		return
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		refuse(w, invalid("", "Unsupported Media Type: Only 'application/json' is allowed"))
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largestBody))
	if err != nil {
		refuse(w, err)
		return
	}
	fault := s.opts.Faults.pick(body)
	const planned = " (a planned fault)"
	switch fault {
	case FaultRateLimit:
		w.Header().Set("Retry-After", strconv.FormatFloat(s.opts.RetryAfter.Seconds(), 'f', -1, 64))
		err = &refusal{http.StatusTooManyRequests, "RateLimitError", "Too many requests" + planned, ""}
	case FaultServer:
		err = &refusal{http.StatusInternalServerError,
			"InternalServerError", "EngineCore encountered an issue" + planned, ""}
	case FaultOverload:
		send(w, http.StatusServiceUnavailable,
			"text/html", []byte("<html><body><h1>503 Service Unavailable</h1>A planned fault.</body></html>"))
		return
	case FaultReset:
		panic(http.ErrAbortHandler)
	case FaultSlow:
		wait(r.Context(), s.opts.SlowBy)
	}
	var answer any
	if err == nil { // reply makes the faults FaultEmpty and FaultIgnoreChoice itself.
		answer, err = reply(r.Context(), body, fault)
	}
	if err != nil {
		refuse(w, err)
		return
	}
	content := encode(answer)
	switch fault {
	case FaultGarbage:
		content = append([]byte("<<planned fault>>"), content...)
	case FaultCut:
		w.Header().Set("Content-Length", strconv.Itoa(len(content)))
		_, _ = w.Write(content[:len(content)/2]) // it need not arrive: the connection is cut next
		panic(http.ErrAbortHandler)
	}
	send(w, http.StatusOK, "application/json", content)
}

// encode encodes a reply. Encoding cannot fail.
func encode(value any) []byte {
	content, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return content
}

// sendJSON sends the JSON of a value.
func sendJSON(w http.ResponseWriter, status int, value any) {
	send(w, status, "application/json", encode(value))
}

// send sends a whole body. It ignores a client that has gone.
func send(w http.ResponseWriter, status int, kind string, content []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(content)))
	w.WriteHeader(status)
	_, _ = w.Write(content)
}
