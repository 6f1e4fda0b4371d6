package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics/build"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/remote"
)

func (a *app) pushCommand() *cobra.Command {
	var o remote.PushOptions
	var sweep bool
	return flags(&cobra.Command{
		Use:   "push s3://BUCKET/PREFIX",
		Short: "Copy what is new in the lake to object storage",
		Long: `Copy the lake to object storage: Amazon S3, or any server with its interface and conditional writes.
Only files that are missing there are copied. They are plain Parquet, with their SHA-256 in their names. One
small object, captionlake.json, lists the files that count; a push replaces it in the last step. So readers
see either the whole former state or the whole new state.

Several lakes may be pushed to one address, also at the same time. A unit that was continued or merged since
it was pushed or pulled replaces the unit there. If a unit was continued in both places, nothing is pushed:
pull joins the two units here, by the rules of merge, and the next push copies the joined unit. Only --remove
removes a unit there. Marts are copied if they are up to date and this lake has every unit that is there.
Journals, reports and captionlake.duckdb are not copied.

Address and credentials come from AWS_ENDPOINT_URL, AWS_REGION, AWS_PROFILE, AWS_ACCESS_KEY_ID,
AWS_SECRET_ACCESS_KEY, AWS's files of credentials or the machine's role. If a push is interrupted, run the
same command again. With --sweep the command then deletes replaced files and files of interrupted pushes, if
they are older than seven days.`,
		Example: `  captionlake push s3://my-bucket/lakes/captionqa
  AWS_ENDPOINT_URL=http://minio:9000 captionlake push s3://my-bucket/lake
  captionlake push --sweep s3://my-bucket/lake`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			address, err := a.remoteAddress(args[0])
			if err != nil {
				return err
			}
			lake, err := a.readLake()
			if err != nil {
				return err
			}
			return a.push(lake, address, o, sweep)
		},
	},
		&o.Remove, "remove", "units to remove there",
		&sweep, "sweep", "then delete files there that are older than seven days and that the list does not name",
	)
}

// remoteAddress reads the address of a lake in object storage, such as s3://BUCKET/PREFIX.
func (a *app) remoteAddress(text string) (remote.Address, error) {
	address, err := remote.ParseAddress(text)
	return address, a.usage(err)
}

// push copies the lake to object storage, with the marts if they are up to date, and prints the
// counts. With sweep it also deletes old files in object storage that no longer count.
func (a *app) push(lake *data.Lake, address remote.Address, o remote.PushOptions, sweep bool) error {
	behind, err := build.Behind(lake)
	if err != nil {
		return err
	}
	o.Marts = len(behind) == 0
	o.Progress = a.progressIn(size)
	pushed, err := remote.Push(a.context, lake, address, o)
	if err != nil {
		return err
	}
	swept := remote.SweepReport{}
	if sweep {
		if swept, err = remote.Sweep(a.context, address); err != nil {
			return err
		}
	}
	if a.asJSON {
		return a.printJSON(map[string]any{"pushed": pushed, "swept": swept, "marts_behind": behind})
	}
	a.say("%s, commit %d\n\n", pushed.Remote, pushed.Commit)
	t := newTable("units added | replaced | kept | the same | only there | marts | files sent | size")
	t.add(pushed.Added, pushed.Replaced, pushed.Kept, pushed.Same, pushed.Others, pushed.Marts, pushed.Files,
		size(pushed.Bytes))
	a.print(t)
	if sweep {
		a.say("\nswept %d objects (%s) and %d unfinished uploads; %d are younger than seven days\n",
			swept.Objects, size(swept.Bytes), swept.Uploads, swept.Young)
	}
	switch {
	case len(behind) > 0:
		a.say("\nThe marts were not pushed, because they are older than %s.\n",
			strings.Join(behind, ", "))
		a.next("analyze && push " + pushed.Remote)
	case pushed.Others+pushed.Kept > 0:
		a.say("\nThe marts there stay as they are, because there are rows that this lake does not have.\n")
		a.next("pull " + pushed.Remote + " && analyze && push " + pushed.Remote)
	}
	return nil
}
