package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/analytics/build"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/gaps"
	"github.com/captionlake/captionlake/sql"
)

func (a *app) statusCommand() *cobra.Command {
	var verify, runs bool
	return flags(&cobra.Command{
		Use:   "status",
		Short: "Print the state of the lake, and check its files",
		Long: `Print the state of the lake: units, rows and bytes of each table, journals with replies of
interrupted runs, copies of lines that were cut out of damaged journals, and ids of questions, pictures,
captions and answers that have no counterpart, with the difference in spelling if one explains it. The command
names files that are missing, that no unit wrote, or that have another size than recorded; the exit code is
then 1.

--runs lists the executions that made the rows, the last at the end: when, from which source, with how many
rows, in what time, and the cost of the calls in tokens and money, if the configuration had prices.

--verify reads every file of tables and marts and every picture and compares it with the SHA-256 that was recorded when
it was written. It names each file that differs and then ends with exit code 1.`,
		Example: `  captionlake status
  captionlake status --runs
  captionlake status --verify
  captionlake --json status`,
		RunE: func(*cobra.Command, []string) error {
			lake, err := a.readLake()
			if err != nil {
				return err
			}
			if runs {
				options := ask.Options{}
				if err := a.chooseFormat(&options, ""); err != nil {
					return err
				}
				return a.answerQuery(lake, sql.Text("queries/executions.sql"), options, "") // to standard output
			}
			return a.status(lake, verify)
		},
	},
		&runs, "runs", "list the executions, with time and cost",
		&verify, "verify", "read every file and compare it with its recorded digest",
	)
}

// status prints the state of the lake. The error ends the command after all else is printed. It
// names missing files, files that no unit wrote, and files with other sizes than recorded. With
// verify it also names files with other bytes than recorded.
func (a *app) status(lake *data.Lake, verify bool) error {
	depth := data.CheckSizes
	if verify {
		depth = data.CheckPictures
	}
	check, err := lake.Check(depth, a.progressIn(size))
	if err != nil {
		return err
	}
	damage := check.AllErr(lake)
	tables, err := lake.Status()
	if err != nil {
		if damage != nil {
			return damage // The error damage says more about the same file.
		}
		return err
	}
	inFlight, err1 := lake.Journals()
	cutOff, err2 := data.CutOff(lake)
	unmatched, err3 := gaps.FindUnmatched(lake)
	behind, err4 := build.Behind(lake)
	gone, err5 := gaps.Gone(lake)
	marts, err6 := data.MartRecord(lake)
	switch err := errors.Join(err1, err2, err3, err4, err5, err6); {
	case err != nil:
		return errors.Join(damage, err)
	case a.asJSON:
		// append makes an empty list of a nil list, because JSON would have null.
		return errors.Join(damage, a.printJSON(map[string]any{
			"stale": build.Stale(lake), "marts_behind": append([]string{}, behind...), "gone_nodes": gone,
			"unmatched": unmatched, "lake": lake.Dir(), "tables": tables, "in_flight": inFlight, "cut_off": cutOff,
			"verified": verify, "check": check,
		}))
	}
	units := newTable("table | units | rows | size")
	for _, t := range tables {
		if t.Units > 0 {
			units.add(t.Name, t.Units, t.Rows, size(t.Bytes))
		}
	}
	a.say("lake %s\n\n", lake.Dir())
	a.print(units)
	if len(units) == 1 { // units has only its heads.
		a.say("No table has rows.\n")
	}
	if len(marts) > 0 {
		bytes, names := int64(0), map[string]bool{}
		for file, sum := range marts {
			bytes += sum.Bytes
			names[data.RelationOf(file)] = true
		}
		a.say("\n%d marts, %s\n", len(names), size(bytes))
	}
	for _, name := range inFlight {
		a.say("\nin flight: %s (to go on, run the command again that made it)\n", name)
	}
	for _, name := range cutOff {
		a.say("\ncut off: %s (a copy of lines that could not be read; delete it when you no longer need it)\n",
			lake.Path("journal/"+name+".cut"))
	}
	if verify {
		a.say("\nread %d files, %s: %d differ from what was committed\n", check.Files, size(check.Bytes),
			len(check.Faults))
	}
	a.noteBehind(behind, nil) // An error of build.Behind was returned above.
	a.printStale(lake)
	a.printUnmatched(unmatched)
	return damage
}

// shownUnmatched is the number of notes about unmatched ids that are printed.
const shownUnmatched = 5

// printUnmatched notes ids that have no counterpart, such as captions of unknown pictures.
func (a *app) printUnmatched(all []gaps.Unmatched) {
	for i, u := range all {
		if i == shownUnmatched {
			a.say("\nNote: %d more such notes; list them with: captionlake --lake %s --json status\n",
				len(all)-i, a.lakeDir)
			break
		}
		a.say("\nNote: %s\n", u.String())
	}
}

// mustBeWhole refuses to show the results of a lake if its marts differ from the marts that analyze
// wrote, or its tables from the committed tables.
func mustBeWhole(lake *data.Lake) error {
	check, err := lake.Check(data.CheckFiles, nil) // nil: no progress is shown
	if err != nil {
		return err
	}
	return check.Err(lake)
}
