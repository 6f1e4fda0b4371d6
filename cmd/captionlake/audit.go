package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics"
	"github.com/captionlake/captionlake/data"
)

func (a *app) auditCommand() *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use:   "audit",
		Short: "Check the published figures against themselves and each other",
		Long: `Check the published figures of CaptionQA, CAPability, CV-CapBench and CapArena against themselves and each other: scores
against accuracies and cannot-rates, overalls and averages against their parts, F1 and recall against precision and hit
rate, totals against sums, summaries against the public leaderboard, rows that are missing or out of order, and the
statements of the texts against the tables. Each finding has a kind: contradiction (the figures exclude each other),
wording (the words do not fit the figures) or rounding (off by one unit of the last digit), and names table, row and
numbers. They are the rows of the marts published_audit and published_claims; published_quantities has what the tables
give for the statements. Of banks of questions that were made here it says what a reader of CaptionQA section 4 would
check (the mart construct_checks).`,
		Example: `  captionlake audit
  captionlake audit --all
  captionlake audit --json > findings.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.editLake(cmd, func(lake *data.Lake) error {
				if _, err := a.compute(cmd.Context(), lake, analytics.RunOptions{}); err != nil {
					return err
				}
				return a.showAudit(cmd.Context(), lake, all)
			})
		},
	}
	c.Flags().BoolVar(&all, "all", false, "print every finding, not the first ten of each check")
	return c
}

func (a *app) showAudit(ctx context.Context, lake *data.Lake, all bool) (err error) {
	session, err := analytics.OpenSession(ctx, lake, analytics.EngineOptions{}, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	if a.asJSON {
		_, err := session.Query(ctx, "select * from published_audit order by all", analytics.QueryOptions{Format: "json"}, a.stdout)
		return err
	}
	most := 10
	if all {
		most = math.MaxInt32
	}
	for _, s := range []struct{ title, query string }{
		{"Findings by check", "select kind, benchmark, check_name, count(*) as findings from published_audit group by all order by kind, benchmark, findings, check_name"},
		{"Findings", fmt.Sprintf(`
			select kind, benchmark, check_name, item, domain, category, message
			from published_audit
			qualify row_number() over (partition by benchmark, check_name, kind order by item, domain, category, model, metric) <= %d
			order by kind, benchmark, check_name, item, domain, category, model, metric`, most)},
		{"Statements of the texts that the tables do not bear out", `
			select kind, benchmark, section, statement, stated, cast(round(recomputed, 3) as decimal(9, 3)) as recomputed, basis
			from published_claims where not holds order by kind, benchmark, section, claim`},
		{"Banks that were made here, and what a reader of CaptionQA section 4 would check of each question",
			"select domain, statement, n_questions, n_failed, example from construct_checks order by domain, position"},
		{"Statements by kind", "select benchmark, kind, count(*) as statements from published_claims group by all order by all"},
	} {
		var rows bytes.Buffer
		report, err := session.Query(ctx, s.query, analytics.QueryOptions{TableRows: -1}, &rows)
		if err != nil {
			return err
		}
		if report.Rows > 0 {
			fmt.Fprintf(a.stdout, "\n%s\n%s", s.title, rows.String())
		}
	}
	a.printStale(lake)
	return nil
}

// printFindings says after an analysis that the audit found something.
func printFindings(w io.Writer, reports []analytics.ModelReport) {
	for _, r := range reports {
		if r.Model == "published_audit" && r.Rows > 0 {
			fmt.Fprintf(w, "\nThe audit of the published figures has %s findings; print them with: captionlake audit\n", count(r.Rows))
		}
	}
}
