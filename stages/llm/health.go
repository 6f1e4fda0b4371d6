package llm

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// release returns a lease and learns from the end of its call: a reply, if failure is nil, or a
// failure.
func (p *replicaPool) release(l *lease, failure *CallError) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	var class Class
	if failure != nil {
		class = failure.Class
	}
	switch class {
	case "":
		l.limiter.answered(l.inFlight)
		p.alive(l, now)
	case ClassRateLimited, ClassOverloaded:
		// A server that says that it is busy is alive. The lower limit reduces its load.
		l.congested(l.started, now)
		p.alive(l, now)
	case ClassTimeout:
		l.congested(l.started, now)
		p.sick(l, now, failure)
	case ClassServer, ClassTransport:
		p.sick(l, now, failure)
	case ClassCanceled, ClassDrained: // Nothing is learned, and somebody else may try the replica.
		if l.trial {
			l.breaker.trial = false
		}
	default: // All other failures are answers of a server.
		p.alive(l, now)
	}
	l.inFlight--
	p.deal(now)
}

// alive notes that a replica answered, in whatever way. If it had been out, calls go to it again.
func (p *replicaPool) alive(l *lease, now time.Time) {
	if l.healthy() {
		// A server that comes back has an empty cache, and everybody's retries wait for it, so it begins
		// with fewer requests.
		l.limit = max(l.limit*decrease, 1)
		p.rehome(now) // While no replica took part, calls waited at any replica.
	}
	if p.waiting {
		p.waiting = false
		p.notice(fmt.Sprintf("works again after %v", now.Sub(p.outSince).Round(time.Second)))
	}
	p.outSince = time.Time{}
}

// sick counts a request that a replica did not serve. If that takes the replica out, its waiting
// calls move to other replicas, and a timer wakes the pool when the replica may be tried again.
func (p *replicaPool) sick(l *lease, now time.Time, failure *CallError) {
	p.trouble = failure
	if !l.failed(now, l.trial, failure.unreached) {
		return
	}
	time.AfterFunc(l.wait, p.wake)
	if slices.ContainsFunc(p.replicas, func(r *replica) bool { return !r.open }) {
		p.rehome(now) // Another replica takes part.
		return
	}
	p.outSince = cmp.Or(p.outSince, now)
	if l.trial && !p.waiting { // If the first trial succeeds, the user needs no message.
		p.waiting = true
		p.notice(fmt.Sprintf("has no server that works (%s: %s): waiting for one", failure.Class, failure.Message))
	}
	if p.gaveUp(now) {
		p.dismiss()
	}
}

// rehome moves calls that wait at replicas that are out to replicas that take part. There is at
// least one such replica.
func (p *replicaPool) rehome(now time.Time) {
	for _, out := range p.replicas {
		for out.open && len(out.queue) > 0 {
			w := out.queue[0]
			w.leave()
			w.home = p.home(w.key, out, now)
			w.home.queue = append(w.home.queue, w)
		}
	}
}

// gaveUp reports whether every replica has been out for too long.
func (p *replicaPool) gaveUp(now time.Time) bool {
	return !p.outSince.IsZero() && now.Sub(p.outSince) >= p.patience()
}

// patience is how long calls wait while no replica takes part. It is long if no server can be
// reached, because a server may be loading its model.
func (p *replicaPool) patience() time.Duration {
	if p.trouble != nil && p.trouble.unreached {
		return p.wait
	}
	return p.giveUp
}

// dismiss ends all waiting calls.
func (p *replicaPool) dismiss() {
	for _, r := range p.replicas {
		for len(r.queue) > 0 {
			w := r.queue[0]
			w.leave()
			w.turn <- nil
		}
	}
}

// wake deals again when a replica may be tried again.
func (p *replicaPool) wake() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.deal(time.Now())
}

// unavailable is the error of a call to an endpoint that has been out for too long. It includes the
// error of the last attempt of any call, also for calls without an attempt.
func (p *replicaPool) unavailable() *CallError {
	p.mu.Lock()
	defer p.mu.Unlock()
	message := "no replica of the endpoint has answered for " + p.patience().String() +
		"; start the server and run the same command again"
	if p.trouble != nil {
		message = afterAttempt(message, p.trouble)
	}
	return &CallError{Class: ClassUnavailable, Message: message}
}
