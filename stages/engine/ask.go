package engine

import (
	"context"
	"errors"
	"sync"

	"github.com/captionlake/captionlake/stages/llm"
)

// A Caller asks models. Its errors are those of package llm: a class that says whether the call failed for good, or was
// never answered and is to be asked again by the next run.
type Caller interface {
	Ask(ctx context.Context, r llm.Request, affinity llm.Affinity) (llm.Reply, error)
}

// ErrBudget is wrapped by the error of a caller whose budget is used up. The run then ends as one that drains: what is
// under way comes back and is kept.
var ErrBudget = errors.New("the budget is used up")

// An asking hands the pending requests of a walk to workers in the order of the plan, so that those that share a prefix are
// at the servers together and find it in their caches. None waits for another: vLLM shows a block to all others in the
// step that schedules it, so that a request sent ahead of its group would gain nothing.
type asking struct {
	walk     *walk
	log      *callLog
	caller   Caller
	workers  int        // requests under way at once at most; the caller may let fewer through
	writers  int        // further workers, for replies on their way to the disk while others are asked for
	parallel func() int // requests that are worth having under way now, at least 1; nil is workers

	mu    sync.Mutex
	wake  *sync.Cond
	group []*plannedCall // that are to be handed out next
	under int            // requests under way
	open  int            // calls that were handed out and are not done with: under way, or on their way to the disk
	err   error          // first error; the workers stop at it
}

// run asks all that is pending. It returns when every reply is in the journal, and the rows of every item are written.
func (a *asking) run(ctx context.Context) error {
	a.wake = sync.NewCond(&a.mu)
	for {
		if err := a.round(ctx); err != nil {
			return err
		}
		if more, err := a.walk.rest(); err != nil || !more {
			return err
		}
	}
}

// round asks what the walk gives out now.
func (a *asking) round(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	for range max(a.workers, 1) + a.writers {
		wg.Go(func() {
			for {
				t, ok := a.take()
				if !ok {
					return
				}
				err := a.ask(ctx, t)
				a.give(err)
				if err != nil && llm.ClassOf(err) != llm.ClassDrained && !errors.Is(err, ErrBudget) && !ofTheRun(err) {
					cancel() // Otherwise the calls in flight may come back.
				}
			}
		})
	}
	wg.Wait()
	return a.err
}

// take waits for a call.
func (a *asking) take() (*plannedCall, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for {
		switch {
		case a.err != nil:
			return nil, false
		case a.under >= a.enough():
			a.wake.Wait()
		case len(a.group) > 0:
			t := a.group[0]
			a.group = a.group[1:]
			a.under++
			a.open++
			a.wake.Signal() // There may be room for another.
			return t, true
		default:
			if a.group, a.err = a.walk.group(); a.err != nil {
				a.wake.Broadcast() // The workers end.
				continue
			}
			if len(a.group) > 0 {
				continue
			}
			if a.open == 0 {
				a.wake.Broadcast() // There is nothing left.
				return nil, false
			}
			a.wake.Wait() // A reply that cannot be read is asked for again.
		}
	}
}

// enough is the number of calls under way beyond which no other is begun.
func (a *asking) enough() int {
	if a.parallel != nil {
		return a.parallel()
	}
	return max(a.workers, 1)
}

// back notes that a request has come back, so that another can be under way.
func (a *asking) back() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.under--
	a.wake.Signal()
}

// give takes the outcome of a call.
func (a *asking) give(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open--
	if err != nil && a.err == nil {
		a.err = err
	}
	if err != nil || a.open == 0 {
		a.wake.Broadcast() // The workers end, or begin what is left.
		return
	}
	a.wake.Signal()
}

// ofTheRun reports whether a call failed for a reason that lies in the configuration, a wrong key or a model that is not
// served, so that the others would fail as well: the run ends, and nothing is recorded as failed.
func ofTheRun(err error) bool {
	class := llm.ClassOf(err)
	return class == llm.ClassAuth || class == llm.ClassNotFound || class == llm.ClassOtherModel
}

// ask makes one call, appends its record to the journal, and hands it to the walk. Its error ends the unit.
func (a *asking) ask(ctx context.Context, t *plannedCall) error {
	affinity := llm.Affinity{Key: t.group + "\x00" + a.walk.unit.Name, Calls: t.size}
	if t.embeds {
		affinity = llm.Affinity{} // Texts share no prefix with others.
	}
	reply, err := a.caller.Ask(ctx, *t.request, affinity)
	a.back()
	if err != nil {
		var call *llm.CallError
		if !errors.As(err, &call) || !call.Class.Failed() || ofTheRun(err) {
			return err
		}
	}
	record, err := a.log.record(t, reply, err)
	if err != nil {
		return err
	}
	kept := stateOf(record.State, record.FinishReason, record.CompletionTokens).quality(t) >= t.was
	if kept {
		if err := a.log.keep(record); err != nil {
			return err
		}
	}
	return a.walk.answered(t, record, kept, reply.Vectors)
}
