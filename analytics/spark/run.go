package spark

import (
	"bufio"
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
	// Spark ends its executors when it is asked to end.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 20 * time.Second
	err = cmd.Run()
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	return explain(err, o.Log)
}

// What Spark's shell says when a statement fails, and what Java says when memory is used up.
var (
	faultForm  = regexp.MustCompile(`^(\[[A-Z_.]+\]|Error in query|Exception in thread|.*Exception: |.*Error: |Caused by: )`)
	memoryForm = regexp.MustCompile(`OutOfMemoryError|Container killed by YARN for exceeding|GC overhead limit exceeded|OOMKilled|exit(ed with)? code 137`)
	masterForm = regexp.MustCompile(`Master must either be|masters are unresponsive|Could not parse Master URL`)
	javaForm   = regexp.MustCompile(`JAVA_HOME is not set|/bin/java: |UnsupportedClassVersionError|Unable to locate a Java Runtime`)
)

// explain finds in the log why Spark ended.
func explain(ended error, log string) error {
	f, err := os.Open(log)
	if err != nil {
		return errors.Join(ended, err)
	}
	defer func() { _ = f.Close() }()
	var fault, last string
	var memory, java, master bool
	for lines := bufio.NewReader(f); ; {
		line, err := lines.ReadString('\n')
		if line = strings.TrimSpace(line); line != "" {
			last = line
			if fault == "" && faultForm.MatchString(line) && !strings.Contains(line, " WARN ") && !strings.Contains(line, "Exception thrown in awaitResult") {
				fault = line
			}
			memory, java = memory || memoryForm.MatchString(line), java || javaForm.MatchString(line)
			master = master || masterForm.MatchString(line)
		}
		if err != nil {
			break
		}
	}
	var exit *exec.ExitError
	killed := errors.As(ended, &exit) && (exit.ExitCode() == -1 || exit.ExitCode() == 137)
	hint := "read " + log + ", which has all that Spark said; the lake is as it was"
	switch {
	case java:
		hint = "install Java 17 or later, or set JAVA_HOME under spark.environment in captionlake.yaml; the lake is as it was"
	case memory:
		fault = "its memory was used up"
		hint = "give it more: --driver-memory, on a cluster --executor-memory, under spark.arguments in captionlake.yaml; " + log + " has all that Spark said; the lake is as it was"
	case master:
		hint = "check spark.master in captionlake.yaml, and whether the cluster can be reached from here; " + log + " has all that Spark said; the lake is as it was"
	case killed:
		fault = "it was killed"
		hint = "systems kill what takes too much memory: give Spark less (--driver-memory, --executor-memory) or the machine more; the lake is as it was"
	}
	if fault = cmp.Or(fault, last); len(fault) > longest {
		fault = fault[:longest] + "…"
	}
	return data.WithHint(fmt.Errorf("spark-sql failed (%w): %s", ended, cmp.Or(fault, "it said nothing")), "%s", hint)
}

// longest bounds what an error repeats of a log.
const longest = 400
