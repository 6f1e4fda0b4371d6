package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages"
	"github.com/captionlake/captionlake/stages/llm"
)

// runFlags are what the command run asks of its configuration.
type runFlags struct {
	config      string
	choice      stages.Choice
	retryFailed bool
	replace     bool
	dryRun      bool
}

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run [caption|answer|judge|ask]",
		Short: "Ask the models for captions, answers and judgments",
		Long: `Ask the models of the configuration for captions, answers and judgments: what is pending and nothing that is recorded.
Every reply is on disk before it counts. Interrupted, the run lets the requests under way come back; a second interrupt
ends it at once. In either case the same command goes on where it stopped.

Replies that were asked for under other settings, such as another max_tokens or another text of the prompt, are asked for
again only with --replace; without it the run says what differs and what it would cost, and stops before that unit.

caption and answer are about CaptionQA. With --benchmark, caption is about the media files that CAPability or
CV-CapBench annotates. judge asks whether captions state what is annotated, text against text; ask puts the annotations
to the captioners as questions, for know-but-cannot-tell.`,
		Example: `  captionlake run --dry-run
  captionlake run caption --captioner Qwen/Qwen2.5-VL-7B-Instruct --prompt Simple
  captionlake run answer --reader Qwen/Qwen2.5-72B-Instruct --evidence caption
  captionlake run judge --judge Qwen/Qwen2.5-72B-Instruct --captioner gpt-4o-0806
  captionlake run caption --benchmark capability --captioner Qwen/Qwen2.5-VL-7B-Instruct`,
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{stages.CaptionStage, stages.AnswerStage, stages.JudgeStage, stages.AskStage},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				f.choice.Stage = args[0]
			}
			config, err := stages.ReadConfig(f.config)
			if err != nil {
				return err
			}
			if f.dryRun {
				lake, err := a.readLake()
				if err != nil {
					return err
				}
				return a.dryRun(lake, &config, f)
			}
			return a.editLake(cmd, func(lake *data.Lake) error {
				reports, err := a.runSteps(cmd.Context(), lake, &config, f)
				if a.asJSON {
					return errors.Join(err, printJSON(a.stdout, reports))
				}
				a.printReports(reports)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintln(a.stdout, "\nNext: captionlake analyze")
				return err
			})
		},
	}
	a.selectionFlags(c, &f)
	c.Flags().BoolVar(&f.retryFailed, "retry-failed", false, "ask again what failed or was cut off")
	c.Flags().BoolVar(&f.replace, "replace", false, "ask again what was asked under other settings, and replace the rows made from those replies")
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "say what is pending and what it would cost, and ask nothing")
	return c
}

// selectionFlags narrow a run down, for the commands that plan one.
func (a *app) selectionFlags(c *cobra.Command, f *runFlags) {
	flags := c.Flags()
	flags.StringVar(&f.config, "config", stages.ConfigFile, "configuration")
	flags.StringSliceVar(&f.choice.Captioners, "captioner", nil, "captioners, instead of those of the configuration")
	flags.StringSliceVar(&f.choice.Prompts, "prompt", nil, "caption prompts, instead of those of the configuration")
	flags.StringSliceVar(&f.choice.Readers, "reader", nil, "readers, instead of those of the configuration")
	flags.StringSliceVar(&f.choice.Evidence, "evidence", nil, "caption, image or none, instead of the configuration's")
	flags.StringVar(&f.choice.Protocol, "protocol", "", "protocol of the questions, instead of the configuration's")
	flags.IntVar(&f.choice.Repeats, "repeats", 0, "how often each question is asked, instead of the configuration's")
	flags.IntVar(&f.choice.Pool, "pool", 0, "ask every question about one caption of the prompt Simple, or of those that --prompt names, drawn with this seed (1 when none is given), to compare readers")
	flags.Lookup("pool").NoOptDefVal = "1"
	flags.StringSliceVar(&f.choice.Judges, "judge", nil, "judges of annotated elements, instead of those of the configuration")
	flags.StringSliceVar(&f.choice.Benchmarks, "benchmark", nil, "capability or cv-capbench, instead of the configuration's: a run about annotated elements")
}

