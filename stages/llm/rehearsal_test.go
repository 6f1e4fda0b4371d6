package llm_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/llm"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// inProcess serves requests without a network, so that the rehearsal server's time is synctest's.
type inProcess map[string]*rehearsalserver.Server

func (p inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	done := make(chan *http.Response, 1)
	cut := make(chan struct{}, 1)
	go func() {
		defer func() {
			if recover() != nil { // how a handler cuts a connection
				cut <- struct{}{}
			}
		}()
		w := httptest.NewRecorder()
		p[r.URL.Host].ServeHTTP(w, r)
		done <- w.Result()
	}()
	select {
	case resp := <-done:
		return resp, nil
	case <-cut:
		return nil, fmt.Errorf("connection reset by peer")
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

// replicas returns a client of n rehearsal servers with a latency model.
func replicas(t *testing.T, n int, l rehearsalserver.Latency, faults string) (*llm.Client, inProcess) {
	t.Helper()
	servers := inProcess{}
	cfg := llm.Config{Endpoint: llm.Endpoint{Name: "rehearsal"}, Transport: servers, MaxAttempts: 12}
	for i := range n {
		plan := must.Get(rehearsalserver.ParseFaults(faults))(t)
		host := fmt.Sprintf("replica-%d", i)
		servers[host] = rehearsalserver.New(rehearsalserver.Options{Latency: l, Faults: plan})
		cfg.Endpoint.Replicas = append(cfg.Endpoint.Replicas, "http://"+host+"/v1")
	}
	c := must.Get(llm.New(cfg))(t)
	return c, servers
}

// Under every fault that a retry can mend, all questions are answered, and the answers are the same
// as in a run without faults.
func TestEveryFaultIsSurvived(t *testing.T) {
	for _, plan := range []string{"429=40%", "500=40%", "503=40%", "reset=40%", "slow=40%", "truncated=40%",
		"malformed=40%", "empty=40%", "30%"} {
		synctest.Test(t, func(t *testing.T) {
			c, servers := replicas(t, 2, rehearsalserver.Latency{}, plan)
			// one server, so that the faults of a request do not depend on who is asked
			servers["replica-1"] = servers["replica-0"]
			var wg sync.WaitGroup
			var retried atomic.Int64
			for i := range 300 {
				wg.Go(func() {
					request, key := readerRequest(t, i/13, i%13)
					reply, err := c.Ask(context.Background(), request, key)
					if err != nil {
						t.Errorf("%s: %v", plan, err)
						return
					}
					if reply.Text != "B" || reply.State != llm.StateOK {
						t.Errorf("%s: %+v", plan, reply)
					}
					if reply.Attempts > 1 {
						retried.Add(1)
					}
				})
			}
			wg.Wait()
			if retried.Load() == 0 && plan != "slow=40%" {
				t.Errorf("%s: nothing went wrong", plan)
			}
		})
	}
}

// A server that answers garbage for one prompt fails that prompt alone.
func TestOneBadPrompt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, servers := replicas(t, 2, rehearsalserver.Latency{}, "")
		const bad = "bench number 7?"
		transport := roundTripper(func(r *http.Request) (*http.Response, error) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return nil, err
			}
			if bytes.Contains(body, []byte(bad)) {
				w := httptest.NewRecorder()
				w.WriteString("<html>garbage</html>")
				return w.Result(), nil
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			return servers.RoundTrip(r)
		})
		var err error
		if c, err = llm.New(llm.Config{Endpoint: llm.Endpoint{Name: "rehearsal",
			Replicas: []string{"http://replica-0/v1", "http://replica-1/v1"}}, Transport: transport}); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for i := range 130 {
			wg.Go(func() {
				request, key := readerRequest(t, i/13, i%13)
				reply, err := c.Ask(context.Background(), request, key)
				if i%13 == 7 && (llm.ClassOf(err) != llm.ClassMalformed || reply.State != llm.StateFailed ||
					reply.Attempts != 6) || i%13 != 7 && err != nil {
					t.Errorf("question %d: %v, %+v", i%13, err, reply)
				}
			})
		}
		wg.Wait()
		if n := c.Parallel(); n < 2*64 {
			t.Errorf("one bad prompt took a replica out: %d calls at once", n)
		}
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// readerRequest is a question as the answer stage asks it, about a caption of some 320 tokens.
func readerRequest(b testing.TB, caption, question int) (llm.Request, string) {
	b.Helper()
	key := fmt.Sprintf("caption %05d", caption) // all of one length, so that blocks lie alike
	text := key + ": " + strings.Repeat("The bench near the pond is blue, and three kites fly above the trees. ", 18)
	user := must.Get(captionqa.UserPrompt(text, fmt.Sprintf("What colour is the bench number %d?", question),
		[]string{"Red", "Blue", "Green", "Yellow", captionqa.CannotOption}))(b)
	return llm.Request{
		Model:    "rehearsal/reader-careful",
		Messages: []llm.Message{llm.System(captionqa.SystemMessage), llm.User(user)},
		Sampling: llm.Greedy(captionqa.MaxTokens), Protocol: captionqa.ProtocolUpstream,
	}, key
}
