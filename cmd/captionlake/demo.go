package main

import (
	"context"
	_ "embed" // the configuration
	"fmt"
	"net"
	"strings"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/analytics/build"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/ingest"
	"github.com/captionlake/captionlake/sql"
	"github.com/captionlake/captionlake/stages"
	"github.com/captionlake/captionlake/stages/config"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
	"github.com/captionlake/captionlake/stages/rehearsal/simulate"
	"github.com/captionlake/captionlake/stages/web"
)

func (a *app) demoCommand() *cobra.Command {
	construct := false
	return flags(&cobra.Command{
		Use:   "demo",
		Short: "Build a lake from the program's own data, and show it",
		Long: `Build a lake from the program's own data: the published results of the four benchmarks, and a sample
set of pictures and questions. Rehearsal models on a server inside the program caption the pictures and answer
the questions. Captions are paired in battles, and rehearsal judges and made-up annotators vote on them. No
model or person here is real, and all their rows are marked simulated. Then every result is computed. No
network, GPU or configuration is needed. Running the demo again does only the steps that are not done.

With --construct rehearsal models make the questions, too: they write candidates about the same pictures from
the published taxonomies, guess them blindly, encode and validate them. Accepted candidates become banks, and
a reader answers the banks' questions from captions. The lake is ` + constructDemoLake + ` unless --lake
names another.`,
		Example: `  captionlake demo
  captionlake demo --lake elsewhere
  captionlake demo --construct`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			fill, boards, next := a.fillDemo, "queries/demo.sql", demoNext
			if construct {
				fill, boards, next = a.fillConstructDemo, "queries/demo_construct.sql", constructDemoNext
				if !cmd.Flags().Changed("lake") {
					a.lakeDir = constructDemoLake
				}
			}
			return a.writeLake(func(lake *data.Lake) error {
				if err := fill(lake); err != nil {
					return err
				}
				if _, err := a.compute(lake, build.Options{}); err != nil {
					return err
				}
				return a.showDemo(lake, boards, next)
			})
		},
	},
		&construct, "construct", "make the questions, too, from the pictures and the published taxonomies",
	)
}

//go:embed demo.yaml
var demoConfig string

// fillDemo loads the reference data and the sample set, and lets rehearsal models caption its
// pictures, answer its questions and judge its captions.
func (a *app) fillDemo(lake *data.Lake) error {
	a.step("1/5 published results, taxonomies and models")
	if _, err := ingest.LoadReference(a.context, lake); err != nil {
		return err
	}
	a.step("2/5 sample set: drawing pictures, writing questions")
	if _, err := ingest.LoadSample(a.context, lake, true); err != nil { // true: with its questions
		return err
	}
	a.step("3/5 rehearsal: captions, and answers from captions, pictures and nothing")
	err := a.rehearse(lake, demoConfig, func(c *config.Config) error {
		if _, err := a.runStages(lake, c, runFlags{}); err != nil {
			return err
		}
		a.step("4/5 rehearsal: battles between captions, votes of judges and of made-up annotators")
		return a.rehearseArena(lake, c)
	})
	if err == nil {
		a.step("5/5 results")
	}
	return err
}

// rehearse serves rehearsal models that know the lake's pictures. It calls do with the
// configuration, in which the server's address replaces the word SERVER, and stops the server when
// do returns.
func (a *app) rehearse(lake *data.Lake, configuration string, do func(*config.Config) error) error {
	world, err := rehearsalserver.LakeWorld(lake)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(a.context)
	defer stop()
	done := make(chan error, 1) // with room for the error of do, because nobody reads it if the server fails
	server := rehearsalserver.New(rehearsalserver.Options{World: world})
	if err := web.Listen(ctx, "127.0.0.1:0", server, func(at net.Addr) {
		go func() {
			defer stop()
			c, err := config.Parse("demo", []byte(strings.ReplaceAll(configuration, "SERVER", at.String())))
			if err == nil {
				err = do(&c)
			}
			done <- err
		}()
	}); err != nil {
		return err
	}
	return <-done
}

// demoStrengths say how much the demo's made-up annotators like the captions of each captioner, in
// log-odds. We chose the numbers.
var demoStrengths = map[string]float64{
	"rehearsal-captioner-large":  1,
	"rehearsal-captioner-medium": 0,
	"rehearsal-captioner-small":  -1,
}

// rehearseArena makes battles of the captions under the prompt Simple, and lets rehearsal judges
// and made-up annotators vote on the battles.
func (a *app) rehearseArena(lake *data.Lake, c *config.Config) error {
	if _, err := stages.Pair(lake, stages.PairOptions{Prompt: captionqa.PromptSimple, Seed: 1}); err != nil {
		return err
	}
	if _, err := a.runStages(lake, c, runFlags{choice: config.Choice{Stage: "battle"}}); err != nil {
		return err
	}
	// The seed is 1, and 40% of the battles get votes of two annotators.
	crowd := simulate.NewCrowd("demo votes", 1, demoStrengths)
	crowd.Annotators, crowd.Twice = 3, 0.4
	_, err := simulate.CastVotes(lake, crowd)
	return err
}

const demoNext = `
measured   counted or computed here from real input
published  printed in a paper or on a leaderboard, taken over unchanged
simulated  from rehearsal models or made-up annotators, not a result

The lake is the folder LAKE; its DuckDB file is
DUCKDB. What next?
  captionlake --lake LAKE sql "from leaderboard('Simple')"   ask it in SQL
  captionlake --lake LAKE report                             tables and figures
  captionlake --lake LAKE serve                              all samples in a browser
  captionlake --lake LAKE run --dry-run                      models, as init sets them up
  captionlake --lake LAKE bank --help                        questions about your photos
`

// step prints the step that the demo begins.
func (a *app) step(what string) {
	if !a.quiet && !a.asJSON {
		fmt.Fprintln(a.stderr, what)
	}
}

// showDemo prints boards by the queries of a file, and then the text next. With --json it prints
// only where the lake is, because programs ask the lake for results.
func (a *app) showDemo(lake *data.Lake, boards, next string) error {
	duckDB := lake.Path("captionlake.duckdb")
	if a.asJSON {
		return a.printJSON(map[string]string{"lake": lake.Dir(), "duckdb": duckDB})
	}
	scores := sql.Text("queries/demo_scores.sql")
	sections, err := ask.Report(a.context, lake, boards, ask.Options{Width: pageWidth}, "{scores}", scores)
	if err != nil {
		return err
	}
	a.printSections(sections)
	flag := "--lake " + lake.Dir() + " "
	if a.lakeDir == defaultLake {
		flag = ""
	}
	replace := strings.NewReplacer("--lake LAKE ", flag, "LAKE", lake.Dir(), "DUCKDB", duckDB)
	_, err = fmt.Fprint(a.stdout, replace.Replace(next))
	return err
}

// printSections prints the title and the rows of each section of a report.
func (a *app) printSections(sections []ask.Section) {
	for _, s := range sections {
		a.say("\n%s\n%s", s.Title, s.Rows)
	}
}
