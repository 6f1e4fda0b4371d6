package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

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
	command := func(args ...string) (int, string) {
		var stdout, stderr bytes.Buffer
		code := run(append([]string{"--quiet", "--lake", lake}, args...), strings.NewReader(""), &stdout, &stderr)
		return code, stdout.String() + stderr.String()
	}
	if code, said := command("run", "caption", "--captioner", "m", "--config", config, "--dry-run"); code != exitOK || !strings.Contains(said, "unknown") || strings.Contains(said, "0.00") {
		t.Errorf("a dry run without a price: %d %s", code, said)
	}
	code, said := command("run", "caption", "--captioner", "m", "--config", config)
	if code != exitFailure || !strings.Contains(said, "Error: every request failed (") || !strings.Contains(said, "pictures are not taken") || !strings.Contains(said, "Try: remove the cause") {
		t.Errorf("exit code %d\n%s", code, said)
	}
}
