package analytics

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// SamplingOptions say how the models sample. Zero values stand for the defaults, which macros.sql has.
type SamplingOptions struct {
	Seed            int      // seed of all sampling; 1 when 0
	Trials          int      // random orders of the images for the ranking stability (CaptionQA section 11); 100 when 0, the paper has 10
	Bootstraps      int      // bootstrap samples of images for the intervals of ranks; 500 when 0
	StabilityPrompt string   // caption prompt whose ranking is tried; Simple when empty
	PoolPrompts     []string // caption prompts of the pool on which readers are compared (section 3.5); Simple alone when empty
}

// maxTrials bounds what a mistyped number can ask for: a million trials take hours.
const maxTrials = 999_999

// variables lists the variable of each option, the macro that reads it and its value as SQL, empty for the default.
func (o SamplingOptions) variables() []struct{ name, macro, value string } {
	number := func(n int) string {
		if n == 0 {
			return ""
		}
		return fmt.Sprint(n)
	}
	prompt := ""
	if o.StabilityPrompt != "" {
		prompt = quote(o.StabilityPrompt)
	}
	prompts := ""
	if len(o.PoolPrompts) > 0 {
		prompts = quoteList(slices.Sorted(slices.Values(o.PoolPrompts)))
	}
	return []struct{ name, macro, value string }{
		{"seed", "sampling_seed()", number(o.Seed)},
		{"trials", "stability_trials()", number(o.Trials)},
		{"bootstraps", "bootstrap_samples()", number(o.Bootstraps)},
		{"stability_prompt", "stability_prompt()", prompt},
		{"pool_prompts", "in_pool(", prompts},
	}
}

// set hands the options to the macros of an engine. It is an error if one of them is out of range.
func (o SamplingOptions) set(ctx context.Context, e *engine) error {
	if o.Seed < 0 || o.Trials < 0 || o.Bootstraps < 0 {
		return data.WithHint(errors.New("the seed and the numbers of trials and bootstrap samples cannot be negative"), "leave them out for the defaults")
	}
	if o.Trials > maxTrials || o.Bootstraps > maxTrials {
		return data.WithHint(fmt.Errorf("%d trials are too many", max(o.Trials, o.Bootstraps)), "ask for %d at most", maxTrials)
	}
	for _, v := range o.variables() {
		if v.value == "" {
			continue
		}
		if err := e.exec(ctx, "set variable "+v.name+" = "+v.value); err != nil {
			return fmt.Errorf("set %s: %w", v.name, err)
		}
	}
	return nil
}

// of is the part of the options that a model depends on, for its fingerprint: other models are not built anew when the
// number of trials changes.
func (o SamplingOptions) of(m Model) string {
	var parts []string
	for _, v := range o.variables() {
		if v.value != "" && strings.Contains(m.Select, v.macro) {
			parts = append(parts, v.name+"="+v.value)
		}
	}
	return strings.Join(parts, " ")
}
