package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// The demo of the construction track goes from taxonomies to a leaderboard, marks everything as
// simulated, and does nothing a second time.
func TestConstructDemo(t *testing.T) {
	laketest.Slow(t, "the whole track on the sample set")
	t.Chdir(t.TempDir())
	out, _ := exits(t, exitOK, "demo", "--construct")
	lines := strings.Split(out, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "─") && !strings.Contains(lines[i-2], "SIMULATED") {
			t.Errorf("%q does not say that what follows is simulated", lines[i-2])
		}
	}
	for _, want := range []string{"generated", "well_formed", "sighted", "distinct", "accepted",
		"    1  Rehearsal captioner L", "    3  Rehearsal captioner S", "simulated  from rehearsal models", "review"} {
		if !strings.Contains(out, want) {
			t.Errorf("the demo does not print %q:\n%s", want, out)
		}
	}
	lake := []string{"--lake", constructDemoLake, "sql", "--format", "csv"}
	query := func(sql string) string {
		said, _ := exits(t, exitOK, append(lake, sql)...)
		return said
	}
	for _, table := range []string{"candidates", "blind_trials", "embeddings", "question_groups", "validations",
		"routes", "captions", "answers"} {
		if got := query("select distinct provenance from " + table); got != "provenance\nsimulated\n" {
			t.Errorf("%s has rows that are\n%s", table, got)
		}
	}
	if got := query("select count(*) > 100 as n, count(*) = count(c.request_hash) as traced from questions as q left join candidates as k using (candidate_id) left join calls as c using (request_hash)"); got != "n,traced\ntrue,true\n" {
		t.Errorf("questions without the call that they come from:\n%s", got)
	}
	calls := query("select count(*) as n from calls")
	again, _ := exits(t, exitOK, "demo", "--construct")
	if again != out {
		t.Errorf("the second run prints\n%s", again)
	}
	if n := query("select count(*) as n from calls"); n != calls {
		t.Errorf("the second run asks: %s calls, then %s", calls, n)
	}
	// A lake with the demo's own questions is left alone.
	other := filepath.Join(t.TempDir(), "lake")
	must.Get(copyLake("demo", other))(t)
	_, said := exits(t, exitFailure, "--lake", other, "demo", "--construct")
	if !strings.Contains(said, "captionlake --lake lake-construct demo --construct") {
		t.Errorf("a lake with questions: %s", said)
	}
}
