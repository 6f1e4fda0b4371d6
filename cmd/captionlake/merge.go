package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/data"
)

func (a *app) mergeCommand() *cobra.Command {
	var o data.MergeOptions
	c := &cobra.Command{
		Use:   "merge LAKE...",
		Short: "Merge the units of other lakes into this one",
		Long: `Copy the units of other lakes into this lake, for example to join the lakes in which the parts of a
run were computed. If this lake does not exist, it is made. Files and pictures are linked if the file system
allows it, and copied otherwise; the other lakes do not change. The records of runs, and the replies of
interrupted runs, are copied, too. Marts are not copied: run analyze afterwards.

If both lakes have a unit with equal rows, it stays one unit. If they have different rows of the same unit, as
after run --part, the rows are joined. If rows with the same key differ, or a file was loaded in two versions,
nothing is merged until --prefer says which rows count. During the merge nobody may write to the other lakes.
Other commands may write to this lake, but not to the units that are merged. If a merge is interrupted, run
the same command again. Merging a lake twice changes nothing.`,
		Example: `  captionlake run --part 1/4 --lake part-1   # on copies of one lake
  captionlake merge part-1 part-2 part-3 part-4
  captionlake merge --prefer theirs corrected`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, others []string) error {
			return a.writeLake(func(lake *data.Lake) error {
				all := []data.Merge{} // not nil, so that JSON has a list
				err := each(others, func(dir string) error {
					m, err := a.merge(lake, dir, o)
					if err == nil {
						all = append(all, m)
					}
					return err
				})
				// If the merge of a lake fails, the merges before it stay done, so they are printed.
				return errors.Join(err, show(a, all, nil, a.printMerges))
			})
		},
	}
	preferFlag(c, &o.Prefer)
	return c
}

// preferFlag adds the flag that says which of two lakes has the rows that count, if they differ.
func preferFlag(c *cobra.Command, prefer *string) {
	flags(c,
		oneName(prefer, data.PreferOurs, data.PreferTheirs), "prefer",
		"rows that count where units differ: ours or theirs (default: it is an error)",
	)
}

// merge takes the units of the lake in another folder.
func (a *app) merge(lake *data.Lake, dir string, o data.MergeOptions) (m data.Merge, err error) {
	other, err := data.Open(dir)
	if errors.Is(err, data.ErrNotALake) {
		err = data.WithHint(err,
			"name the folders of the lakes to merge, such as lake-part-1; --lake names the one that takes their units")
	}
	if err != nil {
		return m, err
	}
	if draw := a.progress(); draw != nil {
		o.Progress = func(done, total int) { draw("merge "+dir, done, total) }
	}
	return lake.Merge(other, o)
}

// printMerges counts the units of each lake by their outcome: taken, joined, replaced and so on.
func (a *app) printMerges(all []data.Merge) {
	t := newTable("lake | units taken | joined | replaced | kept | the same | replies in flight")
	changed := false
	for _, m := range all {
		t.add(m.Lake, m.Taken, m.Joined, m.Replaced, m.Kept, m.Same, m.Journals)
		changed = changed || m.Taken+m.Joined+m.Replaced > 0
	}
	a.print(t)
	if changed {
		a.next("analyze")
	}
}
