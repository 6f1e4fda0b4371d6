package spark

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// standIn writes a program that is started as spark-sql would be.
func standIn(t *testing.T, text string) Options {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "spark-sql")
	must.Succeed(t, os.WriteFile(program, []byte("#!/bin/sh\n"+text), 0o777))
	return Options{Command: program, Folder: dir, Log: filepath.Join(dir, "log")}
}

// What Spark is started with: the script last, the user's arguments after the arguments that are
// always given, in the process's environment and a folder of its own.
func TestRunStartsSpark(t *testing.T) {
	t.Setenv("CAPTIONLAKE_TEST_INHERITED", "yes")
	o := standIn(t, `echo "$@"; echo "$CAPTIONLAKE_TEST_INHERITED"; pwd`)
	o.Arguments = []string{"--driver-memory", "2g"}
	must.Succeed(t, Run(t.Context(), o, "folds.sql"))
	said := must.Read(t, o.Log)
	lines := strings.Split(string(said), "\n")
	if !strings.HasPrefix(lines[0], "--master local[*] --name captionlake ") ||
		!strings.Contains(lines[0], " --driver-memory 2g -f /") ||
		!strings.HasSuffix(lines[0], "/folds.sql") || lines[1] != "yes" ||
		filepath.Base(lines[2]) != filepath.Base(o.Folder) {
		t.Errorf("%s", said)
	}
}

func TestWhatGoesWrongInSpark(t *testing.T) {
	for _, c := range []struct{ name, program, want, hint string }{
		{"a fault of the script",
			"echo 'Time taken: 1 s'; echo '[TABLE_OR_VIEW_NOT_FOUND] The table is not there. SQLSTATE: 42P01'; echo '\tat " +
				"java'; exit 1",
			"spark-sql failed (exit status 1): [TABLE_OR_VIEW_NOT_FOUND] The table is not there.",
			"has all that Spark said"},
		{"memory", "echo 'WARN x'; echo 'java.lang.OutOfMemoryError: Java heap space'; exit 3",
			"java.lang.OutOfMemoryError: Java heap space", "--driver-memory"},
		{"warned", "echo 'java.io.FileNotFoundException: File {a,b} does not exist'; echo '[TABLE_OR_VIEW_NOT_FOUND] x'; " +
			"exit 1", "[TABLE_OR_VIEW_NOT_FOUND] x", "log"},
		{"warned of a pattern",
			"printf '26/11/25 18:52:12 WARN FileStreamSink: Assume no metadata directory.\njava.io.FileNotFoundException: " +
				"File {a,b} does not exist\n\tat java\njava.lang.VirtualMachineError: Out of space\n\tat java\n'; exit 50",
			"spark-sql failed (exit status 50): java.lang.VirtualMachineError: Out of space", "log"},
		{"killed", "echo 'Time taken: 1 s'; kill -9 $$", "spark-sql failed (signal: killed): Time taken",
			"where it was killed"},
		{"no Java", "echo 'JAVA_HOME is not set'; exit 1", "JAVA_HOME is not set", "has all that Spark said"},
		{"no word", "exit 2", "spark-sql failed (exit status 2): it said nothing", "has all that Spark said"},
		{"something else", "echo 'Could not find valid SPARK_HOME'; exit 1", "Could not find valid SPARK_HOME",
			"has all that Spark said"},
	} {
		t.Run(c.name, func(t *testing.T) {
			laketest.Hint(t, Run(t.Context(), standIn(t, c.program), "folds.sql"), c.hint, c.want)
		})
	}
	t.Setenv("PATH", t.TempDir())
	log := filepath.Join(t.TempDir(), "log")
	laketest.Hint(t, Run(t.Context(), Options{Log: log}, "folds.sql"), "pip install pyspark",
		"spark-sql cannot be started")
	laketest.Hint(t, Run(t.Context(), Options{Command: "/no/spark-sql", Log: log}, "folds.sql"), "spark.command",
		"/no/spark-sql cannot be started")
}

// A user who stops the command stops Spark, also one that ignores interrupts.
func TestRunIsStopped(t *testing.T) {
	o := standIn(t, "trap '' INT; exec sleep 60")
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	start := time.Now()
	expect.Failure(t, Run(ctx, o, "folds.sql"), context.Canceled)
	expect.Between(t, time.Since(start), 0, 15*time.Second)
}
