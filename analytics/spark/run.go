// Package spark writes the folds as a script of Spark SQL, and runs scripts with Apache Spark,
// where spark-sql is installed.
package spark

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
	Command   string   // program; spark-sql, found on PATH, when empty
	Arguments []string // such as --master yarn; they win over the defaults of this package
	Folder    string   // folder to run in, where Spark leaves files of its own
	Log       string   // file for all output of Spark
}

// Command is the program that runs a script when Options.Command is empty.
const Command = "spark-sql"

// defaults come before the arguments of the user, which win. With the defaults Spark runs on this
// machine, serves no page on the network, and makes no catalog in the folder. When the driver's
// memory is used up, Spark ends and does not stand still.
var defaults = []string{
	"--master", "local[*]",
	"--name", "captionlake",
	"--conf", "spark.ui.enabled=false",
	"--conf", "spark.sql.catalogImplementation=in-memory",
	"--conf", "spark.driver.defaultJavaOptions=-XX:+ExitOnOutOfMemoryError",
}

// Run runs a script to its end. Its error has Spark's own message, where one can be found in the
// log, and a hint with the next step.
func Run(ctx context.Context, o Options, script string) (err error) {
	program := cmp.Or(o.Command, Command)
	if script, err = filepath.Abs(script); err != nil {
		return err
	}
	log, err := os.Create(o.Log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	cmd := exec.CommandContext(ctx, program, slices.Concat(defaults, o.Arguments, []string{"-f", script})...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = o.Folder, log, log
	// When the context ends, Spark is asked to end, because it then also ends its executors. The
	// signal is no interrupt, because a program that a shell runs in the background ignores
	// interrupts. After 20 seconds Spark is killed.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 20 * time.Second
	if err := cmd.Start(); err != nil {
		return data.Errorf("install Spark 4 (pip install pyspark, with Java 17) and put it on PATH, "+
			"or name the program as spark.command in captionlake.yaml; "+
			"or write the script alone with --export and run it elsewhere", "%s cannot be started: %w", program, err)
	}
	err = cmd.Wait()
	if err == nil || ctx.Err() != nil { // If the context has ended, err says only that Spark was stopped.
		return ctx.Err()
	}
	output, readErr := os.ReadFile(o.Log)
	return data.WithHint(errors.Join(fmt.Errorf("spark-sql failed (%w): %s", err, fault(string(output))), readErr),
		"read %s, which has all that Spark said; where it was killed or its memory used up, "+
			"change --driver-memory or --executor-memory under spark.arguments in captionlake.yaml; "+
			"the lake is as it was", o.Log)
}

// warning matches a warning in a log, with the Java exception that may follow the warning. Spark
// warns of each path that is a pattern, because no file has the pattern as its name.
var warning = regexp.MustCompile(`(?m)^\S+ \S+ WARN .*\n(\S+: .*\n(\s.*\n)*)?`)

// faults find in a log the reason why Spark failed: the error of a statement, else the first
// message of Spark's shell or of Java about the failure, else the last line.
var faults = []*regexp.Regexp{
	regexp.MustCompile(`(?m)^\[[A-Z_.]+\].*`),
	regexp.MustCompile(`(?m)^(Error in query|Exception in thread|\S*(Exception|Error): |Caused by: ).*`),
	regexp.MustCompile(`.*\S\s*$`),
}

// fault is the reason why Spark failed, in at most 400 characters of its log.
func fault(log string) string {
	log = warning.ReplaceAllString(log, "")
	for _, pattern := range faults {
		if reason := strings.TrimSpace(pattern.FindString(log)); reason != "" {
			return fmt.Sprintf("%.400s", reason)
		}
	}
	return "it said nothing"
}
