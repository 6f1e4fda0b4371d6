package engine

import (
	"cmp"
	"fmt"
	"iter"
	"sync"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/llm"
)

// recalledTogether is the number of requests whose recorded replies are read together. More take
// more memory; fewer read the recorded calls more often.
const recalledTogether = 50_000

// An asker sends requests. ask may return before the replies have come; wait returns after they
// have.
type asker interface {
	ask(group []*request) error // requests that share a prefix
	wait() error
}

// A walk visits the items of a unit once. It makes their requests, reads recorded replies, has the
// other requests asked, and passes on the outcome of each item. Replies come while further items
// are planned.
type walk struct {
	*unit
	scope   *Scope
	held    int // items held back before recorded replies are read; 0 for recalledTogether
	index   *callIndex
	asks    func(*request) bool         // whether to ask a request, given its recorded reply
	asker   asker                       // asks these requests
	outcome func(*item, *Outcome) error // gets the outcome of an item, nil while its request is pending
	report  func()                      // called after every item

	claims data.Claims     // of requests that are being asked
	pause  func(int) error // waits while another process asks so many requests

	mu       sync.Mutex // guards the fields below
	planned  map[callKey]bool
	recall   []*request // requests with recorded replies to read
	equal    []*request // requests equal to others; their replies are read after the others have come
	foreign  []*request // requests that another process is asking
	summary  Summary
	pending  int            // requests that are neither recorded nor asked
	finished int            // finished items
	digest   digest         // of the inputs of the rows
	causes   map[string]int // failed calls of this run, by error
	unread   string         // example of an unreadable reply
}

// run visits all items. It returns after every reply has come, or at the first error.
func (w *walk) run() error {
	var group []*request
	name := ""
	for item, err := range w.items(w.scope) {
		if err != nil {
			return err
		}
		if next := item.Group; next != name {
			if err := w.asker.ask(group); err != nil {
				return err
			}
			name, group = next, nil
		}
		q, err := w.attempt(item, 0, nil)
		if err == nil {
			w.mu.Lock()
			q, err = w.plan(q)
			w.mu.Unlock()
		}
		if err != nil {
			return err
		}
		if q != nil {
			group = append(group, q)
		}
		if err := w.read(cmp.Or(w.held, recalledTogether)); err != nil {
			return err
		}
	}
	if err := w.asker.ask(group); err != nil {
		return err
	}
	for { // A recorded reply may have to be asked again, and the request may get recorded meanwhile.
		if err := w.read(1); err != nil {
			return err
		}
		if err := w.asker.wait(); err != nil {
			return err
		}
		switch foreign := w.foreign; {
		case len(w.recall) > 0:
		case len(foreign) > 0:
			if err := w.pause(len(foreign)); err != nil {
				return err
			}
			w.foreign = nil
			if err := w.asker.ask(foreign); err != nil {
				return err
			}
		case len(w.equal) > 0:
			w.recall, w.equal = w.equal, nil
		default:
			return nil
		}
	}
}

// claim keeps other processes from asking a request that this one is about to ask. It reports false
// if another process has recorded the reply since, and then the reply is read. It also reports
// false if another process is asking, and then the request waits. A reply is recorded before its
// claim is dropped, so a look after the claim finds it.
func (w *walk) claim(q *request) (claimed bool, err error) {
	if claimed, err = w.claims.Take(q.key); claimed {
		_, err = w.index.look(w.calls().FileStem())
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case err != nil:
		return false, err
	case !claimed:
		w.foreign = append(w.foreign, q)
	case w.index.noted(q.key) != q.noted:
		w.recall = append(w.recall, q)
		return false, w.claims.Drop(q.key)
	}
	return claimed, nil
}

// attempt makes the request of an attempt at an item.
func (w *walk) attempt(item *item, attempt int, before *Outcome) (*request, error) {
	q := &request{item: item, attempt: attempt, before: before}
	body, err := w.body(q)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", item.Subject, err)
	}
	if !body.Embeds() && len(body.Messages) == 0 {
		return q, nil
	}
	q.body = &body
	q.identify(&body)
	return q, nil
}

// plan returns the request if it has to be asked now.
func (w *walk) plan(q *request) (*request, error) {
	switch {
	case q.hash == "":
		w.digest.add(q.item.Subject)
		return nil, w.finish(q.item, &Outcome{})
	case w.planned[q.key] || q.item.Spared:
		q.follows, q.body = true, nil
		if !w.planned[q.key] && w.index.noted(q.key) > 0 {
			w.recall = append(w.recall, q)
		} else { // This run may ask it for another item.
			w.equal = append(w.equal, q)
		}
		return nil, nil
	}
	w.planned[q.key] = true
	w.summary.Planned++
	if w.index.noted(q.key) > 0 {
		q.body = nil
		w.recall = append(w.recall, q)
		return nil, nil
	}
	return w.decide(q)
}

