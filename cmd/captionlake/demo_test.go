package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/captionlake/captionlake/data/must"
)

// tests runs all tests, with a folder that several tests share.
type tests struct{ *testing.M }

var sharedDir string

func (m tests) Run() (code int) {
	var err error
	flag.Parse()
	if sharedDir, err = os.MkdirTemp("", "captionlake"); err == nil {
		// All tests run, so the lakes are filled while the first tests run.
		if flag.Lookup("test.run").Value.String() == "" {
			for _, fill := range sharedLakes {
				go fill()
			}
		}
		code = m.M.Run()
		err = os.RemoveAll(sharedDir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	return code
}

// filled makes a function that fills a lake in the shared folder by commands, once for all tests,
// and returns the output of the last command.
func filled(name string, commands ...[]string) func() ([]byte, error) {
	return sync.OnceValues(func() (printed []byte, err error) {
		binary, err := exec.LookPath("captionlake") // testscript.Main puts the program on the path.
		for _, args := range commands {
			if err == nil {
				c := exec.Command(binary, append([]string{"--quiet"}, args...)...)
				c.Dir = filepath.Join(sharedDir, name)
				if err = os.MkdirAll(c.Dir, 0o777); err == nil {
					printed, err = c.Output()
				}
			}
		}
		return printed, err
	})
}

// sharedLakes are two lakes that tests copy: the lake of captionlake demo, which takes ten times as
// long to make as most tests take, and a new lake with all results. Rows that a test adds to the
// second change few results.
var sharedLakes = map[string]func() ([]byte, error){
	"demo": filled("demo", []string{"demo"}), "analyzed": filled("analyzed", []string{"init"}, []string{"analyze"}),
}

// copyLake copies a shared lake to a folder and returns the output of the command that filled the
// lake.
func copyLake(name, dir string) ([]byte, error) {
	printed, err := sharedLakes[name]()
	if err != nil {
		return nil, fmt.Errorf("captionlake %s: %w", name, err)
	}
	return printed, os.CopyFS(dir, os.DirFS(filepath.Join(sharedDir, name, "lake")))
}

// demoLake is a lake of the test's own that captionlake demo has filled.
func demoLake(t *testing.T) string { return lakeOf(t, "demo") }

func lakeOf(t *testing.T, name string) string {
	t.Helper()
	lake := filepath.Join(t.TempDir(), "lake")
	must.Get(copyLake(name, lake))(t)
	return lake
}

// copyLakeCommand replaces captionlake demo, or init and analyze, in a script: it makes the same
// lake and prints the same output.
func copyLakeCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 || sharedLakes[args[0]] == nil {
		ts.Fatalf("usage: copylake demo|analyzed")
	}
	printed, err := copyLake(args[0], ts.MkAbs("lake"))
	ts.Check(err)
	_, err = ts.Stdout().Write(printed)
	ts.Check(err)
}
