package stages

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/batch"
	"github.com/captionlake/captionlake/stages/config"
)

// Captions are asked again under other settings only when that is said, and the dry run says what
// it costs.
func TestRecordedRepliesAreReplacedOnRequestOnly(t *testing.T) {
	l := sampleLake(t)
	c := rehearsal(serve(t, l))
	choice := captioning
	mustRun(t, l, c, choice)
	asked := callsIn(t, l)
	for name, change := range map[string]func(c *config.Config){
		"max_tokens: 2048 → 1024": func(c *config.Config) { c.Captions.MaxTokens = 1024 },
		`prompt: "Describe this image`: func(c *config.Config) {
			c.Prompts = []config.Prompt{{Name: c.Captions.Prompts[0], Text: "Write an alt text."}}
		},
	} {
		changed := *c
		change(&changed)
		refused(t, l, &changed, choice, "--replace", name, "25 items have replies")
		estimates, err := New(l, &changed, choice).Estimate()
		if err != nil || len(estimates) != 1 {
			t.Fatalf("%+v %v", estimates, err)
		}
		e := estimates[0]
		if err != nil || e.Replaces == nil || e.Replaces.Requests != 25 || e.Pending != 25 ||
			e.Replaces.Prompt != e.Prompt {
			t.Fatalf("%s: %+v %v", name, e, err)
		}
	}
	must.Equal(t, callsIn(t, l), asked)
	changed := *c
	changed.Captions.MaxTokens = 1024
	runner := New(l, &changed, choice)
	runner.Replace = true
	if reports, err := runner.Run(t.Context()); err != nil || len(reports) != 1 || reports[0].Answered != 25 {
		t.Fatalf("%+v %v", reports, err)
	}
	// Both settings are recorded now, so either is read without a request.
	for _, c := range []*config.Config{c, &changed} {
		must.Equal(t, mustRun(t, l, c, choice)[0].Answered, 0)
	}
}

// A run records the price of its model, live and from a batch, or no price if the model has no
// price. The cost is told by that price, whatever the configuration says later.
func TestRunsRecordThePrice(t *testing.T) {
	price := config.Price{Input: 1.5, Cached: 0.25, Output: 6}
	l := sampleLake(t)
	c := rehearsal(serve(t, l))
	c.Models = []config.ModelSettings{{Name: "rehearsal/captioner-small", Price: price},
		{Name: "rehearsal/captioner-medium", Price: price}}
	ask := func(captioner string) config.Choice {
		return config.Choice{Stage: "caption", Captioners: []string{captioner}}
	}
	mustRun(t, l, c, ask("rehearsal/captioner-medium"))
	mustRun(t, l, c, ask("rehearsal/captioner-large"))
	dir := t.TempDir()
	manifests := must.Get(exportBatches(l, c, ask("rehearsal/captioner-small"), batch.Options{Dir: dir}))(t)
	for _, m := range manifests {
		replies := filepath.Join(dir, m.Replies)
		offlineBatch(t, c.Endpoints[0].Replicas[0], filepath.Join(dir, m.File), replies)
		must.Get(importBatch(l, c, replies))(t)
	}
	models := map[string]bool{}
	for _, call := range laketest.All(t, l, data.Calls) {
		models[call.Model] = true
	}
	got := map[config.Price]int{}
	for _, run := range laketest.All(t, l, data.Runs) {
		if run.Stage != "caption" {
			continue
		}
		var detail struct{ Price config.Price }
		must.Succeed(t, json.Unmarshal([]byte(run.Detail), &detail))
		got[detail.Price]++
		if detail.Price == (config.Price{}) && strings.Contains(run.Detail, `"price"`) {
			t.Errorf("a run without a price has %s", run.Detail)
		}
	}
	if len(models) != 3 || got[price] != 2 || got[config.Price{}] != 1 {
		t.Errorf("%d models, runs by price: %v", len(models), got)
	}
}
