package stages

import (
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/config"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// A request that two units share, failed for the one and asked again for the other, is a reply for both: otherwise the
// first unit's answers stay failed for good, since nothing asks again for what is recorded.
func TestAReplyForOneUnitReplacesTheFailureOfAnother(t *testing.T) {
	l := sampleLake(t)
	c := rehearsal(serve(t, l, rehearsalserver.Options{}, nil))
	c.Captions.Captioners, c.Captions.Prompts = []string{"rehearsal/captioner-medium", "rehearsal/captioner-large"}, []string{captionqa.PromptShort}
	mustRun(t, l, c, config.Choice{Stage: "caption"}) // Short captions of the two are the same for many pictures.
	plan, err := rehearsalserver.ParseFaults("malformed=20%")
	must.Succeed(t, err)
	broken := *c
	broken.Endpoints = []config.Endpoint{c.Endpoints[0]}
	broken.Endpoints[0].Replicas, broken.Endpoints[0].Attempts = []string{serve(t, l, rehearsalserver.Options{Faults: plan}, nil)}, 1
	mustRun(t, l, &broken, config.Choice{Stage: "answer", Captioners: []string{"rehearsal-captioner-large"}})
	for _, captioner := range []string{"rehearsal-captioner-medium", "rehearsal-captioner-large"} {
		o := config.Choice{Stage: "answer", Captioners: []string{captioner}}
		retryFailed(t, l, c, o)
	}
	for _, a := range laketest.All(t, l, data.Answers) {
		if a.Outcome == string(captionqa.Failed) {
			t.Fatalf("%s of %s is failed, though its request was answered", a.QuestionID, a.Captioner)
		}
	}
}
