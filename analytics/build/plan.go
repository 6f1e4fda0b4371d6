package build

import (
	"cmp"
	"context"
	"slices"

	"github.com/captionlake/captionlake/analytics/sqlmodel"
)

// sideBySide builds models side by side, at most atOnce at a time. It builds each model when the
// models that it reads are done. Of several such models it begins with the one that the longest
// chain of other models waits for. build is given an input that failed, or an empty text. done is
// called for one model after another. When the context ends, no further model begins.
func sideBySide(ctx context.Context, models []sqlmodel.Model, atOnce int, build func(m sqlmodel.Model, failed string) error, done func(m sqlmodel.Model, err error)) {
	chain := map[string]int{} // length of the longest chain that waits for a model
	for _, m := range slices.Backward(models) {
		for _, input := range m.Inputs {
			chain[input] = max(chain[input], chain[m.Name]+1)
		}
	}
	type end struct {
		model sqlmodel.Model
		err   error
	}
	ends, ended, running := make(chan end), map[string]error{}, 0
	waiting := slices.Clone(models)
	ready := func(m sqlmodel.Model) bool {
		return !slices.ContainsFunc(m.Inputs, func(input string) bool {
			_, over := ended[input]
			return !over && slices.ContainsFunc(models, func(o sqlmodel.Model) bool { return o.Name == input })
		})
	}
	for {
		for running < atOnce && ctx.Err() == nil {
			able := slices.DeleteFunc(slices.Clone(waiting), func(m sqlmodel.Model) bool { return !ready(m) })
			if len(able) == 0 {
				break
			}
			m := slices.MaxFunc(able, func(x, y sqlmodel.Model) int { return cmp.Compare(chain[x.Name], chain[y.Name]) })
			waiting = slices.DeleteFunc(waiting, func(o sqlmodel.Model) bool { return o.Name == m.Name })
			failed := ""
			if i := slices.IndexFunc(m.Inputs, func(input string) bool { return ended[input] != nil }); i >= 0 {
				failed = m.Inputs[i]
			}
			running++
			go func() { ends <- end{m, build(m, failed)} }()
		}
		if running == 0 {
			return
		}
		e := <-ends
		running--
		ended[e.model.Name] = e.err
		done(e.model, e.err)
	}
}
