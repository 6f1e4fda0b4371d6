package llm

import (
	"context"
	"slices"
	"sync"
	"time"
)

// spill is the share of its limit below which a replica always takes its own keys, and takes work
// that others hold in queues. Work that moves costs its prefix again, and several requests of a
// caption move together, so this is the last resort: keys are balanced when they are first seen.
const spill = 0.5

// knownHomes is the number of keys whose replica is remembered. Only keys with requests under way
// matter, so that all can be forgotten when there are more.
const knownHomes = 1 << 14

// replica is one server of an endpoint. The pool's lock guards what changes.
type replica struct {
	name string
	url  string

	limiter
	breaker
	inFlight int
	queue    []*waiter // first come first served
}

// waiter is a call that waits for its turn.
type waiter struct {
	key  string
	home *replica    // in whose queue it is; nil once granted or failed
	turn chan *lease // receives the turn, or nil when the pool gives up
}

// lease is the right to have one request in flight at a replica.
type lease struct {
	*replica
	started time.Time
	trial   bool // the request tries whether the replica is back
}

// A replicaPool deals requests out to replicas. A key goes to one replica as long as that replica
// takes part, so that the prefix that the key's requests share is computed once; a loaded replica's
// work spills over to those with slack.
type replicaPool struct {
	mu       sync.Mutex
	replicas []*replica
	homes    map[string]*replica // by key
	giveUp   time.Duration       // where replicas answer with errors
	wait     time.Duration       // where nobody listens
	told     func(string)        // what a user should know
	waiting  bool                // a user knows that calls wait for a replica
	outSince time.Time           // when the last replica was taken out; zero while one takes part
	trouble  *CallError          // of the last request that a replica did not serve; nil when there was none
}

// work is the calls that a replica has.
func (r *replica) work() float64 { return float64(r.inFlight + len(r.queue)) }

// load is a replica's work as a share of its limit.
func (r *replica) load() float64 { return r.work() / r.limit }

// free reports whether a request can be sent to the replica now.
func (r *replica) free(now time.Time) bool {
	if r.open {
		return r.ready(now)
	}
	return r.inFlight < max(int(r.limit), 1)
}

// choose returns the replica for a call: one that is due for a trial, since a replica that is never
// tried never comes back, else the key's home.
func (p *replicaPool) choose(key string, avoid *replica, now time.Time) *replica {
	for _, r := range p.replicas {
		if r.open && r != avoid && r.ready(now) {
			return r
		}
	}
	return p.home(key, avoid, now)
}

// home returns the replica of a key: the one that has the key already, else the least loaded.
// avoid, which may be nil, is only taken when nothing else takes part. When no replica does, the
// result is the one that can be tried again first.
func (p *replicaPool) home(key string, avoid *replica, now time.Time) *replica {
	if at := p.homes[key]; at != nil && at != avoid && !at.open {
		return at
	}
	var home, soonest *replica
	for _, r := range p.replicas {
		if soonest == nil || r.until.Before(soonest.until) {
			soonest = r
		}
		if !r.open && r != avoid && (home == nil || r.load() < home.load()) {
			home = r
		}
	}
	switch {
	case home == nil && avoid != nil && avoid.ready(now):
		return avoid
	case home == nil:
		return soonest
	case avoid == nil && key != "":
		if len(p.homes) == knownHomes {
			clear(p.homes)
		}
		p.homes[key] = home
	}
	return home
}

// acquire waits for the turn of a call. It fails when the context ends, when the run drains, and
// when the endpoint has been out for too long.
func (p *replicaPool) acquire(ctx context.Context, stop <-chan struct{}, key string, avoid *replica) (*lease, *CallError) {
	select {
	case <-stop:
		return nil, drained()
	case <-ctx.Done():
		return nil, canceled(ctx)
	default:
	}
	p.mu.Lock()
	now := time.Now()
	r := p.choose(key, avoid, now)
	if len(r.queue) == 0 && r.free(now) {
		l := grant(r, now)
		p.mu.Unlock()
		return l, nil
	}
	if p.gaveUp(now) {
		p.mu.Unlock()
		return nil, p.unavailable()
	}
	w := &waiter{key: key, home: r, turn: make(chan *lease, 1)}
	r.queue = append(r.queue, w)
	p.deal(now)
	p.mu.Unlock()

	l, end := await(ctx, stop, w.turn)
	switch {
	case l != nil:
		return l, nil
	case end == nil:
		return nil, p.unavailable()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if w.home != nil {
		w.leave()
	} else if l := <-w.turn; l != nil {
		p.giveBack(l)
		p.deal(time.Now())
	}
	return nil, end
}

// grant takes a place at a replica.
func grant(r *replica, now time.Time) *lease {
	l := &lease{replica: r, started: now, trial: r.open}
	r.trial = r.open
	r.inFlight++
	return l
}

// giveBack returns a place that was not used.
func (p *replicaPool) giveBack(l *lease) {
	l.inFlight--
	if l.trial {
		l.breaker.trial = false
	}
}

// deal hands free places to the waiting: each replica's own first, and then, where a replica has
// slack, the newest of the longest queue, whose prefix is the least likely to be computed already.
// It is called with the lock held after every change that can free a place.
func (p *replicaPool) deal(now time.Time) {
	for _, r := range p.replicas {
		for len(r.queue) > 0 && r.free(now) {
			call(r.queue[0], r, now)
		}
	}
	for _, r := range p.replicas {
		for len(r.queue) == 0 && r.free(now) && (r.open || float64(r.inFlight) < spill*r.limit) {
			var longest *replica
			for _, other := range p.replicas {
				if len(other.queue) > 0 && (longest == nil || len(other.queue) > len(longest.queue)) {
					longest = other
				}
			}
			if longest == nil {
				return
			}
			call(longest.queue[len(longest.queue)-1], r, now)
		}
	}
}

// call gives a waiter its turn at a replica.
func call(w *waiter, r *replica, now time.Time) {
	w.leave()
	w.turn <- grant(r, now)
}

// leave takes a waiter out of its queue.
func (w *waiter) leave() {
	w.home.queue = slices.DeleteFunc(w.home.queue, func(other *waiter) bool { return other == w })
	w.home = nil
}
