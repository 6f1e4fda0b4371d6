package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/ingest"
	"github.com/captionlake/captionlake/stages/config"
)

func (a *app) initCommand() *cobra.Command {
	var printConfig bool
	var example string
	c := &cobra.Command{
		Use:   "init",
		Short: "Make a lake with the published results, and a configuration",
		Long: `Make a lake with the program's reference data: the published results of the four benchmarks, the four
CaptionQA taxonomies and the model registry. In a lake that exists the reference data is brought up to date.
The command also writes a configuration with comments to ` + config.File + `, unless this file exists.

--example writes a small project into a folder of its own instead: drawn pictures, questions and captions as JSON, a
configuration for the rehearsal server, and README.md, which leads from there to a leaderboard.`,
		Example: `  captionlake init
  captionlake init --example
  captionlake init --print-config > captionlake.yaml`,
		// --example may stand alone, so a folder after it without = is an argument, which is refused.
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && cmd.Flags().Changed("example") {
				return data.WithHint(errors.New("the folder of the example goes with an equals sign"),
					"captionlake init --example=%s", args[0])
			}
			return cobra.NoArgs(cmd, args)
		},
		RunE: func(*cobra.Command, []string) error {
			if example != "" {
				return a.writeExample(example)
			}
			if printConfig {
				_, err := fmt.Fprint(a.stdout, config.Template)
				return err
			}
			return a.writeLake(func(lake *data.Lake) error {
				results, err := ingest.LoadReference(a.context, lake)
				if err != nil {
					return err
				}
				_, missing := os.Stat(config.File)
				if missing != nil {
					err = os.WriteFile(config.File, []byte(config.Template), 0o666)
				}
				return show(a, results, err, func(results []ingest.Result) {
					a.printLoaded(results)
					a.say("\nThe lake is the folder %s.", lake.Dir())
					if missing != nil {
						a.say(" The configuration is %s: name your servers there.", config.File)
					}
					a.say("\n")
					a.next("ingest PATH...", "run", "analyze")
				})
			})
		},
	}
	flags(c,
		&printConfig, "print-config", "print a fresh configuration and do nothing else",
		&example, "example",
		"write an example project into this folder ("+exampleFolder+" when none is named) and do nothing else",
	)
	c.Flags().Lookup("example").NoOptDefVal = exampleFolder
	return c
}
