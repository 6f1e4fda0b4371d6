package main

import (
	"errors"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/doctor"
)

// detailWidth is the width of the column with the findings of a check. Errors of servers are long.
const detailWidth = 100

func (a *app) doctorCommand() *cobra.Command {
	path := config.File
	var repair, dryRun bool
	c := &cobra.Command{
		Use:   "doctor [STAGE]",
		Short: "Check the servers of the configuration",
		Long: `Check the servers of the configuration: whether they answer, serve the models, take every sampling
parameter (so that their own defaults never count), answer before reasoning has used up the tokens, honour
constraints, and have room for as many tokens as the configuration asks for. With the name of a stage, only
the models of this stage are checked; this helps if a GPU serves one model after the other. The exit code is 1
if a check fails.

With --dry-run the command asks no server. It checks the configuration and prints each fault with its line and column.

With --repair the command asks no server. It repairs damaged journals. A run refuses a journal with a damaged
line, because the reply in the line has been paid for. --repair cuts damaged lines out, keeps a copy of them,
and keeps all other lines in the journal. The next run asks again for the lost replies.`,
		Example: `  captionlake doctor
  captionlake doctor caption
  captionlake doctor --dry-run
  captionlake doctor --repair`,
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), knownStage),
		ValidArgs: stageArgs(),
		RunE: func(_ *cobra.Command, args []string) error {
			if repair {
				return a.editLake(a.repair)
			}
			c, err := stages.ReadConfig(path)
			if err != nil {
				return err
			}
			if len(args) > 0 {
				if c.Endpoints = stages.EndpointsOf(&c, args[0]); len(c.Endpoints) == 0 {
					return data.Errorf("name one in its section, or check all servers with: captionlake doctor",
						"the stage %s asks no model of %s", args[0], path)
				}
			}
			if dryRun {
				return a.printConfig(&c)
			}
			results := doctor.Doctor(a.context, &c, stages.Asks(&c, "")) // "" stands for all stages.
			failed := 0
			t := newTable("endpoint | check | verdict | detail")
			for _, r := range results {
				if r.Verdict == doctor.Fail {
					failed++
				}
				t.add(r.Endpoint, r.Check, r.Verdict, text.WrapSoft(r.Detail, detailWidth))
			}
			if a.asJSON {
				err = a.printJSON(results)
			} else {
				a.print(t)
			}
			if failed > 0 {
				return errors.Join(err,
					data.Errorf("follow the details above, then: captionlake doctor",
						"%d of %d checks failed", failed, len(results)))
			}
			return err
		},
	}
	return flags(c,
		&path, "config", "configuration",
		&dryRun, "dry-run", "check the configuration, and ask no server",
		&repair, "repair", "cut damaged lines out of journals, and keep the rest",
	)
}

// printConfig lists the models that each stage would ask, with the servers of the models.
func (a *app) printConfig(c *config.Config) error {
	if a.asJSON {
		return a.printJSON(c.Endpoints)
	}
	t := newTable("stage | models | endpoint | replicas")
	for _, name := range stages.Names() {
		for _, e := range stages.EndpointsOf(c, name) {
			t.add(name, strings.Join(e.Models, ", "), e.Name, strings.Join(e.Replicas, ", "))
		}
	}
	a.print(t)
	a.next("doctor", "run --dry-run")
	return nil
}

// repair cuts damaged lines out of the journals of the lake.
func (a *app) repair(lake *data.Lake) error {
	repairs, err := data.RepairJournals(lake)
	repairs = append([]data.Repair{}, repairs...) // JSON has an empty list instead of null.
	return errors.Join(err, show(a, repairs, nil, func([]data.Repair) {
		for _, r := range repairs {
			a.say("%s: lines kept: %d; lines cut out: %d, of %d bytes\n", r.Unit, r.Kept, r.Cut, r.Bytes)
		}
		if len(repairs) == 0 && err == nil {
			a.say("no journal is damaged\n")
		}
	}))
}
