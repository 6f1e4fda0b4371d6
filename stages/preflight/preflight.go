// Package preflight has what every request of a unit goes through before a model is asked.
package preflight

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
)

// A Caller asks models. Its errors are those of package llm: a class that says whether the call
// failed for good, or was never answered and is to be asked again by the next run.
type Caller interface {
	Ask(ctx context.Context, r llm.Request, affinity string) (llm.Reply, error)
}

// A Client is what a run needs of an endpoint's servers.
type Client interface {
	Caller
	Parallel() int
	Facts(ctx context.Context) []llm.ServerFacts
	ProbeConstraint(ctx context.Context, model string, flags map[string]bool) []llm.ConstraintVerdict
	Drain()
}

var _ Client = (*llm.Client)(nil)

// ErrBudget is wrapped by the error of a caller whose budget is used up. The run then ends as one
// that drains: what is under way comes back and is kept.
var ErrBudget = errors.New("the budget is used up")

// A Check is what the requests of a unit go through. Before the first it checks that none asks
// again under other settings what has a reply, without being told to; and the servers: whether any
// answers at all, under the constrained protocol whether all honour constraints, and whether they
// take as many tokens as are asked for. So a unit with nothing to ask needs no server. It keeps to
// the budget, ends a unit whose model thinks and never answers or whose server is none, and
// remembers what a user should know of the replies.
type Check struct {
	Client
	Model    config.Model
	Protocol string
	Endpoint config.Endpoint
	Budget   config.Budget
	Spent    *Spending    // of the run
	Refuse   func() error // says what would be asked again under other settings; nil where that is wanted

	facts []llm.ServerFacts // what the servers said of themselves; nil when nothing was asked
	once  sync.Once
	err   error
	limit config.ContextLimit

	spoken    atomic.Bool  // some reply had an answer
	unread    atomic.Int32 // calls since the last reply whose every attempt brought something that is none
	silent    atomic.Int32 // replies of thoughts alone
	mute      atomic.Int32 // replies without the log-probabilities that were asked for
	timed     atomic.Int64 // replies,
	took      atomic.Int64 // microseconds of all of them,
	began     time.Time    // from the first request
	last      atomic.Int64 // to the last reply, in microseconds after it
	counted   llm.Counters // of all servers during the unit
	shortened atomic.Bool  // a reply was cut off by the context
	tooLong   atomic.Bool  // a prompt was longer than the context
}

// Spending counts what a run has cost so far.
type Spending struct {
	requests, tokens atomic.Int64
	endpoints        sync.Map // that have been asked something
}

// silentReplies is how many thoughts without an answer, or replies without log-probabilities, and
// no answer beside them, end a unit: more would cost as much and say no more. Fewer are recorded as
// failed, since a model may lose itself in thought now and then.
const silentReplies = 3

// manyInFlight is how many requests in flight tell whether a server's process holds them back: of
// few, the network's share is large.
const manyInFlight = 64

// unreadCalls is how many calls in a row, each with all its attempts, end a unit when what comes
// back is no reply: then no model answers at the address. One request alone may well bring none.
const unreadCalls = 8

func (p *Check) Ask(ctx context.Context, q llm.Request, affinity string) (llm.Reply, error) {
	if err := p.allows(); err != nil {
		return llm.Reply{}, err
	}
	if p.once.Do(func() { p.err, p.began = p.check(ctx), time.Now() }); p.err != nil {
		return llm.Reply{}, p.err
	}
	if err := p.limit.Allows(q.Sampling.MaxTokens); err != nil {
		return llm.Reply{}, err
	}
	reply, err := p.Client.Ask(ctx, q, affinity)
	err = config.Advise(err, p.Endpoint.Dialect)
	p.Spent.tokens.Add(reply.PromptTokens + reply.CompletionTokens)
	switch class := llm.ClassOf(err); {
	case err == nil:
		p.spoken.Store(true)
		if reply.LatencyMS != nil {
			p.timed.Add(1)
			p.took.Add(int64(1000 * *reply.LatencyMS))
			p.last.Store(time.Since(p.began).Microseconds())
		}
		p.unread.Store(0)
		if p.limit.Shortens(q, reply) {
			p.shortened.Store(true)
		}
	case class == llm.ClassContextLength:
		p.tooLong.Store(true)
	case (class == llm.ClassMalformed || class == llm.ClassEmpty) && p.unread.Add(1) >= unreadCalls:
		return reply, data.WithHint(fmt.Errorf("endpoint %s has brought no reply to %d calls in a row: %s", p.Endpoint.Name, unreadCalls, err),
			"see what answers at its address in %s: captionlake doctor; and then: captionlake run --retry-failed", config.File)
	case class == llm.ClassNoLogprobs && p.mute.Add(1) >= silentReplies && !p.spoken.Load():
		return reply, data.WithHint(fmt.Errorf("%s has given no log-probabilities: %s", p.Model.Served, err),
			"use the protocol %s, or a server that gives them; then check with: captionlake doctor", captionqa.ProtocolUpstream)
	case class == llm.ClassSilent && p.silent.Add(1) >= silentReplies && !p.spoken.Load():
		// It is the unit that failed, not this request alone: so the error is not that of a call.
		return reply, data.WithHint(fmt.Errorf("%s has not answered once: %s", p.Model.Served, err),
			"%s, or allow it more tokens; then check with: captionlake doctor", llm.StopThinking)
	}
	return reply, err
}

