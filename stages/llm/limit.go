package llm

import (
	"cmp"
	"time"
)

// Concurrency bounds how many requests are in flight at one replica.
type Concurrency struct {
	Initial int // 0 is 256, the sequences that vLLM runs at once by compose.yaml, and 64 where a server need not be vLLM
	Max     int // 0 is 512: twice the 256 sequences that vLLM runs at once, so that its queue is never empty
}

// decrease is the factor of the multiplicative decrease.
const decrease = 0.7

// limiter is the number of requests that one replica may have in flight: additive increase,
// multiplicative decrease, with slow start, as in TCP (RFC 5681). The pool's lock guards it.
type limiter struct {
	max         float64
	limit       float64
	slowStart   bool      // no decrease has happened: every success adds one, which doubles the limit per round
	decreasedAt time.Time // of the last decrease
}

func newLimiter(c Concurrency) limiter {
	high := float64(cmp.Or(c.Max, 512))
	return limiter{max: high, limit: min(float64(c.Initial), high), slowStart: true}
}

// answered learns from a request that was answered; inFlight counts it.
func (l *limiter) answered(inFlight int) {
	if float64(inFlight) < l.limit/2 {
		return // the limit is not what holds requests back, so there is nothing to learn
	}
	if l.slowStart {
		l.limit++
	} else {
		l.limit += 1 / l.limit
	}
	l.limit = min(l.limit, l.max)
}

// congested lowers the limit after a request that was refused for load or took too long. Requests
// that were sent before the last decrease tell nothing about the limit that it set.
func (l *limiter) congested(started, now time.Time) {
	if started.Before(l.decreasedAt) {
		return
	}
	l.limit = max(l.limit*decrease, 1)
	l.decreasedAt = now
	l.slowStart = false
}

// breaker takes a replica out after consecutive failures and lets one request through now and then
// to see whether it is back. The pool's lock guards it.
type breaker struct {
	trip     int // consecutive failures that take the replica out
	failures int
	open     bool
	wait     time.Duration // time out in force
	until    time.Time     // when a trial may be made
	trial    bool          // a trial is under way
}

// ready reports whether the replica may be sent a request.
func (b *breaker) ready(now time.Time) bool {
	return !b.open || !b.trial && !now.Before(b.until)
}

// healthy notes a reply of any kind that shows the replica alive, and reports whether it had been
// out.
func (b *breaker) healthy() (back bool) {
	back = b.open
	b.failures, b.open, b.trial, b.wait = 0, false, false, 0
	return back
}

// The times out of a replica: that of one at which nobody listens, where a trial costs nothing, and
// those of one that answers with errors, doubled with every failed trial.
const (
	knock      = time.Second
	firstOut   = 2 * time.Second
	longestOut = time.Minute
)

// failed notes a request that the replica did not serve, and reports whether that took the replica
// out. One at which nobody listened is enough.
func (b *breaker) failed(now time.Time, trial, unreached bool) (out bool) {
	b.failures++
	switch {
	case b.open && !trial:
		return false // sent before the replica was taken out
	case !b.open && b.failures < b.trip && !unreached:
		return false
	}
	if b.wait = min(max(firstOut, 2*b.wait), longestOut); unreached {
		b.wait = knock
	}
	b.open, b.trial, b.until = true, false, now.Add(b.wait)
	return true
}
