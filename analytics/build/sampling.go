package build

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
)

// sampling are the variables that macros of sql/macros/spellings.sql read, and their values as SQL:
// pool_prompts, which a run may choose, and for tests sampling_seed and stability_trials. The
// macros have the defaults.
type sampling map[string]string

// set hands the values to the macros of an engine.
func (s sampling) set(ctx context.Context, e *engine.Engine) error {
	for name, value := range s {
		if err := e.Exec(ctx, "set variable "+name+" = "+value); err != nil {
			return fmt.Errorf("set %s: %w", name, err)
		}
	}
	return nil
}

// of are the variables that a model depends on, with their values, for the model's fingerprint. A
// model that depends on none of them is not built anew when another prompt is chosen.
func (s sampling) of(m sqlmodel.Model) (settings string) {
	// The macro in_pool calls pool_prompts, so a model that calls in_pool depends on pool_prompts.
	calls := strings.ReplaceAll(m.Select, "in_pool(", "pool_prompts(")
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if strings.Contains(calls, name+"(") {
			settings += " " + name + "=" + s[name]
		}
	}
	return settings
}
