package conformance

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
)

// quickChecks are the checks that decide whether a run would be sound: that the server takes every sampling parameter,
// so that none of its own defaults counts, that the model answers within its tokens, and that it honours constraints.
var quickChecks = []string{"sampling", "thinking", "constraint"}

// Doctor looks at every endpoint of the configuration: whether its replicas answer, serve the models that the
// configuration names, take sampling parameters and honour constraints. With deep it runs the whole conformance suite, which
// sends some twenty small requests to each replica. A key that is not set and a replica that does not answer are results,
// not errors.
func Doctor(ctx context.Context, c *config.Config, deep bool) []Result {
	var results []Result
	for _, e := range c.Endpoints {
		client, err := e.Client()
		if err != nil {
			results = append(results, Result{Endpoint: e.Name, Check: "configuration", Verdict: Fail, Detail: err.Error()})
			continue
		}
		results = append(results, reachable(ctx, client, c, e)...)
		options := suite(c, e)
		if !deep {
			options.Only = quickChecks
		}
		checked, err := Run(ctx, e.ClientConfig(), options)
		if err != nil {
			checked = []Result{{Endpoint: e.Name, Check: "configuration", Verdict: Fail, Detail: err.Error()}}
		}
		for _, r := range checked {
			if r.Check == "constraint" && r.Verdict == Fail && c.Answers.Protocol != captionqa.ProtocolConstrained {
				r.Verdict = Warn // The configuration does not ask for constraints.
			}
			results = append(results, r)
		}
	}
	return results
}

// reachable checks that every replica answers and serves what the configuration says.
func reachable(ctx context.Context, client *llm.Client, c *config.Config, e config.Endpoint) []Result {
	var results []Result
	for _, facts := range client.Facts(ctx) {
		r := Result{Endpoint: facts.Endpoint, Check: "serves"}
		var missing []string
		for _, m := range e.Models {
			if !slices.ContainsFunc(facts.Models, func(s llm.ServedModel) bool { return s.ID == m }) {
				missing = append(missing, m)
			}
		}
		switch {
		case !facts.Healthy:
			r.Verdict, r.Detail = Fail, strings.TrimPrefix(facts.Error, facts.Endpoint+": ")+": start the server, or correct its address in "+config.File
			if facts.Class == llm.ClassAuth {
				r.Detail = strings.TrimPrefix(facts.Error, facts.Endpoint+": ") + ": put the right key into the environment variable that key_env names in " + config.File
			}
		case len(missing) > 0:
			r.Verdict = Fail
			r.Detail = "does not serve " + strings.Join(missing, ", ") + ": correct the endpoint's models in " + config.File + ", or start the server with --served-model-name; " +
				"where one model is served after the other, name a stage, as in: captionlake doctor caption"
		default:
			r.Verdict, r.Detail = Pass, fmt.Sprintf("%d models, version %s", len(facts.Models), cmp.Or(facts.Version, "unknown"))
		}
		results = append(results, r)
		for _, s := range facts.Models {
			if limit := s.ContextTokens; limit > 0 && slices.Contains(e.Models, s.ID) {
				verdict, detail := fits(c, s.ID, limit)
				results = append(results, Result{Endpoint: facts.Endpoint, Check: "context", Verdict: verdict, Detail: detail})
			}
		}
	}
	return results
}

// suite names the models of an endpoint that the conformance suite asks.
func suite(c *config.Config, e config.Endpoint) Options {
	o := Options{Template: map[string]map[string]bool{}}
	answering := slices.Concat(c.Answers.Readers, c.Judges.Models, c.Battles.Judges, c.Construct.Generators, c.Construct.Validators, []string{c.Construct.Reader})
	for _, m := range e.Models {
		o.Template[m] = c.Settings(m).Template
		if o.Chat == "" && slices.Contains(answering, m) {
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
	if o.Chat != o.Vision && !slices.Contains(c.Answers.Readers, o.Chat) {
		o.ChatTokens = c.MaxTokensOf(o.Chat)
	}
	return o
}

// questionTokens is about what a question takes up beside the caption: system message, question, options and the chat
// template's marks.
const questionTokens = 256

// bytesPerToken is the mean length of a token of English text.
const bytesPerToken = 4

// fits compares what the configuration asks of a model with the limit of a server.
func fits(c *config.Config, model string, limit int) (Verdict, string) {
	l := config.ContextLimit{Model: model, Tokens: limit}
	captioner := slices.Contains(c.Captions.Captioners, model)
	asked := slices.Contains(c.Answers.Readers, model) || slices.Contains(c.Judges.Models, model) // about captions
	most := c.MaxTokensOf(model)
	prompt := 0
	for _, name := range c.Captions.Prompts {
		text, published := captionqa.PromptText(name)
		if !published {
			text = c.PromptText(name)
		}
		prompt = max(prompt, len(text)/bytesPerToken)
	}
	switch err := l.Allows(most); {
	case err != nil:
		return Fail, err.Error() + ": lower it in " + config.File + ", or serve the model with a larger --max-model-len"
	case captioner && prompt+c.Captions.MaxTokens > limit:
		return Warn, fmt.Sprintf("max_tokens %d leaves %d tokens of the max_model_len %d of %s for picture and prompt; where they take more, "+
			"captions are cut off before max_tokens without a word", c.Captions.MaxTokens, limit-c.Captions.MaxTokens, limit, model)
	case asked && c.Captions.MaxTokens+questionTokens+most > limit && len(c.Captions.Captioners) > 0:
		return Warn, fmt.Sprintf("captions of up to max_tokens %d, a question and the reply do not fit max_model_len %d of %s; "+
			"questions about the longest captions will fail", c.Captions.MaxTokens, limit, model)
	}
	return Pass, fmt.Sprintf("max_model_len %d of %s is enough for max_tokens %d", limit, model, most)
}
