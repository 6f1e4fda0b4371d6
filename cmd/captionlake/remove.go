package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/data"
)

func (a *app) removeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "remove UNIT...",
		Short: "Take units out of the lake",
		Long: `Take units out of the lake: their rows in every table. A unit is what one file or one step made; the column unit of
the table runs has their names. Pictures stay, since other units may show them.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, units []string) error {
			return a.editLake(cmd, func(lake *data.Lake) error {
				for _, unit := range units {
					if err := lake.Remove(unit); err != nil {
						return err
					}
					fmt.Fprintf(a.stdout, "removed %s\n", unit)
				}
				return nil
			})
		},
	}
}
