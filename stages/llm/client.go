package llm

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// Endpoint is one service: any number of replicas that serve the same models.
type Endpoint struct {
	Name     string   // name in the configuration; in replies with the replica's number, if there are several replicas
	Replicas []string // base addresses ending in the API's version, such as http://127.0.0.1:8000/v1
	KeyEnv   string   // environment variable with the key; empty if the servers need none
	Dialect  Dialect  // empty is DialectVLLM

	// Routed says that each replica is a router, or a server behind a router: the router chooses the
	// server of a request. Calls then go to the least loaded replica, whatever prefix they share.
	Routed  bool
	Session Session // how a router is told which calls share a prefix
}

// Config is an endpoint and how to call it. No reply depends on any field but the endpoint's
// dialect: the name that a session adds to requests is read by routers only.
type Config struct {
	Endpoint    Endpoint
	Concurrency Concurrency   // per replica
	MaxAttempts int           // attempts per call, without attempts that reached no server; 0 is 6
	Timeout     time.Duration // deadline of one attempt; 0 is 5 min
	// consecutive failures that take a replica out; 0 is 8; one failure is enough if the replica
	// cannot be reached
	TripAfter int
	// time after which calls end with ClassUnavailable if every replica answers with errors; 0 is
	// 5 min
	GiveUp time.Duration
	// time after which calls end with ClassUnavailable if no replica can be reached, as while a
	// model is loaded; 0 is 1 h
	Wait   time.Duration
	Notice func(string) // called when calls wait for the endpoint, and when it is back; may be nil

	Transport http.RoundTripper // nil makes a transport with a connection per request in flight
	Random    func() float64    // jitter, from 0 to below 1; nil is math/rand/v2
}

// Client calls the replicas of one endpoint. Its methods may be called from any number of
// goroutines.
type Client struct {
	cfg    Config
	pool   replicaPool
	key    string
	redact redactor
	media  Media
	stop   <-chan struct{} // closed by drain
	drain  func()

	aliases sync.Map // pairs of names that a replica uses for the same model
}

// New returns the client of a configuration. Package config has checked its addresses and names.
// New sends nothing. Its error is about the key, and never contains it.
func New(cfg Config) (*Client, error) {
	key, err := cfg.key()
	if err != nil {
		return nil, err
	}
	return cfg.client(key), nil
}

// client is the client of a configuration and the key of its endpoint, with the defaults filled in.
func (cfg Config) client(key string) *Client {
	cfg.MaxAttempts = cmp.Or(cfg.MaxAttempts, 6)
	cfg.Timeout = cmp.Or(cfg.Timeout, 5*time.Minute)
	initial := 256 // Concurrency.Initial gives the reason for both numbers.
	if cfg.Endpoint.Dialect == DialectOpenAI {
		initial = 64
	}
	cfg.Concurrency.Initial = cmp.Or(cfg.Concurrency.Initial, initial)
	if cfg.Random == nil {
		cfg.Random = rand.Float64
	}
	if cfg.Transport == nil {
		cfg.Transport = newTransport(cmp.Or(cfg.Concurrency.Max, 512))
	}
	running, drain := context.WithCancel(context.Background())
	c := &Client{cfg: cfg, redact: newRedactor(key), key: key, stop: running.Done(), drain: drain}
	c.pool.homes = map[string]*replica{}
	c.pool.giveUp, c.pool.wait = cmp.Or(cfg.GiveUp, 5*time.Minute), cmp.Or(cfg.Wait, time.Hour)
	c.pool.notice = func(what string) {
		if cfg.Notice != nil {
			cfg.Notice("endpoint " + cfg.Endpoint.Name + " " + what)
		}
	}
	for i, base := range cfg.Endpoint.Replicas {
		name := cfg.Endpoint.Name
		if len(cfg.Endpoint.Replicas) > 1 {
			name = fmt.Sprintf("%s/%d", name, i)
		}
		c.pool.replicas = append(c.pool.replicas, &replica{
			name: name, url: strings.TrimRight(base, "/"),
			limiter: newLimiter(cfg.Concurrency),
			breaker: breaker{trip: cmp.Or(cfg.TripAfter, 8)},
		})
	}
	return c
}

