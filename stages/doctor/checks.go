package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/text"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
)

// An examination is one replica with the model to ask there.
type examination struct {
	client    *llm.Client
	dialect   llm.Dialect
	model     config.ModelSettings
	maxTokens int // longest reply to the question of checkThinking
}

// checks are small requests that decide whether a run would be sound, in the order in which they
// are sent. A check gives its verdict and the detail for the user.
var checks = []struct {
	name string
	run  func(context.Context, examination) (Verdict, string)
}{
	{"sampling", checkSampling}, {"thinking", checkThinking}, {"logprobs", checkLogprobs},
	{"constraint", checkConstraint},
}

// colours are the options of the question that ask asks; Blue is the answer.
var colours = []string{"Red", "Blue", "Green", captionqa.CannotOption}

// ask asks a CaptionQA question with an obvious answer.
func (e examination) ask(ctx context.Context, s llm.Sampling) (llm.Reply, error) {
	user, err := captionqa.UserPrompt("The bus is blue.", "What colour is the bus?", colours)
	if err != nil {
		return llm.Reply{}, err
	}
	return e.client.Ask(ctx, llm.Request{
		Model: e.model.Name, TemplateFlags: e.model.Template, Sampling: s, Mode: e.model.Sampling,
		Protocol: "captionlake/doctor",
		Messages: []llm.Message{llm.System(captionqa.SystemMessage), llm.User(user)},
	}, "") // Affinity would choose among replicas, and the client has only one.
}

// checkSampling checks that a server takes every sampling parameter, so that its own defaults never
// count. With SamplingDefault the request leaves the parameters out.
func checkSampling(ctx context.Context, e examination) (Verdict, string) {
	s := llm.Sampled(0.7, 11, 8) // temperature, seed and max_tokens
	s.TopP, s.PresencePenalty, s.FrequencyPenalty = 0.9, 0.1, 0.1
	if e.dialect != llm.DialectOpenAI {
		s.TopK, s.MinP, s.RepetitionPenalty = 20, 0.05, 1.05
	}
	_, err := e.ask(ctx, s)
	switch class := llm.ClassOf(err); {
	case class == llm.ClassRefused && e.dialect != llm.DialectOpenAI:
		return Fail, "a request with every sampling parameter was refused; " +
			"for a server without vLLM's additions set the endpoint's dialect to openai: " + err.Error()
	// If the model only thought, or refused to answer, the server took all parameters.
	case err != nil && class != llm.ClassSilent && class != llm.ClassDeclined:
		return Fail, e.advised(err)
	case e.model.Sampling == llm.SamplingDefault:
		return Pass, "sampling is left to the server"
	}
	return Pass, "every sampling parameter is taken"
}

// advised is the text of an error with its hint, if it has one.
func (e examination) advised(err error) string {
	if hinted := new(data.HintError); errors.As(config.Advise(err, e.dialect), &hinted) {
		return strings.TrimSuffix(err.Error(), ".") + ": " + hinted.Hint
	}
	return err.Error()
}

// checkLogprobs asks a question as the protocol that reads log-probabilities does. Some servers
// silently ignore that parameter; their replies have no log-probabilities, and ask gives an error.
func checkLogprobs(ctx context.Context, e examination) (Verdict, string) {
	// The protocol reads 20 candidates of the first token, and no other token.
	s := llm.Greedy(1)
	s.Logprobs, s.TopLogprobs = true, 20
	if _, err := e.ask(ctx, s); err != nil {
		return Fail, e.advised(err) + "; the protocol " + captionqa.ProtocolProbabilities + " cannot be used"
	}
	return Pass, "the reply has log-probabilities"
}

// checkThinking asks a question with the length that runs allow for the answer. A model that thinks
// before it answers may use this length up. If the chat template opens the thoughts in the prompt,
// no mark begins the reply: then thoughts are a reply that is cut off before the obvious answer.
func checkThinking(ctx context.Context, e examination) (Verdict, string) {
	reply, err := e.ask(ctx, llm.Greedy(e.maxTokens))
	chosen, _ := captionqa.ParseUpstream(reply.Text, len(colours)) // 0 without a choice
	switch {
	case llm.ClassOf(err) == llm.ClassSilent:
		return Fail, err.Error() + ": " + llm.StopThinking
	case err != nil:
		return Fail, e.advised(err)
	case reply.State == llm.StateTruncated && colours[chosen] != "Blue":
		return Fail, fmt.Sprintf("the reply %q reached max_tokens %d before an answer: if the model thinks, %s",
			text.Clip(reply.Text, 60), e.maxTokens, llm.StopThinking)
	// Some servers leave thoughts in the text before the answer.
	case reply.Reasoning != "" || !strings.HasPrefix(strings.TrimSpace(reply.Text), text.Answer(reply.Text)):
		return Pass, fmt.Sprintf("the model thinks and answers within max_tokens %d", e.maxTokens)
	}
	return Pass, "the model answers without thoughts before it"
}

// checkConstraint asks for a reply of a given form. Some servers silently ignore the constraint.
func checkConstraint(ctx context.Context, e examination) (Verdict, string) {
	verdict := e.client.ProbeConstraint(ctx, e.model.Name, e.model.Template)[0] // The client has one replica.
	if !verdict.Honoured {
		return Fail, verdict.Detail + "; the protocol " + captionqa.ProtocolConstrained + " cannot be used"
	}
	return Pass, verdict.Detail
}
