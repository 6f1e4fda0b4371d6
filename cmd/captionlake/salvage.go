package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/data"
)

func (a *app) salvageCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "salvage",
		Short: "Keep what can be read of a damaged journal",
		Long: `Keep what can be read of a damaged journal. A run refuses a journal with a damaged record, because the replies behind that
record have been paid for. salvage cuts the damaged places out, keeps every other record and a copy of what it cut out,
and the next run asks again for what was lost. Journals without damage are left alone.`,
		Example: `  captionlake salvage`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.editLake(cmd, func(lake *data.Lake) error {
				done, err := lake.Salvage()
				if a.asJSON {
					if err != nil {
						return err
					}
					return printJSON(a.stdout, append([]data.Salvage{}, done...))
				}
				for _, s := range done {
					fmt.Fprintf(a.stdout, "%s: kept %s records, cut %s bytes out at %d places\n", s.Unit, count(s.Kept), count(s.Skipped), s.Places)
				}
				if len(done) == 0 && err == nil {
					fmt.Fprintln(a.stdout, "no journal is damaged")
				}
				return err
			})
		},
	}
}
