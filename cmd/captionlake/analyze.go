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
	var duckDB engine.Options
	folds := foldFlags{engine: engineDuckDB, config: config.File}
	var selected, prompts []string
	var fresh bool
	c := &cobra.Command{
		Use:   "analyze",
		Short: "Compute every result from the tables, in SQL",
		Long: `Compute every result from the tables, in SQL. The result of each SQL model is a table in the folder
marts; checks in the model's file (audits) test it. captionlake.duckdb gets a view of every table and mart. A
model is computed again only if its inputs have changed.

With --select the command computes only the named models, from the marts that exist. NAME is one model, +NAME
also the models that it reads, NAME+ also the models that read it. With --full-refresh the command also
computes models with unchanged inputs.

Other commands may write to the lake meanwhile: the results come from the tables as they are at the beginning.
The command refuses the tables if a file is missing, if no unit wrote a file, or if a file differs from the
committed file.

Results leave out answers, captions and judgments if their question, annotation, caption or call is gone or has changed.
The command prints their number; the marts stale_answers, stale_captions and so on list them.

With --engine spark, Apache Spark computes the folds: the SQL models that read the big tables and reduce them
to counts and sums. captionlake writes one script of Spark SQL and runs it with spark-sql, as the section
spark of the configuration says. It checks Spark's results as it checks its own, and computes all other models
with DuckDB. --export only writes the script, for a scheduler or a notebook; --folds reads the results of this
script. A failure in Spark leaves the lake as it was.`,
		Example: `  captionlake analyze
  captionlake analyze --select +leaderboard
  captionlake analyze --engine spark
  captionlake analyze --engine spark --export folds   # for spark-sql -f
  captionlake analyze --engine spark --folds folds
  captionlake analyze --memory 2GB
  captionlake analyze --prompt Long`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if folds.engine != engineSpark && (folds.export != "" || folds.results != "") {
				return data.Errorf("add --engine spark", "--export and --folds are for folds that Spark computes")
			}
			return a.editLake(func(lake *data.Lake) error {
				var notes []string
				options := build.Options{
					Engine: duckDB, Prompts: prompts, Select: selected, FullRefresh: fresh, Folds: folds.results,
					Note: func(note string) { notes = append(notes, note) },
				}
				if folds.engine == engineSpark && folds.results == "" {
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
					return show(a, reports, err, nil) // With --json show needs no function that prints.
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
	memoryFlag(c, &duckDB)
	flags(c,
		&selected, "select", "compute only these SQL models: NAME, +NAME, NAME+ or +NAME+; * stands for any letters",
		&fresh, "full-refresh", "also compute models with unchanged inputs",
		&prompts, "prompt",
		"caption prompts under which readers are compared; "+
			"the first is also the prompt of the ranking stability (default Simple)",
		oneName(&folds.engine, engineDuckDB, engineSpark), "engine", "program that computes the folds: duckdb or spark",
		&folds.export, "export", "with --engine spark, write the script for Spark into this folder and compute nothing",
		&folds.results, "folds", "with --engine spark, read Spark's results from this folder, the folder of --export",
		&folds.config, "config", "configuration file; its section spark says how Spark is started",
	)
	c.MarkFlagsMutuallyExclusive("select", "engine")
	c.MarkFlagsMutuallyExclusive("export", "folds")
	// An error would say that there is no flag select.
	_ = c.RegisterFlagCompletionFunc("select", cobra.FixedCompletions(sql.Names(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

// memoryFlag adds the flag that limits DuckDB's memory, for the commands that read large tables.
func memoryFlag(c *cobra.Command, o *engine.Options) {
	flags(c,
		&o.MemoryLimit, "memory",
		"memory that SQL may use before it spills to disk, such as 4GB (default "+engine.DefaultMemory+")",
	)
}

// printModels lists the models that were computed, and counts the unchanged ones.
func (a *app) printModels(reports []build.Report) {
	t := newTable("model | state | rows | time")
	rows, unchanged := int64(0), 0
	for _, r := range reports {
		rows += r.Rows
		if r.State == build.StateUnchanged {
			unchanged++
		} else {
			t.add(r.Model, r.State, r.Rows, r.Duration.Round(time.Millisecond))
		}
	}
	a.print(t)
	if len(reports) > 0 {
		a.say("%d models, %d rows; %d models are unchanged, because their inputs are\n", len(reports), rows, unchanged)
	}
}

// noteBehind warns that the results are older than the given tables. It takes the two results of
// build.Behind. It ignores an error, because a command that reads a damaged mart reports the
// damage.
func (a *app) noteBehind(tables []string, err error) {
	if err == nil && len(tables) > 0 {
		a.warn(fmt.Sprintf(
			"the results are older than the tables %s; bring them up to date with: captionlake --lake %s analyze",
			strings.Join(tables, ", "), a.lakeDir))
	}
}

// printGone notes candidate questions about nodes that the taxonomy no longer has. After an
// error there is no note.
func (a *app) printGone(lake *data.Lake) {
	if nodes, err := gaps.Gone(lake); err == nil && len(nodes) > 0 {
		a.say("\nNote: %s\n", gaps.GoneText(nodes))
	}
}

// printStale notes the rows that the results leave out, and candidates about removed nodes.
func (a *app) printStale(lake *data.Lake) {
	a.printGone(lake)
	if text := build.StaleText(build.Stale(lake)); text != "" {
		a.say("\nNote: %s; list them with stale_answers, stale_captions, stale_judgments, stale_element_answers "+
			"and stale_votes, or repeat the command that made them\n", text)
	}
}
