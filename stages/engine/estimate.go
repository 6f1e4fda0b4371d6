package engine

import (
	"cmp"
	"errors"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
)

// Estimate says what the units of the run would ask now, and after them what would follow from what they make. Where
// nothing can be asked, the error says why, as that of Run does; it comes without estimates.
func (r *Runner) Estimate() (_ []Estimate, err error) {
	if r.speeds, err = data.QueryAll[speed](r.Lake, speeds); err != nil {
		return nil, err
	}
	estimates := []Estimate{}
	nothing := r.each(false, func(u *unit, s *Scope, _ bool) error {
		e, err := r.estimate(u, s)
		estimates = append(estimates, e)
		return err
	})
	if nothing != nil && !errors.Is(nothing, ErrNothingToAsk) {
		return nil, nothing
	}
	shapes := map[string]Estimate{}
	err = r.each(true, func(u *unit, s *Scope, _ bool) (err error) {
		shape := u.stage + " " + u.Shape
		e, known := shapes[shape]
		if !known || u.Shape == "" {
			u.Reads = nil // What is assumed is nothing that a run remembers.
			if e, err = r.estimate(u, s); err != nil {
				return err
			}
			shapes[shape] = e
		}
		if e.Planned > 0 {
			e.Unit, e.Assumed = u.Name, true
			estimates = append(estimates, e)
		}
		return nil
	})
	if err != nil && !errors.Is(err, ErrNothingToAsk) {
		return nil, err
	}
	if len(estimates) == 0 {
		return nil, nothing
	}
	return r.forecasts(estimates)
}

func (r *Runner) estimate(u *unit, s *Scope) (Estimate, error) {
	e := Estimate{Stage: u.stage, Unit: u.Name, Model: u.Model.ID, Note: u.Note}
	known, ok, err := r.recalled(u)
	if err != nil || ok {
		e.Planned, e.Failed, e.Priced = known.Planned, known.Failed, true
		return e, err
	}
	w, err := r.walk(u, s, r.asks(u))
	if err != nil {
		return e, err
	}
	w.asker = lister{w, func(group []*request) error {
		bodies := make([]llm.Request, len(group))
		for i, q := range group {
			if bodies[i], err = w.body(q); err != nil {
				return err
			}
		}
		e.add(bodies)
		return nil
	}}
	if err := w.run(); err != nil {
		return e, err
	}
	e.Planned, e.Failed = w.summary.Planned, w.summary.RecordedFailed
	if e.Pending > 0 {
		e.Replaces, err = w.replacement(r.pendingOnly(u))
	}
	r.price(&e, u.Model.Served)
	return e, err
}

// AssumedReply is how many tokens a reply is taken to have of a model whose replies at a stage are not recorded, where it may have as
// many: those of a caption.
var AssumedReply = captionqa.AssumedTokens(captionqa.PromptSimple)

// price adds length of replies, time and cost to the counts of an estimate.
func (r *Runner) price(e *Estimate, served string) {
	known := speed{}
	for _, s := range r.speeds {
		if s.Model == e.Model && s.Stage == e.Stage {
			known = s
		}
	}
	if known.Rate > 0 {
		e.Seconds = float64(e.Pending) / known.Rate
	}
	e.Output = min(e.Most, int64(float64(e.Pending)*cmp.Or(known.Tokens, float64(AssumedReply))))
	p := r.Config.Settings(served).Price
	e.Priced = p != config.Price{} || e.Pending == 0
	prompts := p.Input*float64(e.Prompt-e.Shared) + p.Cached*float64(e.Shared)
	e.Cost, e.CostMost = (prompts+p.Output*float64(e.Output))/1e6, (prompts+p.Output*float64(e.Most))/1e6
}

// forecasts adds to the estimates of a run what the later of its stages will ask about what its earlier ones make.
func (r *Runner) forecasts(estimates []Estimate) ([]Estimate, error) {
	for _, stage := range r.chosen() {
		if stage.Forecast == nil {
			continue
		}
		all, err := stage.Forecast(r.scope(stage.Name, true), estimates)
		if errors.Is(err, ErrNothingToAsk) {
			continue // A run does without this stage and says why.
		}
		if err != nil {
			return nil, err
		}
		for _, f := range all {
			if f.Groups == 0 {
				continue
			}
			one := Estimate{}
			one.add(f.Group)
			n, pending := int64(f.Groups), one.Pending*f.Groups
			e := Estimate{
				Stage: stage.Name, Unit: f.Unit, Model: f.Model.ID, Planned: pending, Pending: pending, Prompt: one.Prompt * n,
				Shared: one.Shared * n, Most: one.Most * n, Assumed: true, Note: f.Note,
			}
			r.price(&e, f.Model.Served)
			estimates = append(estimates, e)
		}
	}
	return estimates, nil
}
