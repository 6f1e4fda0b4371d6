package stages

import (
	"context"
	"errors"
	"iter"
	"sync"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/llm"
)

// An Engine carries work out: it asks what is not recorded, keeps every reply in the journal before it counts, and
// records the calls of a unit when all are there.
type Engine struct {
	Lake        *data.Lake
	Caller      Caller
	Workers     int              // requests under way at once at most; the caller may let fewer through
	Parallel    func() int       // requests that are worth having under way now, at least 1; nil is Workers
	RetryFailed bool             // ask again what failed or was truncated
	Progress    func(Progress)   // told after every reply; nil for none; called from one goroutine at a time
	Detail      func() any       // what is recorded of the servers with a finished unit, as JSON; nil for none
	Now         func() time.Time // nil is time.Now

	causes map[string]int // calls that failed, by error
}

// ErrBudget is wrapped by the error of a caller whose budget is used up. The run then ends as one that drains: what is
// under way comes back and is kept.
var ErrBudget = errors.New("the budget is used up")

// Progress says how far one unit of work is.
type Progress struct {
	Work      string // name of the unit
	Answered  int    // replies of this run, failed and truncated ones included
	Failed    int
	Truncated int
	Tokens    int64 // prompt and completion tokens of this run
}

// mostCauses bounds how many kinds of errors are counted: servers may word each in another way.
const mostCauses = 100

// A Summary is the end of one unit of work.
type Summary struct {
	Work      string `json:"work"`
	Planned   int    `json:"planned"`   // requests of the plan, equal ones of a part counted once
	Recorded  int    `json:"recorded"`  // of these, the lake held the reply, or an equal request of an earlier part got it
	Lacking   int    `json:"lacking"`   // of those recorded, the ones that failed or were truncated, which RetryFailed asks again
	Answered  int    `json:"answered"`  // asked in this run
	Failed    int    `json:"failed"`    // of those asked, the ones without a reply
	Truncated int    `json:"truncated"` // of those asked, the ones that ended at their largest number of tokens
	Prompt    int64  `json:"prompt_tokens"`
	Cached    int64  `json:"cached_tokens"`
	Output    int64  `json:"completion_tokens"`
}

// add counts the requests of another try.
func (s *Summary) add(more Summary) {
	s.Planned += more.Planned
	s.Recorded += more.Recorded
	s.Lacking += more.Lacking
	s.Answered += more.Answered
	s.Failed += more.Failed
	s.Truncated += more.Truncated
	s.Prompt += more.Prompt
	s.Cached += more.Cached
	s.Output += more.Output
}

// Run does one unit of work. When it is interrupted, all that came back is in the journal, and the same call goes on
// from there.
func (e *Engine) Run(ctx context.Context, w Work) (Summary, error) {
	summary := Summary{Work: w.Name}
	log, err := e.open(w)
	if err != nil {
		return summary, err
	}
	defer log.journal.Close()
	r := &unitRun{engine: e, work: w, log: log, summary: &summary}
	r.wake = sync.NewCond(&r.mu)
	for p, err := range parts(w) {
		if err != nil {
			return summary, err
		}
		if err := r.part(ctx, p); err != nil {
			return summary, err
		}
	}
	return summary, log.compact()
}

// unitRun hands the tasks of one unit to workers in the order of the plan, so that those that share a prefix are at the
// servers together and find it in their caches. None waits for another: vLLM shows a block to all others in the step that
// schedules it, so that a request sent ahead of its group would gain nothing.
type unitRun struct {
	engine *Engine
	work   Work
	log    *callLog

	mu       sync.Mutex
	wake     *sync.Cond
	next     func() (Group, error, bool)
	more     bool  // the part may have more groups
	group    Group // whose tasks are being handed out
	at       int   // position of the next of them
	under    int   // tasks under way
	err      error // first error; the workers stop at it
	summary  *Summary
	progress Progress
	known    standing // what was recorded of the part before
}