// key is the key of the endpoint; empty if its servers need none.
func (cfg Config) key() (string, error) {
	e := cfg.Endpoint
	if e.KeyEnv == "" {
		return "", nil
	}
	key := strings.TrimSpace(os.Getenv(e.KeyEnv))
	if key == "" {
		return "", fmt.Errorf("endpoint %s: the environment variable %s is empty; set it to the key", e.Name, e.KeyEnv)
	}
	if strings.ContainsAny(key, "\r\n\x00") {
		return "", fmt.Errorf("endpoint %s: the environment variable %s has more than one line", e.Name, e.KeyEnv)
	}
	return key, nil
}

// newTransport makes the transport of a client. connections is the largest number of connections to
// one replica that stay open between requests.
func newTransport(connections int) *http.Transport {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         dialer.DialContext,
		MaxIdleConnsPerHost: connections, // the default of 2 would open a new connection for nearly every request
		IdleConnTimeout:     90 * time.Second,
		TLSHandshakeTimeout: 10 * time.Second,
		DisableCompression:  true, // replies are a few hundred bytes
		WriteBufferSize:     16 << 10,
		ReadBufferSize:      8 << 10,
		// The standard's 10 MiB for each of hundreds of requests in flight would be too much
		// memory.
		MaxResponseHeaderBytes: 64 << 10,
	}
}

// Ask sends a request and returns the reply. affinity names the prefix that several calls share,
// such as a caption. Calls with the same affinity go to the same replica as long as it keeps up;
// calls without affinity go to the least loaded replica. Attempts are repeated as Config says.
//
// The error is a *CallError. The reply's trace (State, Attempts, Endpoint, LatencyMS) is also set
// beside an error of a request that was sent. State is StateFailed if the failure has to be
// recorded.
func (c *Client) Ask(ctx context.Context, r Request, affinity string) (reply Reply, err error) {
	endpoint := c.cfg.Endpoint
	if endpoint.Session.Field != "" && affinity != "" { // The field can only be user.
		r.User = sessionName(affinity)
	}
	body, err := r.Body(endpoint.Dialect, &c.media)
	if ClassOf(err) == ClassParameter { // The error concerns the whole run: no request is recorded as failed.
		return Reply{}, err
	}
	if err != nil {
		return Reply{State: StateFailed},
			&CallError{Class: ClassInvalid, Message: c.redact.message(err.Error()), Endpoint: endpoint.Name}
	}
	key := affinity
	if endpoint.Routed {
		key = "" // The router chooses the server, by the session.
	}
	var avoid *replica  // replica of the last attempt, if another replica may succeed
	var last *CallError // error of the last attempt
	// Attempts that reached no server are counted apart, since they say nothing about the request.
	attempts, unreached := 0, 0
	// dropped ends a call that gets no further attempt, with the error of its last attempt.
	dropped := func(end *CallError) (Reply, error) {
		end.Attempts, end.Endpoint = attempts, cmp.Or(reply.Endpoint, endpoint.Name)
		// The message of ClassUnavailable already has the error of the last attempt of any call.
		if last != nil && end.Class != ClassUnavailable {
			end.Message = afterAttempt(end.Message, last)
		}
		reply.State = ""
		return reply, end
	}
	for {
		turn, end := c.pool.acquire(ctx, c.stop, key, avoid)
		if end != nil {
			return dropped(end)
		}
		started := time.Now()
		reply, last = c.attempt(ctx, turn, r, body, affinity)
		took := float64(time.Since(started)) / float64(time.Millisecond)
		c.pool.release(turn, last)
		attempts++
		c.redact.reply(&reply)
		reply.Attempts, reply.Endpoint, reply.LatencyMS = int32(attempts), turn.name, &took
		if last == nil {
			return reply, nil
		}
		last.Attempts = attempts
		if last.unreached {
			unreached++
		}
		if !last.Class.Retryable() || attempts-unreached >= c.cfg.MaxAttempts {
			if !last.Class.Failed() { // Nothing is to be recorded.
				reply.State = ""
			}
			return reply, last
		}
		avoid = nil
		// After these three failures, another replica may serve the request.
		if last.Class == ClassTransport || last.Class == ClassTimeout || last.Class == ClassServer {
			avoid = turn.replica
		}
		if last.unreached {
			continue // The pool decides when the replica is tried again.
		}
		wait := delay(attempts, last.RetryAfter, c.cfg.Random())
		if _, end := await(ctx, c.stop, time.After(wait)); end != nil {
			return dropped(end)
		}
	}
}

