package main

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/config"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// What a run prints beside its numbers: why there was nothing to ask, and that requests failed, with the next step.
func TestRunSaysWhatItsNumbersMean(t *testing.T) {
	dir := t.TempDir()
	bank, pictures := sampleFiles(t, dir)
	t.Chdir(dir)
	exits(t, exitOK, "init")
	server := httptest.NewServer(rehearsalserver.New(rehearsalserver.Options{}))
	defer server.Close()
	text := "endpoints:\n  - name: rehearsal\n    replicas: [" + server.URL + "/v1]\n    models: [rehearsal/captioner-large, rehearsal/reader-careful]\n" +
		"captions:\n  captioners: [rehearsal/captioner-large]\nanswers:\n  readers: [rehearsal/reader-careful]\n"
	must.Succeed(t, os.WriteFile(config.File, []byte(text), 0o666))
	says := func(out string, wants ...string) {
		t.Helper()
		for _, want := range wants {
			if !strings.Contains(out, want) {
				t.Errorf("%q is missing in:\n%s", want, out)
			}
		}
	}

	out, _ := exits(t, exitOK, "run", "caption")
	says(out, "Note: the lake has no pictures to caption: load them with captionlake ingest FOLDER")
	out, stderr := exits(t, exitFailure, "run", "answer")
	says(stderr, "Error: there is nothing to ask: the lake has no captions\nTry: make them with: captionlake run caption")
	says("|"+out+"|", "||")
	out, _ = exits(t, exitFailure, "run", "answer", "--json")
	says(out, "[]\n")

	exits(t, exitOK, "ingest", bank, pictures)
	out, _ = exits(t, exitOK, "run", "--dry-run")
	says(out, "~ captionqa/upstream rehearsal-reader-careful caption rehearsal-captioner-large Simple r0", "~ 2 units", "their length, or their number, is an assumption")
	kept, err := filepath.Glob(filepath.Join("lake", "pictures", "*"))
	if err != nil || len(kept) == 0 {
		t.Fatalf("%v %v", kept, err)
	}
	must.Succeed(t, os.WriteFile(kept[0], []byte("no picture"), 0o666))
	out, _ = exits(t, exitOK, "run", "caption", "--prompt", "simple")
	says(out, "Note: failed or cut off: 1; see why with captionlake", "--retry-failed")
	out, stderr = exits(t, exitFailure, "run", "caption", "--export", "batches", "--retry-failed")
	says(stderr, "has changed", "Try: fix what it names and export again")
	says("|"+out+"|", "||")
}
