package llm

import (
	"cmp"
	"time"
)

// Concurrency bounds the number of requests in flight at one replica.
type Concurrency struct {
	// requests at the start of a run; 0 is 256, the sequences that vLLM runs at once by
	// compose.yaml, or 64 with OpenAI's dialect
	Initial int
	Max     int // 0 is 512: twice the 256 sequences that vLLM runs at once, so that its queue is never empty
}

// decrease is the factor of the multiplicative decrease.
const decrease = 0.7

// limiter is the number of requests that one replica may have in flight: additive increase and
// multiplicative decrease with slow start, as in TCP (RFC 5681). The pool's lock guards it.
type limiter struct {
	max         float64
	limit       float64
	slowStart   bool      // before the first decrease every success adds one, which doubles the limit per round
	decreasedAt time.Time // of the last decrease
}

func newLimiter(c Concurrency) limiter {
	high := float64(cmp.Or(c.Max, 512))
	return limiter{max: high, limit: min(float64(c.Initial), high), slowStart: true}
}

// answered raises the limit after an answered request. inFlight is the number of requests in
// flight, with this one. If fewer than half of the limit were in flight, the limit held no request
// back, and stays as it is.
func (l *limiter) answered(inFlight int) {
	if float64(inFlight) < l.limit/2 {
		return
	}
	if l.slowStart {
		l.limit++
	} else {
		l.limit += 1 / l.limit
	}
	l.limit = min(l.limit, l.max)
}

// congested lowers the limit after a request that was refused for load or took too long. Requests
// that were sent before the last decrease say nothing about the present limit.
func (l *limiter) congested(started, now time.Time) {
	if started.Before(l.decreasedAt) {
		return
	}
	l.limit = max(l.limit*decrease, 1)
	l.decreasedAt = now
	l.slowStart = false
}

// breaker takes a replica out after consecutive failures, and occasionally lets one request through
// to see whether the replica is back. The pool's lock guards the breaker.
type breaker struct {
	trip     int // consecutive failures that take the replica out
	failures int
	open     bool          // the replica is out, as an open circuit breaker interrupts a circuit
	wait     time.Duration // present time between trials
	until    time.Time     // earliest time of the next trial
	trial    bool          // a trial is under way
}

// ready reports whether a request may be sent to the replica, as far as its health is concerned: it
// takes part, or it is out and its next trial is due.
func (b *breaker) ready(now time.Time) bool {
	return !b.open || !b.trial && !now.Before(b.until)
}

// healthy notes that the replica is alive and takes part, and reports whether it had been out.
func (b *breaker) healthy() (back bool) {
	back = b.open
	b.failures, b.open, b.trial, b.wait = 0, false, false, 0
	return back
}

// The times between trials of a replica that is out. If it cannot be reached, a trial costs nothing
// and the time is knock. If it answers with errors, the time starts at firstOut and doubles with
// every failed trial, up to longestOut.
const (
	knock      = time.Second
	firstOut   = 2 * time.Second
	longestOut = time.Minute
)

// failed notes a request that the replica did not serve. It reports whether that took the replica
// out, or keeps the replica out because the request was a trial. A replica that cannot be reached
// is out at once.
func (b *breaker) failed(now time.Time, trial, unreached bool) (out bool) {
	b.failures++
	switch {
	case b.open && !trial:
		return false // sent before the replica was taken out
	case !b.open && b.failures < b.trip && !unreached:
		return false
	}
	b.wait = min(max(firstOut, 2*b.wait), longestOut)
	if unreached {
		b.wait = knock
	}
	b.open, b.trial, b.until = true, false, now.Add(b.wait)
	return true
}
