package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/data"
)

// bankCommand is the group of commands about a bank of questions. To add a command: one file, one
// line below.
func (a *app) bankCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "bank",
		Short: "Review, publish, check and export a bank that was made here",
		Long: `Review, publish, check and export a bank of questions. captionlake run construct makes its candidates
from pictures and a taxonomy (CaptionQA section 4). On the page of bank review people decide about the
candidates that the validators left to people.`,
		Example: `  captionlake bank publish --domain kitchen
  captionlake bank export --domain kitchen --out kitchen-bank
  captionlake bank report --domain kitchen`,
	},
		a.bankReviewCommand(),
		a.bankSampleCommand(),
		a.bankPublishCommand(),
		a.bankExportCommand(),
		a.bankReportCommand(),
	)
}

// eachDomain makes the command c call the function do for each domain that the user names. It is an
// error if the user names no domain.
func (a *app) eachDomain(c *cobra.Command, do func(lake *data.Lake, domain string) error) {
	domains := c.Flags().StringSlice("domain", nil, "domains of the bank, one after the other; they must be named")
	a.mustNameDomain(c)
	c.RunE = func(*cobra.Command, []string) error {
		return a.editLake(func(lake *data.Lake) error {
			return each(*domains, func(domain string) error { return do(lake, domain) })
		})
	}
}

// mustNameDomain makes a command refuse to run without --domain.
func (a *app) mustNameDomain(c *cobra.Command) {
	c.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if domain := cmd.Flag("domain"); domain.Value.String() == domain.DefValue { // no flag, or an empty list
			return data.WithHint(errors.New("the domain of the bank is not named"), "name it: %s --domain NAME",
				cmd.CommandPath())
		}
		return nil
	}
}
