package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/spelling"
	"github.com/captionlake/captionlake/data/text"
	"github.com/captionlake/captionlake/ingest"
	"github.com/captionlake/captionlake/stages"
	"github.com/captionlake/captionlake/stages/llm"
)

// Exit codes. The help of the root command lists them.
const (
	exitOK          = 0
	exitFailure     = 1
	exitUsage       = 2
	exitBadInput    = 3
	exitLocked      = 4
	exitInterrupted = 130
)

// defaultLake is the lake of commands that do not name a lake.
const defaultLake = "lake"

// An app is what every command shares: the streams and the flags of the root command.
type app struct {
	stdin    io.Reader
	stdout   io.Writer
	stderr   io.Writer
	lakeDir  string
	asJSON   bool
	quiet    bool
	context  context.Context // ends at the first interrupt
	command  string          // name of the running command
	began    time.Time       // start of the program
	noted    []string        // notes that were printed already
	bar      bar             // progress on the terminal
	badUsage bool            // an error is a fault of the command line; true until the command's work begins
}

// commands lists every command in the order of the help. To add a command: one file, one line here.
func (a *app) commands() []*cobra.Command {
	return []*cobra.Command{
		a.demoCommand(),
		a.initCommand(),
		a.ingestCommand(),
		a.analyzeCommand(),
		a.reportCommand(),
		a.serveCommand(),
		a.simulateCommand(),
		a.showCommand(),
		a.sqlCommand(),
		a.compareCommand(),
		a.runCommand(),
		a.batchCommand(),
		a.arenaCommand(),
		a.bankCommand(),
		a.doctorCommand(),
		a.rehearseCommand(),
		a.statusCommand(),
		a.mergeCommand(),
		a.pushCommand(),
		a.pullCommand(),
		a.removeCommand(),
		a.boxCommand(),
	}
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "captionlake",
		Short: "Evaluate image captions over a lake of Parquet tables",
		Long: `captionlake evaluates image captions over a lake of Parquet tables.

It runs the benchmarks CaptionQA, CAPability, CV-CapBench and CapArena and holds their published figures.
Language models are asked through servers with OpenAI's API, SQL computes every result, and report makes
figures and tables of them.

Exit codes:
  0    done
  1    failed
  2    the command line is wrong
  3    an input file has faults; nothing of that file was taken
  4    another process is writing to the same part of the lake
  130  interrupted`,
		Example: `  captionlake demo
  captionlake init --example
  captionlake sql "from leaderboard('Simple')"`,
		Version:       data.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate(fmt.Sprintf("captionlake {{.Version}} (%s)\n", runtime.Version()))
	flags := root.PersistentFlags()
	flags.StringVar(&a.lakeDir, "lake", defaultLake, "folder of the lake")
	flags.BoolVar(&a.asJSON, "json", false, "print the result as JSON")
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "print no progress")
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(suggestFlag)
	// The help of flags gets lines that fit the page, too.
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages",
		fmt.Sprintf(".FlagUsagesWrapped %d", pageWidth)))
	a.prepare(group(root, a.commands()...))
	return root
}

// suggestFlag adds the flag with the nearest name to the error of an unknown flag.
func suggestFlag(cmd *cobra.Command, err error) error {
	name, unknown := strings.CutPrefix(err.Error(), "unknown flag: ")
	near := spelling.Nearest(name, regexp.MustCompile(`--[\w-]+`).FindAllString(cmd.Flags().FlagUsages(), -1))
	if unknown && near != "" {
		return data.WithHint(err, "did you mean %s?", near)
	}
	return err
}

// elsewhere maps commands of dbt, DuckDB, git and similar programs to our commands.
var elsewhere = map[string]string{
	"add":      "ingest",
	"build":    "analyze",
	"clone":    "pull",
	"compile":  "show NAME --out NAME.sql",
	"config":   "init --print-config",
	"debug":    "doctor",
	"delete":   "remove",
	"describe": "show tables",
	"diff":     "compare",
	"docs":     "show tables",
	"eval":     "run",
	"export":   "show NAME --out FILE",
	"figure":   "show",
	"fsck":     "status --verify",
	"import":   "ingest",
	"list":     "show",
	"load":     "ingest",
	"log":      "status --runs",
	"ls":       "show",
	"plan":     "run --dry-run",
	"plot":     "show",
	"query":    "sql",
	"remote":   "push",
	"retry":    "run --retry-failed",
	"review":   "bank review",
	"rm":       "remove",
	"schema":   "show tables",
	"seed":     "ingest",
	"shell":    "sql",
	"tables":   "show tables",
	"test":     "analyze",
	"ui":       "serve",
	"version":  "--version",
	"vote":     "arena vote",
}

// knownCommand refuses an unknown command. The error suggests our name for another program's
// command, a stage's name after run, or commands with similar names. root may also be a group of
// commands, such as bank; commands of other programs are not expected below a group.
func knownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := fmt.Errorf("unknown command %q for %q", args[0], root.CommandPath())
	ours := elsewhere[args[0]]
	if slices.Contains(stages.Names(), args[0]) {
		ours = "run " + args[0]
	}
	if ours != "" && !root.HasParent() {
		return data.WithHint(err, "it is called: captionlake %s", ours)
	}
	root.SuggestionsMinimumDistance = 2 // the default of cobra, which SuggestionsFor does not set
	if near := root.SuggestionsFor(args[0]); len(near) > 0 {
		return data.WithHint(err, "did you mean %s?", strings.Join(near, " or "))
	}
	return data.WithHint(err, "list the commands with: %s --help", root.CommandPath())
}

