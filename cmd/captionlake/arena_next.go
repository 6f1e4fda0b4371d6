package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages"
)

func (a *app) arenaNextCommand() *cobra.Command {
	o := analytics.NextOptions{Prompt: captionqa.PromptSimple, Count: 10, Seed: 1}
	reference := arena.Human
	c := &cobra.Command{
		Use:   "next",
		Short: "Say which pairs of captioners to vote on next",
		Long: `Say which pairs of captioners to vote on next: pairs are drawn with a probability in proportion to the expected reduction of
the interval of their win share by one more vote, as in CapArena's section 3.2. Votes of people so far count, half a win of
each captioner is added to every pair, and captioners with captions under the prompt take part before their first battle.
With --make the battles are made of the lake's captions, on images where the two have not met yet.

A captioner that joins gets most of the votes at first. Where all pairs have about equally many votes, drawing pairs at
random is as good.`,
		Example: `  captionlake arena next
  captionlake arena next --count 100 --make`,
		Args: cobra.NoArgs,
	}
	f := c.Flags()
	f.IntVar(&o.Count, "count", o.Count, "pairs to draw; a pair can come more than once")
	f.Int64Var(&o.Seed, "seed", o.Seed, "seed of the draw, and of the images of new battles")
	f.StringVar(&o.Prompt, "prompt", o.Prompt, "caption prompt of the captions")
	f.StringSliceVar(&o.Captioners, "captioners", nil, "captioners that take part (default all)")
	f.BoolVar(&o.NeedCaption, "make", false, "make the battles, of captioners with captions under the prompt")
	f.StringVar(&reference, "reference", reference, "captioner whose caption goes along as the human one, with --make")
	a.engineFlags(c, &o.Engine)
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		if o.Count < 1 {
			return data.WithHint(errors.New("the number of pairs must be above 0"), "leave --count out for 10")
		}
		for i, name := range o.Captioners {
			id, err := data.ModelIDFor(name)
			if err != nil {
				return err
			}
			o.Captioners[i] = id
		}
		slices.Sort(o.Captioners)
		o.Captioners = slices.Compact(o.Captioners)
		return a.editLake(cmd, func(lake *data.Lake) error {
			pairs, err := analytics.NextPairs(cmd.Context(), lake, o)
			if err != nil {
				return err
			}
			next := nextReport{Pairs: pairs}
			if o.NeedCaption {
				wanted := stages.PairOptions{Prompt: o.Prompt, Seed: o.Seed, Reference: reference}
				for _, p := range pairs {
					for range p.Drawn {
						wanted.Wanted = append(wanted.Wanted, [2]string{p.CaptionerA, p.CaptionerB})
					}
				}
				if next.Made, err = stages.Pair(lake, wanted); err != nil {
					return err
				}
			}
			return show(a, next, nil, func(next nextReport) { a.printNext(next, o) })
		})
	}
	return c
}

// A nextReport is what arena next says.
type nextReport struct {
	Pairs []analytics.NextPair `json:"pairs"`
	Made  *stages.PairReport   `json:"made,omitempty"` // with --make
}

// printNext shows the pairs that were drawn, the most often drawn first.
func (a *app) printNext(next nextReport, o analytics.NextOptions) {
	battles := 0
	var drawn []analytics.NextPair
	for _, p := range next.Pairs {
		battles += p.Battles
		if p.Drawn > 0 {
			drawn = append(drawn, p)
		}
	}
	slices.SortStableFunc(drawn, func(x, y analytics.NextPair) int {
		return cmp.Or(cmp.Compare(y.Drawn, x.Drawn), cmp.Compare(y.Probability, x.Probability))
	})
	fmt.Fprintf(a.stdout, "%s of %s pairs, drawn %s times with seed %d; people decided %s battles so far\n", count(len(drawn)), count(len(next.Pairs)),
		count(o.Count), o.Seed, count(battles))
	var rows []table.Row
	for _, p := range drawn {
		rows = append(rows, table.Row{p.CaptionerA, p.CaptionerB, count(p.Battles), fmt.Sprintf("%.1f", p.WinShare), fmt.Sprintf("%.1f", min(p.Width/2, 100)),
			fmt.Sprintf("%.2f", p.Probability), p.Drawn})
	}
	printTable(a.stdout, table.Row{"captioner", "other", "battles", "win share %", "interval ± %", "probability %", "drawn"}, rows)
	if next.Made != nil {
		fmt.Fprintln(a.stdout)
		a.printPairs(next.Made)
		return
	}
	fmt.Fprintf(a.stdout, "\nNext: captionlake --lake %s arena next --count %d --seed %d --make\n", a.lakeDir, o.Count, o.Seed)
}
