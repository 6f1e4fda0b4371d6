package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// An interrupted run keeps the replies that came back, says how to go on and exits with 130. The
// same command then asks for the other replies.
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
	must.Write(t, path, config)
	args := []string{"run", "answer", "--lake", lakeDir, "--config", path, "--captioner", "rehearsal/captioner-large",
		"--prompt", "Long", "--json"}
	cmd := exec.Command(program(t), args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	must.Succeed(t, cmd.Start())
	waitForJournal(t, lake)
	must.Succeed(t, cmd.Process.Signal(os.Interrupt))
	_ = cmd.Wait()
	must.Equal(t, cmd.ProcessState.ExitCode(), exitInterrupted, stderr.String())
	if text := stderr.String(); !strings.HasPrefix(text, "stopping: ") || !strings.Contains(text, "r0: interrupted\n") {
		t.Errorf("standard error: %s", text)
	}
	expect.Contains(t, stderr.String(), "Try: run the same command again: every reply that came back is kept")
	stdout.Reset()
	again := exec.Command(program(t), args...)
	again.Stdout = &stdout
	must.Succeed(t, again.Run())
	text := stdout.String()
	expect.Contains(t, text, `"planned": 317`)
	expect.Lacks(t, text, `"recorded": 0,`)
}

// waitForJournal waits until some replies are on disk.
func waitForJournal(t *testing.T, lake *data.Lake) {
	t.Helper()
	for range 600 {
		for _, name := range must.Get(lake.Journals())(t) {
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

// A command that only reads a lake, or removes from it, ends soon after an interrupt, whatever it
// is doing. It exits with 130 and prints one word.
func TestInterruptedLooks(t *testing.T) {
	must.Slow(t)
	t.Parallel()
	lake := demoLake(t)
	interrupted := 0
	for _, args := range [][]string{
		{"status"}, {"status", "--verify"}, {"status", "--runs"}, {"sql", "from answers_wide"}, {"sql",
			"from range(100000000) order by hash(range)"},
		{"remove", "--dry-run", "ingest-sample-sample-0417e970"}, {"show", "tables"}, {"compare",
			"rehearsal-captioner-large", "rehearsal-captioner-small"},
	} {
		for step := range 12 {
			cmd := exec.Command(program(t), append([]string{"--lake", lake}, args...)...)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			must.Succeed(t, cmd.Start())
			time.Sleep(time.Duration(30+30*step) * time.Millisecond)
			_ = cmd.Process.Signal(os.Interrupt) // It may have ended.
			err := cmd.Wait()
			switch code := cmd.ProcessState.ExitCode(); {
			case err == nil, code == -1: // It had ended, or not begun.
			case code != exitInterrupted || stderr.String() != "Error: interrupted\n":
				t.Errorf("captionlake %s: %v, %s", strings.Join(args, " "), err, stderr.String())
			default:
				interrupted++
			}
		}
	}
	if interrupted == 0 {
		t.Error("nothing was interrupted")
	}
}

// Readers do not wait for a writer that is stopped in the middle of a commit, and see what it has
// committed.
func TestCommandsBesideAStoppedWriter(t *testing.T) {
	t.Parallel()
	lake := demoLake(t)
	looks := [][]string{
		{"sql", "--format", "csv",
			"select unit, count(*) as n from answers join runs using (unit) where current group by all order by all"},
		{"sql", "--format", "csv", "select * from leaderboard('Simple') order by all"}, {"status"}, {"show",
			"tables", "answers"},
		{"compare", "rehearsal-captioner-large", "rehearsal-captioner-small", "--reader", "rehearsal-reader-careful"},
		{"remove", "--dry-run", "ingest-sample-sample-0417e970"},
	}
	look := func(args []string) string {
		t.Helper()
		began := time.Now()
		stdout, stderr := exits(t, exitOK, append([]string{"--lake", lake}, args...)...)
		expect.Equal(t, stderr, "", strings.Join(args, " "))
		expect.Between(t, time.Since(began), 0, time.Minute, strings.Join(args, " "))
		return stdout
	}
	var want []string
	for _, args := range looks {
		want = append(want, look(args))
	}
	answers := must.Get(filepath.Glob(filepath.Join(lake, "answers", "score-*.parquet")))(t)
	unit := strings.TrimSuffix(filepath.Base(answers[0]), ".parquet")
	under := func(commit string, names ...string) {
		var moves []string
		for i, name := range names {
			temp := "journal/" + unit + "." + strings.Split(name, "/")[0] + ".tmp"
			if commit == "marts" {
				temp = fmt.Sprintf("journal/mart-%d.tmp", i)
			}
			must.Succeed(t, os.Rename(filepath.Join(lake, name), filepath.Join(lake, temp)))
			moves = append(moves, fmt.Sprintf(`{"from":%q,"to":%q}`, temp, name))
		}
		record := `{"moves":[` + strings.Join(moves, ",") + `],"removes":null,"sum":"%s"}`
		sum := fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, record, "")))
		must.Write(t, filepath.Join(lake, "journal", commit+".commit.json"), fmt.Appendf(nil, record, sum))
	}
	under(unit, "answers/"+unit+".parquet", "runs/"+unit+".parquet")
	under("marts", "marts/leaderboard.parquet", "marts/captionqa_image_sums/00.parquet", "marts/files.json")
	stopped := flock.New(filepath.Join(lake, "journal", "commit.lock"))
	must.Succeed(t, stopped.Lock())
	for i, args := range looks {
		expect.Equal(t, look(args), want[i], strings.Join(args, " "))
	}
	must.Succeed(t, stopped.Unlock())
	for i, args := range looks { // The first of them completes the commits.
		expect.Equal(t, look(args), want[i], strings.Join(args, " "))
	}
	expect.Equal(t, len(must.Get(filepath.Glob(filepath.Join(lake, "journal", "*.commit.json")))(t)), 0)
}