// Note is what a user should know of the replies; empty when there is nothing.
func (p *Check) Note() string {
	var notes []string
	model, limit := p.Model.Served, p.limit.Tokens
	if p.shortened.Load() {
		notes = append(notes, fmt.Sprintf("Replies of %s were cut off before max_tokens, because the server's max_model_len %d is all that prompt and reply have: "+
			"serve it with a larger --max-model-len, and then: captionlake run --retry-failed", model, limit))
	}
	if p.tooLong.Load() {
		notes = append(notes, fmt.Sprintf("Prompts for %s are longer than the server's context and failed: serve it with a larger --max-model-len, and then: captionlake run --retry-failed", model))
	}
	if n := p.silent.Load(); n > 0 {
		notes = append(notes, fmt.Sprintf("%d replies of %s are thoughts without an answer and count as failed: %s, or allow it more tokens", n, model, llm.StopThinking))
	}
	mean, inFlight := float64(p.took.Load())/1e6/float64(max(p.timed.Load(), 1)), float64(p.took.Load())/float64(max(p.last.Load(), 1))
	if engine, slow := p.counted.HoldsBack(mean); slow && inFlight >= manyInFlight && !p.Model.Simulated() {
		notes = append(notes, fmt.Sprintf("Of %.0f requests in flight the engine of %s had %.0f: %s", inFlight, model, inFlight*engine/mean, llm.MoreServers))
	}
	return strings.Join(notes, "\n")
}

// check is the check before the first request.
func (p *Check) check(ctx context.Context) error {
	if p.Refuse != nil {
		if err := p.Refuse(); err != nil {
			return err
		}
	}
	p.facts = p.Facts(ctx)
	// Servers that vanish later may come back, which the client waits for; those that were never
	// there are a mistake.
	if _, asked := p.Spent.endpoints.LoadOrStore(p.Endpoint.Name, true); !asked && len(p.facts) > 0 && !slices.ContainsFunc(p.facts, func(f llm.ServerFacts) bool { return f.Class != llm.ClassTransport }) {
		return data.WithHint(fmt.Errorf("no server of endpoint %s answers: %s", p.Endpoint.Name, p.facts[0].Error),
			"start it, or correct its address in %s, and check with: captionlake doctor", config.File)
	}
	p.limit = config.LimitOf(p.facts, p.Model.Served)
	if p.Protocol == captionqa.ProtocolConstrained {
		return probe(ctx, p.Client, p.Model)
	}
	return nil
}

// probe refuses the constrained protocol where a server ignores the constraint, or does not say.
func probe(ctx context.Context, c Client, model config.Model) error {
	for _, v := range c.ProbeConstraint(ctx, model.Served, model.Flags) {
		switch {
		case v.Failed == llm.ClassAuth || v.Failed == llm.ClassNotFound:
			return &llm.CallError{Class: v.Failed, Message: v.Detail}
		case v.Failed != "" && v.Failed != llm.ClassRefused && v.Failed != llm.ClassParameter:
			return data.WithHint(fmt.Errorf("it is unknown whether %s honours constraints, which protocol %s needs: %s", v.Endpoint, captionqa.ProtocolConstrained, v.Detail),
				"check the server with: captionlake doctor; or remove it from %s", config.File)
		case !v.Honoured:
			return data.WithHint(fmt.Errorf("%s: protocol %s is refused: %s", v.Endpoint, captionqa.ProtocolConstrained, v.Detail),
				"use the protocol %s, or a server that honours structured_outputs", captionqa.ProtocolUpstream)
		}
	}
	return nil
}

// Record is what runs.detail keeps of the servers that answered, and of the price at which they
// did, so that what a result has cost can be told when prices have changed.
func (p *Check) Record(ctx context.Context, price config.Price) any {
	type replica struct {
		Endpoint string        `json:"endpoint"`
		Version  string        `json:"version"`
		Metrics  *llm.Counters `json:"metrics,omitempty"` // what the server counted during the unit
	}
	record := struct {
		Image    string       `json:"image,omitempty"`
		Price    config.Price `json:"price,omitzero"`
		Replicas []replica    `json:"replicas"`
	}{Image: p.Endpoint.Image, Price: price}
	for i, a := range p.Facts(ctx) {
		one := replica{Endpoint: a.Endpoint, Version: a.Version}
		if i < len(p.facts) && p.facts[i].Counters != nil && a.Counters != nil {
			since := a.Counters.Since(*p.facts[i].Counters)
			one.Metrics = &since
			p.counted.Add(since)
		}
		record.Replicas = append(record.Replicas, one)
	}
	return record
}

// allows ends a run that has cost what the configuration allows.
func (p *Check) allows() error {
	requests, tokens := p.Spent.requests.Add(1), p.Spent.tokens.Load()
	if p.Budget.Requests > 0 && requests > p.Budget.Requests || p.Budget.Tokens > 0 && tokens >= p.Budget.Tokens {
		return data.WithHint(fmt.Errorf("%w: %d requests, %d tokens", ErrBudget, requests-1, tokens),
			"raise the budget in %s and run the same command again: every reply is kept", config.File)
	}
	return nil
}
