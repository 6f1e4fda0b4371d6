package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/text"
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
	read   bool       // some reply could be read, or all have come
	ended  bool       // no more calls are begun before these have come back
	held   int        // replies that could not be read while none could
}

// unreadFirst is how many replies end a unit when they are the first and nobody can read any: a model that thinks where it is not
// told to stop, a chat template of another model. They are recorded as failed, so that they can be asked for again.
const unreadFirst = 32

// errUnread is the end of a unit of which no reply can be read.
var errUnread = errors.New("no reply can be read")

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
	a.mu.Lock()
	a.ended = true
	a.room.Broadcast()
	a.mu.Unlock()
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
	class := llm.ClassOf(err)
	if err != nil && class != llm.ClassDrained && !errors.Is(err, preflight.ErrBudget) && !errors.Is(err, errUnread) && !class.OfTheRun() {
		a.cancel()
	}
	a.room.Broadcast()
}

// hold keeps a reply that cannot be read until another one can be or all have come. It is an error when there are too many.
func (a *live) hold(reply llm.Reply, why error) error {
	if a.walk.hasRead() {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.held++
	a.room.Broadcast()
	for !a.read && a.held < unreadFirst {
		if a.read = a.ended && a.held == a.open; a.read {
			a.room.Broadcast()
			break
		}
		a.room.Wait()
	}
	if a.read {
		return nil
	}
	return data.WithHint(fmt.Errorf("%w: %d replies of %s have come, such as %q (%w)", errUnread, a.held, a.walk.Model.Served, text.OneLine(reply.Text, 60), why),
		"see whether the model thinks, or has the chat template of another: captionlake doctor; then ask again with: captionlake run --retry-failed")
}

// readable notes that a reply can be read.
func (a *live) readable() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.read {
		a.read = true
		a.room.Broadcast()
	}
}

// sent counts a request that goes out, or with -1 one that has come back, so that another may.
func (a *live) sent(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.under += n
	a.room.Broadcast()
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
		var unread error
		if reply.State != llm.StateFailed {
			switch why := a.walk.Accept(q.item, reply); {
			case why == nil:
				a.readable()
			case q.attempt+1 < a.walk.Attempts: // It is asked again.
			default:
				if unread = a.hold(reply, why); unread != nil {
					reply.State, reply.Error = llm.StateFailed, "the reply could not be read: "+why.Error()
				}
			}
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
			return cmp.Or(err, unread)
		}
		a.sent(1)
	}
}
