package llm_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

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

// answers runs all questions of a number of captions, those of a caption together, with so many callers that no replica waits
// for them. It returns the time that it took.
func answers(t testing.TB, c *llm.Client, captions, questions, callers int) time.Duration {
	t.Helper()
	start := time.Now()
	var next atomic.Int64
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			for {
				caption := int(next.Add(1)) - 1
				if caption >= captions {
					return
				}
				one := func(q int) {
					request, key := readerRequest(t, caption, q)
					if _, err := c.Ask(context.Background(), request, llm.Affinity{Key: key, Calls: 13}); err != nil {
						t.Error(err)
					}
				}
				var together sync.WaitGroup
				for q := range questions {
					together.Go(func() { one(q) })
				}
				together.Wait()
			}
		})
	}
	wg.Wait()
	return time.Since(start)
}

// replicas returns a client of n rehearsal servers with a latency model.
func replicas(t *testing.T, n int, l rehearsalserver.Latency, faults string) (*llm.Client, inProcess) {
	t.Helper()
	servers := inProcess{}
	cfg := llm.Config{Endpoint: llm.Endpoint{Name: "stub"}, Transport: servers, MaxAttempts: 12}
	for i := range n {
		plan, err := rehearsalserver.ParseFaults(faults)
		must.Succeed(t, err)
		host := fmt.Sprintf("replica-%d", i)
		servers[host] = rehearsalserver.New(rehearsalserver.Options{Latency: l, Faults: plan})
		cfg.Endpoint.Replicas = append(cfg.Endpoint.Replicas, "http://"+host+"/v1")
	}
	c, err := llm.New(cfg)
	must.Succeed(t, err)
	return c, servers
}

// On the clock of the latency model: the client gets at least 97 % of the throughput that the model allows, 95 % with several
// replicas, of which some have nothing left to do at the end, takes at least 98 % of the prefix hits that the best order would,
// and two replicas (four with CAPTIONLAKE_SLOW) do two (four) times the work of one within 5 %.
func TestThroughputAgainstTheLatencyModel(t *testing.T) {
	l := rehearsalserver.Latency{Slots: 256, PrefillRate: 100_000, Step: 25 * time.Millisecond, CacheTokens: 1 << 20}
	const captions, questions = 900, 13 // So many that the first and the last requests, which find idle places, weigh little.
	run := func(n int) (rate, ceiling, hitShare float64) {
		synctest.Test(t, func(t *testing.T) {
			c, _ := replicas(t, n, l, "")
			took := answers(t, c, captions*n, questions, 28*n)
			counters, err := c.Counters(context.Background())
			must.Succeed(t, err)
			all := float64(captions * n * questions)
			rate = all / took.Seconds()
			ceiling = l.Ceiling((counters.PromptTokens-counters.PrefixHits)/all, counters.GenerationTokens/all) * float64(n)
			// Best possible: all but the first question of a caption find its full blocks. What a question shares with
			// the one before it is its prompt up to the question's number.
			request, _ := readerRequest(t, 1000, 0)
			text := "<|im_start|>system\n" + request.Messages[0].Parts[0].Text + "<|im_end|>\n<|im_start|>user\n" + request.Messages[1].Parts[0].Text
			shared := strings.LastIndex(text, "number 0") + len("number ")
			best := float64(captions*n) * (questions - 1) * float64(shared/64*16)
			// The first question of a caption finds the system message, up to the caption's number.
			best += float64(captions*n) * float64(strings.Index(text, "caption 01000")/64*16)
			hitShare = counters.PrefixHits / best
		})
		return rate, ceiling, hitShare
	}
	one, ceiling, hits := run(1)
	t.Logf("one replica: %.0f questions/s of %.0f, %.4f of the best hits", one, ceiling, hits)
	if one < 0.97*ceiling || hits < 0.98 {
		t.Errorf("one replica: %.0f questions/s of %.0f, %.4f of the best hits", one, ceiling, hits)
	}
	n := 2
	if os.Getenv("CAPTIONLAKE_SLOW") != "" {
		n = 4
	}
	several, ceiling, hits := run(n)
	t.Logf("%d replicas: %.0f questions/s of %.0f, %.4f of the best hits", n, several, ceiling, hits)
	if several < 0.95*ceiling || several < 0.95*float64(n)*one || hits < 0.98 {
		t.Errorf("%d replicas: %.0f questions/s, %.0f of one alone, %.4f of the best hits", n, several, one, hits)
	}
}

// Under every fault that a retry can mend, all questions are answered, and the answers are those of a run without faults.
func TestEveryFaultIsSurvived(t *testing.T) {
	for _, plan := range []string{"429=40%", "500=40%", "503=40%", "reset=40%", "slow=40%", "truncated=40%", "malformed=40%", "empty=40%", "30%"} {
		synctest.Test(t, func(t *testing.T) {
			c, _ := replicas(t, 2, rehearsalserver.Latency{CacheTokens: 1 << 20}, plan)
			var wg sync.WaitGroup
			var retried atomic.Int64
			for i := range 300 {
				wg.Go(func() {
					request, key := readerRequest(t, i/13, i%13)
					reply, err := c.Ask(context.Background(), request, llm.Affinity{Key: key, Calls: 13})
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
		if c, err = llm.New(llm.Config{Endpoint: llm.Endpoint{Name: "stub", Replicas: []string{"http://replica-0/v1", "http://replica-1/v1"}}, Transport: transport}); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for i := range 130 {
			wg.Go(func() {
				request, key := readerRequest(t, i/13, i%13)
				reply, err := c.Ask(context.Background(), request, llm.Affinity{Key: key, Calls: 13})
				if i%13 == 7 && (llm.ClassOf(err) != llm.ClassMalformed || reply.State != llm.StateFailed || reply.Attempts != 6) || i%13 != 7 && err != nil {
					t.Errorf("question %d: %v, %+v", i%13, err, reply)
				}
			})
		}
		wg.Wait()
		for _, s := range c.Stats() {
			if s.Out {
				t.Errorf("one bad prompt took a replica out: %+v", s)
			}
		}
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// The rehearsal server over a real connection: what the tests above leave out is HTTP itself.
func TestFaultsOverHTTP(t *testing.T) {
	plan, err := rehearsalserver.ParseFaults("reset=15%,truncated=15%,malformed=10%,empty=10%,500=10%")
	must.Succeed(t, err)
	server := httptest.NewServer(rehearsalserver.New(rehearsalserver.Options{Faults: plan, Key: "secret-test-key"}))
	defer server.Close()
	c, err := llm.New(llm.Config{
		Endpoint: llm.Endpoint{Name: "http", Replicas: []string{server.URL + "/v1"}, KeyEnv: "K"}, Getenv: func(string) string { return "secret-test-key" },
		MaxAttempts: 30, Backoff: llm.Backoff{Base: time.Millisecond, Cap: time.Millisecond}, CoolDown: time.Millisecond, MaxCoolDown: time.Millisecond,
	})
	must.Succeed(t, err)
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			request, key := readerRequest(t, i/13, i%13)
			if reply, err := c.Ask(context.Background(), request, llm.Affinity{Key: key, Calls: 13}); err != nil || reply.Text != "B" {
				t.Errorf("%v, %+v", err, reply)
			}
		})
	}
	wg.Wait()
	vectors, err := c.Ask(context.Background(), llm.Request{Model: "stub/embedder", Inputs: []string{"a bench", "a kite"}}, llm.Affinity{})
	if err != nil || len(vectors.Vectors) != 2 || len(vectors.Vectors[0]) != rehearsalserver.Dimensions {
		t.Errorf("%v", err)
	}
}
