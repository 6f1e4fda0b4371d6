package config

import (
	"errors"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/llm"
)

// Each parameter that a server refuses has a next step, which fits the dialect.
func TestAdvise(t *testing.T) {
	for param, next := range map[string]string{
		"temperature": "write sampling: default under the model's name", "logprobs": "captionqa/upstream",
		"structured_outputs": "unconstrained",
		"max_tokens":         "lower max_tokens", "chat_template_kwargs": "leave template out", "video_url": "frames",
		"response_format": "another model",
	} {
		for _, dialect := range []llm.Dialect{llm.DialectVLLM, llm.DialectOpenAI} {
			hint := new(data.HintError)
			err := Advise(&llm.CallError{Class: llm.ClassParameter, Param: param}, dialect)
			if !errors.As(err, &hint) || !strings.Contains(hint.Hint, next) ||
				strings.Contains(hint.Hint, "dialect to openai") != (dialect == llm.DialectVLLM) {
				t.Errorf("%s, %s: %+v", param, dialect, hint)
			}
		}
	}
	if err := Advise(&llm.CallError{Class: llm.ClassServer}, llm.DialectVLLM); errors.As(err, new(*data.HintError)) {
		t.Errorf("%v", err)
	}
}
