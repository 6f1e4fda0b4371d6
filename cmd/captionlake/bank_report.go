package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/analytics/build"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/sql"
	"github.com/captionlake/captionlake/stages/bank"
)

func (a *app) bankReportCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "report --domain NAME",
		Short: "Show funnel, costs, quality, agreement and distributions of a bank",
		Long: `Compute the marts and show the report of a bank that was made here: how many candidates are left
after each step, how the candidates of each category ended, how validators agree, how often blind readers
guess right beside chance, Table 2 from people's ratings, tokens and money beside the paper's, how the
questions are distributed, and checks of CaptionQA's section 4. The same rows are in the marts construct_* and
captionqa_quality, and captionlake report draws them.`,
		Example: `  captionlake bank report --domain kitchen
  captionlake bank report --domain kitchen --json`,
	}
	a.eachDomain(c, func(lake *data.Lake, domain string) error {
		domain, err := bank.DomainOf(lake, domain) // in the letter case of the candidates
		if err != nil {
			return err
		}
		if _, err := a.compute(lake, build.Options{}); err != nil {
			return err
		}
		options := ask.Options{}
		if a.asJSON {
			options.Format = "json"
		}
		sections, err := ask.Report(a.context, lake, "queries/bank.sql", options, "{domain}", sql.Quote(domain))
		rows := map[string]json.RawMessage{} // by the name of the section, for --json alone
		for _, s := range sections {
			rows[s.Name] = s.Rows
		}
		return show(a, rows, err, func(map[string]json.RawMessage) { a.printSections(sections) })
	})
	return c
}
