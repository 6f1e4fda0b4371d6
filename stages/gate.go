package stages

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages/llm"
)

// A gate looks at the servers before the first request of a step goes through: whether any is there at all, under the
// constrained protocol whether all honour constraints, and whether they take as many tokens as are asked for. So a step
// with nothing to ask needs no server. It ends a step whose model thinks and never answers, and remembers what a user should
// know of the replies.
type gate struct {
	Client
	step   Step
	new    bool              // nothing has been asked at the endpoint yet
	before []llm.ServerFacts // what the servers said of themselves; nil when nothing was asked

	once  sync.Once
	err   error
	limit contextLimit

	spoken    atomic.Bool  // some reply had an answer
	silent    atomic.Int32 // replies of thoughts alone
	shortened atomic.Bool  // a reply was cut off by the context
	tooLong   atomic.Bool  // a prompt was longer than the context
}

// silentReplies is how many thoughts without an answer, and no answer beside them, end a step: more would cost as much and
// say no more. Fewer are recorded as failed, since a model may lose itself in thought now and then.
const silentReplies = 3

func (g *gate) Chat(ctx context.Context, q llm.Request, affinity llm.Affinity) (llm.Reply, error) {
	g.once.Do(func() { g.err = g.look(ctx) })
	if g.err != nil {
		return llm.Reply{}, g.err
	}
	if err := g.limit.allows(q.Sampling.MaxTokens); err != nil {
		return llm.Reply{}, err
	}
	reply, err := g.Client.Chat(ctx, q, affinity)
	switch class := llm.ClassOf(err); {
	case err == nil:
		g.spoken.Store(true)
		if g.limit.shortens(q, reply) {
			g.shortened.Store(true)
		}
	case class == llm.ClassContextLength:
		g.tooLong.Store(true)
	case class == llm.ClassSilent && g.silent.Add(1) >= silentReplies && !g.spoken.Load():
		// It is the step that failed, not this request alone: so the error is none of a call.
		return reply, data.WithHint(fmt.Errorf("%s has not answered once: %s", g.step.Model.Served, err),
			"%s, or allow it more tokens; then look with: captionlake doctor", llm.StopThinking)
	}
	return reply, err
}

// note is what a user should know of the replies; empty when there is nothing.
func (g *gate) note() string {
	var notes []string
	model, limit := g.step.Model.Served, g.limit.tokens
	if g.shortened.Load() {
		notes = append(notes, fmt.Sprintf("Replies of %s were cut off before max_tokens, because the server's max_model_len %d is all that prompt and reply have: "+
			"serve it with a larger --max-model-len, and then: captionlake run --retry-failed", model, limit))
	}
	if g.tooLong.Load() {
		notes = append(notes, fmt.Sprintf("Prompts for %s are longer than the server's context and failed: serve it with a larger --max-model-len, and then: captionlake run --retry-failed", model))
	}
	if n := g.silent.Load(); n > 0 {
		notes = append(notes, fmt.Sprintf("%d replies of %s are thoughts without an answer and count as failed: %s, or allow it more tokens", n, model, llm.StopThinking))
	}
	return strings.Join(notes, "\n")
}

func (g *gate) look(ctx context.Context) error {
	g.before = g.Facts(ctx)
	// Servers that vanish later may come back, which the client waits for; those that were never there are a mistake.
	if g.new && len(g.before) > 0 && !slices.ContainsFunc(g.before, func(f llm.ServerFacts) bool { return f.Class != llm.ClassTransport }) {
		return data.WithHint(fmt.Errorf("no server of endpoint %s is there: %s", g.step.Endpoint.Name, g.before[0].Error),
			"start it, or mend its address in %s, and look with: captionlake doctor", ConfigFile)
	}
	g.limit = limitOf(g.before, g.step.Model.Served)
	if g.step.Protocol == captionqa.ProtocolConstrained {
		return probe(ctx, g.Client, g.step.Model)
	}
	return nil
}

// probe refuses the constrained protocol where a server ignores the constraint, or does not say.
func probe(ctx context.Context, c Client, model ModelName) error {
	for _, v := range c.ProbeConstraint(ctx, model.Served, model.Flags) {
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
