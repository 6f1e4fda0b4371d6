package stages

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages/llm"
)

// A gate looks at the servers before the first request of a step goes through: whether any is there at all, and under the
// constrained protocol whether all honour constraints. So a step with nothing to ask needs no server.
type gate struct {
	Client
	step   Step
	new    bool              // nothing has been asked at the endpoint yet
	before []llm.ServerFacts // what the servers said of themselves; nil when nothing was asked

	once sync.Once
	err  error
}

func (g *gate) Chat(ctx context.Context, q llm.Request, affinity llm.Affinity) (llm.Reply, error) {
	g.once.Do(func() { g.err = g.look(ctx) })
	if g.err != nil {
		return llm.Reply{}, g.err
	}
	return g.Client.Chat(ctx, q, affinity)
}

func (g *gate) look(ctx context.Context) error {
	g.before = g.Facts(ctx)
	// Servers that vanish later may come back, which the client waits for; those that were never there are a mistake.
	if g.new && len(g.before) > 0 && !slices.ContainsFunc(g.before, func(f llm.ServerFacts) bool { return f.Class != llm.ClassTransport }) {
		return data.WithHint(fmt.Errorf("no server of endpoint %s is there: %s", g.step.Endpoint.Name, g.before[0].Error),
			"start it, or mend its address in %s, and look with: captionlake doctor", ConfigFile)
	}
	if g.step.Protocol == captionqa.ProtocolConstrained {
		return probe(ctx, g.Client, g.step.Model.Served)
	}
	return nil
}

// probe refuses the constrained protocol where a server ignores the constraint, or does not say.
func probe(ctx context.Context, c Client, model string) error {
	for _, v := range c.ProbeConstraint(ctx, model) {
		switch {
		case v.Failed == llm.ClassAuth || v.Failed == llm.ClassNotFound:
			return resumable(&llm.CallError{Class: v.Failed, Message: v.Detail})
		case v.Failed != "" && v.Failed != llm.ClassRefused && v.Failed != llm.ClassInvalid:
			return data.WithHint(fmt.Errorf("whether %s honours constraints, which protocol %s needs, cannot be seen: %s", v.Endpoint, captionqa.ProtocolConstrained, v.Detail),
				"look at the server with: captionlake doctor; or take it out of %s", ConfigFile)
		case !v.Honoured:
			return data.WithHint(fmt.Errorf("%s: protocol %s is refused: %s", v.Endpoint, captionqa.ProtocolConstrained, v.Detail),
				"use the protocol %s, or a server that honours structured_outputs", captionqa.ProtocolUpstream)
		}
	}
	return nil
}
