package stages

import (
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages/llm"
)

// imageSystemMessage is the system message of QA-on-image. The paper names the setting (section 5) and prints no prompt
// for it; this one follows the published message of QA-on-caption with the image in the caption's place.
const imageSystemMessage = "You are given an image, and a question about the image. " +
	"Answer with a SINGLE LETTER (A, B, C, ...), no explanation."

// topLogprobs is how many tokens the probability protocol asks for: the most that vLLM gives by default.
const topLogprobs = 20

// offered are a question's options in original order, with the cannot option where the evidence allows it: from the
// image every question can be answered, so QA-on-image does not offer it.
func offered(q *data.Question, evidence string) []string {
	if evidence == EvidenceImage || q.YesNo {
		return q.Options
	}
	return append(slices.Clone(q.Options), captionqa.CannotOption)
}

// presentedOrder is the order in which the options are shown. Where the cannot option is not offered, the published
// order is used without it.
func presentedOrder(q *data.Question, evidence string) ([]int32, error) {
	n := len(offered(q, evidence))
	if len(q.OptionOrder) == n {
		return q.OptionOrder, nil
	}
	order := make([]int32, 0, n)
	for _, position := range q.OptionOrder {
		if int(position) < n {
			order = append(order, position)
		}
	}
	if len(order) != n {
		return nil, data.WithHint(fmt.Errorf("question %s: its option order %v does not fit its %d options", q.QuestionID, q.OptionOrder, n),
			"load the bank that the question came from again")
	}
	return order, nil
}

// questionMessages are the messages of one question under one evidence.
func questionMessages(q *data.Question, evidence, caption string, pictures []llm.Part) ([]llm.Message, int, error) {
	order, err := presentedOrder(q, evidence)
	if err != nil {
		return nil, 0, err
	}
	presented, err := captionqa.Present(offered(q, evidence), order)
	if err != nil {
		return nil, 0, fmt.Errorf("question %s: %w", q.QuestionID, err)
	}
	text, err := captionqa.UserPrompt(caption, q.Question, presented)
	if err != nil {
		return nil, 0, err
	}
	if evidence != EvidenceImage {
		return []llm.Message{llm.System(captionqa.SystemMessage), llm.User(llm.Text(text))}, len(presented), nil
	}
	// The layout is that of QA-on-caption without its caption.
	text = strings.TrimPrefix(text, "Caption:\n\n\n")
	return []llm.Message{llm.System(imageSystemMessage), llm.User(append(slices.Clone(pictures), llm.Text(text))...)}, len(presented), nil
}

// questionRequest is the request of one question under a protocol.
func questionRequest(protocol string, reader ModelName, repeat int, messages []llm.Message, presented int) (llm.Request, error) {
	r := llm.Request{
		Model: reader.Served, Messages: messages, Sampling: llm.Greedy(captionqa.MaxTokens), TemplateFlags: reader.Flags,
		Protocol: protocol, Repeat: repeat, FirstTokens: true,
	}
	switch protocol {
	case captionqa.ProtocolUpstream:
	case captionqa.ProtocolConstrained:
		for i := range presented {
			letter, _ := captionqa.Letter(i) // UserPrompt has refused what has no letter.
			r.Choice = append(r.Choice, letter)
		}
	case captionqa.ProtocolProbabilities:
		r.Sampling.MaxTokens, r.Sampling.Logprobs, r.Sampling.TopLogprobs = 1, true, topLogprobs
	default:
		return r, unknownProtocol(protocol)
	}
	return r, nil
}

func unknownProtocol(name string) error {
	return data.WithHint(fmt.Errorf("there is no protocol %q to ask under", name), "choose one of: %s", strings.Join(AskProtocols(), ", "))
}

// AskProtocols lists the protocols under which questions can be asked. captionqa/strict asks nothing: it reads the
// replies of captionqa/upstream.
func AskProtocols() []string {
	return []string{captionqa.ProtocolUpstream, captionqa.ProtocolConstrained, captionqa.ProtocolProbabilities}
}