// prepare completes a command and the commands below it: lines of the help fit the page, and a
// command without a rule for arguments takes no arguments. Once the work of a command begins, an
// error is no longer a fault of the command line.
func (a *app) prepare(c *cobra.Command) {
	c.Long = fold(c.Long)
	if c.Args == nil {
		c.Args = cobra.NoArgs
	}
	work := c.RunE
	c.RunE = func(cmd *cobra.Command, args []string) error {
		a.badUsage, a.command = false, cmd.Name()
		return work(cmd, args)
	}
	for _, below := range c.Commands() {
		a.prepare(below)
	}
}

// usage marks an error that a command found in its own work as a fault of the command line.
func (a *app) usage(err error) error {
	a.badUsage = err != nil
	return err
}

// run is the whole program: tests call it as main does. It returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() {
		<-ctx.Done()
		stop() // Signals have their usual effect again: a second interrupt ends the process at once.
	}()
	a := &app{stdin: stdin, context: ctx, began: time.Now(), badUsage: true}
	defer a.bar.erase()
	out := &output{Writer: stdout, visible: terminalOf(stdout) != nil, bar: &a.bar}
	stderr = &output{Writer: stderr, visible: true, bar: &a.bar}
	a.stdout, a.stderr = out, stderr
	root := a.root()
	root.SetArgs(withComments(args))
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil { // --help begins no work, so badUsage may still be true.
		a.badUsage, err = false, out.failed
	}
	if err == nil {
		return exitOK
	}
	var hint *data.HintError
	if a.badUsage && !errors.As(err, &hint) {
		err = data.WithHint(err, "see: %s --help", cmd.CommandPath())
	}
	code := a.exitCode(err)
	if code == exitInterrupted {
		err = split(err)[0] // The other errors are effects of the interrupt.
		// The message of a run ends with the word interrupted, and its hint says how to go on.
		if !strings.HasSuffix(err.Error(), "interrupted") {
			err = errors.New("interrupted")
		}
	}
	printError(stderr, err)
	return code
}

// exitCode is the exit code for the error of a command. After an interrupt, only an error that the
// interrupt can have caused gives exitInterrupted: a full disk, for example, is a failure.
func (a *app) exitCode(err error) int {
	var faults *ingest.Faults
	stopped := errors.Is(err, context.Canceled) || llm.ClassOf(err) == llm.ClassDrained || engine.Interrupted(err)
	switch {
	case a.badUsage:
		return exitUsage
	case errors.Is(err, data.ErrLocked):
		return exitLocked
	case errors.As(err, &faults):
		return exitBadInput
	case a.context.Err() != nil && stopped:
		return exitInterrupted
	}
	return exitFailure
}

// printError prints each error, with its hint if it has one. Faults of files come first, one fault
// a line with path:line:col, so that editors and terminals find the places.
func printError(w io.Writer, err error) {
	var refused, leftOut int // files
	var others []error
	for _, e := range split(err) {
		var faults *ingest.Faults
		if !errors.As(e, &faults) {
			others = append(others, e)
			continue
		}
		if faults.Spared {
			leftOut += len(faults.All) + faults.Dropped // Each fault is a file of a folder.
		} else {
			refused++
		}
		fmt.Fprintln(w, faults)
	}
	if leftOut > 0 {
		fmt.Fprintf(w, "Error: %d files of a folder had faults and were left out; the others were taken\n"+
			"Try: fix the files above and load the folder again\n", leftOut)
	}
	if refused > 0 {
		fmt.Fprintf(w, "Error: %d of the files had faults; nothing of them was taken\n"+
			"Try: fix the places above and load the files again\n", refused)
	}
	for _, e := range others {
		fmt.Fprintf(w, "Error: %s\n", e)
		var hint *data.HintError
		if errors.As(e, &hint) {
			fmt.Fprintf(w, "Try: %s\n", hint.Hint)
		}
	}
}

// shown returns a message in which characters that a terminal would obey are visible. Messages
// quote names and values of foreign data.
func shown(message string) string {
	lines := strings.Split(message, "\n")
	for i, line := range lines {
		lines[i] = text.Visible(line)
	}
	return strings.Join(lines, "\n")
}

// split returns the errors that errors.Join has joined, at any depth, or the error itself.
func split(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var all []error
	for _, e := range joined.Unwrap() {
		all = append(all, split(e)...)
	}
	return all
}

// waiter opens lakes. While it waits for another process, it says so on standard error; an
// interrupt ends the wait.
func (a *app) waiter() data.Waiter {
	return data.Waiter{Context: a.context, Tell: a.warn, Reader: ask.Read}
}

// readLake opens the lake for reading. Notes about the lake go to standard error.
func (a *app) readLake() (*data.Lake, error) {
	return a.waiter().Open(a.lakeDir)
}

// lookAt opens the lake for reading and passes it to f. editLake does the same for writing.
func (a *app) lookAt(f func(*data.Lake) error) error {
	lake, err := a.readLake()
	if err != nil {
		return err
	}
	return f(lake)
}

// writeLake opens the lake for writing, makes it if there is no lake, and closes it after f.
func (a *app) writeLake(f func(*data.Lake) error) error {
	return a.within(a.waiter().Create, a.lakeDir, f)
}

// editLake opens a lake that exists for writing and closes it after f.
func (a *app) editLake(f func(*data.Lake) error) error {
	return a.within(a.waiter().Edit, a.lakeDir, f)
}

// within opens a lake for writing under the name of the command, and closes it after f.
func (a *app) within(open func(dir, who string) (*data.Lake, error), dir string, f func(*data.Lake) error) error {
	lake, err := open(dir, a.command)
	if err != nil {
		return err
	}
	return errors.Join(f(lake), lake.Close())
}
