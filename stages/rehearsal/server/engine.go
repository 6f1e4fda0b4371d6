package server

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// engine models the accelerator of one server: how long a request takes, and how much of its prompt
// is in the prefix cache. A request takes a slot. Its prompt passes through the accelerator after
// the prompts of earlier requests, and then the request gets a token at each step.
//
// A prompt's blocks count as cached as soon as the prompt has a slot, although they are computed
// later: every request that finds these blocks is computed after this prompt. So equal prefixes are
// computed once even if their requests arrive together, as in vLLM.
type engine struct {
	latency Latency
	slots   chan struct{} // nil for no limit

	mu     sync.Mutex
	cached map[uint64]bool
	free   time.Time // when all prompts so far are computed
	counts counts
}

// counts are the numbers on /metrics.
type counts struct {
	queries, hits, prompt, generated int64
	stopped, cut, aborted            int64 // requests by how they finished
	running, waiting                 int64
	queued, inferred                 time.Duration
}

// mostBlocks is the number of blocks in the prefix cache: 1.1 million tokens, more than
// accelerators hold.
const mostBlocks = 1 << 16

func newEngine(l Latency) *engine {
	e := &engine{latency: l, cached: map[uint64]bool{}}
	if l.Slots > 0 {
		e.slots = make(chan struct{}, l.Slots)
	}
	return e
}

// run passes a request through the engine and returns how many of its prompt tokens came from the
// prefix cache. prompt and reply are lengths in tokens; keys are of the prompt's blocks. cut says
// that the reply ends at its largest length. If the client has gone, run panics with
// http.ErrAbortHandler, which cuts the connection.
func (e *engine) run(ctx context.Context, keys []uint64, prompt, reply int, cut bool) (cached int) {
	came := time.Now()
	// The arguments of count are the changes of the numbers of waiting and of running requests.
	e.count(1, 0)
	if e.slots != nil {
		select {
		case e.slots <- struct{}{}:
			defer func() { <-e.slots }()
		case <-ctx.Done(): // abortIfGone ends the request below.
		}
	}
	e.count(-1, 0)
	e.abortIfGone(ctx)
	began := time.Now()
	e.mu.Lock()
	cached = e.find(keys, prompt)
	until := e.compute(prompt-cached, reply)
	e.mu.Unlock()
	e.count(0, 1)
	wait(ctx, time.Until(until))
	e.count(0, -1)
	e.abortIfGone(ctx)
	e.mu.Lock()
	defer e.mu.Unlock()
	if cut {
		e.counts.cut++
	} else {
		e.counts.stopped++
	}
	e.counts.queued += began.Sub(came)
	e.counts.inferred += time.Since(began)
	e.counts.prompt += int64(prompt)
	e.counts.generated += int64(reply)
	return cached
}

// count changes the numbers of waiting and running requests.
func (e *engine) count(waiting, running int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.counts.waiting += waiting
	e.counts.running += running
}

// abortIfGone ends a request by a panic if its client has gone.
func (e *engine) abortIfGone(ctx context.Context) {
	if ctx.Err() != nil {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.counts.aborted++
		panic(http.ErrAbortHandler)
	}
}

// find returns how many tokens of a prompt the cache has, and adds the prompt to the cache. The
// last token of a prompt is always computed, since the first new token is drawn from its output.
func (e *engine) find(keys []uint64, prompt int) int {
	blocks := 0
	for blocks < len(keys) && e.cached[keys[blocks]] && (blocks+1)*BlockTokens < prompt {
		blocks++
	}
	if len(e.cached)+len(keys) > mostBlocks {
		clear(e.cached)
	}
	for _, k := range keys {
		e.cached[k] = true
	}
	e.counts.queries += int64(prompt)
	e.counts.hits += int64(blocks * BlockTokens)
	return blocks * BlockTokens
}

// compute returns when a request will end: it computes a number of prompt tokens from now on, and
// then generates a reply.
func (e *engine) compute(prompt, reply int) time.Time {
	if now := time.Now(); e.free.Before(now) {
		e.free = now
	}
	generated := max(reply, 1) // Vectors have no reply but take a step.
	// New tokens are computed like prompt tokens, except the last one, which is only drawn.
	if e.latency.PrefillRate > 0 {
		e.free = e.free.Add(time.Duration(float64(prompt+generated-1) / e.latency.PrefillRate * float64(time.Second)))
	}
	return e.free.Add(time.Duration(generated) * e.latency.Step)
}

// wait waits for a time, or until the context ends.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
