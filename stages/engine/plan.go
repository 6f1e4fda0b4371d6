package engine

import (
	"cmp"
	"fmt"
	"iter"
	"sync"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/llm"
)

// recalledTogether is the number of requests whose recorded replies are read together. A larger
// number takes more memory; with a smaller number, the recorded calls are read more often.
const recalledTogether = 50_000

// A sender sends requests. send may return before the replies have come; wait returns after all
// replies have come.
type sender interface {
	send(group []*request) error // requests that share a prefix
	wait() error
}

// A plan visits the items of a unit once. It makes their requests, reads recorded replies, has the
// other requests asked, and passes on the outcome of each item. Replies come while further items
// are planned.
type plan struct {
	*unit
	scope   *Scope
	index   *callIndex
	asks    func(*request) bool         // whether to ask a request, given its recorded reply
	sender  sender                      // sends the requests that are asked
	held    int                         // recorded replies are read as soon as so many requests wait for them
	outcome func(*item, *Outcome) error // gets the outcome of an item, nil while its request is pending
	report  func()                      // called after every item

	claims data.Claims     // of requests that are being asked
	pause  func(int) error // waits while another process asks so many requests

	mu sync.Mutex // guards the fields below
	// planned has the requests that summary.Planned counts.
	planned  map[callKey]bool
	recall   []*request // requests with a recorded reply that is still to be read
	equal    []*request // requests equal to others: they wait until the replies to the others are recorded
	foreign  []*request // requests that another process is asking
	summary  Summary
	pending  int            // requests that are neither recorded nor asked
	finished int            // finished items
	causes   map[string]int // failed calls of this run, by error
	unread   string         // example of an unreadable reply
}

// run visits all items. It returns after every reply has come, or at the first error.
func (p *plan) run() error {
	var group []*request // pending requests of the items of one Group, which are sent together
	name := ""           // the name of this Group
	err := p.items(p.scope, func(item *item) error {
		if item.Group != name {
			if err := p.sender.send(group); err != nil {
				return err
			}
			name, group = item.Group, nil
		}
		q, err := p.attempt(item, 0, nil) // the first attempt, with no outcome before it
		if err == nil {
			p.mu.Lock()
			q, err = p.add(q)
			p.mu.Unlock()
		}
		if err != nil {
			return err
		}
		if q != nil {
			group = append(group, q)
		}
		return p.read(p.held) // It reads nothing until so many requests wait.
	})
	if err == nil {
		err = p.sender.send(group)
	}
	if err != nil {
		return err
	}
	return p.rest()
}

// rest waits for the replies that are under way, and goes on with the requests that had to wait.
// Each round may ask requests or make other requests wait, so rest ends when no request waits.
// Requests of the list foreign come before requests of the list equal, because an equal request
// may need the reply to a foreign one.
func (p *plan) rest() error {
	for {
		if err := p.read(1); err != nil { // 1: even a single request waits no longer.
			return err
		}
		if err := p.sender.wait(); err != nil {
			return err
		}
		// No call is under way now, so nothing else uses the fields that mu guards.
		switch foreign := p.foreign; {
		case len(p.recall) > 0: // The next round reads them.
		case len(foreign) > 0:
			if err := p.pause(len(foreign)); err != nil {
				return err
			}
			p.foreign = nil
			if err := p.sender.send(foreign); err != nil {
				return err
			}
		case len(p.equal) > 0:
			p.recall, p.equal = p.equal, nil
		default:
			return nil
		}
	}
}

// claim keeps other processes from asking a request that this process is about to ask. It reports
// whether the request is to be asked now. If not, another process is asking it, and the request
// waits; or another process has recorded the reply since the plan, and the reply is read. A process
// records a reply before it drops its claim, so a look at the lake after a claim finds the reply.
func (p *plan) claim(q *request) (claimed bool, err error) {
	if claimed, err = p.claims.Take(q.key); claimed {
		_, err = p.index.look(p.calls().FileStem())
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case err != nil:
		return false, err
	case !claimed:
		p.foreign = append(p.foreign, q)
	case p.index.noted(q.key) != q.noted:
		p.recall = append(p.recall, q)
		return false, p.claims.Drop(q.key)
	}
	return claimed, nil
}

