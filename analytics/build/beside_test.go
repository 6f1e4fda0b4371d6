package build

import (
	"os"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/must"
)

// TestAnalyzeBesideWriters builds marts while another process replaces, removes and adds units. Byte for byte the marts are those of the
// lake as it was at the beginning, and, built once more, those of the lake as it is in the end.
func TestAnalyzeBesideWriters(t *testing.T) {
	smallBuckets(t)
	models := sqlmodel.All()
	if os.Getenv("CAPTIONLAKE_SLOW") == "" { // all models take some seconds each time
		kept := sqlmodel.TableNames()
		models = slices.DeleteFunc(models, func(m sqlmodel.Model) bool {
			left := m.Fold != "answers" && m.Fold != "votes" || slices.ContainsFunc(m.Inputs, func(input string) bool { return !slices.Contains(kept, input) })
			if !left {
				kept = append(kept, m.Name)
			}
			return left
		})
	}
	l := newSmallLake(t)
	build := func(lake *data.Lake, progress func(string, int, int)) {
		t.Helper()
		if _, err := Build(t.Context(), lake, models, Options{sampling: sampling{"stability_trials": "5"}, Progress: progress}); err != nil {
			t.Fatal(err)
		}
	}
	equal := func(when string, whole *data.Lake) {
		t.Helper()
		carried, wanted := filesOfMarts(t, l.Lake), filesOfMarts(t, whole)
		if len(carried) != len(wanted) || len(wanted) < len(models) {
			t.Errorf("%s: %d files of marts, not %d", when, len(carried), len(wanted))
		}
		for name, want := range wanted {
			if carried[name] != want {
				t.Errorf("%s: %s differs from that of a quiet lake", when, name)
			}
		}
	}
	build(l.Lake, nil)
	if behind := must.Get(Behind(l.Lake))(t); len(behind) > 0 {
		t.Errorf("%q are said to be newer than what was just built of them", behind)
	}
	l.answered("m-2 Short", "captionqa/upstream", "r1", "caption", "m-2", "Short", 0, "again") // so that there is something to do
	l.described("m-2", "Simple")
	l.judged("m-2", "j", "m-2", 0, "again")
	l.fought("m-1 m-2", "m-1", "m-2", "again")

	neighbour := must.Get(data.Waiter{}.Edit(l.Dir(), "run"))(t)
	defer neighbour.Close()
	other := smallLake{neighbour, t}
	changes := []func(){
		func() { other.remove("answers", "m-2 Short") },
		func() { other.remove("calls", "r2") },
		func() {
			other.described("m-3", "Short", "Simple")
			other.answered("m-3 Simple", "captionqa/upstream", "r1", "caption", "m-3", "Simple", 0, "")
		},
		func() {
			other.answered("m-1 Simple", "captionqa/upstream", "r1", "caption", "m-1", "Simple", 0, "again")
		},
		func() { other.judged("m-1", "j", "m-1", 0, "again") },
		func() { other.remove("votes", "m-1 m-2") },
		func() { other.described("m-1", "Simple") },
		func() { other.constructed("kitchen", "again") },
		func() { other.remove("judgments", "m-2") },
	}
	beginning := copyWithoutMarts(t, l.Lake)
	var made atomic.Int32
	build(l.Lake, func(string, int, int) {
		for range 2 {
			if i := int(made.Add(1)) - 1; i < len(changes) {
				changes[i]()
			}
		}
	})
	if int(made.Load()) < len(changes) {
		t.Fatalf("only %d of %d changes were made", made.Load(), len(changes))
	}
	build(beginning, nil)
	equal("beside writers", beginning)

	build(l.Lake, nil)
	end := copyWithoutMarts(t, l.Lake)
	build(end, nil)
	equal("in the end", end)
	if entries, err := os.ReadDir(l.Path("journal")); err != nil || slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.IsDir() && e.Name() != "locks" }) {
		t.Errorf("left in the journal: %v %v", entries, err)
	}
}
