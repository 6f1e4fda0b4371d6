package main

import (
	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/stages/bank"
)

func (a *app) bankSampleCommand() *cobra.Command {
	o := bank.SampleOptions{N: 50, Seed: 1}
	c := &cobra.Command{
		Use:   "sample --domain NAME",
		Short: "Draw questions for people to rate",
		Long: `Draw questions that people rate as right or wrong, as for CaptionQA's Table 2: some distinct
candidates, before validators and reviewers see them, and some questions of the bank, if there is a bank.
Categories are drawn in proportion to their sizes; the same seed draws the same questions. captionlake bank
review --samples takes the ratings, and the mart captionqa_quality counts them.`,
		Example: `  captionlake bank sample --domain kitchen
  captionlake bank sample --domain kitchen --n 100 --seed 7`,
	}
	a.eachDomain(c, func(lake *data.Lake, domain string) error {
		o.Domain = domain
		report, err := bank.Sample(lake, o)
		return show(a, report, err, a.printSample)
	})
	return flags(c,
		&o.N, "n", "questions to draw at each stage",
		&o.Seed, "seed", "seed of the random draws",
	)
}

// printSample prints the numbers of drawn and of rated questions, for each stage of the bank.
func (a *app) printSample(report []bank.SampleReport) {
	t := newTable("stage | drawn | of | categories | rated")
	for _, s := range report {
		t.add(s.Stage, s.Drawn, s.Population, len(s.Categories), s.Rated)
	}
	a.print(t)
	if len(report) == 1 && report[0].Stage == construct.StagePre {
		a.say("\nThe domain has no bank yet: publish it, and draw again for the questions after the quality control.\n")
	}
	a.next("bank review --samples")
}