// attempt makes the request of an attempt at an item. The hash of the request is empty if there is
// nothing to ask.
func (p *plan) attempt(item *item, attempt int, before *Outcome) (*request, error) {
	q := &request{item: item, attempt: attempt, before: before}
	body, err := p.body(q)
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

// add adds a request to the plan, and returns it if it has to be asked now. The caller of add,
// decide, take or finish holds p.mu, unless no call is under way.
func (p *plan) add(q *request) (*request, error) {
	switch {
	case q.hash == "":
		return nil, p.finish(q.item, &Outcome{}) // Nothing is asked: the rows come from the item alone.
	case p.planned[q.key] || q.item.Spared:
		q.follows, q.body = true, nil
		if !p.planned[q.key] && p.index.noted(q.key) > 0 {
			p.recall = append(p.recall, q)
		} else { // Another item with an equal request gets the reply, now or later in this run.
			p.equal = append(p.equal, q)
		}
		return nil, nil
	}
	p.planned[q.key] = true
	p.summary.Planned++
	if p.index.noted(q.key) > 0 {
		q.body = nil // saves memory: the method body makes it again
		p.recall = append(p.recall, q)
		return nil, nil
	}
	return p.decide(q)
}

// read reads recorded replies if at least so many requests wait for these replies. After the
// reading it sends the requests that have to be asked although they have a recorded reply.
func (p *plan) read(least int) error {
	p.mu.Lock()
	batch := p.recall
	if len(batch) < least {
		p.mu.Unlock()
		return nil
	}
	p.recall = nil
	p.mu.Unlock()
	if err := p.recorded(batch); err != nil {
		return err
	}
	for _, q := range batch {
		p.mu.Lock()
		next, err := p.decide(q)
		p.mu.Unlock()
		if err == nil && next != nil {
			err = p.sender.send([]*request{next})
		}
		if err != nil {
			return fmt.Errorf("%s: %w", q.item.Subject, err)
		}
	}
	return nil
}

// recorded finds the best recorded reply of each request. It reads the unit's own calls first. If
// a reply is then still missing or failed, it also reads journals and the files of other units.
// Journals are read before files, because a commit moves the calls of a journal to a file: read in
// this order, no call is missed.
func (p *plan) recorded(batch []*request) error {
	wanted := make(map[callKey]*request, len(batch)) // requests with a reply in the lake
	for _, q := range batch {
		if q.noted = p.index.noted(q.key); q.noted > 0 {
			wanted[q.key] = q
		}
	}
	left := len(wanted) // requests whose best reply so far is missing or failed
	l := p.scope.Lake
	journals, err := l.Journals()
	if err != nil {
		return err
	}
	sources := []iter.Seq2[data.Call, error]{p.ownCalls(l)}
	for _, unit := range journals {
		sources = append(sources, data.JournalRows[data.Call](l, unit))
	}
	for _, calls := range append(sources, data.Select(l, data.Calls, data.Where{"model": p.Model.ID})) {
		if left == 0 {
			break
		}
		for c, err := range calls {
			if err != nil {
				return err
			}
			q := wanted[keyOf(c.RequestHash, c.Repeat)]
			// No run sent the calls with the stage ingest: they were loaded from files.
			if q == nil || c.Stage == "ingest" || q.rank(&c) <= q.rank(q.recorded) {
				continue
			}
			if q.rank(&c) > failed && q.rank(q.recorded) <= failed {
				left--
			}
			q.recorded = &c
		}
	}
	for _, q := range batch { // Equal requests have the same reply.
		if found := wanted[q.key]; found != nil {
			q.recorded = found.recorded
		}
	}
	return nil
}

// decide returns the request if it has to be asked, given its recorded reply. If the request
// is not asked, the recorded reply counts.
func (p *plan) decide(q *request) (*request, error) {
	switch {
	case q.follows: // A request that follows is never asked or counted.
	case p.asks(q):
		return q, nil
	case q.recorded == nil:
		p.pending++
	default:
		p.summary.Recorded++
		if q.rank(q.recorded) < whole {
			p.summary.RecordedFailed++
		}
	}
	if q.recorded == nil {
		return nil, p.finish(q.item, q.before) // The outcome of an earlier attempt counts, if there is one.
	}
	return p.take(q, *q.recorded)
}

// answered takes the reply that this run got to a request, and returns a further attempt if one has
// to be asked now. kept is false if the recorded reply is better and stays, for example if a
// request with a truncated reply is repeated and fails.
func (p *plan) answered(q *request, reply llm.Reply, kept bool) (*request, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.summary.count(reply)
	if reply.State == llm.StateFailed {
		p.causes[reply.Error]++
	}
	p.index.note(q.key)
	if !kept {
		reply = *q.recorded
	}
	return p.take(q, reply)
}

// take makes the outcome of a reply. An unreadable reply is asked for again as often as the unit
// allows; the further attempt is returned if it has to be asked now.
func (p *plan) take(q *request, reply llm.Reply) (*request, error) {
	o := &Outcome{Reply: reply, Asked: true, Failed: reply.State == llm.StateFailed}
	if o.Failed {
		return nil, p.finish(q.item, cmp.Or(q.before, o)) // A failed further attempt leaves the item unreadable.
	}
	o.Readable = p.accept(q.item.of, reply) == nil
	switch {
	case o.Readable:
		p.summary.Readable++
	case q.attempt+1 < p.Attempts:
		next, err := p.attempt(q.item, q.attempt+1, o)
		if err != nil {
			return nil, err
		}
		return p.add(next)
	default:
		p.summary.Unreadable++
		p.unread = cmp.Or(p.unread, reply.Text)
	}
	return nil, p.finish(q.item, o)
}

// hasRead reports whether some reply could be read, including recorded replies.
func (p *plan) hasRead() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.summary.Readable > 0
}

// finish passes on the outcome of an item, nil if its request is pending.
func (p *plan) finish(item *item, o *Outcome) error {
	if o != nil {
		o.Provenance = p.provenance()
	}
	p.finished++
	err := p.outcome(item, o)
	p.report()
	return err
}

// A dryRun is the sender of a dry run. Instead of sending requests, it lists them and counts them
// as pending.
type dryRun struct {
	*plan
	list func(group []*request, bodies []llm.Request) error // may be nil
}

// send lists a group. Each item gets the outcome of its previous attempt, or nil for a first
// attempt, which stays pending.
func (d dryRun) send(group []*request) (err error) {
	if len(group) > 0 && d.list != nil {
		bodies := make([]llm.Request, len(group))
		for i, q := range group {
			if bodies[i], err = d.body(q); err != nil {
				return err
			}
		}
		err = d.list(group, bodies)
	}
	for _, q := range group {
		if err == nil {
			d.pending++
			err = d.finish(q.item, q.before)
		}
	}
	return err
}

func (d dryRun) wait() error { return nil }
