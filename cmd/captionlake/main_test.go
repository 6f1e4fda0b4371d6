package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/captionlake/captionlake/data/must"
)

var update = flag.Bool("update", false, "rewrite the expected output of the scripts")

func TestMain(m *testing.M) {
	testscript.Main(tests{m}, map[string]func(){"captionlake": main})
}

// TestScripts runs the text files of testdata/script: input files, commands, and their expected
// output.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"flip": flip,
			"copylake": copyLakeCommand, "photos": photosCommand, "rehearse": rehearseCommand, "killed": killedCommand,
			"attwice": atMostTwice, "written": writtenCommand},
		Condition: func(name string) (bool, error) { // beside testscript's own
			if name == "slow" {
				return os.Getenv("CAPTIONLAKE_SLOW") != "", nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Setup: func(env *testscript.Env) error {
			env.Setenv("CAPTIONLAKE_SHARED", os.Getenv("CAPTIONLAKE_SHARED"))
			plots, err := filepath.Abs(filepath.Join("..", "..", "plots"))
			env.Setenv("PLOTS", plots)
			return err
		},
	})
}

// flip turns one bit in the middle of each file over, and leaves the file's size and time as they
// were.
func flip(ts *testscript.TestScript, _ bool, files []string) {
	for _, file := range files {
		content, err := os.ReadFile(ts.MkAbs(file))
		ts.Check(err)
		info, err := os.Stat(ts.MkAbs(file))
		ts.Check(err)
		content[len(content)/2] ^= 1
		ts.Check(os.WriteFile(ts.MkAbs(file), content, 0o666))
		ts.Check(os.Chtimes(ts.MkAbs(file), info.ModTime(), info.ModTime()))
	}
}

// program is the path of the program, which testscript.Main puts on the path.
func program(t testing.TB) string {
	t.Helper()
	return must.Get(exec.LookPath("captionlake"))(t)
}

// onLake makes a function that runs commands on a lake, each with the exit code that it expects,
// and returns their output.
func onLake(t *testing.T, lake string) func(want int, args ...string) string {
	return func(want int, args ...string) string {
		t.Helper()
		out, errs := exits(t, want, append(args, "--lake", lake)...)
		return out + errs
	}
}

// exits runs the program in this process, expects an exit code and returns what was printed.
func exits(t *testing.T, want int, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	must.Equal(t, run(args, strings.NewReader(""), &out, &errs), want, strings.Join(args, " "), out.String(),
		errs.String())
	return out.String(), errs.String()
}
