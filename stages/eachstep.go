package stages

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// EachStep goes through the steps of a run: the captions to make, and then, since only then the lake holds them, the
// questions to ask and the captions to judge. It stops at the first error.
func EachStep(l *data.Lake, c *Config, o Choice, do func(Step) error) error {
	elements := len(o.Benchmarks) > 0 // the run is about annotated elements alone
	for _, benchmark := range o.Benchmarks {
		if !slices.Contains(rubricBenchmarks(), benchmark) {
			return data.WithHint(fmt.Errorf("there is no benchmark %q of annotated elements", benchmark), "choose %s", strings.Join(rubricBenchmarks(), " or "))
		}
	}
	if o.Repeats < 0 {
		return data.WithHint(fmt.Errorf("%d repeats cannot be", o.Repeats), "ask each question once or more often")
	}
	if o.Pool != 0 && o.Stage != AnswerStage {
		return data.WithHint(errors.New("a pool is drawn from the captions that the lake has"), "make them first, and then: captionlake run answer --pool")
	}
	if o.Pool < 0 {
		return data.WithHint(fmt.Errorf("the seed %d of the pool is negative", o.Pool), "leave it out for the default")
	}
	if c.Answers.Protocol != "" && !slices.Contains(AskProtocols(), c.Answers.Protocol) {
		return unknownProtocol(c.Answers.Protocol)
	}
	wants := func(stage string) bool { return o.Stage == stage || o.Stage == "" && stage != AskStage }
	var plans []func() ([]Step, error)
	if wants(CaptionStage) && elements {
		plans = append(plans, func() ([]Step, error) { return MediaCaptionSteps(c) })
	}
	if wants(CaptionStage) && !elements {
		plans = append(plans, func() ([]Step, error) { return CaptionSteps(c) })
	}
	if o.Stage == AnswerStage && elements {
		return data.WithHint(fmt.Errorf("the stage %s knows no benchmark", AnswerStage), "ask about annotated elements with: captionlake run %s", AskStage)
	}
	if wants(AnswerStage) && !elements {
		plans = append(plans, func() ([]Step, error) { return AnswerSteps(l, c, o) })
	}
	if wants(JudgeStage) {
		plans = append(plans, func() ([]Step, error) { return JudgeSteps(l, c, o) })
	}
	if wants(AskStage) {
		plans = append(plans, func() ([]Step, error) { return AskSteps(c) })
	}
	n := 0
	for _, plan := range plans {
		steps, err := plan()
		if err != nil {
			return err
		}
		n += len(steps)
		for _, s := range steps {
			if err := do(s); err != nil {
				return err
			}
		}
	}
	if n == 0 {
		return nothingToAsk(c, o)
	}
	return nil
}

// ErrNothingToAsk is wrapped by the error of a run without a single step.
var ErrNothingToAsk = errors.New("there is nothing to ask")

// nothingToAsk says why a run has no step.
func nothingToAsk(c *Config, o Choice) error {
	switch {
	case o.Stage == CaptionStage || o.Stage == AskStage || o.Stage == "" && len(c.Captions.Captioners)+len(c.Answers.Readers) == 0:
		return data.WithHint(fmt.Errorf("%w: no captioner is named", ErrNothingToAsk), "name captioners under captions, and readers under answers, in %s", ConfigFile)
	case len(c.Answers.Readers) == 0 && slices.ContainsFunc(c.Answers.Evidence, func(e string) bool { return e != EvidenceImage }):
		return data.WithHint(fmt.Errorf("%w: no reader is named", ErrNothingToAsk), "name one with --reader, or under answers in %s", ConfigFile)
	case len(o.Captioners)+len(o.Prompts) > 0:
		return data.WithHint(fmt.Errorf("%w: the lake has no captions of %s", ErrNothingToAsk, conditions(strings.Join(o.Captioners, ", "), strings.Join(o.Prompts, ", "))),
			"see which it has: captionlake sql \"select distinct captioner, prompt from captions\"; make them with: captionlake run caption")
	}
	return data.WithHint(fmt.Errorf("%w: the lake has no captions", ErrNothingToAsk), "make them with: captionlake run caption, or load them with: captionlake ingest FILE")
}
