package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
)

// runFlags are the flags of the command run.
type runFlags struct {
	config      string        // file of the configuration
	choice      config.Choice // the stage, captioners, readers and so on that the flags choose
	retryFailed bool
	replace     bool
	limit       int // requests of each unit; 0 means all
	part        string
	dryRun      bool
	export      string // folder for batch files; no model is asked if it is given
}

func (a *app) runCommand() *cobra.Command {
	f := runFlags{config: config.File}
	c := &cobra.Command{
		Use:   "run [STAGE]",
		Short: "Ask the models for captions, answers, judgments and votes",
		Long: `Ask the models of the configuration for the captions, answers, judgments and votes that are not
recorded yet. Every reply is on disk before it counts. An interrupted run waits for the requests in flight; a
second interrupt ends it at once. In either case the same command goes on where it stopped.

Several runs may work on one lake at once, beside other commands. If another run is working on a unit, this
run leaves it alone and prints a note.

Replies under other settings, such as another max_tokens or another text of the prompt, are asked for again only with
--replace. Without --replace the run prints the differences and the cost, and stops before that unit.

With --export the run writes the pending requests as files in the form of OpenAI's batch interface, for
machines that cannot reach the lake. Each unit gets one file or more, of at most 200 MB with their pictures,
and a manifest beside each file. Run the files with vllm run-batch, and load the replies with captionlake
batch. Load captions before you export answers about them, and load replies before you export requests that
ask again.

` + stageHelp(),
		Example: `  captionlake run --dry-run
  captionlake run --limit 20
  captionlake run answer --export batches
  captionlake run caption --captioner Qwen/Qwen2.5-VL-7B-Instruct --prompt Long
  captionlake run answer --reader Qwen/Qwen2.5-72B-Instruct --evidence caption
  captionlake run judge --judge Qwen/Qwen2.5-72B-Instruct --captioner gpt-5
  captionlake run battle --judge Qwen/Qwen2.5-VL-72B-Instruct
  captionlake run caption --benchmark capability --prompt Simple`,
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), knownStage),
		ValidArgs: stageArgs(),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				f.choice.Stage = args[0]
			}
			if f.limit < 0 {
				return a.usage(fmt.Errorf("--limit %d is below 0; write how many requests of each unit may be asked", f.limit))
			}
			c, err := stages.ReadConfig(f.config)
			if err != nil {
				return err
			}
			if f.dryRun {
				return a.lookAt(func(lake *data.Lake) error { return a.dryRun(lake, &c, f) })
			}
			return a.editLake(func(lake *data.Lake) error {
				if f.export != "" {
					return a.exportRun(lake, &c, f)
				}
				reports, err := a.runStages(lake, &c, f)
				if a.asJSON {
					return errors.Join(err, a.printJSON(reports))
				}
				a.printReports(reports)
				if err != nil {
					return err
				}
				if f.part != "" {
					a.say("\nNext: captionlake merge %s, with the lakes of the other parts, when all have ended\n", a.lakeDir)
					return nil
				}
				a.next("analyze")
				return nil
			})
		},
	}
	flags(c,
		&f.config, "config", "configuration",
		&f.part, "part",
		"one part of the pictures, such as 3/16, the third of sixteen; "+
			"run each part in a copy of the lake, and merge the copies",
	)
	for _, flag := range config.Flags() {
		flags(c, flag.Value(&f.choice), flag.Name, flag.Help)
		c.Flags().Lookup(flag.Name).NoOptDefVal = flag.Bare // the value of the flag if the user gives none
	}
	flags(c,
		&f.retryFailed, "retry-failed", "ask failed and cut-off requests again",
		&f.replace, "replace", "ask again under the new settings, and replace the rows made from the old replies",
		&f.limit, "limit", "ask at most so many requests of each unit, further attempts included, for a trial; 0 is all",
		&f.dryRun, "dry-run", "list the pending requests and their cost, and ask nothing",
		&f.export, "export", "write the pending requests into this folder, for vllm run-batch, and ask nothing",
	)
	c.MarkFlagsMutuallyExclusive("dry-run", "export", "limit")
	return c
}

