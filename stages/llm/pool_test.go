package llm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// world is a set of servers without a network, so that tests run on synctest's clock.
type world map[string]func(*http.Request) (*http.Response, error)

func (w world) RoundTrip(r *http.Request) (*http.Response, error) {
	serve, ok := w[r.URL.Host]
	if !ok {
		return refuseConnection(r)
	}
	if r.Body != nil {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return nil, err
		}
	}
	return serve(r)
}

// respond is a reply with a status, headers as "Name: value" and a body.
func respond(status int, body string, headers ...string) *http.Response {
	r := &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)),
		ContentLength: int64(len(body))}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	return r
}

const fine = `{"choices":[{"index":0,"message":{"role":"assistant","content":"A"},"finish_reason":"stop"}],
	"usage":{"prompt_tokens":30,"completion_tokens":1,"prompt_tokens_details":{"cached_tokens":16}}}`

// after answers well after a time, unless the caller gives up.
func after(d time.Duration) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		select {
		case <-time.After(d):
			return respond(200, fine), nil
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
}

func hang(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func refuseConnection(*http.Request) (*http.Response, error) {
	return nil, &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
}

func newClient(t *testing.T, w world, change func(*Config), hosts ...string) *Client {
	t.Helper()
	cfg := Config{Endpoint: Endpoint{Name: "test"}, Transport: w, Random: func() float64 { return 0.5 }}
	for _, h := range hosts {
		cfg.Endpoint.Replicas = append(cfg.Endpoint.Replicas, "http://"+h+"/v1")
	}
	if change != nil {
		change(&cfg)
	}
	return must.Get(New(cfg))(t)
}

func plainRequest(text string) Request {
	return Request{Model: "m", Messages: []Message{User(text)}, Sampling: Greedy(4)}
}

// captionNumber makes affinity keys that no earlier call had.
var captionNumber atomic.Int64

// many makes n calls at once, each with a new key or, when key is not empty, that key, and returns
// their replies in order.
func many(c *Client, ctx context.Context, n int, key string) ([]Reply, []error) {
	replies, errs := make([]Reply, n), make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			affinity := key
			if key == "" {
				affinity = fmt.Sprintf("caption %d", captionNumber.Add(1))
			}
			replies[i], errs[i] = c.Ask(ctx, plainRequest("q"), affinity)
		})
	}
	wg.Wait()
	return replies, errs
}

// answered is many, and no call may fail.
func answered(t *testing.T, c *Client, n int, key string) []Reply {
	t.Helper()
	replies, errs := many(c, t.Context(), n, key)
	noErrors(t, errs)
	return replies
}

func countBy(replies []Reply) map[string]int {
	n := map[string]int{}
	for _, r := range replies {
		n[r.Endpoint]++
	}
	return n
}

func noErrors(t *testing.T, errs []error) {
	t.Helper()
	for i, err := range errs {
		if err != nil {
			t.Fatalf("call %d: %v", i, err)
		}
	}
}

func TestAffinity(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := world{"a": after(time.Second), "b": after(time.Second), "c": after(time.Second)}
		c := newClient(t, w, nil, "a", "b", "c")
		replies := answered(t, c, 40, "one caption")
		expect.Equal(t, len(countBy(replies)), 1, "servers of one caption's questions")
		replies = answered(t, c, 60, "")
		expect.Equal(t, len(countBy(replies)), 3, "60 captions went to")
	})
}

// One caption with more questions than a replica takes at once: what would have to wait goes to
// replicas with slack.
func TestSpillOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := world{"a": after(time.Second), "b": after(time.Second)}
		c := newClient(t, w, func(cfg *Config) { cfg.Concurrency = Concurrency{Initial: 10, Max: 10} }, "a", "b")
		start := time.Now()
		replies := answered(t, c, 18, "one caption")
		// Ten at the caption's own replica and five, the share up to which a replica takes from
		// queues, at the other; the last three where there is room first.
		n := countBy(replies)
		if n["test/0"]+n["test/1"] != 18 || min(n["test/0"], n["test/1"]) < 5 || time.Since(start) != 2*time.Second {
			t.Errorf("went to %v in %v", n, time.Since(start))
		}
	})
}

// With many keys, work is dealt evenly: 80 calls of 1 s on two replicas of 10 places take 4 s, and
// at most one round more, since a replica takes from another's queue only while it has slack.
func TestReplicasShareTheWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := world{"a": after(time.Second), "b": after(time.Second)}
		c := newClient(t, w, func(cfg *Config) { cfg.Concurrency = Concurrency{Initial: 10, Max: 10} }, "a", "b")
		start := time.Now()
		replies := answered(t, c, 80, "")
		expect.Between(t, time.Since(start), 4*time.Second, 5*time.Second)
		if n := countBy(replies); n["test/0"] < 35 || n["test/1"] < 35 {
			t.Errorf("answers came from %v", n)
		}
	})
}

func TestDeadReplicaIsTakenOutAndTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		w := world{"a": after(time.Second), "b": func(r *http.Request) (*http.Response, error) {
			asked.Add(1)
			return refuseConnection(r)
		}}
		c := newClient(t, w, nil, "a", "b")
		replies := answered(t, c, 60, "")
		expect.Equal(t, countBy(replies)["test/0"], 60, "answers came from")
		before := asked.Load()
		answered(t, c, 60, "")
		if more := asked.Load() - before; before == 0 || more > 1 {
			t.Errorf("a replica that is out was sent %d requests", more)
		}
		w["b"] = after(time.Second)
		time.Sleep(time.Minute) // longer than any time out
		answered(t, c, 60, "")
		replies = answered(t, c, 60, "")
		if n := countBy(replies); n["test/1"] < 15 {
			t.Errorf("the replica that came back answers %v", n)
		}
	})
}

// A replica that takes requests and never answers costs each of them one deadline, and then nothing
// more.
func TestHangingReplica(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := world{"a": after(time.Second), "b": hang}
		c := newClient(t, w, func(cfg *Config) { cfg.Timeout = 10 * time.Second }, "a", "b")
		start := time.Now()
		replies := answered(t, c, 100, "")
		expect.Equal(t, countBy(replies)["test/0"], 100, "answers came from")
		expect.Between(t, time.Since(start), 10*time.Second, 20*time.Second)
		if !c.pool.replicas[1].open {
			t.Error("the hanging replica takes part")
		}
	})
}

func TestUnavailableEndpoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := world{"a": refuseConnection, "b": refuseConnection}
		c := newClient(t, w, func(cfg *Config) { cfg.MaxAttempts, cfg.Wait = 1, time.Minute }, "a", "b")
		start := time.Now()
		replies, errs := many(c, t.Context(), 100, "")
		for i, err := range errs {
			if ClassOf(err) != ClassUnavailable || replies[i].State != "" {
				t.Fatalf("call %d: %v, state %q", i, err, replies[i].State)
			}
		}
		expect.Between(t, time.Since(start), time.Minute, 3*time.Minute)
		if s := errs[0].Error(); !strings.Contains(s, "no replica of the endpoint has answered for "+
			"1m0s") || !strings.Contains(s, "connection refused") {
			t.Errorf("error %q", s)
		}
	})
}

// By hand: 200 replies of 10 s each are under way together at a vLLM server, because its engine
// takes 256; other services begin with 64, and as each reply lets two more go out, the last of the
// 200 come in the third round.
func TestLongRepliesBeginTogether(t *testing.T) {
	for dialect, want := range map[Dialect]time.Duration{DialectVLLM: 10 * time.Second, DialectOpenAI: 30 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			c := newClient(t, world{"a": after(10 * time.Second)}, func(cfg *Config) { cfg.Endpoint.Dialect = dialect }, "a")
			start := time.Now()
			answered(t, c, 200, "")
			expect.Equal(t, time.Since(start), want, dialect)
		})
	}
}

// A server that is gone is asked within seconds of its return, however long it was gone and however
// few calls wait for it, and a user is told. No call uses its attempts up meanwhile: what is
// recorded as failed was seen by a server.
func TestServerThatComesBackIsAskedAtOnce(t *testing.T) {
	for _, calls := range []int{1, 100} {
		for _, down := range []time.Duration{20 * time.Second, 70 * time.Second, 400 * time.Second, 50 * time.Minute} {
			synctest.Test(t, func(t *testing.T) {
				started, asked, served := time.Now(), 0, time.Duration(0)
				var told []string
				var mu sync.Mutex
				w := world{"a": func(r *http.Request) (*http.Response, error) {
					mu.Lock()
					defer mu.Unlock()
					asked++
					switch since := time.Since(started); {
					case since == 0: // killed with these requests in flight
						return nil, errors.New("connection reset by peer")
					case since < down:
						return refuseConnection(r)
					case served == 0:
						served = since
					}
					return respond(200, fine), nil
				}}
				c := newClient(t, w, func(cfg *Config) {
					cfg.MaxAttempts, cfg.TripAfter, cfg.Notice = 2, 100, func(what string) { told = append(told, what) }
				}, "a")
				answered(t, c, calls, "")
				if served > down+3*time.Second {
					t.Errorf("%d calls: a server that was gone for %v was asked after %v", calls, down, served)
				}
				if most := 3*calls + int(down/knock) + 1; asked > most {
					t.Errorf("%d calls, gone for %v: %d requests", calls, down, asked)
				}
				if len(told) != 2 || told[0] != "endpoint test has no server that works (transport: dial tcp: connect: "+
					"connection refused): waiting for one" ||
					!strings.HasPrefix(told[1], "endpoint test works again after ") {
					t.Errorf("told %q", told)
				}
			})
		}
	}
}

