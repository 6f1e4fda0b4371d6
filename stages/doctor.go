package stages

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages/llm"
	"github.com/captionlake/captionlake/stages/llm/conformance"
)

// quickChecks are the checks that decide whether a run would be sound: that the server takes every sampling parameter,
// so that none of its own defaults counts, that the model answers within its tokens, and that it honours constraints.
var quickChecks = []string{"sampling", "thinking", "constraint"}

// Doctor looks at every endpoint of the configuration: whether its replicas answer, serve the models that the
// configuration names, take sampling parameters and honour constraints. With deep it runs the whole conformance suite, which
// sends some twenty small requests to each replica. A key that is not set and a replica that does not answer are results,
// not errors.
func Doctor(ctx context.Context, c *Config, deep bool) []conformance.Result {
	var results []conformance.Result
	for _, e := range c.Endpoints {
		client, err := e.Client()
		if err != nil {
			results = append(results, conformance.Result{Endpoint: e.Name, Check: "configuration", Verdict: conformance.Fail, Detail: err.Error()})
			continue
		}
		results = append(results, c.reachable(ctx, client, e)...)
		options := c.suite(e)
		if !deep {
			options.Only = quickChecks
		}
		suite, err := conformance.Run(ctx, e.clientConfig(), options)
		if err != nil {
			suite = []conformance.Result{{Endpoint: e.Name, Check: "configuration", Verdict: conformance.Fail, Detail: err.Error()}}
		}
		for _, r := range suite {
			if r.Check == "constraint" && r.Verdict == conformance.Fail && c.Answers.Protocol != captionqa.ProtocolConstrained {
				r.Verdict = conformance.Warn // The configuration does not ask for constraints.
			}
			results = append(results, r)
		}
	}
	return results
}

// reachable checks that every replica answers and serves what the configuration says.
func (c *Config) reachable(ctx context.Context, client *llm.Client, e EndpointConfig) []conformance.Result {
	var results []conformance.Result
	for _, facts := range client.Facts(ctx) {
		r := conformance.Result{Endpoint: facts.Endpoint, Check: "serves"}
		var missing []string
		for _, m := range e.Models {
			if !slices.ContainsFunc(facts.Models, func(s llm.ServedModel) bool { return s.ID == m }) {
				missing = append(missing, m)
			}
		}
		switch {
		case !facts.Healthy:
			r.Verdict, r.Detail = conformance.Fail, strings.TrimPrefix(facts.Error, facts.Endpoint+": ")+": start the server, or mend its address in "+ConfigFile
			if facts.Class == llm.ClassAuth {
				r.Detail = strings.TrimPrefix(facts.Error, facts.Endpoint+": ") + ": put the right key into the environment variable that key_env names in " + ConfigFile
			}
		case len(missing) > 0:
			r.Verdict = conformance.Fail
			r.Detail = "does not serve " + strings.Join(missing, ", ") + ": mend the endpoint's models in " + ConfigFile + ", or start the server with --served-model-name"
		default:
			r.Verdict, r.Detail = conformance.Pass, fmt.Sprintf("%d models, version %s", len(facts.Models), orUnknown(facts.Version))
		}
		results = append(results, r)
		for _, s := range facts.Models {
			if limit := s.ContextTokens; limit > 0 && slices.Contains(e.Models, s.ID) {
				verdict, detail := c.fits(s.ID, limit)
				results = append(results, conformance.Result{Endpoint: facts.Endpoint, Check: "context", Verdict: verdict, Detail: detail})
			}
		}
	}
	return results
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

// suite names the models of an endpoint that the conformance suite asks.
func (c *Config) suite(e EndpointConfig) conformance.Options {
	o := conformance.Options{Template: map[string]map[string]bool{}}
	for _, m := range e.Models {
		o.Template[m] = c.settings(m).Template
		if o.Chat == "" && (slices.Contains(c.Answers.Readers, m) || slices.Contains(c.Judges.Models, m)) {
			o.Chat = m
		}
		if o.Vision == "" && slices.Contains(c.Captions.Captioners, m) {
			o.Vision = m
		}
		if o.Embed == "" && strings.Contains(strings.ToLower(m), "embed") {
			o.Embed = m
		}
	}
	if o.Chat == "" {
		o.Chat = o.Vision
	}
	if !slices.Contains(c.Answers.Readers, o.Chat) && slices.Contains(c.Judges.Models, o.Chat) {
		o.ChatTokens = c.Judges.MaxTokens
	}
	return o
}
