package main

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/engine"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// exits runs the program in this process, expects an exit code and returns what was printed.
func exits(t *testing.T, want int, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(args, strings.NewReader(""), &out, &errs); code != want {
		t.Fatalf("captionlake %s: exit code %d, want %d\n%s%s", strings.Join(args, " "), code, want, out.String(),
			errs.String())
	}
	return out.String(), errs.String()
}

// The doctor passes a server that serves what the configuration says, and says what is wrong with one that does not; a
// dry run names what is pending and asks nothing.
func TestDoctorAndDryRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lake := demoLake(t)
	server := httptest.NewServer(rehearsalserver.New(rehearsalserver.Options{}))
	defer server.Close()
	path := filepath.Join(dir, "captionlake.yaml")
	write := func(models string) {
		config := "endpoints:\n  - name: rehearsal\n    replicas: [" + server.URL + "/v1]\n    models: [" +
			models + "]\n    attempts: 1\n" +
			"models:\n  - name: rehearsal/reader-careful\n    price: {input: 2, cached: 1, output: 4}\n" +
			"answers:\n  readers: [rehearsal/reader-careful]\n  protocol: captionqa/probabilities\n"
		must.Succeed(t, os.WriteFile(path, []byte(config), 0o666))
	}

	write("rehearsal/reader-careful")
	out, _ := exits(t, exitOK, "doctor", "--config", path)
	if !strings.Contains(out, "serves      pass") || !strings.Contains(out, "sampling    pass") ||
		!strings.Contains(out, "constraint  pass") {
		t.Errorf("doctor says:\n%s", out)
	}
	write("rehearsal/reader-careful, rehearsal/nobody")
	out, stderr := exits(t, exitFailure, "doctor", "--config", path)
	if !strings.Contains(out, "does not serve rehearsal/nobody") || !strings.Contains(stderr, "Try: ") {
		t.Errorf("doctor says:\n%s%s", out, stderr)
	}
	// Of a stage, only the models that it asks count.
	exits(t, exitOK, "doctor", "answer", "--config", path)
	if _, stderr = exits(t, exitFailure, "doctor", "battle", "--config", path); !strings.Contains(stderr,
		"the stage battle asks no model of captionlake.yaml") {
		t.Errorf("doctor says:\n%s", stderr)
	}

	write("rehearsal/reader-careful")
	out, _ = exits(t, exitOK, "run", "--dry-run", "--json", "--lake", lake, "--config", path, "--prompt", "Short",
		"--captioner", "rehearsal-captioner-small", "answer")
	var estimates []engine.Estimate
	must.Succeed(t, json.Unmarshal([]byte(out), &estimates))
	// 317 questions, none asked under this protocol; the largest share of a prompt is the caption and system message.
	if len(estimates) != 1 || estimates[0].Pending != 317 || estimates[0].Planned != 317 {
		t.Fatalf("%+v", estimates)
	}
	e := estimates[0]
	cost := (2*float64(e.Prompt-e.Shared) + 1*float64(e.Shared) + 4*float64(e.Output)) / 1e6
	if e.Shared <= e.Prompt/3 || e.Output != 317 || e.Cost != cost || e.Seconds <= 0 {
		t.Errorf("%+v, the cost should be %v", e, cost)
	}

	// The configuration that rehearse prints is whole: a reader is named for captions of any
	// captioner, and each model is checked for the longest reply that it is asked for.
	config := rehearsalConfig(strings.TrimPrefix(server.URL, "http://"))
	must.Succeed(t, os.WriteFile(path, []byte(config), 0o666))
	exits(t, exitOK, "run", "answer", "--dry-run", "--lake", lake, "--config", path, "--captioner",
		"rehearsal-captioner-small")
	out, _ = exits(t, exitOK, "doctor", "--config", path)
	for _, want := range []string{"of rehearsal/writer-a is enough for max_tokens 4096",
		"of rehearsal/judge is enough for max_tokens 1500",
		"of rehearsal/reader-careful is enough for max_tokens 4\n"} {
		if !strings.Contains(strings.Join(strings.Fields(out), " ")+"\n", strings.TrimSpace(want)) {
			t.Errorf("doctor does not say %q:\n%s", want, out)
		}
	}
	// OpenAI's dialect has fewer parameters. What a terminal would obey is shown, not sent.
	must.Succeed(t, os.WriteFile(path,
		[]byte(strings.Replace(config, "name: rehearsal\n", "name: \"re\\e[2J\\u202ehearsal\"\n    dialect: openai\n",
			1)), 0o666))
	out, _ = exits(t, exitOK, "doctor", "--config", path)
	if !strings.Contains(out, "every sampling parameter is taken") || strings.ContainsAny(out, "\x1b\u202e") ||
		!strings.Contains(out, "re�[2J�hearsal") {
		t.Errorf("doctor says:\n%q", out)
	}

	server.Close()
	out, _ = exits(t, exitFailure, "doctor", "--config", path)
	if !strings.Contains(out, "start the server") {
		t.Errorf("doctor says:\n%s", out)
	}
}
