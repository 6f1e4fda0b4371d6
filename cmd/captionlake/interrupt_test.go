package main

import (
	"bytes"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/must"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// An interrupted run keeps what came back, says how to go on and exits with 130; the same command asks for the rest.
func TestInterruptedRunResumes(t *testing.T) {
	must.Slow(t)
	t.Parallel()
	dir := t.TempDir()
	lakeDir := demoLake(t)
	lake := must.Get(data.Open(lakeDir))(t)
	world := must.Get(rehearsalserver.LakeWorld(lake))(t)
	latency := must.Get(rehearsalserver.ParseLatency("mi325x"))(t)
	server := httptest.NewServer(rehearsalserver.New(rehearsalserver.Options{World: world, Latency: latency}))
	defer server.Close()
	config := `endpoints:
  - name: rehearsal
    replicas: [` + server.URL + `/v1]
    models: [rehearsal/captioner-large, rehearsal/reader-careful]
answers:
  readers: [rehearsal/reader-careful]
  protocol: captionqa/constrained
`
	path := filepath.Join(dir, "captionlake.yaml")
	must.Succeed(t, os.WriteFile(path, []byte(config), 0o666))
	args := []string{"run", "answer", "--lake", lakeDir, "--config", path, "--captioner", "rehearsal/captioner-large", "--prompt", "Long", "--json"}
	binary, err := exec.LookPath("captionlake") // testscript.Main puts the program on the path.
	must.Succeed(t, err)
	cmd := exec.Command(binary, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	must.Succeed(t, cmd.Start())
	waitForJournal(t, lake)
	must.Succeed(t, cmd.Process.Signal(os.Interrupt))
	err = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
		t.Fatalf("exit code %d (%v), standard error: %s", code, err, stderr.String())
	}
	if text := stderr.String(); !strings.HasPrefix(text, "stopping: ") || !strings.Contains(text, "r0: interrupted\n") {
		t.Errorf("standard error: %s", text)
	}
	if !strings.Contains(stderr.String(), "Try: run the same command again: every reply that came back is kept") {
		t.Errorf("standard error: %s", stderr.String())
	}
	stdout.Reset()
	again := exec.Command(binary, args...)
	again.Stdout = &stdout
	must.Succeed(t, again.Run())
	if text := stdout.String(); !strings.Contains(text, `"planned": 317`) || strings.Contains(text, `"recorded": 0,`) {
		t.Errorf("the second run should find some of the 317 answers recorded: %s", text)
	}
}

// waitForJournal waits until some replies are on disk.
func waitForJournal(t *testing.T, lake *data.Lake) {
	t.Helper()
	for range 600 {
		names := must.Get(lake.Journals())(t)
		for _, name := range names {
			rows := 0
			for _, err := range data.JournalRows[data.Call](lake, name) {
				must.Succeed(t, err)
				rows++
			}
			if rows > 20 {
				return
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("no reply came to the journal within 30 seconds")
}