// A server that answers with errors is tried more and more seldom, and given up sooner than one
// that may be loading a model.
func TestServerThatAnswersWithErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		w := world{"a": func(*http.Request) (*http.Response, error) {
			asked++
			return respond(500, `{"error":{"message":"EngineCore encountered an issue."}}`), nil
		}}
		c := newClient(t, w, func(cfg *Config) { cfg.MaxAttempts = 100 }, "a")
		started := time.Now()
		_, err := c.Ask(t.Context(), plainRequest("q"), "")
		// Eight failures take it out, and trials follow after 2, 4, 8, 16, 32 and then 60 seconds
		// each.
		if took := time.Since(started); ClassOf(err) != ClassUnavailable || took < 5*time.Minute ||
			took > 7*time.Minute || asked > 8+5+6 {
			t.Errorf("%v after %v and %d requests", err, took, asked)
		}
	})
}

// A server that says how much it can take: concurrency must come down to it, and every call be
// answered.
func TestConcurrencyAdapts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		running, most, refused := 0, 0, 0
		const places = 20
		w := world{"a": func(*http.Request) (*http.Response, error) {
			mu.Lock()
			if running >= places {
				refused++
				mu.Unlock()
				return respond(429, `{"error":{"message":"busy"}}`, "Retry-After: 1"), nil
			}
			running++
			most = max(most, running)
			mu.Unlock()
			time.Sleep(time.Second)
			mu.Lock()
			running--
			mu.Unlock()
			return respond(200, fine), nil
		}}
		c := newClient(t, w, func(cfg *Config) { cfg.MaxAttempts = 50 }, "a")
		answered(t, c, 1000, "")
		if most != places || refused > 400 {
			t.Errorf("at most %d at once, %d refusals for 1000 calls", most, refused)
		}
		if limit := c.pool.replicas[0].limit; limit > 2*places {
			t.Errorf("the limit stands at %v for a server of %d places", limit, places)
		}
	})
}

// Draining finishes what is in flight and ends what waits; ending the context drops what is in
// flight too.
func TestDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClient(t, world{"a": after(time.Minute)},
			func(cfg *Config) { cfg.Concurrency = Concurrency{Initial: 5, Max: 5} }, "a")
		parent, cancel := context.WithCancel(t.Context())
		defer cancel()
		other := newClient(t, world{"a": after(time.Minute)},
			func(cfg *Config) { cfg.Concurrency = Concurrency{Initial: 5, Max: 5} }, "a")
		go func() {
			time.Sleep(time.Second)
			c.Drain()
			c.Drain()
		}()
		replies, errs := many(c, parent, 12, "")
		answered, ended := 0, 0
		for i, err := range errs {
			switch {
			case err == nil:
				answered++
			case ClassOf(err) == ClassDrained && replies[i].State == "" && replies[i].Attempts == 0:
				ended++
			default:
				t.Errorf("call %d: %v", i, err)
			}
		}
		if answered != 5 || ended != 7 {
			t.Errorf("%d answered, %d ended", answered, ended)
		}
		if _, err := c.Ask(parent, plainRequest("q"), ""); ClassOf(err) != ClassDrained {
			t.Errorf("a call after draining: %v", err)
		}

		go func() {
			time.Sleep(time.Second)
			cancel()
		}()
		start := time.Now()
		_, errs = many(other, parent, 12, "")
		for i, err := range errs {
			if ClassOf(err) != ClassCanceled || !errors.Is(err, context.Canceled) {
				t.Errorf("call %d: %v", i, err)
			}
		}
		expect.Equal(t, time.Since(start), time.Second)
		if r := other.pool.replicas[0]; r.inFlight != 0 || len(r.queue) != 0 || r.open {
			t.Errorf("afterwards %+v", r)
		}
	})
}

// A call between attempts ends at once when the run drains, and is not recorded as failed.
func TestDrainDuringBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := world{"a": func(*http.Request) (*http.Response, error) { return respond(429, "", "Retry-After: 100"), nil }}
		c := newClient(t, w, nil, "a")
		go func() {
			time.Sleep(time.Second)
			c.Drain()
		}()
		start := time.Now()
		reply, err := c.Ask(t.Context(), plainRequest("q"), "")
		if ClassOf(err) != ClassDrained || reply.State != "" || reply.Attempts != 1 || time.Since(start) != time.Second {
			t.Errorf("%v after %v, %+v", err, time.Since(start), reply)
		}
	})
}

// While no replica takes part, calls wait anywhere; all of them go on when one is back, and none
// waits for the other.
func TestCallsGoOnWhenOneReplicaIsBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		w := world{"b": refuseConnection, "a": func(r *http.Request) (*http.Response, error) {
			if time.Since(start) < 30*time.Second {
				return refuseConnection(r)
			}
			return after(time.Second)(r)
		}}
		c := newClient(t, w, func(cfg *Config) {
			cfg.MaxAttempts, cfg.Concurrency = 100, Concurrency{Initial: 10, Max: 10}
		}, "a", "b")
		replies := answered(t, c, 100, "")
		expect.Equal(t, countBy(replies)["test/0"], 100, "answers came from")
		// Back after 30 s at the earliest, and then 100 calls, 7 to 10 at a time.
		expect.Between(t, time.Since(start), 30*time.Second, 2*time.Minute)
	})
}
