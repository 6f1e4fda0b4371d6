package stub

import (
	"context"
	"sync"
	"time"
)

// engine is the clockwork of one server: slots, prefill, steps, prefix cache and counters.
type engine struct {
	latency Latency
	slots   chan struct{} // nil is no limit

	mu          sync.Mutex
	cache       *prefixCache
	prefillFree time.Time // when the prefill of all admitted requests is done
	counts      counts
	running     int
	waiting     int
}

// counts are what /metrics shows.
type counts struct {
	queries, hits, prompt, generated int64
	stopped, cut, aborted            int64 // requests by how they finished
}

func newEngine(l Latency) *engine {
	e := &engine{latency: l, cache: newPrefixCache(l.CacheTokens)}
	if l.Slots > 0 {
		e.slots = make(chan struct{}, l.Slots)
	}
	return e
}

// run passes a request through the engine and returns the number of its prompt tokens that came from the prefix cache. The
// error is the context's.
func (e *engine) run(ctx context.Context, keys []blockKey, promptTokens, newTokens int, cut bool) (cached int, err error) {
	if e.slots != nil {
		e.count(func() { e.waiting++ })
		select {
		case e.slots <- struct{}{}:
			e.count(func() { e.waiting-- })
			defer func() { <-e.slots }()
		case <-ctx.Done():
			e.count(func() { e.waiting--; e.counts.aborted++ })
			return 0, ctx.Err()
		}
	}
	e.mu.Lock()
	now := time.Now()
	cached, done := e.admit(keys, promptTokens, now)
	e.running++
	e.mu.Unlock()
	err = sleepUntil(ctx, now, done.Add(time.Duration(newTokens)*e.latency.Step))
	e.count(func() {
		e.running--
		switch {
		case err != nil:
			e.counts.aborted++
			return
		case cut:
			e.counts.cut++
		default:
			e.counts.stopped++
		}
		e.counts.prompt += int64(promptTokens)
		e.counts.generated += int64(newTokens)
	})
	return cached, err
}

// admit looks a prompt up in the cache and books its prefill. It returns when the prefill is done.
func (e *engine) admit(keys []blockKey, promptTokens int, now time.Time) (cached int, done time.Time) {
	cached = e.cache.lookup(keys, promptTokens, now)
	e.counts.queries += int64(promptTokens)
	e.counts.hits += int64(cached)
	done = now
	if e.latency.PrefillRate > 0 {
		if e.prefillFree.After(now) {
			done = e.prefillFree
		}
		done = done.Add(time.Duration(float64(promptTokens-cached) / e.latency.PrefillRate * float64(time.Second)))
		e.prefillFree = done
	}
	e.cache.store(keys, done)
	return cached, done
}

func (e *engine) count(change func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	change()
}

// sleepUntil waits from now to a later time, unless the context ends before.
func sleepUntil(ctx context.Context, now, until time.Time) error {
	if !until.After(now) {
		return nil
	}
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