// runSteps carries a run out: the captions first, then the answers about the captions that the lake then holds. An
// interrupt lets the requests under way come back.
func (a *app) runSteps(ctx context.Context, lake *data.Lake, config *stages.Config, f runFlags) ([]stages.StepReport, error) {
	asking, drain := llm.WithDrain(context.WithoutCancel(ctx))
	told := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(told)
		drain()
		fmt.Fprintln(a.stderr, "stopping: the requests under way come back first; interrupt again to end at once without them")
	})
	defer func() {
		if !stop() {
			<-told
		}
	}()
	bar := a.progress("", -1)
	defer bar.done()
	narrowed := config.Narrow(f.choice)
	runner := &stages.Runner{Lake: lake, Config: &narrowed, RetryFailed: f.retryFailed, Replace: f.replace, Progress: func(p stages.Progress) { bar.step(p.Work) }}
	reports := []stages.StepReport{} // in JSON a list, too, when it is empty
	err := stages.EachStep(lake, &narrowed, f.choice, func(s stages.Step) error {
		report, err := runner.Step(asking, s)
		reports = append(reports, report)
		return err
	})
	if err == nil {
		err = stages.NothingCame(reports)
	}
	return reports, err
}

func (a *app) dryRun(lake *data.Lake, config *stages.Config, f runFlags) error {
	narrowed := config.Narrow(f.choice)
	runner := &stages.Runner{Lake: lake, Config: &narrowed, RetryFailed: f.retryFailed}
	var estimates []stages.Estimate
	err := stages.EachStep(lake, &narrowed, f.choice, func(s stages.Step) error {
		e, err := runner.Estimate(s)
		estimates = append(estimates, e)
		return err
	})
	if err != nil && !errors.Is(err, stages.ErrNothingToAsk) {
		return err
	}
	forecast, forecastErr := runner.Forecast(f.choice)
	if forecastErr != nil {
		return forecastErr
	}
	if estimates = append(estimates, forecast...); len(estimates) == 0 {
		return err
	}
	if a.asJSON {
		return printJSON(a.stdout, estimates)
	}
	total := stages.Total(estimates)
	if len(estimates) > 1 {
		estimates = append(estimates, total)
	}
	var rows []table.Row
	for _, e := range estimates {
		seconds, share := "unknown", "-"
		if e.Seconds > 0 || e.Pending == 0 {
			seconds = fmt.Sprint(time.Duration(e.Seconds * float64(time.Second)).Round(time.Second))
		}
		if e.Prompt > 0 {
			share = fmt.Sprintf("%.0f%%", 100*float64(e.Shared)/float64(e.Prompt))
		}
		cost := "unknown"
		if e.Priced {
			cost = fmt.Sprintf("%.2f", e.Cost)
		}
		name := e.Name
		if e.Assumed {
			name = "~ " + name
		}
		rows = append(rows, table.Row{e.Stage, name, count(int64(e.Pending)), count(int64(e.Planned)), count(e.Prompt), share, seconds, cost})
	}
	printTable(a.stdout, table.Row{"stage", "unit", "pending", "planned", "prompt tokens", "from cache", "time", "cost"}, rows)
	fmt.Fprintln(a.stdout, "\nTokens are estimated from the length of the texts, pictures not counted; time from earlier calls of the model.")
	for _, e := range estimates {
		if e.Replaces != nil {
			fmt.Fprintf(a.stdout, "\nNote: %s %s: %s. A run does so only with --replace.\n", e.Stage, e.Name, e.Replaces)
		}
	}
	if total.Assumed {
		fmt.Fprintln(a.stdout, "Units with ~ are about captions that are still to be made; their length is an assumption.")
	}
	return nil
}

// printReports prints what the steps did, and what a user should know beyond the numbers.
func (a *app) printReports(reports []stages.StepReport) {
	var rows []table.Row
	var notes []string
	failed := 0
	for _, r := range reports {
		if r.Planned == 0 && r.Note == "" {
			continue // It failed before anything was planned, which the error says.
		}
		failed += r.Failed + r.Truncated + r.Lacking
		if r.Note != "" && !slices.Contains(notes, r.Note) {
			notes = append(notes, r.Note)
		}
		share := "-"
		if r.Prompt > 0 {
			share = fmt.Sprintf("%.0f%%", 100*float64(r.Cached)/float64(r.Prompt))
		}
		rows = append(rows, table.Row{r.Stage, r.Work, count(int64(r.Answered)), count(int64(r.Recorded)), r.Failed, r.Truncated, count(r.Prompt), share, count(int64(r.Rows))})
	}
	if len(rows) == 0 {
		return
	}
	printTable(a.stdout, table.Row{"stage", "unit", "asked", "recorded", "failed", "cut off", "prompt tokens", "from cache", "rows"}, rows)
	if failed > 0 {
		notes = append(notes, fmt.Sprintf("failed or cut off: %s; see why with captionlake --lake %s sql \"select error, count(*) from calls where state <> 'ok' group by error\", and ask again with --retry-failed",
			count(int64(failed)), a.lakeDir))
	}
	for _, n := range notes {
		fmt.Fprintf(a.stdout, "\nNote: %s\n", n)
	}
}
