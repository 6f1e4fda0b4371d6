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

// tests are all tests, with a folder that several of them share.
type tests struct{ *testing.M }

var sharedDir string

func (m tests) Run() (code int) {
	var err error
	flag.Parse()
	if sharedDir, err = os.MkdirTemp("", "captionlake"); err == nil {
		// All tests run: the lakes are filled beside the first of them.
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
// and returns what the last of them prints.
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

// sharedLakes are what captionlake demo makes, which takes ten times as long as most tests, and a
// lake with the rows that every lake begins with and all its results: rows that a test adds change
// few of them.
var sharedLakes = map[string]func() ([]byte, error){
	"demo": filled("demo", []string{"demo"}), "analyzed": filled("analyzed", []string{"init"}, []string{"analyze"}),
}

// copyLake makes a folder a copy of a shared lake and returns what the command that filled it prints.
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

// copyLakeCommand stands for captionlake demo, or for init and analyze, in a script that has no
// lake yet: the same lake, the same output.
func copyLakeCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 || sharedLakes[args[0]] == nil {
		ts.Fatalf("usage: copylake demo|analyzed")
	}
	printed, err := copyLake(args[0], ts.MkAbs("lake"))
	ts.Check(err)
	_, err = ts.Stdout().Write(printed)
	ts.Check(err)
}
