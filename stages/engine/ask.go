package engine

import (
	"cmp"
	"context"
	"errors"
	"sync"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/text"
	"github.com/captionlake/captionlake/stages/llm"
	"github.com/captionlake/captionlake/stages/preflight"
)

// A liveSender sends requests to a caller in the order of the plan. So requests that share a prefix
// are at a server together and find the prefix in the server's cache. No request waits for another
// one: vLLM shares a block of its cache with all requests from the step that schedules the block,
// so sending one request ahead of its group would gain nothing.
type liveSender struct {
	plan     *plan
	calls    *callLog
	caller   preflight.Caller
	most     int        // the largest number of calls that are begun and not recorded
	parallel func() int // the number of requests worth having under way now, at least 1; nil allows most

	ctx    context.Context
	cancel context.CancelFunc
	begun  sync.WaitGroup
	mu     sync.Mutex
	room   *sync.Cond // signals every change that acquire or hold waits for
	open   int        // calls that are begun and not recorded
	sent   int        // open calls with a request under way
	err    error      // the first error; no call is begun after it
	ended  bool       // wait was called: only requests that had to wait are still begun
	held   int        // unreadable replies that are held until a reply can be read
	letGo  bool       // no reply is held any more: some reply could be read, or all have come
}

// unreadFirst is the number of unreadable replies that ends a unit if no reply before them could be
// read. Such a model thinks although it was told not to, or has the chat template of another model.
// The unreadable replies are recorded as failed, so that a later run can ask again.
const unreadFirst = 32

// errUnread ends a unit without readable replies.
var errUnread = errors.New("no reply can be read")

// send begins a call for each request of a group, as soon as there is room for the call.
func (a *liveSender) send(group []*request) error {
	for _, q := range group {
		if err := a.acquire(); err != nil {
			return err
		}
		a.begun.Go(func() { a.release(a.call(q)) })
	}
	return nil
}

// wait waits until all calls have ended, and returns the first error.
func (a *liveSender) wait() error {
	a.mu.Lock()
	a.ended = true // hold compares the held replies with all open calls from now on.
	a.room.Broadcast()
	a.mu.Unlock()
	a.begun.Wait()
	return a.err
}

// acquire waits until there is room for a call, and counts the call as open. After an error acquire
// counts no call, because no release would follow.
func (a *liveSender) acquire() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	full := func() bool { return a.open >= a.most || a.parallel != nil && a.sent >= a.parallel() }
	for a.err == nil && full() {
		a.room.Wait()
	}
	if a.err == nil {
		a.open++
		a.sent++
	}
	return a.err
}

// release ends a call. After an error that ends the unit in good order, the other calls under way
// may return; after any other error they are cancelled.
func (a *liveSender) release(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open--
	a.err = cmp.Or(a.err, err)
	class := llm.ClassOf(err)
	inGoodOrder := class == llm.ClassDrained || class.OfTheRun() ||
		errors.Is(err, preflight.ErrBudget) || errors.Is(err, errUnread)
	if err != nil && !inGoodOrder {
		a.cancel()
	}
	a.room.Broadcast()
}

// hold keeps an unreadable reply until another reply can be read or all replies have come. With
// unreadFirst held replies it returns the error that ends the unit.
func (a *liveSender) hold(reply *llm.Reply, why error) error {
	if a.plan.hasRead() {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.held++
	a.room.Broadcast()
	for !a.letGo && a.held < unreadFirst {
		if allHaveCome := a.ended && a.held == a.open; allHaveCome { // Every open call holds its reply.
			a.letGo = true
			a.room.Broadcast()
		} else {
			a.room.Wait()
		}
	}
	if a.letGo {
		return nil
	}
	return data.Errorf("see whether the model thinks, or has the chat template of another: captionlake doctor; "+
		"then ask again with: captionlake run --retry-failed",
		"%w: %d replies of %s have come, such as %q (%w)", errUnread, a.held, a.plan.Model.Served,
		text.OneLine(reply.Text, 60), why)
}

// check sees whether a reply can be read. An unreadable reply is held, unless a further attempt may
// follow. If holding the reply ends the unit, check marks the reply as failed and returns the
// error.
func (a *liveSender) check(q *request, reply *llm.Reply) error {
	why := a.plan.accept(q.item.of, *reply)
	if why == nil {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.letGo = true
		a.room.Broadcast()
		return nil
	}
	if q.attempt+1 < a.plan.Attempts {
		return nil
	}
	unread := a.hold(reply, why)
	if unread != nil {
		reply.State, reply.Error = llm.StateFailed, "the reply could not be read: "+why.Error()
	}
	return unread
}

// countSent adds n to the requests under way: 1 for a request that is sent, -1 for one that has
// returned.
func (a *liveSender) countSent(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sent += n
	a.room.Broadcast()
}

// call sends one request and, as long as the reply cannot be read, further attempts. Each reply is
// in the journal before the reply counts. If call returns an error, the unit ends.
func (a *liveSender) call(q *request) error {
	for {
		if claimed, err := a.plan.claim(q); !claimed { // Another process asks it, or has recorded the reply.
			a.countSent(-1)
			return err
		}
		body, err := a.plan.body(q)
		if err != nil {
			return err
		}
		affinity := q.item.Group + "\x00" + a.plan.Name // requests with the same affinity go to one replica
		if body.Embeds() {
			affinity = "" // Texts share no prefix.
		}
		reply, err := a.caller.Ask(a.ctx, body, affinity)
		a.countSent(-1)
		// An error that says nothing about this one request ends the unit and is not recorded.
		class := llm.ClassOf(err)
		aboutRequest := class != "" && class.Failed() && !class.OfTheRun()
		if err != nil && !aboutRequest {
			return err
		}
		reply = a.calls.row(q, &body, reply, err)
		var unread error // set if the first replies of the unit are all unreadable
		if reply.State != llm.StateFailed {
			unread = a.check(q, &reply)
		}
		kept := q.rank(&reply) >= q.rank(q.recorded) // A recorded reply stays if it is better.
		if kept {
			if err := a.calls.journal.Append(reply); err != nil {
				return err
			}
		}
		asked := q.key
		if q, err = a.plan.answered(q, reply, kept); err == nil {
			err = a.plan.claims.Drop(asked)
		}
		if q == nil || err != nil {
			return cmp.Or(err, unread)
		}
		a.countSent(1)
	}
}
