package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra/doc"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// A run fails if every request failed, and says why.
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
	must.Write(t, config, text)
	do, args := onLake(t, demoLake(t)), []string{"--quiet", "run", "caption", "--captioner", "m", "--config", config}
	said := do(exitOK, append(args, "--dry-run")...)
	expect.Contains(t, said, "unknown")
	expect.Lacks(t, said, "0.00")
	said = do(exitFailure, args...)
	expect.Contains(t, said, "Error: every request failed (", "pictures are not taken", "Try: remove the cause")
}

// Each command has a page of the manual. CAPTIONLAKE_MAN names a folder that gets them, for a
// release.
func TestManPages(t *testing.T) {
	folder := os.Getenv("CAPTIONLAKE_MAN")
	if folder == "" {
		folder = t.TempDir()
	}
	root := new(app).root()
	root.DisableAutoGenTag = true
	must.Succeed(t, os.MkdirAll(folder, 0o777))
	must.Succeed(t, doc.GenManTree(root,
		&doc.GenManHeader{Source: "captionlake " + data.Version, Manual: "captionlake"}, folder))
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			expect.Contains(t, string(must.Read(t, filepath.Join(folder, "captionlake-"+c.Name()+".1"))), ".SH SYNOPSIS")
		}
	}
}
