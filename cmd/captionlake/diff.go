package main

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics"
)

func (a *app) diffCommand() *cobra.Command {
	o := analytics.DiffOptions{Rows: 20}
	c := &cobra.Command{
		Use:   "diff RUN RUN",
		Short: "Show what changed between two runs",
		Long: `Show what changed between two runs: which settings differ, how many answers, captions, judgments, votes and calls differ,
by how much scores differ (paired by image, standard errors clustered by image, 95 % t intervals), and what the calls took.
Name a run by its run_id, the first characters of it, or its unit, for the unit's current run. When a later run of a unit
has replaced the rows of a run, only its settings are compared.

--format writes only the changed rows, in that form.`,
		Example: `  captionlake diff score-captionqa-upstream-my-reader-r0-1f3c9a52 score-captionqa-upstream-my-reader-r1-07d6b1e8
  captionlake diff --json 3ecb287f 9ab0771c
  captionlake diff --format csv 3ecb287f 9ab0771c > changed.csv`,
		Args:              cobra.ExactArgs(2),
		ValidArgsFunction: completeNames(a.unitNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			lake, err := a.readLake()
			if err != nil {
				return err
			}
			if err := mustBeWhole(lake); err != nil {
				return err
			}
			o.Out = a.stdout
			if a.asJSON && !cmd.Flags().Changed("rows") || o.Format != "" && !cmd.Flags().Changed("rows") {
				o.Rows = -1
			}
			diff, err := analytics.Diff(cmd.Context(), lake, args[0], args[1], o)
			if o.Format != "" {
				return err
			}
			return show(a, diff, err, a.printDiff)
		},
	}
	f := c.Flags()
	f.StringVarP(&o.Format, "format", "f", "", "write the changed rows in this form: "+strings.Join(analytics.Formats(), ", "))
	f.IntVar(&o.Rows, "rows", o.Rows, "changed rows that are shown, -1 for all; with --json and --format all unless given")
	a.engineFlags(c, &o.Engine)
	return c
}

// longestCell is how much of a text a table shows.
const longestCell = 60

func (a *app) printDiff(d *analytics.RunDiff) {
	cell := func(s *string) string {
		if s == nil {
			return "-"
		}
		return text.Trim(analytics.OneLine(*s), longestCell)
	}
	var runs []table.Row
	for i, r := range []analytics.DiffRun{d.A, d.B} {
		c := d.Calls[i]
		runs = append(runs, table.Row{string("AB"[i]), r.RunID, r.Unit, r.Provenance, r.FinishedAt.Format("2006-01-02 15:04:05"),
			count(c.Calls), count(c.Failed), count(c.PromptTokens), count(c.CachedTokens), count(c.CompletionTokens)})
	}
	printTable(a.stdout, table.Row{"", "run", "unit", "provenance", "finished, UTC", "calls", "failed", "prompt tokens", "from cache", "completion tokens"}, runs)
	if len(d.Settings) == 0 {
		fmt.Fprintln(a.stdout, "\nNo setting differs.")
	} else {
		var rows []table.Row
		for _, s := range d.Settings {
			rows = append(rows, table.Row{s.Name, cell(&s.A), cell(&s.B)})
		}
		fmt.Fprintln(a.stdout, "\nSettings that differ")
		printTable(a.stdout, table.Row{"setting", "A", "B"}, rows)
	}
	var differences []analytics.Difference
	var tables, transitions []table.Row
	for _, t := range d.Tables {
		differences = append(differences, t.Differences...)
		tables = append(tables, table.Row{t.Table, count(t.RowsA), count(t.RowsB), count(t.Both), count(t.Changed), count(t.Outcomes)})
		for _, x := range t.Transitions {
			transitions = append(transitions, table.Row{t.Table, x.From, x.To, count(x.Rows)})
		}
	}
	if len(tables) > 0 {
		fmt.Fprintln(a.stdout, "\nRows, paired by what they are about")
		printTable(a.stdout, table.Row{"table", "A", "B", "both", "changed", "other outcome"}, tables)
	}
	if len(transitions) > 0 {
		fmt.Fprintln(a.stdout, "\nOutcomes that changed")
		printTable(a.stdout, table.Row{"table", "A", "B", "rows"}, transitions)
	}
	if len(differences) > 0 {
		fmt.Fprintln(a.stdout, "\nMeans over the rows of both")
		a.printMeans(differences)
	}
	if len(d.Changes) > 0 {
		var rows []table.Row
		for _, c := range d.Changes {
			rows = append(rows, table.Row{c.Table, analytics.OneLine(c.Group), text.Trim(analytics.OneLine(c.Item), longestCell), cell(c.OutcomeA), cell(c.OutcomeB), cell(c.ValueA), cell(c.ValueB)})
		}
		fmt.Fprintf(a.stdout, "\nChanged rows: %s\n", shownOf(d))
		printTable(a.stdout, table.Row{"table", "group", "item", "outcome of A", "of B", "text of A", "of B"}, rows)
	}
	for _, n := range d.Notes {
		fmt.Fprintf(a.stdout, "\nNote: %s.\n", n)
	}
}

// printMeans prints differences of two runs: in percent, and in words of captions.
func (a *app) printMeans(differences []analytics.Difference) {
	var rows []table.Row
	for _, d := range differences {
		interval, p := "-", "-"
		if d.Low != nil {
			interval, p = fmt.Sprintf("%+.2f to %+.2f", *d.Low, *d.High), fmt.Sprintf("%.3g", *d.P)
		}
		rows = append(rows, table.Row{d.Metric, analytics.OneLine(d.Domain), fmt.Sprintf("%.2f", d.MeanA), fmt.Sprintf("%.2f", d.MeanB),
			fmt.Sprintf("%+.2f", d.Difference), interval, p, count(d.Images)})
	}
	printTable(a.stdout, table.Row{"mean of", "over", "A", "B", "A - B", "95 % interval", "p", "images"}, rows)
}

// shownOf says how many of the changed rows are shown. Rows of one run alone are among them.
func shownOf(d *analytics.RunDiff) string {
	all := int64(0)
	for _, t := range d.Tables {
		all += t.Changed + t.RowsA + t.RowsB - 2*t.Both
	}
	if int64(len(d.Changes)) == all {
		return "all " + count(all)
	}
	return fmt.Sprintf("%s of %s; --rows -1 shows all", count(len(d.Changes)), count(all))
}
