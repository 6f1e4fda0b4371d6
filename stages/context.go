package stages

import (
	"fmt"
	"slices"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages/llm"
	"github.com/captionlake/captionlake/stages/llm/conformance"
)

// questionTokens is about what a question takes up beside the caption: system message, question, options and the chat
// template's marks.
const questionTokens = 256

// A contextLimit is a server's max_model_len: the most tokens that prompt and reply can have together. vLLM refuses a max_tokens above it, refuses prompts that fill it, and shortens without a word the replies for
// which a prompt leaves less than max_tokens.
type contextLimit struct {
	model  string
	tokens int // 0 when the server does not tell
}

// limitOf is the smallest limit of the replicas that serve a model.
func limitOf(facts []llm.ServerFacts, model string) contextLimit {
	c := contextLimit{model: model}
	for _, f := range facts {
		for _, s := range f.Models {
			if s.ID == model && s.ContextTokens > 0 && (c.tokens == 0 || s.ContextTokens < c.tokens) {
				c.tokens = s.ContextTokens
			}
		}
	}
	return c
}

// allows refuses a request that the server would refuse whatever its prompt is.
func (c contextLimit) allows(maxTokens int) error {
	if c.tokens == 0 || maxTokens <= c.tokens {
		return nil
	}
	return data.WithHint(fmt.Errorf("max_tokens %d is above the max_model_len %d of %s: its server refuses every such request", maxTokens, c.tokens, c.model),
		"lower max_tokens in %s, or serve the model with a larger --max-model-len", ConfigFile)
}

// shortens reports whether a reply was cut off because its prompt left less than max_tokens.
func (c contextLimit) shortens(q llm.Request, r llm.Reply) bool {
	return c.tokens > 0 && r.State == llm.StateTruncated && r.PromptTokens+q.Sampling.MaxTokens > c.tokens
}

// fits compares what the configuration asks of a model with the limit of a server.
func (c *Config) fits(model string, limit int) (conformance.Verdict, string) {
	l := contextLimit{model, limit}
	captioner, reader, judge := slices.Contains(c.Captions.Captioners, model), slices.Contains(c.Answers.Readers, model), slices.Contains(c.Judges.Models, model)
	most := captionqa.MaxTokens
	if captioner {
		most = max(most, c.Captions.MaxTokens)
	}
	if judge {
		most = max(most, c.Judges.MaxTokens)
	}
	prompt := 0
	for _, name := range c.Captions.Prompts {
		text, published := captionqa.PromptText(name)
		if !published {
			text = c.promptText(name)
		}
		prompt = max(prompt, len(text)/bytesPerToken)
	}
	switch err := l.allows(most); {
	case err != nil:
		return conformance.Fail, err.Error() + ": lower it in " + ConfigFile + ", or serve the model with a larger --max-model-len"
	case captioner && prompt+c.Captions.MaxTokens > limit:
		return conformance.Warn, fmt.Sprintf("max_tokens %d leaves %d tokens of the max_model_len %d of %s for picture and prompt; where they take more, "+
			"captions are cut off before max_tokens without a word", c.Captions.MaxTokens, limit-c.Captions.MaxTokens, limit, model)
	case (reader || judge) && c.Captions.MaxTokens+questionTokens+most > limit && len(c.Captions.Captioners) > 0:
		return conformance.Warn, fmt.Sprintf("captions of up to max_tokens %d, a question and the reply do not fit max_model_len %d of %s; "+
			"questions about the longest captions will fail", c.Captions.MaxTokens, limit, model)
	}
	return conformance.Pass, fmt.Sprintf("max_model_len %d of %s is enough for max_tokens %d", limit, model, most)
}
