package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/web"
	"github.com/captionlake/captionlake/stages/web/vote"
)

func (a *app) arenaVoteCommand() *cobra.Command {
	o := vote.Options{Benchmark: data.BenchmarkCapArena, Overlap: 0.06, Now: time.Now}
	port, next := 8765, false
	return flags(&cobra.Command{
		Use:   "vote",
		Short: "Serve a page on which people vote on battles",
		Long: `Serve a page on which people see a picture and two captions without names and vote for the better
caption, under the guidelines of CapArena. Several people may vote at once, each under a name of their own.
The command prints an address with a token, which works in a browser on this machine, or through a tunnel to
it.

The page confirms a vote when the vote is on disk. Ctrl-C stops the server and makes rows of the votes, one
unit for each annotator; after a killed process the next start makes the rows. Other commands may read the
lake and write to it meanwhile. A new start changes neither the order of battles and captions nor the choice
of battles that two annotators get.

A vote given in less than five seconds is stored, but results leave it out, and other people get the battle.
The page counts and does not show battles without a picture, with one caption or of a captioner with itself,
and battles that people have voted on elsewhere, such as released battles. If the variable
` + web.TokenVariable + ` has ` + fmt.Sprint(web.LeastToken) + ` characters or more, it is the token at every
start, so that open pages still work.`,
		Example: `  captionlake arena vote
  captionlake arena vote --port 0 --next --overlap 0.1`,
		RunE: func(*cobra.Command, []string) error {
			if o.Overlap < 0 || o.Overlap > 1 {
				return a.usage(fmt.Errorf("--overlap %v is not a share; write a number from 0 to 1", o.Overlap))
			}
			token, err := web.Token()
			if err != nil {
				return err
			}
			return a.editLake(func(lake *data.Lake) (err error) {
				if next {
					if o.Weight, err = ask.NextPairs(a.context, lake, o.Benchmark); err != nil {
						return err
					}
				}
				page, err := vote.Open(lake, o)
				if err != nil {
					return err
				}
				return a.servePage(page, port, token, pageWords{"battles", "votes"}, "analyze")
			})
		},
	},
		&port, "port", "port to serve on; 0 takes any free one",
		oneName(&o.Benchmark, data.BenchmarkCapArena, data.BenchmarkCapArenaAuto), "benchmark",
		"benchmark of the battles: caparena or caparena-auto",
		&next, "next", "first show the pairs of captioners about which one more vote tells most (mart arena_next)",
		&o.Overlap, "overlap", "share of the battles, 0 to 1, that go to two annotators",
		&o.Again, "again", "also show battles that people have voted on elsewhere",
	)
}
