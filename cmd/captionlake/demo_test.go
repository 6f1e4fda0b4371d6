package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// tests are all tests, with a folder for what several of them share.
type tests struct{ *testing.M }

var sharedDir string

func (m tests) Run() (code int) {
	var err error
	if sharedDir, err = os.MkdirTemp("", "captionlake"); err == nil {
		code = m.M.Run()
		err = os.RemoveAll(sharedDir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	return code
}

// runDemo runs captionlake demo in the shared folder and returns what it prints: once for all tests, because it takes ten times as long
// as most of them.
var runDemo = sync.OnceValues(func() ([]byte, error) {
	binary, err := exec.LookPath("captionlake") // testscript.Main puts the program on the path.
	if err != nil {
		return nil, err
	}
	c := exec.Command(binary, "--quiet", "demo")
	c.Dir = sharedDir
	return c.Output()
})

// copyDemo makes a folder a copy of the demo's lake and returns what the demo prints.
func copyDemo(dir string) ([]byte, error) {
	printed, err := runDemo()
	if err != nil {
		return nil, fmt.Errorf("captionlake demo: %w", err)
	}
	return printed, os.CopyFS(dir, os.DirFS(filepath.Join(sharedDir, "lake")))
}

// demoLake is a lake of the test's own that captionlake demo has filled.
func demoLake(t *testing.T) string {
	t.Helper()
	lake := filepath.Join(t.TempDir(), "lake")
	if _, err := copyDemo(lake); err != nil {
		t.Fatal(err)
	}
	return lake
}

// copyDemoCommand stands for captionlake demo in a script that has no lake yet: the same lake, the same output.
func copyDemoCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: demolake")
	}
	printed, err := copyDemo(ts.MkAbs("lake"))
	ts.Check(err)
	_, err = ts.Stdout().Write(printed)
	ts.Check(err)
}