// read reads recorded replies if at least so many requests wait for them.
func (w *walk) read(least int) error {
	w.mu.Lock()
	batch := w.recall
	if len(batch) < least {
		w.mu.Unlock()
		return nil
	}
	w.recall = nil
	w.mu.Unlock()
	if err := w.recorded(batch); err != nil {
		return err
	}
	for _, q := range batch {
		w.mu.Lock()
		next, err := w.decide(q)
		w.mu.Unlock()
		if err == nil && next != nil {
			err = w.asker.ask([]*request{next})
		}
		if err != nil {
			return fmt.Errorf("%s: %w", q.item.Subject, err)
		}
	}
	return nil
}

// recorded finds the best recorded reply of each request: first in the unit's file, then, for replies
// still missing or failed, in journals and other units. Journals are read before files, because the
// calls of a journal end up in a file.
func (w *walk) recorded(batch []*request) error {
	wanted := make(map[callKey]*request, len(batch)) // requests with a reply in the lake
	for _, q := range batch {
		if q.noted = w.index.noted(q.key); q.noted > 0 {
			wanted[q.key] = q
		}
	}
	left := len(wanted)
	l := w.scope.Lake
	for _, calls := range []iter.Seq2[data.Call, error]{
		w.ownCalls(l), journaled[data.Call](l), data.Select(l, data.Calls, data.Where{"model": w.Model.ID}),
	} {
		if left == 0 {
			break
		}
		for c, err := range calls {
			if err != nil {
				return err
			}
			q := wanted[keyOf(c.RequestHash, c.Repeat)]
			if q == nil || c.Stage == "ingest" || q.rank(&c) <= q.rank(q.recorded) {
				continue
			}
			if q.rank(&c) > failed && q.rank(q.recorded) <= failed {
				left--
			}
			q.recorded = &c
		}
	}
	for _, q := range batch {
		if found := wanted[q.key]; found != nil {
			q.recorded = found.recorded
		}
	}
	return nil
}

// decide returns the request if it has to be asked, given its recorded reply. Otherwise the
// recorded reply counts.
func (w *walk) decide(q *request) (*request, error) {
	if !q.follows && w.asks(q) {
		return q, nil
	}
	if q.recorded == nil {
		if !q.follows {
			w.pending++
		}
		return nil, w.finish(q.item, q.before) // An unreadable reply of an earlier attempt stays unreadable.
	}
	if !q.follows {
		w.summary.Recorded++
		if q.rank(q.recorded) < whole {
			w.summary.RecordedFailed++
		}
	}
	return w.take(q, *q.recorded)
}

// answered records the reply to a request and returns a further attempt if one has to be asked now.
// A reply is not kept if a better one is recorded, for example if a truncated reply is asked for
// again and the call fails.
func (w *walk) answered(q *request, reply llm.Reply, kept bool) (*request, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.summary.count(reply)
	if reply.State == llm.StateFailed {
		w.causes[reply.Error]++
	}
	w.index.note(q.key)
	if !kept {
		reply = *q.recorded
	}
	return w.take(q, reply)
}

// take makes the outcome of a reply. An unreadable reply is asked for again as often as the unit
// allows; the further attempt is returned if it has to be asked now.
func (w *walk) take(q *request, reply llm.Reply) (*request, error) {
	w.digest.add(q.item.Subject, q.hash, reply.State, reply.Text, reply.Logprobs)
	o := &Outcome{Reply: reply, Asked: true, Failed: reply.State == llm.StateFailed}
	if o.Failed {
		return nil, w.finish(q.item, cmp.Or(q.before, o)) // A failed further attempt leaves the item unreadable.
	}
	o.Readable = w.accept(q.item.of, reply) == nil
	if o.Readable || q.attempt+1 >= w.Attempts {
		if w.summary.read(o.Readable); !o.Readable {
			w.unread = cmp.Or(w.unread, reply.Text)
		}
		return nil, w.finish(q.item, o)
	}
	next, err := w.attempt(q.item, q.attempt+1, o)
	if err != nil {
		return nil, err
	}
	return w.plan(next)
}

// hasRead reports whether some reply could be read, including recorded replies.
func (w *walk) hasRead() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.summary.Readable > 0
}

// finish passes on the outcome of an item.
func (w *walk) finish(item *item, o *Outcome) error {
	if o != nil {
		o.Provenance = w.provenance()
	}
	w.finished++
	err := w.outcome(item, o)
	w.report()
	return err
}

// A lister is the asker of a dry run: it lists the requests instead of sending them.
type lister struct {
	*walk
	list func(group []*request) error
}

func (l lister) ask(group []*request) error {
	if len(group) == 0 {
		return nil
	}
	err := l.list(group)
	for _, q := range group {
		if err == nil {
			l.pending++
			err = l.finish(q.item, q.before)
		}
	}
	return err
}

func (l lister) wait() error { return nil }
