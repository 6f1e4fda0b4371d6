// Package doctor checks whether the servers of a configuration do what a run relies on. A user runs
// it before paying for a run.
package doctor

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
)

// Verdict is the result of a check.
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

// Doctor checks every endpoint of the configuration: whether its replicas answer, serve the
// configured models, accept sampling parameters and honour constraints. A missing key or a replica
// that does not answer is a result, not an error. asks are the models that the stages ask.
func Doctor(ctx context.Context, c *config.Config, asks []config.Ask) []Result {
	var results []Result
	for _, e := range c.Endpoints {
		client, err := e.Client(nil) // without notices to the user
		if err != nil {
			results = append(results,
				Result{Endpoint: e.Name, Check: "configuration", Verdict: Fail, Detail: err.Error()})
			continue
		}
		facts := client.Facts(ctx)
		results = append(results, reachable(facts, c, asks, e)...)
		for i := range facts {
			results = append(results, examine(ctx, facts[i], c, asks, e, client.Only(i))...)
		}
	}
	return results
}

// examine runs the checks at one replica, with a model of its endpoint.
func examine(ctx context.Context, facts llm.ServerFacts, c *config.Config, asks []config.Ask, e config.Endpoint,
	client *llm.Client) (results []Result) {
	model := modelOf(asks, e)
	// Readers, and captioners that see the picture, answer questions in captionqa.MaxTokens tokens.
	examined := examination{client, e.Dialect, c.Settings(model), captionqa.MaxTokens}
	if !slices.Contains(c.Captions.Captioners, model) && !slices.Contains(c.Answers.Readers, model) {
		examined.maxTokens = max(config.Longest(asks, model), captionqa.MaxTokens)
	}
	for _, check := range checks {
		if check.name == "logprobs" && c.Answers.Protocol != captionqa.ProtocolProbabilities {
			continue // Other protocols do not read log-probabilities.
		}
		r := Result{Endpoint: facts.Endpoint, Check: check.name, Verdict: Skip}
		switch {
		case ctx.Err() != nil:
			r.Detail = "stopped: " + ctx.Err().Error()
		case !facts.Answers():
			r.Detail = "the server does not answer"
		case model == "":
			r.Detail = "no model that answers questions or describes pictures is configured"
		default:
			r.Verdict, r.Detail = check.run(ctx, examined)
		}
		if check.name == "constraint" && r.Verdict == Fail && c.Answers.Protocol != captionqa.ProtocolConstrained {
			r.Verdict = Warn // The configuration does not ask for constraints.
		}
		results = append(results, r)
	}
	return results
}

// modelOf is the model to examine at an endpoint: the model that is asked for the shortest replies,
// which leave the least room for thoughts. It is empty if no model is asked for texts.
func modelOf(asks []config.Ask, e config.Endpoint) (model string) {
	shortest := math.MaxInt
	for _, m := range e.Models {
		for _, a := range asks {
			if a.MaxTokens > 0 && a.MaxTokens < shortest && slices.Contains(a.Models, m) {
				model, shortest = m, a.MaxTokens
			}
		}
	}
	return model
}

// reachable compares the replicas of an endpoint with the configuration: whether each answers,
// serves the configured models, passes requests to its engine without delay, and has room for
// prompts and replies.
func reachable(all []llm.ServerFacts, c *config.Config, asks []config.Ask, e config.Endpoint) (results []Result) {
	for _, facts := range all {
		add := func(check string, v Verdict, format string, args ...any) {
			results = append(results,
				Result{Endpoint: facts.Endpoint, Check: check, Verdict: v, Detail: fmt.Sprintf(format, args...)})
		}
		var missing []string
		for _, m := range e.Models {
			if !slices.ContainsFunc(facts.Models, func(s llm.ServedModel) bool { return s.ID == m }) {
				missing = append(missing, m)
			}
		}
		switch {
		case !facts.Healthy:
			next := "start the server, or correct its address in " + config.File
			if facts.Class == llm.ClassAuth {
				next = "put the right key into the environment variable that key_env names in " + config.File
			}
			add("serves", Fail, "%s: %s", strings.TrimPrefix(facts.Error, facts.Endpoint+": "), next)
		case len(missing) > 0:
			add("serves", Fail, "does not serve %s: correct the endpoint's models in %s, "+
				"or start the server with --served-model-name; "+
				"where one model is served after the other, name a stage, as in: captionlake doctor caption",
				strings.Join(missing, ", "), config.File)
		default:
			add("serves", Pass, "%d models, version %s", len(facts.Models), cmp.Or(facts.Version, "unknown"))
		}
		if counters := facts.Counters; counters != nil && counters.Timed >= measured {
			mean := counters.Served / counters.Timed // seconds
			if engine, slow := counters.HoldsBack(mean); slow {
				add("load", Warn,
					"of the %.2f s that a request spent at this server on average, the engine had it for %.2f s: %s",
					mean, engine, llm.MoreServers)
			}
		}
		for _, s := range facts.Models {
			if limit := s.ContextTokens; limit > 0 && slices.Contains(e.Models, s.ID) {
				verdict, detail := fits(c, asks, s.ID, limit)
				add("context", verdict, "%s", detail)
			}
		}
	}
	return results
}

// measured is the number of requests after which a server's times are meaningful.
const measured = 1000

// questionTokens is about the length of a question without the caption: system message, question,
// options and the marks of the chat template.
const questionTokens = 256

// bytesPerToken is the mean length of a token of English text.
const bytesPerToken = 4

// fits compares the configured lengths of a model's prompts and replies, in tokens, with the limit
// of a server. It gives the verdict and the detail for the user.
func fits(c *config.Config, asks []config.Ask, model string, limit int) (Verdict, string) {
	isCaptioner := slices.Contains(c.Captions.Captioners, model)
	readsCaptions := slices.Contains(c.Answers.Readers, model) || slices.Contains(c.Judges.Models, model)
	most := max(config.Longest(asks, model), captionqa.MaxTokens)
	prompt := 0
	for _, name := range c.Captions.Prompts {
		published, _ := captionqa.PromptText(name) // One of published and c.PromptText(name) is empty.
		prompt = max(prompt, len(published+c.PromptText(name))/bytesPerToken)
	}
	switch err := (config.ContextLimit{Model: model, Tokens: limit}).Allows(most); {
	case err != nil:
		return Fail, err.Error() + ": lower it in " + config.File + ", or serve the model with a larger --max-model-len"
	case isCaptioner && prompt+c.Captions.MaxTokens > limit:
		return Warn, fmt.Sprintf("max_tokens %d leaves %d tokens of the max_model_len %d of %s for picture and prompt; "+
			"where they take more, captions are silently cut off before max_tokens",
			c.Captions.MaxTokens, limit-c.Captions.MaxTokens, limit, model)
	// Without captioners the captions are loaded, and nothing bounds their length.
	case readsCaptions && len(c.Captions.Captioners) > 0 && c.Captions.MaxTokens+questionTokens+most > limit:
		return Warn, fmt.Sprintf("captions of up to max_tokens %d, a question and the reply do not fit "+
			"max_model_len %d of %s; questions about the longest captions will fail", c.Captions.MaxTokens, limit, model)
	}
	return Pass, fmt.Sprintf("max_model_len %d of %s is enough for max_tokens %d", limit, model, most)
}
