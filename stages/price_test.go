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
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// A run records the price of its model, live and from a batch, and none where there is none: what was spent is told by that price,
// whatever the configuration says later.
func TestRunsRecordThePrice(t *testing.T) {
	price := config.Price{Input: 1.5, Cached: 0.25, Output: 6}
	l := sampleLake(t)
	c := rehearsal(serve(t, l, rehearsalserver.Options{}, nil))
	c.Models = []config.ModelSettings{{Name: "rehearsal/captioner-small", Price: price}, {Name: "rehearsal/captioner-medium", Price: price}}
	ask := func(captioner string) config.Choice {
		return config.Choice{Stage: "caption", Captioners: []string{captioner}}
	}
	mustRun(t, l, c, ask("rehearsal/captioner-medium"))
	mustRun(t, l, c, ask("rehearsal/captioner-large"))
	dir := t.TempDir()
	manifests, err := exportBatches(l, c, ask("rehearsal/captioner-small"), batch.Options{Dir: dir})
	must.Succeed(t, err)
	for _, m := range manifests {
		replies := filepath.Join(dir, m.Replies)
		offlineBatch(t, c.Endpoints[0].Replicas[0], filepath.Join(dir, m.File), replies)
		if _, err := importBatch(l, c, replies); err != nil {
			t.Fatal(err)
		}
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
