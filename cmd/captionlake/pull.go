package main

import (
	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics/build"
	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/remote"
)

func (a *app) pullCommand() *cobra.Command {
	var o remote.PullOptions
	c := &cobra.Command{
		Use:   "pull s3://BUCKET/PREFIX",
		Short: "Copy a lake from object storage into this one",
		Long: `Copy the units of a pushed lake from object storage into this lake. If this lake does not exist, it
is made. Only files that are missing here are copied, and every file is compared with its SHA-256. All units
are committed at once, by the rules of merge: a unit that was continued there replaces the unit here, units
that were continued in both places are joined, and if rows with the same key differ, nothing is copied
until --prefer says which rows count. Marts are copied if they were computed from exactly the tables that this lake
has after the pull.

captionlake push --help lists the variables for the address and the credentials. If a pull is interrupted, run the same
command again.`,
		Example: `  captionlake pull s3://my-bucket/lakes/captionqa
  AWS_PROFILE=lab captionlake pull --prefer theirs s3://my-bucket/lake`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			address, err := a.remoteAddress(args[0])
			if err != nil {
				return err
			}
			// writeLake may make a lake, which would be left behind if nothing can be pulled.
			if err := remote.Check(a.context, address); err != nil {
				return err
			}
			return a.writeLake(func(lake *data.Lake) error { return a.pull(lake, address, o) })
		},
	}
	preferFlag(c, &o.Prefer)
	return c
}

// pull takes the units of a lake in object storage and prints the counts.
func (a *app) pull(lake *data.Lake, address remote.Address, o remote.PullOptions) error {
	o.Progress = a.progressIn(size)
	pulled, err := remote.Pull(a.context, lake, address, o)
	if err != nil {
		return err
	}
	// The lake may have new tables and marts, which need views in its DuckDB file.
	if err := build.WriteCatalog(a.context, lake, engine.Options{}); err != nil {
		return err
	}
	if a.asJSON {
		return a.printJSON(pulled)
	}
	a.say("%s, commit %d\n\n", pulled.Remote, pulled.Commit)
	m := pulled.Units
	t := newTable("units taken | joined | replaced | kept | the same | marts | files | size")
	// pulled.Same counts equal units that were not transferred, and m.Same equal units that were.
	t.add(m.Taken, m.Joined, m.Replaced, m.Kept, m.Same+pulled.Same, pulled.Marts, pulled.Files, size(pulled.Bytes))
	a.print(t)
	if pulled.Behind {
		a.say("\nThe marts there were computed from other tables than this lake now has.\n")
	}
	if m.Taken+m.Joined+m.Replaced > 0 && pulled.Marts == 0 {
		a.next("analyze")
	}
	return nil
}
