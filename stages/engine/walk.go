package engine

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"sync"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/llm"
)

// Bounds of what a walk holds back before it reads recorded replies: they bound the memory of a run, whatever the number of
// items; larger ones read the recorded calls less often.
const (
	heldItems = 50_000   // items
	heldBytes = 32 << 20 // bytes of the requests kept for another attempt
)

// A plannedCall is one request about one item, from its plan to its reply.
type plannedCall struct {
	item    any
	subject string
	group   string
	picture string
	size    int          // pending calls of the group
	request *llm.Request // nil once nothing can be asked any more
	hash    string
	key     callKey
	attempt int
	before  *Outcome // of the attempt before; nil for the first
	unasked bool     // the unit does not ask about the item
	embeds  bool     // the reply is vectors
	first   int32    // tokens that are wanted of the reply; 0 for all
	was     quality  // of what was recorded when it was planned
}

// A walk goes through the items of a unit once. It gives out the requests that are pending, takes their replies, reads
// the replies that are recorded, and writes the rows.
type walk struct {
	lake   *data.Lake
	scope  *Scope
	unit   *unit
	index  *callIndex
	asks   func(*plannedCall) bool // whether a planned request is to be asked; its was says what is recorded
	out    *results                // nil when no rows are to be written
	held   int                     // items to hold back
	report func(*walk)             // told after every item; nil for none

	mu       sync.Mutex
	next     func() (any, error, bool)
	stop     func()
	ahead    any // first item of the next group; nil when the items have ended
	summary  Summary
	pending  int            // requests that were planned, and neither are recorded nor were given out
	finished int            // items that are done with
	recorded []*plannedCall // of which the reply is to be read
	bytes    int            // of their requests
	waiting  []*plannedCall // whose request is under way for another item
	again    []*plannedCall // further attempts to ask
	foreign  bool           // some replies are recorded for other units
	digest   digest
	kept     []keptOutcome
	causes   map[string]int // calls of this run that failed, by error
	err      error
}

// A keptOutcome is what came of an item, for units that follow; nothing yet while its request is pending.
type keptOutcome struct {
	item    any
	outcome Outcome
	pending bool
}

func newWalk(s *Scope, u *unit, index *callIndex, asks func(*plannedCall) bool) (*walk, error) {
	w := &walk{
		lake: s.Lake, scope: s, unit: u, index: index, asks: asks, held: cmp.Or(s.runner.Held, heldItems), causes: map[string]int{},
	}
	if err := index.begin(s.Lake, u); err != nil {
		return nil, err
	}
	w.next, w.stop = iter.Pull2(u.next(s))
	if err := w.advance(); err != nil {
		w.stop()
		return nil, err
	}
	return w, nil
}

func (w *walk) advance() error {
	item, err, ok := w.next()
	if !ok {
		item = nil
	}
	w.ahead = item
	return err
}

// group returns the pending requests of the next group of items, or one further attempt. It returns none when there is
// nothing to ask: until a call comes back, or for good when none is under way.
func (w *walk) group() ([]*plannedCall, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.err == nil {
		if len(w.again) > 0 {
			t := w.again[0]
			w.again = w.again[1:]
			return []*plannedCall{t}, nil
		}
		if len(w.recorded) >= w.held || w.bytes >= heldBytes {
			if w.err = w.settle(); w.err != nil {
				break
			}
			continue
		}
		if w.ahead == nil {
			return nil, w.err
		}
		var group []*plannedCall
		if group, w.err = w.collect(); len(group) > 0 && w.err == nil {
			return group, nil
		}
	}
	return nil, w.err
}

// collect plans the items of the next group and returns those to ask.
func (w *walk) collect() (pending []*plannedCall, err error) {
	name := w.unit.Group(w.ahead)
	for w.ahead != nil && w.unit.Group(w.ahead) == name {
		t := &plannedCall{item: w.ahead, subject: w.unit.Subject(w.ahead), group: name, picture: w.unit.Picture(w.ahead)}
		ask, err := w.plan(t)
		if err != nil {
			return nil, err
		}
		if ask {
			pending = append(pending, t)
		}
		if err := w.advance(); err != nil {
			return nil, err
		}
	}
	for _, t := range pending {
		t.size = len(pending)
	}
	return pending, nil
}

// plan builds the request of an item and reports whether it is to be asked.
func (w *walk) plan(t *plannedCall) (ask bool, err error) {
	t.unasked = !w.unit.Asked(t.item)
	r, err := w.unit.Request(t.item)
	if err != nil {
		return false, fmt.Errorf("%s: %w", t.subject, err)
	}
	if !r.Embeds() && len(r.Messages) == 0 {
		w.digest.add(t.subject)
		return false, w.finish(t.item, Outcome{})
	}
	t.request = &r
	return w.look(t)
}

