package main

import (
	"flag"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output of the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"captionlake": main})
}

// TestScripts runs the text files of testdata/script: input files, commands, and what they print.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("CAPTIONLAKE_SHARED", os.Getenv("CAPTIONLAKE_SHARED"))
			return nil
		},
	})
}
