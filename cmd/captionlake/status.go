package main

import (
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/data"
)

func (a *app) statusCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Say what the lake holds",
		Long: `Say what the lake holds: units, rows and bytes of each table, read from the files' footers, and work in flight that a
run left behind.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			lake, err := data.Open(a.lakeDir)
			if err != nil {
				return err
			}
			tables, err := lake.Status()
			if err != nil {
				return err
			}
			inFlight, err := lake.Journals()
			if err != nil {
				return err
			}
			if a.asJSON {
				return printJSON(a.stdout, map[string]any{"lake": lake.Dir(), "tables": tables, "in_flight": inFlight})
			}
			var rows []table.Row
			for _, t := range tables {
				if t.Units > 0 {
					rows = append(rows, table.Row{t.Name, t.Units, count(t.Rows), size(t.Bytes)})
				}
			}
			fmt.Fprintf(a.stdout, "lake %s\n\n", lake.Dir())
			printTable(a.stdout, table.Row{"table", "units", "rows", "size"}, rows)
			for _, name := range inFlight {
				fmt.Fprintf(a.stdout, "\nin flight: %s (run the command that made it again to go on)\n", name)
			}
			return nil
		},
	}
}
