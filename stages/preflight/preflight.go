// Package preflight checks the requests of a unit before a model is asked.
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

// A Caller asks models. Its errors are errors of package llm: their class says whether the call
// failed for good, or was never answered and has to be asked again by the next run.
type Caller interface {
	Ask(ctx context.Context, r llm.Request, affinity string) (llm.Reply, error)
}

// A Client is what a run needs from an endpoint's servers.
type Client interface {
	Caller
	Parallel() int
	Facts(ctx context.Context) []llm.ServerFacts
	ProbeConstraint(ctx context.Context, model string, flags map[string]any) []llm.ConstraintVerdict
	Drain()
}

var _ Client = (*llm.Client)(nil)

// ErrBudget is wrapped by the error of a request beyond the budget. The run then ends like a
// drained run: replies under way are awaited and kept.
var ErrBudget = errors.New("the budget is used up")

// A Check is a Caller for the requests of a unit, and adds checks.
//
// Before the first request it checks that no recorded request would be repeated under changed
// settings, unless the user wants that. It also checks whether any server answers, whether all
// servers honour constraints if the protocol is constrained, and whether the servers allow as many
// tokens as are asked for. A unit with nothing to ask makes no first request, so it needs no
// server. A Check keeps to the budget, and ends a unit if its model only thinks and never answers,
// or if the address has no model server. A Check collects messages for the user about the replies.
type Check struct {
	Client
	Model    config.Model
	Protocol string
	Endpoint config.Endpoint
	Budget   config.Budget
	Spent    *Spending    // by the run
	Refuse   func() error // error if requests would be repeated under other settings; nil if the user wants that

	once  sync.Once         // makes the check before the first request
	err   error             // result of that check
	facts []llm.ServerFacts // the servers' facts about themselves at that check; nil if nothing was asked
	limit config.ContextLimit

	mu        sync.Mutex   // guards the fields below
	answered  bool         // some reply had an answer
	unread    int          // calls, since the last valid reply, that got invalid replies to all attempts
	silent    int          // replies with only thoughts
	mute      int          // replies without the requested log-probabilities
	timed     int          // replies with a known duration
	took      float64      // milliseconds of all these replies
	began     time.Time    // time of the first request
	last      time.Time    // time of the last reply
	counted   llm.Counters // of all servers during the unit
	shortened bool         // a reply was cut off by the context
	tooLong   bool         // a prompt was longer than the context
}

// Spending counts what a run has cost so far.
type Spending struct {
	requests, tokens atomic.Int64
	endpoints        sync.Map // names of the endpoints that were asked something
}

// silentReplies is the number of replies with only thoughts, or without log-probabilities, that
// ends a unit without any answer. Further replies would cost money and show nothing new. With fewer
// such replies the unit goes on and records them as failed, because a model may now and then think
// without end.
const silentReplies = 3

// manyInFlight is the number of requests in flight from which on times show whether a server's
// process holds them back. With few requests, the network's share of the time is large.
const manyInFlight = 64

// unreadCalls is the number of calls in a row that ends a unit if all attempts of these calls get
// invalid replies: then no model answers at the address. A single call may well fail in this way.
const unreadCalls = 8

// Ask implements Caller: it checks a request, asks the model, and counts the reply.
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
	p.mu.Lock()
	defer p.mu.Unlock()
	// Errors that the cases make have no class, so they end the unit: not only this request failed.
	switch class := llm.ClassOf(err); {
	case err == nil:
		p.answered, p.unread = true, 0
		if reply.LatencyMS != nil {
			p.timed++
			p.took += *reply.LatencyMS
			p.last = time.Now()
		}
		p.shortened = p.shortened || p.limit.Shortens(q, reply)
	case class == llm.ClassContextLength:
		p.tooLong = true
	case class == llm.ClassMalformed || class == llm.ClassEmpty:
		if p.unread++; p.unread >= unreadCalls {
			return reply, data.WithHint(fmt.Errorf("endpoint %s gave no reply to %d calls in a row: %s", p.Endpoint.Name,
				unreadCalls, err),
				"see what answers at its address in %s: captionlake doctor; and then: captionlake run --retry-failed",
				config.File)
		}
	case class == llm.ClassNoLogprobs:
		if p.mute++; p.mute >= silentReplies && !p.answered {
			return reply, data.WithHint(fmt.Errorf("%s has given no log-probabilities: %s", p.Model.Served, err),
				"use the protocol %s, or a server that gives them; then check with: captionlake doctor",
				captionqa.ProtocolUpstream)
		}
	case class == llm.ClassSilent:
		if p.silent++; p.silent >= silentReplies && !p.answered {
			return reply, data.WithHint(fmt.Errorf("%s has not answered once: %s", p.Model.Served, err),
				"%s, or allow it more tokens; then check with: captionlake doctor", llm.StopThinking)
		}
	}
	return reply, err
}

