package llm

import (
	"context"
	"slices"
	"sync"
	"time"
)

// spill is a share of the limit. A replica with fewer requests in flight than this share, and with
// no calls in its own queue, takes calls from the queues of other replicas. Moving calls is the
// last resort, because a moved call computes its prefix again. Keys are balanced before: a new key
// goes to the least loaded replica.
const spill = 0.5

// knownHomes is the largest number of keys with a remembered replica. At this number, the pool
// forgets all keys before it remembers another key: only keys with requests under way matter.
const knownHomes = 1 << 14

// replica is one server of an endpoint. The pool's lock guards it.
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
	home *replica    // the call is in the queue of this replica; nil once it is in no queue
	turn chan *lease // receives the turn, or nil if the pool gives up
}

// lease is the right to have one request in flight at a replica.
type lease struct {
	*replica
	started time.Time
	trial   bool // the request tests whether the replica is back
}

// A replicaPool distributes requests over replicas. A key stays at one replica as long as that
// replica takes part, so that the common prefix of its requests is computed once. Work of a loaded
// replica moves to replicas with free capacity.
type replicaPool struct {
	mu       sync.Mutex
	replicas []*replica
	homes    map[string]*replica // by key
	giveUp   time.Duration       // if replicas answer with errors
	wait     time.Duration       // if no replica can be reached
	notice   func(string)        // gets messages for the user
	waiting  bool                // notice has said that calls wait for a replica
	outSince time.Time           // when the last replica was taken out; zero while any replica takes part
	trouble  *CallError          // error of the last request that a replica did not serve; nil without one
}

// load is the number of calls at a replica, waiting ones included, as a share of its limit.
func (r *replica) load() float64 { return float64(r.inFlight+len(r.queue)) / r.limit }

// free reports whether a request can be sent to the replica now.
func (r *replica) free(now time.Time) bool {
	if r.open {
		return r.ready(now)
	}
	return r.inFlight < max(int(r.limit), 1)
}

// choose returns the replica for a call with a key, which may be empty: a replica that is due for a
// trial, since an untried replica never comes back; otherwise the key's home.
func (p *replicaPool) choose(key string, avoid *replica, now time.Time) *replica {
	for _, r := range p.replicas {
		if r.open && r != avoid && r.ready(now) {
			return r
		}
	}
	return p.home(key, avoid, now)
}

// home returns the replica of a key: the one that has the key already, otherwise the least loaded.
// avoid, which may be nil, is only used if no other replica takes part. If no replica takes part,
// home returns the replica that can be tried again first.
func (p *replicaPool) home(key string, avoid *replica, now time.Time) *replica {
	if known := p.homes[key]; known != nil && known != avoid && !known.open {
		return known
	}
	var leastLoaded, soonest *replica
	for _, r := range p.replicas {
		if soonest == nil || r.until.Before(soonest.until) {
			soonest = r
		}
		if !r.open && r != avoid && (leastLoaded == nil || r.load() < leastLoaded.load()) {
			leastLoaded = r
		}
	}
	switch {
	case leastLoaded == nil && avoid != nil && avoid.ready(now):
		return avoid
	case leastLoaded == nil:
		return soonest
	case avoid == nil && key != "": // A call that avoids a replica does not move its key.
		if len(p.homes) == knownHomes {
			clear(p.homes)
		}
		p.homes[key] = leastLoaded
	}
	return leastLoaded
}

// acquire waits for the turn of a call. It fails if the context ends, if the run drains, or if the
// endpoint has been out for too long.
func (p *replicaPool) acquire(ctx context.Context, stop <-chan struct{}, key string,
	avoid *replica) (*lease, *CallError) {
	// Without this check, await could choose a turn that comes at once, although the run has ended.
	select {
	case <-stop:
		return nil, drained()
	case <-ctx.Done():
		return nil, canceled(ctx)
	default:
	}
	p.mu.Lock()
	now := time.Now()
	chosen := p.choose(key, avoid, now)
	w := &waiter{key: key, home: chosen, turn: make(chan *lease, 1)}
	chosen.queue = append(chosen.queue, w)
	p.deal(now)
	if w.home != nil && p.gaveUp(now) { // The call got no turn, not even as a trial.
		w.leave()
		w.turn <- nil
	}
	p.mu.Unlock()

	l, end := await(ctx, stop, w.turn)
	switch {
	case l != nil:
		return l, nil
	case end == nil:
		return nil, p.unavailable()
	}
	// The call ended while it waited. The call's turn may have come at the same moment.
	p.mu.Lock()
	waits := w.home != nil
	if waits {
		w.leave()
	}
	p.mu.Unlock()
	if !waits {
		if unused := <-w.turn; unused != nil {
			p.release(unused, end)
		}
	}
	return nil, end
}

// deal gives free capacity to waiting calls: first to the calls in the own queue of each replica.
// Then a replica with free capacity takes the newest call of the longest queue, because the prefix
// of this call is least likely to be computed already. deal is called with the lock held after
// every change that can free capacity.
func (p *replicaPool) deal(now time.Time) {
	for _, r := range p.replicas {
		for len(r.queue) > 0 && r.free(now) {
			grant(r.queue[0], r, now)
		}
	}
	for _, r := range p.replicas {
		// A replica that is out takes a call as its trial, whatever its limit.
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
			grant(longest.queue[len(longest.queue)-1], r, now)
		}
	}
}

// grant gives a waiter its turn at a replica. At a replica that is out, the turn is a trial.
func grant(w *waiter, r *replica, now time.Time) {
	w.leave()
	w.turn <- &lease{replica: r, started: now, trial: r.open}
	r.trial = r.open
	r.inFlight++
}

// leave removes a waiter from its queue.
func (w *waiter) leave() {
	w.home.queue = slices.DeleteFunc(w.home.queue, func(other *waiter) bool { return other == w })
	w.home = nil
}
