package server

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// engine is the scheduler of one server. It follows that of vLLM's V1 engine: time goes in steps. A step computes, within
// its budget of tokens, one token for each sequence that runs, the rest of prompts that did not fit in an earlier step, and
// the prompts of those that wait, in the order of their arrival, as long as there are slots and memory. When memory runs
// short, the sequence that started last gives its blocks back and waits again.
//
// The step that schedules a prompt shows its blocks to everyone else, in the same step too, although they are computed only
// when the step is done: who needs them runs in that step or a later one. So equal prefixes are computed once even when their
// requests come together, which the test of the rule checks against vLLM itself.
type engine struct {
	latency Latency

	mu       sync.Mutex
	memory   *blockPool // nil is memory without end and no prefix cache
	waiting  []*sequence
	running  []*sequence   // in the order in which they started
	stepping bool          // a goroutine goes through the steps
	deserted chan struct{} // told when the last sequence leaves, so that nobody waits for the end of its step
	dead     chan struct{} // closed when the engine dies
	counts   counts
}

// counts are what /metrics shows.
type counts struct {
	queries, hits, prompt, generated, preempted int64
	stopped, cut, aborted                       int64 // requests by how they finished
}

// sequence is one request in the engine.
type sequence struct {
	keys      []blockKey // of the full blocks of prompt and reply
	prompt    int        // tokens
	reply     int        // tokens that it will have
	generated int        // tokens of the reply so far
	computed  int        // tokens of prompt and reply that are computed, those of the step under way included
	cached    int        // tokens of the prompt that the cache had when it started
	started   bool       // it has run before
	blocks    []*block
	published int // blocks that have their names
	done      chan struct{}
	finished  bool
}

// known is the number of tokens that the sequence has.
func (s *sequence) known() int { return s.prompt + s.generated }

func newEngine(l Latency) *engine {
	e := &engine{latency: l, deserted: make(chan struct{}, 1), dead: make(chan struct{})}
	if l.CacheTokens > 0 {
		e.memory = newBlockPool(l.CacheTokens)
	}
	return e
}

// errDead is the end of the requests that an engine had when it died.
var errDead = errors.New("the engine is dead")

// run passes a request through the engine and returns the number of its prompt tokens that came from the prefix cache. keys
// are those of the prompt and, as far as it is known, of the reply. The error is the context's, or errDead.
func (e *engine) run(ctx context.Context, keys []blockKey, promptTokens, newTokens int, cut bool) (cached int, err error) {
	s := &sequence{keys: keys, prompt: promptTokens, reply: newTokens, done: make(chan struct{})}
	e.mu.Lock()
	dead := e.dead
	e.waiting = append(e.waiting, s)
	switch {
	case e.latency.instant():
		e.step()
		e.finish()
	case !e.stepping:
		e.stepping = true
		go e.loop()
	}
	e.mu.Unlock()
	select {
	case <-s.done:
	case <-dead:
		err = errDead
	case <-ctx.Done():
		err = ctx.Err()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case !s.finished:
		e.leave(s)
		e.counts.aborted++
		return 0, err
	case cut:
		e.counts.cut++
	default:
		e.counts.stopped++
	}
	e.counts.prompt += int64(promptTokens)
	e.counts.generated += int64(newTokens)
	return s.cached, nil
}

// loop goes through the steps until nothing is left to do. Their times follow from each other and not from when the machine
// gets to them, so that a latency model that is sped up keeps its pace.
func (e *engine) loop() {
	e.mu.Lock()
	defer e.mu.Unlock()
	select {
	case <-e.deserted: // of an earlier loop, which had ended by itself
	default:
	}
	end := time.Now()
	for len(e.waiting)+len(e.running) > 0 {
		end = end.Add(e.latency.step(e.step()))
		timer := time.NewTimer(time.Until(end))
		e.mu.Unlock()
		select {
		case <-timer.C:
		case <-e.deserted:
			timer.Stop()
		}
		e.mu.Lock()
		e.finish()
	}
	e.stepping = false
}

