package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/data"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Long:    "Print the versions of captionlake and of the Go that built it.",
		Example: `  captionlake version`,
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if a.asJSON {
				return printJSON(a.stdout, map[string]string{"version": data.Version, "go": runtime.Version()})
			}
			_, err := fmt.Fprintf(a.stdout, "captionlake %s (%s)\n", data.Version, runtime.Version())
			return err
		},
	}
}
