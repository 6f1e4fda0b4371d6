package main

import (
	"fmt"
	"io"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics"
	"github.com/captionlake/captionlake/data"
)

func (a *app) analyzeCommand() *cobra.Command {
	var engine analytics.EngineOptions
	var sampling analytics.SamplingOptions
	c := &cobra.Command{
		Use:   "analyze",
		Short: "Compute every result from the tables, in SQL",
		Long: `Compute every result from the tables, in SQL: each model becomes a file of the folder marts, checked by its audits,
and captionlake.duckdb gets a view of every table and mart. Models whose inputs have not changed are left as they are.

Files of tables that are missing, that no unit wrote, or that are not byte for byte those that were committed are
refused. What was read before and has neither another size nor another time since is not read again for that.

Answers, captions and judgments whose question, annotation, caption or call is gone or has changed are in no result; how
many there are is printed, and which in stale_answers and its like.`,
		Example: `  captionlake analyze
  captionlake analyze --memory 2GB --threads 2
  captionlake analyze --stability-prompt Long --trials 200`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.editLake(cmd, func(lake *data.Lake) error {
				var notes []string
				reports, err := a.compute(cmd.Context(), lake, analytics.RunOptions{
					Engine: engine, Sampling: sampling, Note: func(note string) { notes = append(notes, note) },
				})
				for _, note := range notes {
					fmt.Fprintf(a.stderr, "Note: %s\n", note)
				}
				if a.asJSON {
					if err != nil {
						return err
					}
					return printJSON(a.stdout, reports)
				}
				printModels(a.stdout, reports)
				printFindings(a.stdout, reports)
				a.printStale(lake)
				return err
			})
		},
	}
	a.engineFlags(c, &engine)
	f := c.Flags()
	f.IntVar(&sampling.Trials, "trials", 0, "random orders of the images for the ranking stability (default 100)")
	f.StringVar(&sampling.StabilityPrompt, "stability-prompt", "", "caption prompt whose ranking stability is tried (default Simple)")
	f.StringSliceVar(&sampling.PoolPrompts, "pool-prompt", nil, "caption prompts of the pool on which readers are compared (default Simple)")
	f.IntVar(&sampling.Bootstraps, "bootstraps", 0, "bootstrap samples for the intervals of ranks (default 500)")
	f.IntVar(&sampling.Seed, "seed", 0, "seed of all sampling in SQL (default 1)")
	return c
}

// engineFlags are the limits of DuckDB, for the commands that run it.
func (a *app) engineFlags(c *cobra.Command, o *analytics.EngineOptions) {
	c.Flags().StringVar(&o.MemoryLimit, "memory", "", "memory that SQL may use before it spills to disk, such as 4GB (default 1GB)")
	c.Flags().IntVar(&o.Threads, "threads", 0, "threads that SQL may use (default one for each processor)")
}

func printModels(w io.Writer, reports []analytics.ModelReport) {
	var rows []table.Row
	for _, r := range reports {
		rows = append(rows, table.Row{r.Model, r.State, count(r.Rows), fmt.Sprint(r.Duration.Round(time.Millisecond))})
	}
	printTable(w, table.Row{"model", "state", "rows", "time"}, rows)
}

// gone are the nodes of edited taxonomies that candidates are about.
func gone(lake *data.Lake) ([]data.GoneNode, error) {
	nodes, err := lake.Nodes()
	if err != nil {
		return nil, err
	}
	return lake.Gone(nodes, "")
}

// printStale says which rows the results leave out, and which candidates the taxonomy has left behind.
func (a *app) printStale(lake *data.Lake) {
	if nodes, err := gone(lake); err == nil && len(nodes) > 0 {
		fmt.Fprintf(a.stdout, "\nNote: %s; see construct_gone_nodes\n", data.GoneText(nodes))
	}
	stale, err := analytics.Stale(lake)
	if text := analytics.StaleText(stale); err == nil && text != "" {
		fmt.Fprintf(a.stdout, "\nNote: %s; see stale_answers, stale_captions, stale_judgments, stale_element_answers and stale_votes, or run again what made them\n", text)
	}
}
