package engine

import (
	"cmp"
	"context"
	"errors"
	"sync"

	"github.com/captionlake/captionlake/stages/llm"
	"github.com/captionlake/captionlake/stages/preflight"
)

// A live asker asks a caller, in the order of the plan, so that requests that share a prefix are at the servers together and find it in
// their caches. None waits for another: vLLM shows a block to all others in the step that schedules it, so that a request sent ahead of
// its group would gain nothing.
type live struct {
	walk     *walk
	calls    *callLog
	caller   preflight.Caller
	most     int        // calls that are begun and not recorded at once at most
	parallel func() int // requests that are worth having under way now, at least 1; nil for as many as may be begun

	ctx    context.Context
	cancel context.CancelFunc
	begun  sync.WaitGroup
	mu     sync.Mutex
	room   *sync.Cond // for another call
	open   int        // calls that are begun and not recorded
	under  int        // of these, those whose request is under way
	err    error      // the first; no call is begun after it
}

func (a *live) ask(group []*request) error {
	for _, q := range group {
		if err := a.acquire(); err != nil {
			return err
		}
		a.begun.Go(func() { a.release(a.call(q)) })
	}
	return nil
}

func (a *live) wait() error {
	a.begun.Wait()
	return a.err
}

// acquire waits until there is room for a call.
func (a *live) acquire() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	for a.err == nil && (a.open >= a.most || a.parallel != nil && a.under >= a.parallel()) {
		a.room.Wait()
	}
	a.open++
	a.under++
	return a.err
}

// release is the end of a call. After an error the calls under way may come back, unless it is one that they cannot.
func (a *live) release(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open--
	a.err = cmp.Or(a.err, err)
	if err != nil && llm.ClassOf(err) != llm.ClassDrained && !errors.Is(err, preflight.ErrBudget) && !llm.ClassOf(err).OfTheRun() {
		a.cancel()
	}
	a.room.Signal()
}

// sent counts a request that goes out, or with -1 one that has come back, so that another may.
func (a *live) sent(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.under += n
	a.room.Signal()
}

// call asks one request and, as long as the reply cannot be read, the attempts after it. Each reply is in the journal before it counts.
// Its error ends the unit.
func (a *live) call(q *request) error {
	for {
		if claimed, err := a.walk.claim(q); !claimed {
			a.sent(-1)
			return err
		}
		body, err := a.walk.body(q)
		if err != nil {
			return err
		}
		affinity := a.walk.Group(q.item) + "\x00" + a.walk.Name
		if body.Embeds() {
			affinity = "" // Texts share no prefix with others.
		}
		reply, err := a.caller.Ask(a.ctx, body, affinity)
		a.sent(-1)
		if call := new(llm.CallError); err != nil && (!errors.As(err, &call) || !call.Class.Failed() || call.Class.OfTheRun()) {
			return err
		}
		if reply, err = a.calls.row(q, &body, reply, err); err != nil {
			return err
		}
		kept := q.rank(&reply) >= q.rank(q.recorded)
		if kept {
			if err := a.calls.journal.Append(reply); err != nil {
				return err
			}
		}
		asked := q.key
		if q, err = a.walk.answered(q, reply, kept); err == nil {
			err = a.walk.claims.Drop(asked)
		}
		if q == nil || err != nil {
			return err
		}
		a.sent(1)
	}
}
