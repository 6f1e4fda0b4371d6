package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics/build"
	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/gaps"
	"github.com/captionlake/captionlake/sql"
	"github.com/captionlake/captionlake/stages/config"
)

func (a *app) analyzeCommand() *cobra.Command {
	var engine engine.Options
	folds := foldFlags{engine: engineDuckDB, config: config.File}
	var selected, prompts []string
	var fresh bool
	c := &cobra.Command{
		Use:   "analyze",
		Short: "Compute every result from the tables, in SQL",
		Long: `Compute every result from the tables, in SQL. Each SQL model becomes a file in the folder marts, and its audits check it.
captionlake.duckdb gets a view of every table and mart. A model is computed again only if its inputs have changed.

--select computes some models from the existing marts: NAME, +NAME with all models that it reads, NAME+ with all models that
read it. --full-refresh computes models again although their inputs are unchanged.

Other commands may write to the lake meanwhile: the results come from the tables as they are at the beginning.
Tables are refused if a file is missing, if no unit wrote it, or if it differs from the committed file.

Results leave out answers, captions and judgments if their question, annotation, caption or call is gone or has changed.
The command prints how many; stale_answers, stale_captions and so on list them.

With --engine spark, Apache Spark computes the folds: the SQL models that read the big tables and reduce them to counts and
sums. captionlake writes one script of Spark SQL, runs it with spark-sql as the section spark of the configuration says,
takes the results in after the same checks as its own, and computes the rest. --export only writes the script, for a
scheduler or a notebook, and --folds takes in its results. A failure in Spark leaves the lake as it was.`,
		Example: `  captionlake analyze
  captionlake analyze --select +leaderboard
  captionlake analyze --engine spark
  captionlake analyze --engine spark --export folds   # for spark-sql -f
  captionlake analyze --engine spark --folds folds
  captionlake analyze --memory 2GB
  captionlake analyze --prompt Long`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if folds.engine != engineSpark && folds.export+folds.folds != "" {
				return data.Errorf("add --engine spark", "--export and --folds are for folds that Spark computes")
			}
			return a.editLake(func(lake *data.Lake) error {
				var notes []string
				options := build.Options{
					Engine: engine, Prompts: prompts, Select: selected, FullRefresh: fresh, Folds: folds.folds,
					Note: func(note string) { notes = append(notes, note) },
				}
				if folds.engine == engineSpark && folds.folds == "" {
					c, err := folds.spark(cmd.Flags().Changed("config"))
					if err != nil {
						return err
					}
					if folds.export != "" {
						return a.exportFolds(lake, folds, c, options)
					}
					options.Spark = a.spark(c)
				}
				reports, err := a.compute(lake, options)
				slices.Sort(notes) // Several models may note the same.
				for _, note := range slices.Compact(notes) {
					a.warn(note)
				}
				if len(selected) > 0 {
					a.noteBehind(build.Behind(lake))
				}
				if a.asJSON {
					return show(a, reports, err, nil)
				}
				a.printModels(reports)
				a.printStale(lake)
				if err == nil {
					a.next("sql \"from leaderboard('Simple')\"", "report")
				}
				return err
			})
		},
	}
	memoryFlag(c, &engine)
	flags(c,
		&selected, "select", "these SQL models only: NAME, +NAME, NAME+ or +NAME+; * stands for any letters",
		&fresh, "full-refresh", "compute the models again, although their inputs are unchanged",
		&prompts, "prompt",
		"caption prompts on which readers are compared; the first is also tried for ranking stability (default Simple)",
		oneName(&folds.engine, engineDuckDB, engineSpark), "engine", "who computes the folds: duckdb or spark",
		&folds.export, "export", "with --engine spark, write the script for Spark into this folder and compute nothing",
		&folds.folds, "folds", "with --engine spark, take in the results from the folder of --export",
		&folds.config, "config", "configuration; its section spark says how Spark is started",
	)
	c.MarkFlagsMutuallyExclusive("select", "engine")
	c.MarkFlagsMutuallyExclusive("export", "folds")
	_ = c.RegisterFlagCompletionFunc("select", cobra.FixedCompletions(sql.Names(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

// memoryFlag bounds DuckDB, for the commands that read large tables. It takes as many threads as
// the process may use processors.
func memoryFlag(c *cobra.Command, o *engine.Options) {
	flags(c,
		&o.MemoryLimit, "memory",
		"memory that SQL may use before it spills to disk, such as 4GB (default "+engine.DefaultMemory+")",
	)
}

// printModels lists the models that were computed, and counts the others.
func (a *app) printModels(reports []build.Report) {
	t, all, unchanged := newTable("model | state | rows | time"), int64(0), 0
	for _, r := range reports {
		if all += r.Rows; r.State == build.StateUnchanged {
			unchanged++
		} else {
			t.add(r.Model, r.State, r.Rows, r.Duration.Round(time.Millisecond))
		}
	}
	a.print(t)
	if len(reports) > 0 {
		a.say("%d models, %d rows; %d are as they were, since their inputs are\n", len(reports), all, unchanged)
	}
}

// noteBehind says that results are older than tables. It is silent on an error, since the command
// that reads a mart reports its fault.
func (a *app) noteBehind(tables []string, err error) {
	if err == nil && len(tables) > 0 {
		a.warn(fmt.Sprintf("the results are older than the tables %s; bring them up to date with: captionlake --lake %s analyze",
			strings.Join(tables, ", "), a.lakeDir))
	}
}

// printGone says which candidates the taxonomy has left behind.
func (a *app) printGone(lake *data.Lake) {
	if nodes, err := gaps.Gone(lake); err == nil && len(nodes) > 0 {
		a.say("\nNote: %s\n", gaps.GoneText(nodes))
	}
}

// printStale says which rows the results leave out, and which candidates the taxonomy has left behind.
func (a *app) printStale(lake *data.Lake) {
	a.printGone(lake)
	if text := build.StaleText(build.Stale(lake)); text != "" {
		a.say("\nNote: %s; see stale_answers, stale_captions, stale_judgments, stale_element_answers and stale_votes, or run again what made them\n", text)
	}
}
