package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/analytics/build"
)

func (a *app) compareCommand() *cobra.Command {
	o := ask.CompareOptions{By: ask.ByCaptioner, Points: 1}
	var withPaper bool
	c := &cobra.Command{
		Use:   "compare A B...",
		Short: "Compare captioners, prompts or readers, with intervals",
		Long: `Compare captioners, prompts or readers: differences of score and accuracy over the questions that
both sides answered, paired by image, with standard errors clustered by image, 95% intervals and p-values,
corrected after Holm for the number of comparisons; and how many images it takes to find a difference of
--points. More than two names are compared two by two.

--with-paper compares captioners with the paper: it lists the settings of their runs and logs that differ from
the settings of the benchmark's authors, each with its source, and how far the results are apart. The mart
run_differences has all settings.`,
		Example: `  captionlake compare gpt-5 gemini-2.5-pro
  captionlake compare --with-paper gpt-5
  captionlake compare --by prompt Simple Long --captioner gpt-5
  captionlake compare --by reader qwen2.5-72b llama-3.3-70b --points 0.5`,
		Args: func(cmd *cobra.Command, args []string) error {
			if withPaper {
				return cobra.MinimumNArgs(1)(cmd, args)
			}
			return cobra.MinimumNArgs(2)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if withPaper {
				return a.compareWithPaper(cmd, args, o.Provenance)
			}
			lake, err := a.readLake()
			if err != nil {
				return err
			}
			if err := mustBeWhole(lake); err != nil {
				return err
			}
			// The inputs of the mart stale_answers are the tables behind a comparison: answers, calls,
			// captions and questions.
			a.noteBehind(build.Behind(lake, "stale_answers"))
			comparison, err := ask.Compare(a.context, lake, args, o)
			return show(a, comparison, err, a.printComparison)
		},
	}
	flags(c,
		oneName(&o.By, ask.ByCaptioner, ask.ByPrompt, ask.ByReader), "by",
		"kind of the names: captioner, prompt or reader",
		&o.Protocol, "protocol", "protocol of the answers (default captionqa/upstream)",
		&o.Prompts, "prompt",
		"only captions under these prompts (default Simple where there is any; all when prompts are compared)",
		&o.Captioners, "captioner", "only captions of these captioners",
		&o.Readers, "reader", "only answers of these readers",
		&o.Provenance, "provenance", "measured or simulated, where the lake has both",
		&o.Points, "points", "difference in points, for the number of images that finds it",
		&withPaper, "with-paper", "list the settings that differ from the authors', and the difference of the results",
	)
	for _, other := range []string{"by", "protocol", "prompt", "captioner", "reader", "points"} {
		c.MarkFlagsMutuallyExclusive("with-paper", other)
	}
	return c
}

// compareWithPaper shows the table run_differences for each captioner.
func (a *app) compareWithPaper(cmd *cobra.Command, captioners []string, provenance string) error {
	f, err := a.shown("run_differences", "") // "": no form of a picture, so the table and not a figure
	if err != nil {
		return err
	}
	// strings.Fields makes an empty list of an empty provenance, and then show chooses the rows.
	return each(captioners, func(name string) error {
		return a.show(f, map[string]string{"captioner": name}, showOptions{provenance: strings.Fields(provenance)})
	})
}

// printComparison prints a table for each metric of each pair of names, with a row for each domain.
func (a *app) printComparison(c *ask.Comparison) {
	a.say("%s answers, protocol %s, compared by %s\n", c.Provenance, c.Protocol, c.By)
	if len(c.Pooled) > 0 {
		a.say("pooled over %s\n", strings.Join(c.Pooled, " and "))
	}
	orDash := func(images *int64) any {
		if images == nil {
			return "-"
		}
		return *images
	}
	tableOf := func(d ask.Difference) [3]string { return [3]string{d.A, d.B, d.Metric} }
	const heads = "domain | A, % | B, % | A - B | p (Holm) | images | to tell | at power"
	t := newTable(heads)
	for i, d := range c.Differences {
		difference, p := fmt.Sprintf("%+.2f", d.Difference), "-"
		if d.Low != nil {
			// The longer side: an interval of Newcombe's method is not symmetric.
			difference += fmt.Sprintf(" ± %.2f", max(d.Difference-*d.Low, *d.High-d.Difference))
		}
		if d.Holm != nil {
			p = fmt.Sprintf("%.2g", *d.Holm)
		}
		t.add(d.Domain, fmt.Sprintf("%.2f", d.MeanA), fmt.Sprintf("%.2f", d.MeanB), difference, p, d.Images,
			orDash(d.ToTell), orDash(d.ForPower))
		if next := i + 1; next == len(c.Differences) || tableOf(c.Differences[next]) != tableOf(d) {
			a.say("\n%s of %s (A) and %s (B)\n", d.Metric, d.A, d.B)
			a.print(t)
			t = newTable(heads)
		}
	}
	a.say("\nAfter ±: half of a 95%% interval. p is corrected after Holm. Images: compared,\n"+
		"to tell a difference of %g points, and to find it with a chance of %g.\n", c.Points, c.Power)
	for _, d := range c.Differences {
		if d.Alike {
			a.say("%s minus %s, %s in %s: the same difference on all %d images,\n"+
				"so the interval comes from the two means\n", d.A, d.B, d.Metric, d.Domain, d.Images)
		}
	}
}