// step schedules one step and returns the number of tokens that it computes.
func (e *engine) step() int {
	budget := e.latency.budget()
	left := budget
	short := false
	for i := 0; i < len(e.running) && left > 0; i++ {
		s := e.running[i]
		n := min(s.known()-s.computed, left)
		for !e.grow(s, s.computed+n, len(e.running) == 1) {
			short = true
			last := e.running[len(e.running)-1]
			e.preempt(last)
			if last == s {
				n = 0
				break
			}
		}
		e.compute(s, n)
		left -= n
	}
	for len(e.waiting) > 0 && left > 0 && !short && (e.latency.Slots == 0 || len(e.running) < e.latency.Slots) {
		s := e.waiting[0]
		if !e.admit(s) {
			break // The order of arrival holds: a smaller one does not overtake.
		}
		e.waiting = e.waiting[1:]
		e.running = append(e.running, s)
		n := min(s.known()-s.computed, left)
		e.grow(s, s.computed+n, true) // admit has seen that there is room
		e.compute(s, n)
		left -= n
	}
	return budget - left
}

// admit gives a sequence what the cache has of it, if the rest of it has room.
func (e *engine) admit(s *sequence) bool {
	var found []*block
	if e.memory != nil {
		found = e.memory.find(s.keys, s.known())
		unused := 0
		for _, b := range found {
			if b.users == 0 {
				unused++
			}
		}
		if blocksOf(s.known())-len(found)+unused > e.memory.room() && len(e.running) > 0 {
			return false
		}
		e.memory.share(found)
	}
	s.blocks, s.published, s.computed = found, len(found), len(found)*BlockTokens
	if !s.started {
		s.started, s.cached = true, s.computed
		e.counts.queries += int64(s.prompt)
		e.counts.hits += int64(s.cached)
	}
	return true
}

// grow gives a sequence the blocks for a number of tokens, if there is room or it must go on.
func (e *engine) grow(s *sequence, tokens int, must bool) bool {
	if e.memory == nil {
		return true
	}
	more := blocksOf(tokens) - len(s.blocks)
	if more > e.memory.room() && !must {
		return false
	}
	for range more {
		s.blocks = append(s.blocks, e.memory.take())
	}
	return true
}

// compute takes in that the step computes the next tokens of a sequence, and shows the blocks that become full.
func (e *engine) compute(s *sequence, n int) {
	s.computed += n
	for ; s.published < min(len(s.keys), s.computed/BlockTokens, len(s.blocks)); s.published++ {
		e.memory.name(s.blocks[s.published], s.keys[s.published])
	}
}

// finish ends a step: every sequence that is computed up to its end has a new token, or is done.
func (e *engine) finish() {
	running := e.running[:0]
	for _, s := range e.running {
		if s.computed == s.known() {
			s.generated++
			if e.latency.instant() {
				s.generated = max(s.generated, s.reply)
			}
		}
		if s.generated < max(s.reply, 1) {
			running = append(running, s)
			continue
		}
		e.free(s)
		s.finished = true
		close(s.done)
	}
	clear(e.running[len(running):])
	e.running = running
}

// preempt makes a sequence wait again, before all others.
func (e *engine) preempt(s *sequence) {
	e.running = e.running[:len(e.running)-1]
	e.free(s)
	s.computed = 0
	e.waiting = slices.Insert(e.waiting, 0, s)
	e.counts.preempted++
}

// leave removes a sequence whose client has gone.
func (e *engine) leave(s *sequence) {
	same := func(other *sequence) bool { return other == s }
	e.waiting = slices.DeleteFunc(e.waiting, same)
	e.running = slices.DeleteFunc(e.running, same)
	e.free(s)
	e.desert()
}

// die ends all requests with errDead. The next ones are those of a new engine, whose memory is empty.
func (e *engine) die() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, s := range slices.Concat(e.waiting, e.running) {
		s.blocks = nil
	}
	e.waiting, e.running, e.counts = nil, nil, counts{}
	if e.memory != nil {
		e.memory = newBlockPool(e.latency.CacheTokens)
	}
	close(e.dead)
	e.dead = make(chan struct{})
	e.desert()
}

// desert ends the step under way when nobody is left.
func (e *engine) desert() {
	if e.stepping && len(e.waiting)+len(e.running) == 0 {
		select {
		case e.deserted <- struct{}{}:
		default: // it is told already
		}
	}
}

func (e *engine) free(s *sequence) {
	if e.memory != nil {
		e.memory.giveBack(s.blocks)
	}
	s.blocks, s.published = nil, 0
}

// sleepUntil waits from now to a later time, unless the context ends before.
func sleepUntil(ctx context.Context, now, until time.Time) error {
	if !until.After(now) {
		return nil
	}
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
