package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages"
	"github.com/captionlake/captionlake/stages/batch"
	"github.com/captionlake/captionlake/stages/config"
)

func (a *app) batchCommand() *cobra.Command {
	path := config.File
	c := &cobra.Command{
		Use:   "batch FILE...",
		Short: "Load the replies that vllm wrote for run --export",
		Long: `Load the replies that vllm run-batch wrote: record them as calls, and make captions, answers and so
on of them. The manifest that run --export wrote must be beside each file. Loading a file again changes
nothing. Readable replies are recorded even if other lines have faults; missing replies stay pending. If
requests failed because the server has another name for the model, or because a key was wrong, these failures
are not recorded, and the exit code is 1. A whole reply replaces a reply that was cut off, and both replace a
failed one.`,
		Example: `  captionlake run answer --export batches
  vllm run-batch -i NAME.requests.jsonl -o NAME.replies.jsonl --model MODEL \
    --served-model-name MODEL --generation-config vllm \
    --enable-prompt-tokens-details
  captionlake batch batches/NAME.replies.jsonl`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, files []string) error {
			c, err := stages.ReadConfig(path)
			if err != nil {
				return err
			}
			return a.editLake(func(lake *data.Lake) error {
				var reports []batch.Report
				var faults []error
				r := stages.New(lake, &c, config.Choice{}) // Import takes the choice from the manifest.
				r.Progress = a.progress()
				for _, file := range files {
					report, err := batch.Import(a.context, r, file)
					if err != nil {
						faults = append(faults, err)
					}
					reports = append(reports, report)
				}
				if a.asJSON {
					return errors.Join(append(faults, a.printJSON(reports))...)
				}
				t := newTable("stage | unit | taken | failed | cut off | recorded | missing | rows")
				for _, r := range reports {
					if r.Unit == "" {
						continue // The file was not read at all, and the error says so.
					}
					t.add(r.Stage, r.Unit, r.Taken, r.Failed, r.Truncated, r.Recorded, r.Missing, r.Rows)
				}
				a.print(t)
				for _, r := range reports {
					a.note("%s", r.Note)
				}
				return errors.Join(faults...)
			})
		},
	}
	return flags(c,
		&path, "config", "configuration that the batch was exported with",
	)
}

// exportRun writes the pending requests as batch files into the folder that --export names.
func (a *app) exportRun(lake *data.Lake, c *config.Config, f runFlags) error {
	r, err := a.runner(lake, c, f)
	if err != nil {
		return err
	}
	r.Progress = a.progress()
	manifests, err := batch.Export(r, batch.Options{Dir: f.export})
	if a.asJSON {
		return errors.Join(err, a.printJSON(manifests))
	}
	// Without manifests printManifests says that nothing is pending. After an error this may be wrong.
	if len(manifests) > 0 || err == nil {
		a.printManifests(f.export, manifests)
	}
	return err
}

// printManifests lists the written batch files and prints the commands that come next.
func (a *app) printManifests(dir string, manifests []batch.Manifest) {
	if len(manifests) == 0 {
		a.say("Nothing is pending.\n")
		return
	}
	t := newTable("stage | model | requests | size | file")
	for _, m := range manifests {
		t.add(m.Stage, m.Model, m.Requests, size(m.Bytes), m.File)
	}
	a.print(t)
	first := manifests[0]
	others := ""
	if len(manifests) > 1 {
		others = fmt.Sprintf(" (and so for each of the %d files)", len(manifests))
	}
	a.say("\nNext, in %s where the GPUs are%s:\n  %s\nand then here:\n  captionlake --lake %s batch %s\n",
		dir, others, strings.Join(first.Command, " "), a.lakeDir, filepath.Join(dir, first.Replies))
}
