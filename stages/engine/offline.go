package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
	"github.com/captionlake/captionlake/stages/preflight"
)

// An Offline is a unit with requests that are answered offline; the replies come in files.
type Offline struct {
	Unit  data.Unit // records its calls
	Model config.Model

	runner *Runner
	unit   *unit
	scope  *Scope
}

// EachOffline visits the units of the run that may have pending requests. It holds each unit during
// do, so that no other process asks the same requests. If another process holds a unit, EachOffline
// tries the unit again after the other units of its stage. A unit that is still held then is an
// error.
func (r *Runner) EachOffline(do func(*Offline) error) error {
	// false: units about results that the run has yet to make are left out.
	return r.each(false, func(u *unit, s *Scope, _ bool) error {
		if _, ok, err := r.memory.recalled(u, r.RetryFailed); err != nil || ok {
			return err
		}
		release, err := r.Lake.Hold(u.calls().FileStem())
		if err != nil {
			return err
		}
		defer release()
		return do(&Offline{u.calls(), u.Model, r, u, s})
	})
}

// Pending calls each with the pending requests of the unit, and their hashes, in the order of the
// plan. As in a run, it is an error if settings have changed since replies were recorded.
func (o *Offline) Pending(each func(hash string, r llm.Request) error) error {
	p, err := o.runner.planOf(o.unit, o.scope, o.runner.pending)
	if err != nil {
		return err
	}
	if err := o.runner.reporting(p); err != nil {
		return err
	}
	// Changed settings are an error only if there is something to ask, so they are checked when the
	// first group comes.
	allowed := o.runner.Replace
	p.sender = dryRun{p, func(group []*request, bodies []llm.Request) error {
		if !allowed {
			if err := p.refusal(); err != nil {
				return err
			}
			allowed = true
		}
		for i, q := range group {
			if err := each(q.hash, bodies[i]); err != nil {
				return fmt.Errorf("%s: %w", q.item.Subject, err)
			}
		}
		return nil
	}}
	return p.run()
}

// Offline finds a stage's unit by name, in the configuration that a choice narrows.
func (r *Runner) Offline(stage, name string, choice config.Choice) (*Offline, error) {
	at := slices.IndexFunc(r.Stages, func(s Stage) bool { return s.Name == stage })
	if at < 0 {
		return nil, fmt.Errorf("there is no stage %q", stage)
	}
	narrowed := r.Config.Narrow(choice)
	choice.Stage = stage       // as if the user had named only this stage
	s := r.scope(stage, false) // false: as in the export, only about results that the lake has
	s.Config, s.Choice = &narrowed, choice
	// A stage with nothing to ask has no units: the last error below reports the missing unit.
	if err := r.Stages[at].Units(s); err != nil && !errors.Is(err, ErrNothingToAsk) {
		return nil, err
	}
	for _, u := range s.units {
		if u.Name == name {
			return &Offline{u.calls(), u.Model, r, u, s}, nil
		}
	}
	return nil, data.Errorf("use the configuration and the lake that the batch was exported from",
		"the configuration and the lake no longer have the unit %s %s of the batch", stage, name)
}

// A Store has replies to requests, and answers as a server would. Has reports whether the store has
// a reply to the request r with this hash that is better than the recorded reply. The function
// better compares the store's reply with the recorded reply.
type Store interface {
	preflight.Caller
	Has(hash string, r llm.Request, better func(llm.Reply) bool) bool
}

// storeOpen is the number of replies that may wait at once for one write of the journal.
const storeOpen = 256

// Take records the replies of a store as if they had come from a server, and makes their rows.
func (o *Offline) Take(ctx context.Context, from Store, detail func() any) (Report, error) {
	asks := func(q *request) bool {
		body, err := o.unit.body(q) // The plan has made the same request before, without an error.
		return err == nil &&
			from.Has(q.hash, body, func(reply llm.Reply) bool { return q.rank(&reply) > q.rank(q.recorded) })
	}
	done, err := o.runner.carryOut(ctx, o.unit, o.scope, &liveSender{caller: from, most: storeOpen}, asks, detail)
	return done, errors.Join(err, o.runner.memory.save())
}
