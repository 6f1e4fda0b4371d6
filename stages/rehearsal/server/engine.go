package server

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// engine stands for the accelerator of one server: it says how long a request takes and how much of
// its prompt the prefix cache has. A request takes a slot, passes its prompt through the
// accelerator after those that came before it, and then gets a token at each step.
//
// A prompt shows its blocks to everyone as soon as it has a slot, although they are computed later:
// who needs them comes after it. So equal prefixes are computed once even when their requests come
// together, as in vLLM.
type engine struct {
	latency Latency
	slots   chan struct{} // nil is no limit

	mu     sync.Mutex
	cached map[blockKey]bool
	free   time.Time // when the prompts that have come so far are computed
	counts counts
}

// counts are what /metrics shows.
type counts struct {
	queries, hits, prompt, generated int64
	stopped, cut, aborted            int64 // requests by how they finished
	running, waiting                 int64
	queued, inferred                 time.Duration
}

// mostBlocks is how many blocks the prefix cache holds: 1.1 million tokens, more than accelerators
// do.
const mostBlocks = 1 << 16

func newEngine(l Latency) *engine {
	e := &engine{latency: l, cached: map[blockKey]bool{}}
	if l.Slots > 0 {
		e.slots = make(chan struct{}, l.Slots)
	}
	return e
}

// run passes a request through the engine and returns the number of its prompt tokens that came
// from the prefix cache. It ends with http.ErrAbortHandler, which cuts the connection, when the
// client has gone.
func (e *engine) run(ctx context.Context, keys []blockKey, prompt, reply int, cut bool) (cached int) {
	came := time.Now()
	e.count(func(c *counts) { c.waiting++ })
	if e.slots != nil {
		select {
		case e.slots <- struct{}{}:
			defer func() { <-e.slots }()
		case <-ctx.Done():
		}
	}
	e.count(func(c *counts) { c.waiting-- })
	e.abort(ctx)
	began := time.Now()
	e.mu.Lock()
	cached = e.find(keys, prompt)
	until := e.compute(prompt-cached, reply)
	e.counts.running++
	e.mu.Unlock()
	wait(ctx, time.Until(until))
	e.count(func(c *counts) { c.running-- })
	e.abort(ctx)
	e.count(func(c *counts) {
		if cut {
			c.cut++
		} else {
			c.stopped++
		}
		c.queued, c.inferred = c.queued+began.Sub(came), c.inferred+time.Since(began)
		c.prompt += int64(prompt)
		c.generated += int64(reply)
	})
	return cached
}

// count changes the counts.
func (e *engine) count(change func(*counts)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	change(&e.counts)
}

// abort ends a request whose client has gone.
func (e *engine) abort(ctx context.Context) {
	if ctx.Err() != nil {
		e.count(func(c *counts) { c.aborted++ })
		panic(http.ErrAbortHandler)
	}
}

// find returns how many tokens of a prompt the cache has, and adds the prompt to it. The last token
// of a prompt is always computed, since its output is what the first new token is drawn from.
func (e *engine) find(keys []blockKey, prompt int) int {
	n := 0
	for n < len(keys) && e.cached[keys[n]] && (n+1)*BlockTokens < prompt {
		n++
	}
	if len(e.cached)+len(keys) > mostBlocks {
		clear(e.cached)
	}
	for _, k := range keys {
		e.cached[k] = true
	}
	e.counts.queries += int64(prompt)
	e.counts.hits += int64(n * BlockTokens)
	return n * BlockTokens
}

// compute returns when a request is done that computes so many tokens of its prompt from now on and
// generates a reply.
func (e *engine) compute(prompt, reply int) time.Time {
	now := time.Now()
	if e.free.Before(now) {
		e.free = now
	}
	generated := max(reply, 1)
	if e.latency.PrefillRate > 0 { // the last new token is only drawn
		e.free = e.free.Add(time.Duration(float64(prompt+generated-1) / e.latency.PrefillRate * float64(time.Second)))
	}
	return e.free.Add(time.Duration(generated) * e.latency.Step)
}

// wait waits, unless the context ends before.
func wait(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
