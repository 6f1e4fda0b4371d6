package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// The Python package passes its tests and mypy, its wheel has no binary and is imported without extras, the notebooks run on the demo lake and on
// that of the README, and reading 3.4 million answers takes little memory: in an environment of its own, from PyPI.
func TestPython(t *testing.T) {
	laketest.Slow(t, "installs pandas, polars and Jupyter from PyPI and simulates a full-size lake")
	binary, err := exec.LookPath("captionlake") // testscript.Main puts the program on the path.
	must.Succeed(t, err)
	script, err := filepath.Abs(filepath.Join("..", "..", "analytics", "python", "check.py"))
	must.Succeed(t, err)
	walkOwnData(t, func([]string, string) {})
	small, err := filepath.Abs("lake")
	must.Succeed(t, err)
	folder := t.TempDir()
	big := filepath.Join(folder, "big")
	if out, err := exec.CommandContext(t.Context(), binary, "-q", "simulate", "--lake", big).CombinedOutput(); err != nil {
		t.Fatalf("simulate: %v\n%s", err, out)
	}
	runScript(t, script, "--program", binary, "--folder", folder, "--small", small, "--big", big)
}

func python3(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	return program
}

// runScript runs a Python script and returns what it prints. A script that cannot get what it needs exits with 3: then the test is skipped.
func runScript(t *testing.T, script string, arguments ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), python3(t), append([]string{script}, arguments...)...)
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 3 {
		t.Skipf("%s%s", stdout.String(), stderr.String())
	}
	if err != nil {
		t.Fatalf("%v\n%s%s", err, stdout.String(), stderr.String())
	}
	t.Logf("%s%s", stdout.String(), stderr.String())
	return stdout.String()
}

// pathOfAMachine is what a notebook that was saved after it was run may hold.
var pathOfAMachine = regexp.MustCompile(`/(home|Users|root|tmp|opt|work)/`)

// Notebooks are kept without outputs, counts, times and paths of a machine, so that a change of one shows what was changed.
func TestNotebooksAreClear(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "analytics", "notebooks", "*.ipynb"))
	if err != nil || len(files) < 3 {
		t.Fatalf("%d notebooks: %v", len(files), err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		must.Succeed(t, err)
		var notebook struct {
			Cells []struct {
				Kind     string          `json:"cell_type"`
				Count    *int            `json:"execution_count"`
				Metadata json.RawMessage `json:"metadata"`
				Outputs  []any           `json:"outputs"`
				Source   []string        `json:"source"`
			} `json:"cells"`
			Metadata map[string]json.RawMessage `json:"metadata"`
		}
		if err := json.Unmarshal(content, &notebook); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for i, c := range notebook.Cells {
			if c.Count != nil || len(c.Outputs) > 0 || string(bytes.Join(bytes.Fields(c.Metadata), nil)) != "{}" || len(c.Source) == 0 {
				t.Errorf("%s: cell %d has outputs, a count or metadata, or is empty; clear the notebook's outputs", file, i+1)
			}
		}
		if len(notebook.Cells) < 6 || len(notebook.Metadata) != 1 || notebook.Metadata["kernelspec"] == nil {
			t.Errorf("%s: %d cells, metadata beyond the kernel: %v", file, len(notebook.Cells), notebook.Metadata)
		}
		if found := pathOfAMachine.Find(content); found != nil {
			t.Errorf("%s holds a path of a machine: %s", file, found)
		}
	}
}
