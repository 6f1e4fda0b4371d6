package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/data"
)

func (a *app) removeCommand() *cobra.Command {
	var dryRun bool
	var captioners []string
	return flags(&cobra.Command{
		Use:   "remove [UNIT...]",
		Short: "Remove units and the rows made from them",
		Long: `Remove units from the lake: their rows in every table. A unit is the rows that one loaded file or one
stage made; the column unit of the table runs has the names of units. Pictures stay, because other units may
show them.

--captioner picks the units in which all rows are about one captioner: its captions, and its own answers to pictures.

The rows that were made from a unit are removed with it: answers with the bank, the captions or the calls that
they were scored from; captions with their calls; judgments and element answers with their annotations,
captions or calls; battles with their captions, and votes with their battles or calls; candidates with their
pictures or calls. With candidates go the rows of later stages about them, and the questions of a published
bank. A unit that also has other rows stays; analyze then leaves out the rows with a removed origin.

Recorded calls cost money, and reviews and ratings are people's work: they are removed only if you name their
units. If candidates are made again from recorded calls, they are the same, and their reviews count
again. --dry-run lists the units that would be removed.`,
		Example: `  captionlake sql "select unit, stage, source from runs where current"
  captionlake remove --dry-run UNIT
  captionlake remove UNIT
  captionlake remove --captioner my-model`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, units []string) error {
			if len(units)+len(captioners) == 0 {
				return a.usage(fmt.Errorf("nothing is named to be removed; name units, or a captioner with --captioner"))
			}
			open, remove, verb := a.editLake, (*data.Lake).RemoveAll, "removed"
			if dryRun {
				open, remove, verb = a.lookAt, data.WouldRemove, "would remove"
			}
			return open(func(lake *data.Lake) error {
				about, err := data.UnitsAbout(lake, captioners)
				if err != nil {
					return err
				}
				units = append(units, about...)
				descendants, err := remove(lake, units...)
				return show(a, map[string]any{"units": units, "descendants": descendants}, err, func(map[string]any) {
					a.printRemoved(units, descendants, verb)
				})
			})
		},
	},
		&captioners, "captioner", "remove units about these captioners alone",
		&dryRun, "dry-run", "list the units that would be removed, and remove nothing",
	)
}

// printRemoved lists the removed units, and then the units that stay although some of their rows
// came from a removed unit. The word verb is "removed" or "would remove".
func (a *app) printRemoved(units []string, descendants []data.Descendant, verb string) {
	for _, d := range descendants {
		if d.Whole() {
			a.say("%s %s: all %d rows of %s came from its %s\n", verb, d.Unit, d.Of,
				d.Table, d.Why)
		}
	}
	for _, unit := range units {
		a.say("%s %s\n", verb, unit)
	}
	for _, d := range descendants {
		if d.Human {
			a.say("kept %s: people made it, so it is removed only if you name it; "+
				"%d of its %d rows of %s are about removed %s, and count again when these are back\n",
				d.Unit, d.Rows, d.Of, d.Table, d.Why)
		} else if !d.Whole() {
			a.say("kept %s: %d of its %d rows of %s came from the %s and no longer count\n", d.Unit,
				d.Rows, d.Of, d.Table, d.Why)
		}
	}
	if len(descendants) > 0 {
		a.say("Recorded calls are kept unless you name their units: scoring them again costs nothing.\n")
	}
}
