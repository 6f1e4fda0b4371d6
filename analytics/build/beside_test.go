package build

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/ingest"
)

// TestAnalyzeBesideWriters builds marts while another process removes and adds units. Byte for byte
// the marts are the marts of the lake as it was at the beginning, and, built once more, the marts
// of the lake as it is in the end.
func TestAnalyzeBesideWriters(t *testing.T) {
	smallBuckets(t)
	models := foldModels(t)
	if os.Getenv("CAPTIONLAKE_SLOW") != "" { // All models take some seconds each time.
		models = sqlmodel.All()
	}
	lake := laketest.New(t)
	must.Get(ingest.LoadSample(t.Context(), lake, true))(t)
	build := func(lake *data.Lake, progress func(string, int, int)) {
		t.Helper()
		must.Get(Build(t.Context(), lake, models,
			Options{sampling: sampling{"stability_trials": "5"}, Progress: progress}))(t)
	}
	equal := func(when string, whole *data.Lake) {
		t.Helper()
		build(whole, nil)
		wanted := filesOfMarts(t, whole)
		expect.Equal(t, filesOfMarts(t, lake), wanted, when)
		expect.Equal(t, len(wanted) >= len(models), true, when)
	}
	build(lake, nil)
	expect.Equal(t, len(must.Get(Behind(lake))(t)), 0)

	neighbour := must.Get(data.Waiter{}.Edit(lake.Dir(), "run"))(t)
	defer neighbour.Close()
	var changes []func()
	for i, run := range laketest.All(t, lake, data.Runs) {
		if i%2 == 0 {
			changes = append(changes, func() { must.Succeed(t, neighbour.Remove(run.Unit)) })
		}
		changes = append(changes, func() {
			addRows(t, neighbour, data.Answers, fmt.Sprint(i), answer("m-1", "Natural", fmt.Sprint("q", i)))
		})
	}
	addRows(t, lake, data.Answers, "more", answer("m-2", "Natural", "q")) // so that there is something to do
	beginning := copyWithoutMarts(t, lake)
	build(lake, func(_ string, done, total int) {
		for _, change := range changes[len(changes)*(done-1)/total : len(changes)*done/total] {
			change()
		}
	})
	equal("beside writers", beginning)

	build(lake, nil)
	equal("in the end", copyWithoutMarts(t, lake))
	if entries, err := os.ReadDir(lake.Path("journal")); err != nil ||
		slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.IsDir() && e.Name() != "locks" }) {
		t.Errorf("left in the journal: %v %v", entries, err)
	}
}
