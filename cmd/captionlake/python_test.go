package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// In a new environment with libraries from PyPI, the Python package passes its tests and mypy, its
// wheel has no binary and can be imported without extras, the notebooks run on the demo's lake and
// on the README's lake, and reading 3.4 million answers takes little memory.
func TestPython(t *testing.T) {
	laketest.Slow(t, "installs pandas, polars and Jupyter from PyPI and simulates a full-size lake")
	script := must.Get(filepath.Abs(filepath.Join("..", "..", "analytics", "python", "check.py")))(t)
	walkOwnData(t, func([]string, string) {})
	small := must.Get(filepath.Abs("lake"))(t)
	folder := t.TempDir()
	big := filepath.Join(folder, "big")
	said(t, exec.CommandContext(t.Context(), program(t), "-q", "simulate", "--lake", big))
	runScript(t, script, "--program", program(t), "--folder", folder, "--small", small, "--big", big)
}

// The wheel of a release is below 45 MB, and works in an environment that has only Python.
func TestWheel(t *testing.T) {
	laketest.Slow(t, "builds a release, and installs its wheel with pyarrow and duckdb from PyPI")
	root := must.Get(filepath.Abs(filepath.Join("..", "..")))(t)
	folder := t.TempDir()
	do := func(env []string, name string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir, cmd.Env = folder, env
		return said(t, cmd)
	}
	do(nil, filepath.Join(root, ".ci", "release"), "0.1.0", folder)
	wheels, err := filepath.Glob(filepath.Join(folder, "captionlake-0.1.0-py3-none-manylinux_*_x86_64.whl"))
	if err != nil || len(wheels) != 1 {
		t.Skipf("no wheel was made for this machine: %v %v", wheels, err)
	}
	if i, err := os.Stat(wheels[0]); err != nil || i.Size() >= 45e6 {
		t.Errorf("the wheel: %v %v", i, err)
	}
	do(nil, python3(t), "-m", "venv", "venv")
	bin := filepath.Join(folder, "venv", "bin")
	if out, err := exec.CommandContext(t.Context(), filepath.Join(bin, "pip"), "install", "--quiet",
		"--disable-pip-version-check", wheels[0]).CombinedOutput(); err != nil {
		t.Skipf("what the wheel needs cannot be had: %s", out)
	}
	bare := []string{"PATH=" + bin, "HOME=" + folder}
	if got := do(bare, filepath.Join(bin, "captionlake"), "--version"); !strings.HasPrefix(got, "captionlake 0.1.0 (") {
		t.Errorf("the version is %s", got)
	}
	do(bare, filepath.Join(bin, "captionlake"), "demo")
	got := do(bare, filepath.Join(bin, "python"), "-c", `import captionlake
lake = captionlake.open("lake", frames="arrow")
print(lake.leaderboard().num_rows > 0, lake.show("utility_gap").provenance, captionlake.__file__)`)
	if !strings.HasPrefix(got, "True published "+filepath.Join(folder, "venv")) {
		t.Errorf("Python says %s", got)
	}
}

// said is what a command that must succeed prints.
func said(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	return string(out)
}

func python3(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	return program
}

// runScript runs a Python script and returns its output. If the script cannot download its
// libraries, it exits with 3, and the test is skipped.
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
	return stdout.String()
}

// pathOfAMachine matches paths of a machine, which a notebook has if it was saved after a run.
var pathOfAMachine = regexp.MustCompile(`/(home|Users|root|tmp|opt|work)/`)

// Notebooks are stored without outputs, counts, times and paths of a machine, so that differences
// show only real changes.
func TestNotebooksAreClear(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "analytics", "notebooks", "*.ipynb"))
	if err != nil || len(files) < 3 {
		t.Fatalf("%d notebooks: %v", len(files), err)
	}
	for _, file := range files {
		content := must.Read(t, file)
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
		must.Succeed(t, json.Unmarshal(content, &notebook))
		for i, c := range notebook.Cells {
			if c.Count != nil || len(c.Outputs) > 0 || string(bytes.Join(bytes.Fields(c.Metadata), nil)) != "{}" ||
				len(c.Source) == 0 {
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
