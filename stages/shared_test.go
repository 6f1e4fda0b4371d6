package stages

import (
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages/stub"
)

// A request that two units share, failed for the one and asked again for the other, is a reply for both: otherwise the
// first unit's answers stay failed for good, since nothing asks again for what is recorded.
func TestAReplyForOneUnitMendsTheFailureOfAnother(t *testing.T) {
	l := sampleLake(t)
	c := rehearsal(serve(t, l, stub.Options{}, nil))
	c.Captions.Captioners, c.Captions.Prompts = []string{"stub/captioner-medium", "stub/captioner-large"}, []string{captionqa.PromptShort}
	mustRun(t, l, c, Choice{Stage: CaptionStage}) // Short captions of the two are the same for many pictures.
	plan, err := stub.ParseFaults("malformed=100%")
	if err != nil {
		t.Fatal(err)
	}
	broken := *c
	broken.Endpoints = []EndpointConfig{c.Endpoints[0]}
	broken.Endpoints[0].Replicas, broken.Endpoints[0].Attempts = []string{serve(t, l, stub.Options{Faults: plan}, nil)}, 1
	mustRun(t, l, &broken, Choice{Stage: AnswerStage, Captioners: []string{"stub-captioner-large"}})
	for _, captioner := range []string{"stub-captioner-medium", "stub-captioner-large"} {
		o := Choice{Stage: AnswerStage, Captioners: []string{captioner}}
		narrowed := c.Narrow(o)
		r := &Runner{Lake: l, Config: &narrowed, RetryFailed: true}
		if err := EachStep(l, &narrowed, o, func(s Step) error { _, err := r.Step(t.Context(), s); return err }); err != nil {
			t.Fatal(err)
		}
	}
	for _, a := range allRows(t, l, data.Answers) {
		if a.Outcome == string(captionqa.Failed) {
			t.Fatalf("%s of %s is failed, though its request was answered", a.QuestionID, a.Captioner)
		}
	}
}
