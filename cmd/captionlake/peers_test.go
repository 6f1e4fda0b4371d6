package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The comparison with peers runs from its environment to its report, on a few requests and files.
func TestPeersScript(t *testing.T) {
	if os.Getenv("CAPTIONLAKE_SLOW") == "" {
		t.Skip("installs the peers from PyPI and asks a few hundred questions; set CAPTIONLAKE_SLOW=1 to run it")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	if _, err := exec.LookPath("taskset"); err != nil {
		t.Skip("there is no taskset")
	}
	binary, err := exec.LookPath("captionlake") // testscript.Main puts the program on the path.
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), python, filepath.Join("peers", "peers.py"), "--captionlake", binary, "--folder", t.TempDir(),
		"--runs", "1", "--questions", "200", "--inspect-questions", "20", "--files", "4", "--answers", "100")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 3 {
		t.Skip(stderr.String())
	}
	if err != nil {
		t.Fatalf("%v\n%s%s", err, stdout.String(), stderr.String())
	}
	var report struct {
		Asking map[string]struct {
			Requests int     `json:"requests"`
			Rate     float64 `json:"requests_per_second"`
			Beyond   int     `json:"asked_beyond_the_questions"`
			After    int     `json:"asked_after_it"`
		} `json:"asking"`
		Files map[string]json.RawMessage `json:"files"`
	}
	_, text, _ := bytes.Cut(stdout.Bytes(), []byte("\n"))
	if err := json.Unmarshal(text, &report); err != nil {
		t.Fatalf("%v\n%s", err, stdout.String())
	}
	for name, requests := range map[string]int{"captionlake": 200, "aiohttp loop": 200, "inspect_ai": 20} {
		if got := report.Asking[name]; got.Requests != requests || got.Rate <= 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	// At most the 64 requests in flight are asked again.
	if got := report.Asking["captionlake"]; got.Beyond < 0 || got.Beyond > 64 {
		t.Errorf("after a kill: %+v", got)
	}
	if got := report.Asking["aiohttp loop"]; got.After != 200 {
		t.Errorf("the loop kept something: %+v", got)
	}
	if report.Files["captionqa"] == nil || report.Files["capability"] == nil {
		t.Errorf("the files are missing:\n%s", text)
	}
}