// identify notes what tells a call from others.
func (t *plannedCall) identify(r *llm.Request) (err error) {
	t.hash, t.embeds = r.Hash(), r.Embeds()
	if r.FirstTokens {
		t.first = int32(r.Sampling.MaxTokens)
	}
	t.key, err = keyOf(t.hash, int32(r.Repeat))
	return err
}

// look finds out what is recorded of a call's request, and whether it is to be asked.
func (w *walk) look(t *plannedCall) (ask bool, err error) {
	if err := t.identify(t.request); err != nil {
		return false, err
	}
	if t.unasked {
		w.hold(t)
		return false, nil
	}
	state, first := w.index.plan(t.key)
	t.was = state.quality(t)
	if first {
		w.summary.Planned++
		if w.asks(t) {
			return true, nil
		}
		if t.was == noCall {
			w.pending++
			return false, w.leave(t)
		}
		w.summary.Recorded++
		if t.was != whole {
			w.summary.RecordedFailed++
		}
	}
	if t.was == noCall {
		w.waiting = append(w.waiting, t)
	} else {
		w.hold(t)
	}
	return false, nil
}

// hold keeps a call until the recorded replies are read. Its request is kept only where another attempt may need it.
func (w *walk) hold(t *plannedCall) {
	if w.unit.Retry.Attempts > t.attempt+1 {
		w.bytes += len(textOf(t.request))
	} else {
		t.request = nil
	}
	w.recorded = append(w.recorded, t)
}

// leave is the end of a call that is not asked: what could not be read before stays unreadable.
func (w *walk) leave(t *plannedCall) error {
	if t.before == nil {
		if w.unit.Keep {
			w.kept = append(w.kept, keptOutcome{item: t.item, pending: true})
		}
		w.done()
		return nil
	}
	return w.finish(t.item, *t.before)
}

// drop notes that a pending request that was given out is not asked.
func (w *walk) drop(t *plannedCall) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pending++
	w.err = errors.Join(w.err, w.leave(t))
}

// answered takes the record of a call that was made now, and its vectors. The record is not kept when it is worse than
// what there was: when a cut-off reply was asked for again, and the call failed.
func (w *walk) answered(t *plannedCall, c data.Call, kept bool, vectors [][]float32) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.summary.count(c)
	if c.State == llm.StateFailed && (len(w.causes) < mostCauses || w.causes[c.Error] > 0) {
		w.causes[c.Error]++
	}
	reply := replyOf(c)
	reply.Vectors = vectors
	w.index.record(t.key, reply.state())
	switch {
	case w.err != nil:
	case kept:
		w.err = w.deliver(t, reply)
	default:
		w.hold(t)
	}
	return w.err
}

// deliver takes the reply to a call. What cannot be read is asked again as long as the unit's rule allows.
func (w *walk) deliver(t *plannedCall, r Reply) error {
	w.digest.add(t.subject, t.hash, r.State, r.Text, r.Logprobs)
	o := Outcome{Reply: r, Asked: true, RequestHash: t.hash}
	if r.State == llm.StateFailed {
		if t.before != nil { // A failed further attempt leaves the item unreadable.
			return w.finish(t.item, *t.before)
		}
		o.Failed = true
		return w.finish(t.item, o)
	}
	o.Readable = w.unit.Accept(t.item, r) == nil
	if o.Readable || t.attempt+1 >= w.unit.Retry.Attempts || t.request == nil || t.embeds {
		return w.finish(t.item, o)
	}
	again := &plannedCall{
		item: t.item, subject: t.subject, group: t.group, picture: t.picture, size: 1, attempt: t.attempt + 1, before: &o, unasked: t.unasked,
		request: w.unit.Retry.again(t.request),
	}
	ask, err := w.look(again)
	if ask {
		w.again = append(w.again, again)
	}
	return err
}

// finish makes the rows of an item.
func (w *walk) finish(item any, o Outcome) error {
	o.Provenance = w.unit.provenance()
	if w.unit.Keep {
		w.kept = append(w.kept, keptOutcome{item: item, outcome: o})
	}
	if w.out != nil {
		if err := w.out.write(item, &o, &w.digest); err != nil {
			return err
		}
	}
	w.done()
	return nil
}

func (w *walk) done() {
	w.finished++
	if w.report != nil {
		w.report(w)
	}
}
