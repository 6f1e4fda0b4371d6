package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra/doc"

	"github.com/captionlake/captionlake/data"
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
	text := "endpoints:\n  - name: rehearsal\n    replicas: [" +
		server.URL + "/v1]\n    models: [rehearsal/captioner-large, rehearsal/reader-careful]\n" +
		"captions:\n  captioners: [rehearsal/captioner-large]\nanswers:\n  readers: [rehearsal/reader-careful]\n"
	must.Succeed(t, os.WriteFile(config.File, []byte(text), 0o666))
	says := func(out string, wants ...string) {
		t.Helper()
		out = strings.Join(strings.Fields(out), " ") // Long lines are wrapped.
		for _, want := range wants {
			if !strings.Contains(out, strings.Join(strings.Fields(want), " ")) {
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
	says(out, "~ captionqa/upstream rehearsal-reader-careful caption rehearsal-captioner-large Simple r0", "~ 2 units",
		"their length, or their number, is an assumption")
	kept, err := filepath.Glob(filepath.Join("lake", "pictures", "*"))
	if err != nil || len(kept) == 0 {
		t.Fatalf("%v %v", kept, err)
	}
	must.Succeed(t, os.WriteFile(kept[0], []byte("no picture"), 0o666))
	out, _ = exits(t, exitOK, "run", "caption", "--prompt", "simple")
	says(out, "Note: failed or cut off: 1; see why with captionlake", "--retry-failed")
	out, stderr = exits(t, exitFailure, "run", "caption", "--export", "batches", "--retry-failed")
	says(stderr, "has changed", "Try: fix the named request and export again")
	says("|"+out+"|", "||")
}

// A run of which every request failed fails, and says why.
func TestRunThatGotNothingFails(t *testing.T) {
	dir := t.TempDir()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/models") {
			_, _ = w.Write([]byte(`{"object":"list","data":[{"id":"m","object":"model"}]}`))
			return
		}
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"error":{"message":"pictures are not taken","type":"BadRequestError","code":400}}`))
	}))
	defer server.Close()
	config := filepath.Join(dir, "captionlake.yaml")
	text := "endpoints:\n  - name: a\n    replicas: [" + server.URL + "/v1]\n    models: [m]\n    attempts: 1\n"
	must.Succeed(t, os.WriteFile(config, []byte(text), 0o600))
	lake := demoLake(t)
	command := func(want int, more ...string) string {
		out, errs := exits(t, want,
			append([]string{"--quiet", "--lake", lake, "run", "caption", "--captioner", "m", "--config", config},
				more...)...)
		return out + errs
	}
	if said := command(exitOK, "--dry-run"); !strings.Contains(said, "unknown") || strings.Contains(said, "0.00") {
		t.Errorf("a dry run without a price: %s", said)
	}
	said := command(exitFailure)
	if !strings.Contains(said, "Error: every request failed (") || !strings.Contains(said, "pictures are not taken") ||
		!strings.Contains(said, "Try: remove the cause") {
		t.Error(said)
	}
}

// Each command has a page of the manual. CAPTIONLAKE_MAN names a folder that gets them, for a release.
func TestManPages(t *testing.T) {
	folder := os.Getenv("CAPTIONLAKE_MAN")
	if folder == "" {
		folder = t.TempDir()
	}
	a := &app{stdin: strings.NewReader(""), stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}}
	root := a.root()
	root.DisableAutoGenTag = true
	must.Succeed(t, os.MkdirAll(folder, 0o777))
	must.Succeed(t, doc.GenManTree(root,
		&doc.GenManHeader{Source: "captionlake " + data.Version, Manual: "captionlake"}, folder))
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			page := must.Get(os.ReadFile(filepath.Join(folder, "captionlake-"+c.Name()+".1")))(t)
			if !bytes.Contains(page, []byte(".SH SYNOPSIS")) {
				t.Errorf("the page of %s is\n%.300s", c.Name(), page)
			}
		}
	}
}
