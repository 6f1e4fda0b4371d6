// Package conformance checks whether a server does what the model stages rely on. The rehearsal server passes it, and a
// user runs it against a real one before paying for a run.
//
// The package must not know the stages or the lake. Every check sends one to three small requests; the largest, which is
// meant to be refused, is as long as the model's context.
package conformance

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/captionlake/captionlake/stages/llm"
)

// Verdict is how a check ended.
type Verdict string

// The verdicts.
const (
	Pass Verdict = "pass"
	Warn Verdict = "warn" // runs work, but something is lost; the detail says what
	Fail Verdict = "fail" // results would be wrong, or some protocol cannot be used
	Skip Verdict = "skip" // the check does not apply; the detail says why
)

// Result is one check of one replica.
type Result struct {
	Endpoint string  `json:"endpoint"` // name of the replica
	Check    string  `json:"check"`    // name of the check
	Verdict  Verdict `json:"verdict"`
	Detail   string  `json:"detail"` // what was seen and, unless it passed, what to do
}

// Options name the models to check. An empty name skips its checks.
type Options struct {
	Only   []string // names of the checks to run; empty for all
	Chat   string   // model that answers questions
	Vision string   // model that looks at pictures
	Embed  string   // model that embeds texts

	Template   map[string]map[string]bool // flags of the models' chat templates, by model
	ChatTokens int                        // largest reply that Chat is asked for; 0 is the four tokens of CaptionQA
}

// bench is what a check works with.
type bench struct {
	client  *llm.Client
	facts   llm.ServerFacts
	opts    Options
	dialect llm.Dialect
}

// check is one named check.
type check struct {
	name  string
	model func(Options) string // model that it needs; nil needs none
	run   func(context.Context, bench) (Verdict, string)
}

func chatModel(o Options) string   { return o.Chat }
func visionModel(o Options) string { return o.Vision }
func embedModel(o Options) string  { return o.Embed }

// checks returns every check in the order in which they run.
func checks() []check {
	return []check{
		{"models", nil, checkModels},
		{"health", nil, checkHealth},
		{"version", nil, checkVersion},
		{"metrics", nil, checkMetrics},
		{"question", chatModel, checkQuestion},
		{"sampling", chatModel, checkSampling},
		{"thinking", chatModel, checkThinking},
		{"repeatable", chatModel, checkRepeatable},
		{"truncation", chatModel, checkTruncation},
		{"stop", chatModel, checkStop},
		{"logprobs", chatModel, checkLogprobs},
		{"constraint", chatModel, checkConstraint},
		{"prefix-cache", chatModel, checkPrefixCache},
		{"unknown-model", nil, checkUnknownModel},
		{"context-length", chatModel, checkContextLength},
		{"image", visionModel, checkImage},
		{"embeddings", embedModel, checkEmbeddings},
	}
}

// Run checks every replica of an endpoint. The error is one of the configuration; what a server does wrong is in the
// results. A context that ends skips the remaining checks.
func Run(ctx context.Context, cfg llm.Config, o Options) ([]Result, error) {
	if _, err := llm.New(cfg); err != nil {
		return nil, err
	}
	var out []Result
	for i, address := range cfg.Endpoint.Replicas {
		one := cfg
		one.TripAfter = math.MaxInt // a server that fails many checks is still asked the rest
		one.GiveUp = time.Minute    // one that is gone meanwhile is not waited for
		one.Endpoint.Replicas = []string{address}
		if len(cfg.Endpoint.Replicas) > 1 {
			one.Endpoint.Name = fmt.Sprintf("%s/%d", cfg.Endpoint.Name, i)
		}
		client, err := llm.New(one)
		if err != nil {
			return nil, err
		}
		out = append(out, runOne(ctx, one.Endpoint, client, o)...)
	}
	return out, nil
}

func runOne(ctx context.Context, e llm.Endpoint, client *llm.Client, o Options) []Result {
	b := bench{client, client.Facts(ctx)[0], o, e.Dialect}
	var out []Result
	for _, c := range checks() {
		if len(o.Only) > 0 && !slices.Contains(o.Only, c.name) {
			continue
		}
		r := Result{Endpoint: e.Name, Check: c.name}
		switch {
		case ctx.Err() != nil:
			r.Verdict, r.Detail = Skip, "stopped: "+ctx.Err().Error()
		case !b.facts.Answers() && c.name != "models":
			r.Verdict, r.Detail = Skip, "the server does not answer"
		case c.model != nil && c.model(o) == "":
			r.Verdict, r.Detail = Skip, "no model of this kind is configured"
		default:
			r.Verdict, r.Detail = c.run(ctx, b)
		}
		out = append(out, r)
	}
	return out
}
