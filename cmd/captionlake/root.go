package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
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
	context  context.Context
	began    time.Time
	noted    []string // notes that were told
	bar      bar
	usageErr bool // the command line is wrong: so until the work begins
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

It runs the benchmarks CaptionQA, CAPability, CV-CapBench and CapArena and holds their published figures. Language models
are asked through servers with OpenAI's API, SQL computes every result, and report makes figures and tables of them.

Exit codes:
  0    done
  1    failed
  2    the command line is wrong
  3    an input file has faults; nothing of that file was taken
  4    another process is writing what this one would write
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
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		name, unknown := strings.CutPrefix(err.Error(), "unknown flag: ")
		if near := spelling.Nearest(name,
			strings.FieldsFunc(cmd.Flags().FlagUsages(),
				func(r rune) bool { return strings.ContainsRune(" \n,", r) })); unknown && near != "" {
			return data.WithHint(err, "did you mean %s?", near)
		}
		return err
	})
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages",
		fmt.Sprintf(".FlagUsagesWrapped %d", pageWidth)))
	a.prepare(group(root, a.commands()...))
	return root
}

// elsewhere maps commands of dbt, DuckDB, git and similar programs to our commands.
var elsewhere = map[string]string{
	"build": "analyze", "compile": "show NAME --out NAME.sql", "debug": "doctor", "docs": "show tables",
	"retry": "run --retry-failed",
	"seed":  "ingest", "test": "analyze", "import": "ingest", "load": "ingest", "query": "sql", "shell": "sql",
	"schema": "show tables",
	"tables": "show tables", "plot": "show", "figure": "show", "add": "ingest", "clone": "pull",
	"config": "init --print-config", "delete": "remove",
	"describe": "show tables", "export": "show NAME --out FILE", "remote": "push", "diff": "compare",
	"fsck": "status --verify",
	"log":  "status --runs", "rm": "remove", "eval": "run", "list": "show", "ls": "show", "plan": "run --dry-run",
	"review": "bank review", "ui": "serve", "version": "--version", "vote": "arena vote",
}

// knownCommand refuses an unknown command. The error suggests commands with similar names.
func knownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := fmt.Errorf("unknown command %q for %q", args[0], root.CommandPath())
	other := elsewhere[args[0]]
	if slices.Contains(stages.Names(), args[0]) {
		other = "run " + args[0]
	}
	if other != "" && !root.HasParent() {
		return data.WithHint(err, "it is called: captionlake %s", other)
	}
	root.SuggestionsMinimumDistance = 2
	if near := root.SuggestionsFor(args[0]); len(near) > 0 {
		return data.WithHint(err, "did you mean %s?", strings.Join(near, " or "))
	}
	return data.WithHint(err, "list the commands with: %s --help", root.CommandPath())
}

// prepare folds the help of a command and of the commands below it, which take no arguments unless they say so. When
// their work begins, the command line was right.
func (a *app) prepare(c *cobra.Command) {
	c.Long = fold(c.Long)
	if c.Args == nil {
		c.Args = cobra.NoArgs
	}
	work := c.RunE
	c.RunE = func(cmd *cobra.Command, args []string) error {
		a.usageErr = false
		return work(cmd, args)
	}
	for _, below := range c.Commands() {
		a.prepare(below)
	}
}

// usage marks an error as a fault of the command line.
func (a *app) usage(err error) error {
	a.usageErr = err != nil
	return err
}

// run is the whole program: tests call it as main does.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() {
		<-ctx.Done()
		stop() // A second interrupt ends the process at once.
	}()
	a := &app{stdin: stdin, context: ctx, began: time.Now(), usageErr: true}
	defer a.bar.erase()
	out := &output{Writer: stdout, visible: terminalOf(stdout) != nil, bar: &a.bar}
	stderr = &output{Writer: stderr, visible: true, bar: &a.bar}
	a.stdout, a.stderr = out, stderr
	root := a.root()
	root.SetArgs(withComments(args))
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		a.usageErr, err = false, out.failed
	}
	if err == nil {
		return exitOK
	}
	var hint *data.HintError
	if a.usageErr && !errors.As(err, &hint) {
		err = data.WithHint(err, "see: %s --help", cmd.CommandPath())
	}
	code := a.exitCode(ctx, err)
	// The other errors are effects of the stop on parts of the command.
	if first := split(err)[0]; code == exitInterrupted {
		if err = first; !strings.HasSuffix(err.Error(), "interrupted") { // A run says how to go on.
			err = errors.New("interrupted")
		}
	}
	printError(stderr, err)
	return code
}

func (a *app) exitCode(ctx context.Context, err error) int {
	var findings *ingest.Faults
	switch {
	case a.usageErr:
		return exitUsage
	case errors.Is(err, data.ErrLocked):
		return exitLocked
	case errors.As(err, &findings):
		return exitBadInput
	case ctx.Err() != nil &&
		(errors.Is(err, context.Canceled) || llm.ClassOf(err) == llm.ClassDrained || engine.Interrupted(err)):
		return exitInterrupted
	}
	return exitFailure
}

// printError prints what is wrong and, where the error knows it, the next step. Faults of files come first, in the form
// that editors and terminals understand.
func printError(w io.Writer, err error) {
	var files, spared int
	var others []error
	for _, e := range split(err) {
		var findings *ingest.Faults
		if !errors.As(e, &findings) {
			others = append(others, e)
			continue
		}
		if findings.Spared {
			spared += len(findings.All) + findings.Dropped
		} else {
			files++
		}
		fmt.Fprintln(w, findings)
	}
	if spared > 0 {
		fmt.Fprintf(w, "Error: %d files of a folder had faults and were left out; the others were taken\nTry: fix the files above and load the folder again\n", spared)
	}
	if files > 0 {
		fmt.Fprintf(w, "Error: %d of the files had faults; nothing of them was taken\nTry: fix the places above and load the files again\n", files)
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

// split takes joined errors apart.
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

// waiter says on standard error whom a command waits for, until it is interrupted.
func (a *app) waiter() data.Waiter {
	return data.Waiter{Context: a.context, Tell: a.warn, Reader: ask.Read}
}

// readLake opens the lake for reading. What the user should know of it goes to standard error.
func (a *app) readLake() (*data.Lake, error) {
	return a.waiter().Open(a.lakeDir)
}

// lookAt opens the lake for reading, for commands that might write to it.
func (a *app) lookAt(_ *cobra.Command, f func(*data.Lake) error) error {
	lake, err := a.readLake()
	if err != nil {
		return err
	}
	return f(lake)
}

// writeLake opens the lake for writing, makes it if need be, and closes it after f.
func (a *app) writeLake(cmd *cobra.Command, f func(*data.Lake) error) error {
	return a.within(a.waiter().Create, a.lakeDir, cmd, f)
}

// editLake opens a lake that exists for writing and closes it after f.
func (a *app) editLake(cmd *cobra.Command, f func(*data.Lake) error) error {
	return a.within(a.waiter().Edit, a.lakeDir, cmd, f)
}

func (a *app) within(open func(dir, who string) (*data.Lake, error), dir string, cmd *cobra.Command,
	f func(*data.Lake) error) error {
	lake, err := open(dir, cmd.Name())
	if err != nil {
		return err
	}
	return errors.Join(f(lake), lake.Close())
}