// Note is a message to the user about the replies; empty if there is nothing to say. It is complete
// only after Record, which counts how long the servers took.
func (p *Check) Note() string {
	var notes []string
	model, limit := p.Model.Served, p.limit.Tokens
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if p.shortened {
		note("Replies of %s were cut off before max_tokens, "+
			"because the server's max_model_len %d is all that prompt and reply have: "+
			"serve it with a larger --max-model-len, and then: captionlake run --retry-failed", model, limit)
	}
	if p.tooLong {
		note("Prompts for %s are longer than the server's context and failed: "+
			"serve it with a larger --max-model-len, and then: captionlake run --retry-failed", model)
	}
	if p.silent > 0 {
		note("%d replies of %s are thoughts without an answer and count as failed: %s, or allow it more tokens",
			p.silent, model, llm.StopThinking)
	}
	// mean is the mean time of a reply in seconds, engine the part of it that a request spends in the
	// server's engine, and inFlight the mean number of requests in flight. The advice is about
	// vLLM, so a rehearsal model gets no such note.
	mean, inFlight := p.took/1000/float64(max(p.timed, 1)), p.took/max(1000*p.last.Sub(p.began).Seconds(), 1)
	if engine, slow := p.counted.HoldsBack(mean); slow && inFlight >= manyInFlight && !p.Model.Simulated() {
		note("Of %.0f requests in flight the engine of %s had %.0f: %s", inFlight, model, inFlight*engine/mean,
			llm.MoreServers)
	}
	return strings.Join(notes, "\n")
}

// check is the check before the first request. It refuses repeated requests, an endpoint without
// any server that answers, and, under the constrained protocol, servers that ignore constraints.
func (p *Check) check(ctx context.Context) error {
	if p.Refuse != nil {
		if err := p.Refuse(); err != nil {
			return err
		}
	}
	p.facts = p.Facts(ctx)
	// The client waits for servers that disappear later, since they may come back. If no server
	// answers at first, the user forgot to start one or wrote a wrong address. A server that is only
	// slow, or reports an error, counts as reached.
	_, wasAsked := p.Spent.endpoints.LoadOrStore(p.Endpoint.Name, true)
	isReached := slices.ContainsFunc(p.facts, func(f llm.ServerFacts) bool { return f.Class != llm.ClassTransport })
	if !wasAsked && len(p.facts) > 0 && !isReached {
		return data.WithHint(fmt.Errorf("no server of endpoint %s answers: %s", p.Endpoint.Name, p.facts[0].Error),
			"start it, or correct its address in %s, and check with: captionlake doctor", config.File)
	}
	p.limit = config.LimitOf(p.facts, p.Model.Served)
	if p.Protocol == captionqa.ProtocolConstrained {
		return probe(ctx, p.Client, p.Model)
	}
	return nil
}

// probe refuses the constrained protocol if a server ignores the constraint, or if that is unknown.
func probe(ctx context.Context, c Client, model config.Model) error {
	for _, v := range c.ProbeConstraint(ctx, model.Served, model.Flags) {
		switch {
		case v.Failed == llm.ClassAuth || v.Failed == llm.ClassNotFound: // The class decides the hint of the run.
			return &llm.CallError{Class: v.Failed, Message: v.Detail}
		// A server that refuses the constraint does not honour it: the last case reports it.
		case !slices.Contains([]llm.Class{"", llm.ClassRefused, llm.ClassParameter}, v.Failed):
			return data.WithHint(fmt.Errorf("it is unknown whether %s honours constraints, which protocol %s needs: %s",
				v.Endpoint, captionqa.ProtocolConstrained, v.Detail),
				"check the server with: captionlake doctor; or remove it from %s", config.File)
		case !v.Honoured:
			return data.WithHint(fmt.Errorf("%s: protocol %s is refused: %s", v.Endpoint, captionqa.ProtocolConstrained,
				v.Detail),
				"use the protocol %s, or a server that honours structured_outputs", captionqa.ProtocolUpstream)
		}
	}
	return nil
}

// Record returns the content of the column runs.detail: the servers, their counters during the
// unit, and the price. With the price, the cost of a result is known after prices change.
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
	for i, now := range p.Facts(ctx) { // in the order of p.facts, which is empty if nothing was asked
		r := replica{Endpoint: now.Endpoint, Version: now.Version}
		if i < len(p.facts) && p.facts[i].Counters != nil && now.Counters != nil {
			since := now.Counters.Since(*p.facts[i].Counters)
			r.Metrics = &since
			p.counted.Add(since)
		}
		record.Replicas = append(record.Replicas, r)
	}
	return record
}

// allows counts a request, and refuses it if the budget is used up.
func (p *Check) allows() error {
	b := p.Budget
	allowed := fmt.Sprintf("%d requests", b.Requests)
	switch {
	case b.Tokens > 0 && p.Spent.tokens.Load() >= b.Tokens: // only of replies that have come
		allowed = fmt.Sprintf("%d tokens", b.Tokens)
	case b.Requests == 0 || p.Spent.requests.Add(1) <= b.Requests: // with this request
		return nil
	}
	return data.WithHint(fmt.Errorf("%w: it allows %s", ErrBudget, allowed),
		"raise the budget in %s and run the same command again: every reply is kept", config.File)
}
