package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/doctor"
)

// detailWidth is the width of the column that says what a check saw; servers' errors are long.
const detailWidth = 100

func (a *app) doctorCommand() *cobra.Command {
	var path string
	c := &cobra.Command{
		Use:   "doctor [" + strings.Join(stages.Names(), "|") + "]",
		Short: "Check the servers of the configuration",
		Long: `Check the servers of the configuration: whether they answer, serve the models, take every sampling parameter (so that
their own defaults never count), answer before reasoning has used up the tokens, honour constraints, and have room for
as many tokens as the configuration asks for. With the name of a stage, check only the models that it asks, as where one
GPU serves one model after the other. The exit code is 1 when a check fails.`,
		Example: `  captionlake doctor
  captionlake doctor caption`,
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), knownStage),
		ValidArgs: stageArgs(),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := stages.ReadConfig(path)
			if err != nil {
				return err
			}
			if len(args) > 0 {
				if c.Endpoints = stages.Asked(&c, args[0]); len(c.Endpoints) == 0 {
					return data.WithHint(fmt.Errorf("the stage %s asks no model of %s", args[0], config.File), "name one in its section, or check all servers with: captionlake doctor")
				}
			}
			results := doctor.Doctor(cmd.Context(), &c)
			failed := 0
			var rows []table.Row
			for _, r := range results {
				if r.Verdict == doctor.Fail {
					failed++
				}
				rows = append(rows, table.Row{r.Endpoint, r.Check, r.Verdict, text.WrapSoft(r.Detail, detailWidth)})
			}
			if a.asJSON {
				err = printJSON(a.stdout, results)
			} else {
				printTable(a.stdout, table.Row{"endpoint", "check", "verdict", "detail"}, rows)
			}
			if failed > 0 {
				return errors.Join(err, data.WithHint(fmt.Errorf("%d of %d checks failed", failed, len(results)), "follow the details above, then: captionlake doctor"))
			}
			return err
		},
	}
	c.Flags().StringVar(&path, "config", config.File, "configuration")
	return c
}
