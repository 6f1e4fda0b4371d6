package config

import (
	"fmt"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/llm"
)

// A ContextLimit is a server's max_model_len: the most tokens that prompt and reply can have
// together. vLLM refuses a larger max_tokens, and refuses prompts that fill the limit. If a prompt
// leaves less than max_tokens, vLLM silently shortens the reply.
type ContextLimit struct {
	Model  string
	Tokens int // 0 if the server does not tell
}

// LimitOf is the smallest limit of the replicas that serve a model.
func LimitOf(facts []llm.ServerFacts, model string) ContextLimit {
	c := ContextLimit{Model: model}
	for _, f := range facts {
		for _, s := range f.Models {
			if s.ID == model && s.ContextTokens > 0 && (c.Tokens == 0 || s.ContextTokens < c.Tokens) {
				c.Tokens = s.ContextTokens
			}
		}
	}
	return c
}

// Allows refuses a request that the server would refuse with any prompt.
func (c ContextLimit) Allows(maxTokens int) error {
	if c.Tokens == 0 || maxTokens <= c.Tokens {
		return nil
	}
	return data.WithHint(fmt.Errorf("max_tokens %d is above the max_model_len %d of %s: "+
		"its server refuses every such request", maxTokens, c.Tokens, c.Model),
		"lower max_tokens in %s, or serve the model with a larger --max-model-len", File)
}

// Shortens reports whether a reply was cut off because its prompt left less than max_tokens.
func (c ContextLimit) Shortens(q llm.Request, r llm.Reply) bool {
	return c.Tokens > 0 && r.State == llm.StateTruncated && int(r.PromptTokens)+q.Sampling.MaxTokens > c.Tokens
}
