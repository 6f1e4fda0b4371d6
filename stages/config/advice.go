package config

import (
	"errors"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/llm"
)

// Advise adds a hint to the error of a refused parameter: what to write into the configuration.
// Other errors stay unchanged.
func Advise(err error, dialect llm.Dialect) error {
	var call *llm.CallError
	if !errors.As(err, &call) || call.Class != llm.ClassParameter {
		return err
	}
	// This hint is for parameters of sampling. The cases below have the hints for other parameters.
	hint := "write sampling: default under the model's name in models of " + File +
		", which leaves temperature, top_p, penalties and seed to the server"
	switch call.Param {
	case "logprobs", "top_logprobs":
		hint = "use a protocol that reads no log-probabilities, such as captionqa/upstream"
	case "structured_outputs":
		hint = "use an unconstrained protocol, such as captionqa/upstream"
	case "response_format":
		hint = "ask another model, or set the endpoint's dialect to " + string(llm.DialectVLLM)
	case "chat_template_kwargs":
		hint = "leave template out of models of " + File
	case "video_url":
		hint = "send frames: media: {video: frames}"
	case "max_tokens", "max_completion_tokens":
		hint = "lower max_tokens in " + File
	}
	if dialect != llm.DialectOpenAI {
		hint = "for a server without vLLM's additions set the endpoint's dialect to openai; or " + hint
	}
	return data.WithHint(err, "%s", hint)
}
