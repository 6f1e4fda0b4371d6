package spark

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/captionlake/captionlake/data"
)

// Options say how spark-sql is started.
type Options struct {
	Command     string            // program; spark-sql, found on PATH, when empty
	Master      string            // where Spark runs; local[*] when empty
	Arguments   []string          // further ones, such as --driver-memory 8g; they win over those that are given here
	Environment map[string]string // variables beside those of the process
	Folder      string            // folder to run in, where Spark leaves files of its own
	Log         string            // file for all that it says
}

// Command is the program that runs a script when Options.Command is empty.
const Command = "spark-sql"

// defaults come before the arguments of the user: no page on the network, no catalog in the folder, and an end instead of a standstill when
// the driver's memory is used up.
var defaults = []string{
	"--name", "captionlake",
	"--conf", "spark.ui.enabled=false",
	"--conf", "spark.sql.catalogImplementation=in-memory",
	"--conf", "spark.driver.defaultJavaOptions=-XX:+ExitOnOutOfMemoryError",
}

// Run runs a script to its end. Its error has Spark's own message, where one can be found in the log, and a hint with the next step.
func Run(ctx context.Context, o Options, script string) (err error) {
	program, err := exec.LookPath(cmp.Or(o.Command, Command))
	if err != nil {
		return data.WithHint(fmt.Errorf("%s cannot be started: %w", cmp.Or(o.Command, Command), err),
			"install Spark 4 (pip install pyspark, with Java 17) and put it on PATH, or name the program as spark.command in captionlake.yaml; or write the script alone with --export and run it elsewhere")
	}
	if script, err = filepath.Abs(script); err != nil {
		return err
	}
	log, err := os.Create(o.Log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	arguments := slices.Concat([]string{"--master", cmp.Or(o.Master, "local[*]")}, defaults, o.Arguments, []string{"-f", script})
	cmd := exec.CommandContext(ctx, program, arguments...)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.Env = o.Folder, log, log, os.Environ()
	for _, name := range slices.Sorted(maps.Keys(o.Environment)) {
		cmd.Env = append(cmd.Env, name+"="+o.Environment[name])
	}
	// Spark ends its executors when it is asked to end. A program that a shell runs in the background ignores interrupts.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 20 * time.Second
	err = cmd.Run()
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	return explain(err, o.Log)
}

// classForm is how Spark begins the error of a statement, and faultForm what its shell and Java say first of what failed, which may also be a
// warning's.
var (
	classForm = regexp.MustCompile(`^\[[A-Z_.]+\]`)
	faultForm = regexp.MustCompile(`^(Error in query|Exception in thread|.*Exception: |.*Error: |Caused by: )`)
)

// explain finds in the log why Spark ended: the error of a statement, else its first line about a fault, else its last.
func explain(ended error, log string) error {
	content, err := os.ReadFile(log)
	if err != nil {
		return errors.Join(ended, err)
	}
	fault, found := "it said nothing", false
	for line := range strings.Lines(string(content)) {
		if line = strings.TrimSpace(line); classForm.MatchString(line) {
			fault = line
			break
		}
		if line != "" && !found {
			fault, found = line, faultForm.MatchString(line) && !strings.Contains(line, " WARN ")
		}
	}
	if len(fault) > longest {
		fault = fault[:longest] + "…"
	}
	return data.WithHint(fmt.Errorf("spark-sql failed (%w): %s", ended, fault),
		"read %s, which has all that Spark said; where it was killed or its memory used up, change --driver-memory or --executor-memory under spark.arguments in captionlake.yaml; the lake is as it was", log)
}

// longest bounds what an error repeats of a log.
const longest = 400