// part asks what is pending of a part. It returns when every reply is in the journal, where the next part finds the
// replies to requests that they have in common.
func (r *unitRun) part(ctx context.Context, p *part) error {
	known, err := standingOf(r.engine.Lake, r.work, p)
	if err != nil {
		return err
	}
	next, stop := iter.Pull2(p.pending(known, r.engine.RetryFailed, r.summary))
	defer stop()
	r.next, r.more, r.group, r.at, r.known = next, true, Group{}, 0, known
	return r.run(ctx)
}

func (r *unitRun) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r.progress.Work = r.work.Name
	var wg sync.WaitGroup
	for range max(r.engine.Workers, 1) {
		wg.Go(func() {
			for {
				task, affinity, ok := r.take()
				if !ok {
					return
				}
				err := r.ask(ctx, task, affinity)
				r.give(err)
				if err != nil && llm.ClassOf(err) != llm.ClassDrained && !errors.Is(err, ErrBudget) && !ofTheRun(err) {
					cancel() // Otherwise the calls in flight may come back.
				}
			}
		})
	}
	wg.Wait()
	return r.err
}

// take waits for a task. It comes with what tells the client of its place among those that share its prefix.
func (r *unitRun) take() (Task, llm.Affinity, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		switch {
		case r.err != nil || !r.more:
			return Task{}, llm.Affinity{}, false
		case r.under >= r.enough():
			r.wake.Wait()
		case r.at == len(r.group.Tasks):
			var err error
			if r.group, err, r.more = r.next(); err != nil {
				r.err = err
			}
			r.at = 0
			if err != nil || !r.more {
				r.wake.Broadcast() // The workers end.
			}
		default:
			r.at++
			r.under++
			r.wake.Signal() // There may be room for another.
			return r.group.Tasks[r.at-1], llm.Affinity{Key: r.group.Affinity, Calls: len(r.group.Tasks)}, true
		}
	}
}

// enough is the number of tasks under way beyond which no other is begun.
func (r *unitRun) enough() int {
	if r.engine.Parallel != nil {
		return r.engine.Parallel()
	}
	return max(r.engine.Workers, 1)
}

// give takes the outcome of a task back.
func (r *unitRun) give(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.under--
	if err == nil {
		r.wake.Signal()
		return
	}
	if r.err == nil {
		r.err = err
	}
	r.wake.Broadcast() // The workers end.
}

// ofTheRun reports whether a call failed for a reason that lies in the configuration, a wrong key or a model that is not
// served, so that the others would fail as well: the run ends, and nothing is recorded as failed.
func ofTheRun(err error) bool {
	class := llm.ClassOf(err)
	return class == llm.ClassAuth || class == llm.ClassNotFound || class == llm.ClassOtherModel
}

// ask makes one call and appends its record to the journal. Its error ends the unit.
func (r *unitRun) ask(ctx context.Context, t Task, affinity llm.Affinity) error {
	reply, err := r.engine.Caller.Chat(ctx, t.Request, affinity)
	if err != nil {
		var call *llm.CallError
		if !errors.As(err, &call) || !call.Class.Failed() || ofTheRun(err) {
			return err
		}
	}
	record, err := r.log.record(t, reply, err)
	if err != nil {
		return err
	}
	k, q, err := rank(t.Request, record)
	if err != nil {
		return err
	}
	// A cut-off reply that was asked for again stays when a failure is all that came of it.
	if q >= r.known[k] {
		if err := r.log.journal.Append(record); err != nil {
			return err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count(record)
	return nil
}

func (r *unitRun) count(c data.Call) {
	s, p := r.summary, &r.progress
	s.Answered++
	s.Prompt += c.PromptTokens
	s.Cached += c.CachedTokens
	s.Output += c.CompletionTokens
	switch c.State {
	case llm.StateFailed:
		s.Failed++
		if r.engine.causes == nil {
			r.engine.causes = map[string]int{}
		}
		if len(r.engine.causes) < mostCauses || r.engine.causes[c.Error] > 0 {
			r.engine.causes[c.Error]++
		}
	case llm.StateTruncated:
		s.Truncated++
	}
	p.Answered, p.Failed, p.Truncated, p.Tokens = s.Answered, s.Failed, s.Truncated, s.Prompt+s.Output
	if r.engine.Progress != nil {
		r.engine.Progress(*p)
	}
}
