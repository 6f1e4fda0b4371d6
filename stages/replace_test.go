package stages

import (
	"errors"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/stages/config"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// Captions are asked again under other settings only when that is said, and the dry run says what it costs.
func TestRecordedRepliesAreReplacedOnRequestOnly(t *testing.T) {
	l := sampleLake(t)
	c := rehearsal(serve(t, l, rehearsalserver.Options{}, nil))
	choice := config.Choice{Stage: "caption"}
	mustRun(t, l, c, choice)
	asked := len(laketest.All(t, l, data.Calls))
	for name, change := range map[string]func(c *config.Config){
		"max_tokens: 2048 → 1024": func(c *config.Config) { c.Captions.MaxTokens = 1024 },
		`prompt: "Describe this image`: func(c *config.Config) {
			c.Prompts = []config.Prompt{{Name: c.Captions.Prompts[0], Text: "Write an alt text."}}
		},
	} {
		changed := *c
		change(&changed)
		_, err := runAll(t.Context(), l, &changed, choice)
		var hint *data.HintError
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "25 items have replies") || !errors.As(err, &hint) || !strings.Contains(hint.Hint, "--replace") {
			t.Fatalf("%s: %v", name, err)
		}
		estimates, err := New(l, &changed, choice).Estimate()
		if err != nil || len(estimates) != 1 {
			t.Fatalf("%+v %v", estimates, err)
		}
		e := estimates[0]
		if err != nil || e.Replaces == nil || e.Replaces.Requests != 25 || e.Pending != 25 || e.Replaces.Prompt != e.Prompt {
			t.Fatalf("%s: %+v %v", name, e, err)
		}
	}
	if got := len(laketest.All(t, l, data.Calls)); got != asked {
		t.Fatalf("%d calls were asked", got-asked)
	}
	changed := *c
	changed.Captions.MaxTokens = 1024
	runner := New(l, &changed, choice)
	runner.Replace = true
	if reports, err := runner.Run(t.Context()); err != nil || len(reports) != 1 || reports[0].Answered != 25 {
		t.Fatalf("%+v %v", reports, err)
	}
	// Both settings are recorded now, so either is read without a request.
	for _, c := range []*config.Config{c, &changed} {
		if reports := mustRun(t, l, c, choice); reports[0].Answered != 0 {
			t.Fatalf("asked again: %+v", reports[0])
		}
	}
}
