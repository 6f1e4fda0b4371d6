package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
)

func (a *app) batchCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "batch",
		Short: "Ask the models through files, for machines that cannot reach the lake",
		Long: `Ask the models through files: export what is pending, run the files where the GPUs are with vllm run-batch, and import
what came back. The requests, their records and their answers are the same as those of captionlake run.`,
		Example: `  captionlake batch export answer --out batches
  captionlake batch import batches/NAME.replies.jsonl`,
		Args: knownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	c.AddCommand(a.batchExportCommand(), a.batchImportCommand())
	return c
}

func (a *app) batchExportCommand() *cobra.Command {
	var f runFlags
	var o engine.BatchOptions
	c := &cobra.Command{
		Use:   "export [" + strings.Join(stages.Names(), "|") + "]",
		Short: "Write what is pending as batch files",
		Long: `Write the pending requests as files in the form of OpenAI's batch interface, one or more for each unit, and beside each a
manifest that says what it is for. Pictures are in the files, which have at most 200 MB each. Export answers about
captions after the captions were imported, and second tries after the replies that could not be read.`,
		Example: `  captionlake batch export answer --out batches
  vllm run-batch -i NAME.requests.jsonl -o NAME.replies.jsonl --model MODEL --served-model-name MODEL --generation-config vllm --enable-prompt-tokens-details
  captionlake batch import batches/NAME.replies.jsonl`,
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), knownStage),
		ValidArgs: stageArgs(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				f.choice.Stage = args[0]
			}
			c, err := stages.ReadConfig(f.config)
			if err != nil {
				return err
			}
			return a.editLake(cmd, func(lake *data.Lake) error {
				r, err := a.runner(lake, &c, f)
				if err != nil {
					return err
				}
				bar := a.follow(r)
				manifests, err := r.Export(o)
				bar.done()
				if a.asJSON {
					return errors.Join(err, printJSON(a.stdout, manifests))
				}
				if len(manifests) > 0 || err == nil {
					a.printManifests(o.Dir, manifests)
				}
				return err
			})
		},
	}
	a.selectionFlags(c, &f)
	c.Flags().StringVar(&o.Dir, "out", "batches", "folder of the files")
	c.Flags().IntVar(&o.MaxRequests, "max-requests", engine.DefaultBatchRequests, "requests to a file")
	c.Flags().BoolVar(&f.retryFailed, "retry-failed", false, "export what failed or was cut off too")
	c.Flags().BoolVar(&f.replace, "replace", false, "export again what was asked under other settings")
	return c
}

func (a *app) printManifests(dir string, manifests []engine.BatchManifest) {
	if len(manifests) == 0 {
		fmt.Fprintln(a.stdout, "Nothing is pending.")
		return
	}
	var rows []table.Row
	for _, m := range manifests {
		rows = append(rows, table.Row{m.Stage, m.Model, count(m.Requests), size(m.Bytes), m.File})
	}
	printTable(a.stdout, table.Row{"stage", "model", "requests", "size", "file"}, rows)
	first := manifests[0]
	others := ""
	if len(manifests) > 1 {
		others = fmt.Sprintf(" (and so for each of the %d files)", len(manifests))
	}
	fmt.Fprintf(a.stdout, "\nNext, in %s where the GPUs are%s:\n  %s\nand then here:\n  captionlake --lake %s batch import %s\n",
		dir, others, strings.Join(first.Command, " "), a.lakeDir, filepath.Join(dir, first.Replies))
}

func (a *app) batchImportCommand() *cobra.Command {
	var path, manifest string
	c := &cobra.Command{
		Use:   "import FILE...",
		Short: "Take in what vllm run-batch wrote",
		Long: `Take in the replies that vllm run-batch wrote, record them as calls and read them into captions and answers. The manifest
is expected beside each file. Importing a file again changes nothing. Sound replies are taken even if others are not;
what is missing stays pending. Lines that failed because the model has another name there, or for a wrong key, are not
recorded, and the exit code is 1. A whole reply replaces one that was cut off, and either replaces a failed one.`,
		Example: `  captionlake batch import batches/NAME.replies.jsonl
  captionlake batch import --manifest NAME.manifest.json replies.jsonl`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			if manifest != "" && len(files) > 1 {
				a.usageErr = true
				return data.WithHint(errors.New("--manifest is for one file"), "import the files one by one")
			}
			c, err := stages.ReadConfig(path)
			if err != nil {
				return err
			}
			return a.editLake(cmd, func(lake *data.Lake) error {
				var reports []engine.BatchReport
				var faults []error
				r := stages.New(lake, &c, config.Choice{})
				bar := a.follow(r)
				for _, file := range files {
					report, err := r.Import(cmd.Context(), file, manifest)
					if err != nil {
						faults = append(faults, err)
					}
					reports = append(reports, report)
				}
				bar.done()
				if a.asJSON {
					return errors.Join(append(faults, printJSON(a.stdout, reports))...)
				}
				var rows []table.Row
				for _, r := range reports {
					if r.Unit == "" {
						continue // It was not read at all, which the error says.
					}
					rows = append(rows, table.Row{r.Stage, r.Unit, r.Taken, r.Failed, r.Truncated, r.Recorded, r.Missing, r.Rows})
				}
				if len(rows) > 0 {
					printTable(a.stdout, table.Row{"stage", "unit", "taken", "failed", "cut off", "recorded", "missing", "rows"}, rows)
				}
				return errors.Join(faults...)
			})
		},
	}
	c.Flags().StringVar(&path, "config", config.File, "configuration that the batch was exported with")
	c.Flags().StringVar(&manifest, "manifest", "", "manifest of the batch, when it is not beside the file")
	return c
}