// stageHelp describes the stages for the help text, a line for each.
func stageHelp() string {
	var b strings.Builder
	for _, s := range stages.All() {
		fmt.Fprintf(&b, "- %s: %s%s\n", s.Name, s.Help, whenNamed(s))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// whenNamed says which name a user must give after run to carry out a stage that run otherwise
// leaves out. It is empty for a stage that runs without being named.
func whenNamed(s engine.Stage) string {
	switch {
	case s.Track != "":
		return fmt.Sprintf("; only when it, or %s, is named", s.Track)
	case s.Named:
		return "; only when it is named"
	}
	return ""
}

// stageArgs are the names of stages and of tracks, which are groups of stages. They are for the
// completion of the shell, each with its help after a tab.
func stageArgs() []string {
	var args []string
	for _, s := range stages.All() {
		if track := s.Track + "\tall stages of " + s.Track; s.Track != "" && !slices.Contains(args, track) {
			args = append(args, track)
		}
		args = append(args, s.Name+"\t"+s.Help)
	}
	return args
}

// knownStage refuses an unknown stage.
func knownStage(c *cobra.Command, args []string) error {
	var known []string
	for _, valid := range c.ValidArgs {
		name, _, _ := strings.Cut(valid, "\t")
		known = append(known, name)
	}
	for _, arg := range args {
		if err := among("stage", arg, known, "choose one of: "+strings.Join(known, ", ")); err != nil {
			return err
		}
	}
	return nil
}

// runner prepares a run by its flags.
func (a *app) runner(lake *data.Lake, c *config.Config, f runFlags) (r *engine.Runner, err error) {
	r = stages.New(lake, c, f.choice)
	r.RetryFailed, r.Replace, r.Limit = f.retryFailed, f.replace, f.limit
	r.Part, err = config.ParsePart(f.part)
	return r, a.usage(err)
}

// runStages carries out a run. At an interrupt it waits for the replies to the requests in flight.
func (a *app) runStages(lake *data.Lake, c *config.Config, f runFlags) ([]engine.Report, error) {
	r, err := a.runner(lake, c, f)
	if err != nil {
		return nil, err
	}
	drained := make(chan struct{})
	undo := context.AfterFunc(a.context, func() {
		defer close(drained)
		r.Drain()
		fmt.Fprintln(a.stderr,
			"stopping: waiting for the replies to the requests in flight; interrupt again to end without them")
	})
	defer func() {
		if !undo() { // The function above has begun, so let it end.
			<-drained
		}
	}()
	r.Notice = func(what string) { fmt.Fprintln(a.stderr, what) }
	r.Progress = a.progress()
	// An interrupt only drains the run: the requests in flight must not be cancelled.
	reports, err := r.Run(context.WithoutCancel(a.context))
	if err == nil {
		err = engine.NothingCame(reports)
	}
	return reports, err
}

// dryRun prints the number of pending requests of each unit, with estimates of tokens, time and
// cost.
func (a *app) dryRun(lake *data.Lake, c *config.Config, f runFlags) error {
	r, err := a.runner(lake, c, f)
	if err != nil {
		return err
	}
	estimates, err := r.Estimate()
	if err != nil {
		return err
	}
	if a.asJSON {
		return a.printJSON(estimates)
	}
	total := engine.Total(estimates)
	if len(estimates) > 1 {
		estimates = append(estimates, total)
	}
	const columns = "%9v %9v %13v %6s %12v %9s %7s %7s\n"
	a.say(columns, "pending", "planned", "prompt tokens", "cached", "reply tokens", "time", "cost", "ceiling")
	for _, e := range estimates {
		seconds := "unknown"
		if e.Seconds > 0 || e.Pending == 0 { // 0 seconds for pending requests mean that no time is known.
			seconds = fmt.Sprint(time.Duration(e.Seconds * float64(time.Second)).Round(time.Second))
		}
		cost, ceiling := "unknown", "unknown"
		if e.Priced {
			cost, ceiling = fmt.Sprintf("%.2f", e.Cost), fmt.Sprintf("%.2f", e.CostMost)
		}
		name := e.Unit
		if e.Assumed {
			name = "~ " + name
		}
		a.say("%s\n", fold(strings.TrimSpace(e.Stage+" "+name)))
		a.say(columns, e.Pending, e.Planned, e.Prompt, share(e.Shared, e.Prompt), e.Output, seconds, cost, ceiling)
	}
	a.say(`
Prompts are estimated from the length of the texts, pictures not counted;
replies and time from earlier calls of the model at the stage. Without any, a
reply is taken to have %d tokens, or max_tokens where that is less. The ceiling
is the cost if every reply had max_tokens.
`, engine.AssumedReply)
	if total.Failed > 0 && !f.retryFailed {
		a.note("%d recorded requests failed or were cut off, and are not pending; --retry-failed asks them again.",
			total.Failed)
	}
	for _, e := range estimates {
		if e.Replaces != nil {
			a.note("%s %s: %s. A run does so only with --replace.", e.Stage, e.Unit, e.Replaces)
		}
	}
	for _, e := range estimates { // Most have no note; an empty note is not printed.
		a.note("%s", e.Note)
	}
	if total.Assumed {
		a.note("Units with ~ are about captions or other texts that do not exist yet; " +
			"their length, or their number, is an assumption.")
	}
	return nil
}

// share is a part of a whole in percent, or a dash for a whole of 0.
func share(part, whole int64) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f%%", 100*float64(part)/float64(whole))
}

// printReports prints the numbers of each unit, its notes, and how to see and repeat failed
// requests.
func (a *app) printReports(reports []engine.Report) {
	t := newTable("stage | unit | asked | recorded | failed | cut off | prompt tokens | from cache | rows")
	failed := 0
	for _, r := range reports {
		if r.Planned == 0 && r.Rows == 0 && r.Note == "" {
			continue // The unit failed before anything was planned, and the error says so.
		}
		failed += r.Failed + r.Truncated + r.RecordedFailed
		t.add(r.Stage, r.Unit, r.Answered, r.Recorded, r.Failed, r.Truncated, r.Prompt, share(r.Cached, r.Prompt), r.Rows)
	}
	a.print(t)
	for _, r := range reports {
		a.note("%s", r.Note)
	}
	if failed > 0 {
		a.note("failed or cut off: %d; see why with captionlake --lake %s sql "+
			"\"select error, count(*) from calls where state <> 'ok' group by error\", and ask again with --retry-failed",
			failed, a.lakeDir)
	}
}
