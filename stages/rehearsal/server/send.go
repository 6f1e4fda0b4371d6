package server

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"time"
)

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
		_, _ = io.WriteString(w, "<html><body><h1>503 Service Unavailable</h1>A planned fault.</body></html>") // a client that has gone does not matter
	case FaultReset:
		panic(http.ErrAbortHandler)
	case FaultSlow:
		if err := sleepUntil(r.Context(), time.Now().Add(s.opts.SlowBy)); err != nil {
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
	_, _ = w.Write(body) // a client that has gone does not matter
}