// attempt sends a request to a replica and reads the reply. After a failure, the reply is empty but
// for its State, unless the model replied without answering: then the reply has the model's words.
func (c *Client) attempt(ctx context.Context, turn *lease, r Request, body []byte,
	affinity string) (reply Reply, failure *CallError) {
	deadline, cancel := context.WithTimeout(ctx, c.cfg.Timeout)
	defer cancel()
	x := &exchange{transport: c.cfg.Transport, most: r.replyBytes()}
	address := turn.url + strings.TrimPrefix(r.Path(), version) // turn.url already ends in the version
	request, err := c.request(deadline, http.MethodPost, address, body)
	if err == nil {
		if header := c.cfg.Endpoint.Session.Header; header != "" && affinity != "" {
			request.Header.Set(header, sessionName(affinity))
		}
		err = x.send(request)
	}
	if err == nil {
		if reply, err = ParseReply(r, x.reply); err == nil {
			err = c.sameModel(deadline, turn.replica, r.Model, reply.Model)
		}
	}
	if err == nil {
		return reply, nil
	}
	failure = classify(err, ctx, x, c.redact)
	failure.Endpoint = turn.name
	if !failure.Class.replied() {
		reply = Reply{}
	}
	reply.State = StateFailed
	return reply, failure
}

// request is a request to a replica with the parts that all requests share.
func (c *Client) request(ctx context.Context, method, address string, body []byte) (*http.Request, error) {
	// net/http knows this type of body to be in memory, and sends it in one packet with the
	// headers.
	r, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, &CallError{Class: ClassInvalid, Message: c.redact.message(err.Error())}
	}
	r.Header.Set("Accept", "application/json")
	if len(body) > 0 {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.key != "" {
		r.Header.Set("Authorization", "Bearer "+c.key)
	}
	return r, nil
}

// errRefused is the error of a request that a server answered with an error status.
var errRefused = errors.New("the server did not do as it was asked")

// Drain lets the calls in flight finish and return their replies. Calls that wait for their turn or
// for another attempt, and all later calls, end with ClassDrained. It may be called more than once
// and from any goroutine.
func (c *Client) Drain() { c.drain() }

// await waits for a value. end is the error if the run drains or the caller gives up before a value
// comes.
func await[T any](ctx context.Context, stop <-chan struct{}, values <-chan T) (v T, end *CallError) {
	select {
	case v = <-values:
	case <-stop:
		end = drained()
	case <-ctx.Done():
		end = canceled(ctx)
	}
	return v, end
}

func drained() *CallError { return callError(ClassDrained, "the run is stopping") }

func canceled(ctx context.Context) *CallError {
	return &CallError{Class: ClassCanceled, Message: "the caller gave up", cause: ctx.Err()}
}

// Parallel returns the number of calls worth having under way at once: the limits of the replicas
// that take part, and an eighth more so that no replica waits for the caller. It is at least 1.
func (c *Client) Parallel() int {
	c.pool.mu.Lock()
	defer c.pool.mu.Unlock()
	limits := 0
	for _, r := range c.pool.replicas {
		if !r.open { // open: the replica is out, as behind an open circuit breaker
			limits += int(r.limit)
		}
	}
	return max(limits+limits/8, 1)
}
