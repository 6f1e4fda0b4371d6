package main

import "github.com/spf13/cobra"

// arenaCommand is the group of commands about battles. To add a command: one file, one line below.
func (a *app) arenaCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "arena",
		Short: "Compare captions in pairs, as CapArena does",
		Long: `Compare captions in pairs, as CapArena does: which of two captions of a picture is better? People and
models vote under the same guidelines. captionlake run battle asks the models, and captionlake analyze
computes the ratings.`,
		Example: `  captionlake arena pair --prompt Simple
  captionlake arena vote
  captionlake run battle`,
	},
		a.arenaPairCommand(),
		a.arenaVoteCommand(),
	)
}

// group makes a command that only has commands below it.
func group(c *cobra.Command, below ...*cobra.Command) *cobra.Command {
	c.Args = knownCommand
	c.RunE = func(*cobra.Command, []string) error { return c.Help() }
	c.AddCommand(below...)
	return c
}
