//go:build linux

package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// A soakServer is a proxy before a slow server. It records which request was answered when, and for
// which run. Each run has an address of its own, and an end.
type soakServer struct {
	http.Handler

	mu        sync.Mutex
	delivered map[[32]byte][]soakDelivery
	killed    map[int]time.Time
	asked     int
}

// A soakDelivery is a reply that the run received whole.
type soakDelivery struct {
	at  time.Time
	run int
}

func (s *soakServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var run int
	head, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if _, err := fmt.Sscanf(head, "run-%d", &run); err != nil {
		http.NotFound(w, r)
		return
	}
	r.URL.Path = "/" + rest
	if r.Method != http.MethodPost {
		s.Handler.ServeHTTP(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // The run was killed.
	}
	key := sha256.Sum256(body)
	select {
	case <-time.After(200*time.Millisecond + time.Duration(key[0])*time.Millisecond):
	case <-r.Context().Done():
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	reply := httptest.NewRecorder()
	s.Handler.ServeHTTP(reply, r)
	w.Header().Set("Content-Type", reply.Header().Get("Content-Type"))
	w.WriteHeader(reply.Code)
	_, err = w.Write(reply.Body.Bytes())
	if err = errors.Join(err, http.NewResponseController(w).Flush(), r.Context().Err()); err != nil ||
		reply.Code != http.StatusOK {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	s.delivered[key] = append(s.delivered[key], soakDelivery{time.Now(), run})
}

// paidTwice counts the replies that a run got although another run had got the same reply before,
// unless the other run was killed within a second.
func (s *soakServer) paidTwice() (twice, lost int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, all := range s.delivered {
		kept := 0
		for _, d := range all {
			if at, dead := s.killed[d.run]; dead && at.Sub(d.at) < time.Second {
				lost++
			} else {
				kept++
			}
		}
		twice += max(kept-1, 0)
	}
	return twice, lost
}
