package llm

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"
)

// Words of the constraint probe: the prompt asks for probeAsked, and the constraint allows only
// probeFirst and probeOther.
const (
	probeAsked = "apple"
	probeFirst = "quartz"
	probeOther = "basalt"
)

// StopThinking says how to keep a model from thinking. Each model has its own name for the flag.
const StopThinking = "turn thinking off with the flag of the model's chat template, " +
	"such as template: {enable_thinking: false} for Qwen3 and GLM " +
	"or {thinking: false} for DeepSeek and Granite, under the model's name in models of the configuration"

// ProbeRequest returns a request with a constraint that contradicts its prompt: a server that
// honours structured_outputs can only say what the prompt forbids. vLLM before 0.12 called the
// constraint guided_choice. Servers accept unknown fields with HTTP 200, so only the reply shows
// whether the constraint was honoured. flags are the flags of the model's chat template, which can
// turn thinking off: the constraint binds a thinking model only after its thoughts.
func ProbeRequest(model string, flags map[string]any) Request {
	return Request{
		Model: model, TemplateFlags: flags,
		Messages: []Message{
			System("You repeat words. Answer with the requested word and nothing else."),
			User("Say the word " + probeAsked + ". Do not say any other word."),
		},
		Sampling: Greedy(8), // Eight tokens are enough for each of these words.
		Choice:   []string{probeFirst, probeOther},
		Protocol: "captionlake/constraint-probe",
	}
}

// ConstraintVerdict is the result of the probe at one replica.
type ConstraintVerdict struct {
	Endpoint string // replica
	Honoured bool   // the reply kept to the constraint
	Detail   string // the reply, or why it is missing
	Failed   Class  // error class if there is no reply; otherwise empty
}

// ProbeConstraint sends the probe to every replica. A constrained protocol may only be used if all
// verdicts are Honoured.
func (c *Client) ProbeConstraint(ctx context.Context, model string, flags map[string]any) []ConstraintVerdict {
	out := make([]ConstraintVerdict, len(c.pool.replicas))
	for i := range out {
		v := &out[i]
		v.Endpoint = c.pool.replicas[i].name
		reply, err := c.Only(i).Ask(ctx, ProbeRequest(model, flags), "") // "": probes share no prefix
		said := strings.TrimSpace(reply.Text)
		switch class := ClassOf(err); {
		case class == ClassSilent: // There was a reply, so Failed stays empty.
			v.Detail = err.Error() + ": " + StopThinking
		case err != nil:
			v.Detail, v.Failed = err.Error(), class
		case said == probeFirst || said == probeOther:
			v.Honoured, v.Detail = true, fmt.Sprintf("asked for %q, said %q as constrained", probeAsked, said)
		default:
			v.Detail = fmt.Sprintf("said %q although the constraint allows only %q and %q: "+
				"the server ignores structured_outputs; use a vLLM release from 0.12 or an unconstrained protocol",
				shorten(said), probeFirst, probeOther)
		}
	}
	return out
}

// Only returns a client of one replica, for checks. Error replies do not take the replica out. If
// it cannot be reached, calls wait for it no longer than ten seconds.
func (c *Client) Only(i int) *Client {
	cfg, wanted := c.cfg, c.pool.replicas[i]
	cfg.Endpoint.Replicas = []string{wanted.url}
	cfg.TripAfter, cfg.GiveUp, cfg.Wait, cfg.Notice = math.MaxInt, 10*time.Second, 10*time.Second, nil
	one := cfg.client(c.key)
	one.pool.replicas[0].name, one.stop = wanted.name, c.stop // Drain of c also ends the calls of one.
	return one
}
