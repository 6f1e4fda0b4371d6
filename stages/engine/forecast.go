package engine

import (
	"errors"

	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
)

// A Forecast is what a stage will ask about what the stages before it have yet to make, as far as a lake, or an assumption, tells.
type Forecast struct {
	Unit   string       // what is asked about, for people
	Model  config.Model // who is asked
	Groups int          // groups of requests of which Group is a typical one
	Group  []llm.Request
	Note   string // the assumption
}

// forecasts adds to the estimates of a run what the later of its stages will ask about what its earlier ones make.
func (r *Runner) forecasts(estimates []Estimate) ([]Estimate, error) {
	for _, stage := range r.chosen() {
		if stage.Forecast == nil {
			continue
		}
		s := &Scope{Lake: r.Lake, Config: r.Config, Choice: r.Choice, Ahead: true, runner: r, stage: stage.Name}
		all, err := stage.Forecast(s, estimates)
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
