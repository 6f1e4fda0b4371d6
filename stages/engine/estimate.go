package engine

import (
	"cmp"
	"errors"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
)

// Estimate lists what the units of the run would ask now, and then what units would ask about
// results that the run has yet to make. If nothing can be asked, the error gives the reason, as in
// Run, and there are no estimates.
func (r *Runner) Estimate() (_ []Estimate, err error) {
	if r.speeds, err = data.QueryAll[speed](r.Lake, speeds); err != nil {
		return nil, err
	}
	estimates := []Estimate{}
	// First visit the units that can be asked now.
	nothingNow := r.each(false, func(u *unit, s *Scope, _ bool) error {
		e, err := r.estimate(u, s)
		estimates = append(estimates, e)
		return err
	})
	if nothingNow != nil && !errors.Is(nothingNow, ErrNothingToAsk) {
		return nil, nothingNow
	}
	// Then visit the units about results that the run has yet to make. There may be no such units.
	classes := map[string]Estimate{} // by stage and CostClass
	err = r.each(true, func(u *unit, s *Scope, _ bool) (err error) {
		class := u.stage + " " + u.CostClass
		e, known := classes[class]
		if !known || u.CostClass == "" {
			u.Reads = nil // The unit is always planned, because runs do not remember assumed items.
			if e, err = r.estimate(u, s); err != nil {
				return err
			}
			classes[class] = e
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
		return nil, nothingNow
	}
	return r.forecasts(estimates)
}

// estimate counts what a unit would ask now.
func (r *Runner) estimate(u *unit, s *Scope) (Estimate, error) {
	e := Estimate{Stage: u.stage, Unit: u.Name, Model: u.Model.ID, Note: u.Note}
	remembered, ok, err := r.memory.recalled(u, r.RetryFailed)
	if err != nil || ok {
		e.Planned, e.Failed, e.Priced = remembered.Planned, remembered.Failed, true // nothing is pending
		return e, err
	}
	p, err := r.planOf(u, s, r.asks())
	if err != nil {
		return e, err
	}
	p.sender = dryRun{p, func(_ []*request, bodies []llm.Request) error {
		e.add(bodies)
		return nil
	}}
	if err := p.run(); err != nil {
		return e, err
	}
	e.Planned, e.Failed = p.summary.Planned, p.summary.RecordedFailed
	if e.Pending > 0 {
		e.Replaces, err = p.replacement()
	}
	r.price(&e, u.Model.Served)
	return e, err
}

// AssumedReply is the number of tokens assumed for a reply if the lake has no replies of the model
// at the stage, and a reply may be that long. It is the length of a caption.
var AssumedReply = captionqa.AssumedTokens(captionqa.PromptSimple)

// price adds length of replies, time and cost to the counts of an estimate. served is the name of
// the model at its servers.
func (r *Runner) price(e *Estimate, served string) {
	measured := speed{}
	for _, s := range r.speeds {
		if s.Model == e.Model && s.Stage == e.Stage {
			measured = s
		}
	}
	if measured.Rate > 0 {
		e.Seconds = float64(e.Pending) / measured.Rate
	}
	e.Output = min(e.Most, int64(float64(e.Pending)*cmp.Or(measured.Tokens, float64(AssumedReply))))
	price := r.Config.Settings(served).Price // for a million tokens
	e.Priced = price != config.Price{} || e.Pending == 0
	prompts := price.Input*float64(e.Prompt-e.Shared) + price.Cached*float64(e.Shared)
	e.Cost = (prompts + price.Output*float64(e.Output)) / 1e6
	e.CostMost = (prompts + price.Output*float64(e.Most)) / 1e6
}

// forecasts adds estimates of the requests that later stages of a run will make about the results
// of earlier stages.
func (r *Runner) forecasts(estimates []Estimate) ([]Estimate, error) {
	for _, stage := range r.chosen() {
		if stage.Forecast == nil {
			continue
		}
		f, err := stage.Forecast(r.scope(stage.Name, true), estimates) // true: about results yet to be made
		if errors.Is(err, ErrNothingToAsk) {
			continue // A run skips this stage and says why.
		}
		if err != nil {
			return nil, err
		}
		one := Estimate{} // of a single group
		one.add(f.Group)
		groups, pending := int64(f.Groups), one.Pending*f.Groups
		if pending == 0 {
			continue
		}
		for _, m := range f.Models {
			e := Estimate{
				Stage: stage.Name, Unit: m.ID, Model: m.ID, Planned: pending, Pending: pending, Assumed: true,
				Prompt: one.Prompt * groups, Shared: one.Shared * groups, Most: one.Most * groups, Note: f.Note,
			}
			r.price(&e, m.Served)
			estimates = append(estimates, e)
		}
	}
	return estimates, nil
}
