package main

import (
	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages"
)

func (a *app) arenaPairCommand() *cobra.Command {
	o, prompts := stages.PairOptions{Seed: 1, Reference: arena.Human}, []string{captionqa.PromptSimple}
	return flags(&cobra.Command{
		Use:   "pair",
		Short: "Make battles of the captions in the lake",
		Long: `Make battles of the captions that the lake has under a prompt. Each image gets a battle for every
pair of captioners, or with --per-image some drawn pairs. With --against each captioner meets a baseline, as
in CapArena-Auto: every image gets one of the baselines, and each baseline gets equally many images. A
person's caption is kept with the battle for judges that are to see it.

The same options again change nothing; other options add battles. Images with captions of one captioner only
are counted, and a captioner never meets itself. A battle keeps the texts of its captions. Captions that are
made anew make new battles; old battles stay only if somebody has voted on them.`,
		Example: `  captionlake arena pair
  captionlake arena pair --prompt Long --per-image 3
  captionlake arena pair --captioner m --against GPT-4o-0806,MiniCPM-V2.6-8B`,
		RunE: func(*cobra.Command, []string) error {
			return a.editLake(func(lake *data.Lake) error {
				return each(prompts, func(prompt string) error {
					o.Prompt = prompt
					report, err := stages.Pair(lake, o)
					return show(a, report, err, a.printPairs)
				})
			})
		},
	},
		&prompts, "prompt", "caption prompts; captions of one prompt meet",
		&o.Captioners, "captioner", "captioners that take part (default all)",
		&o.Against, "against",
		"baselines that the captioners meet, instead of each other; "+
			"the paper's are GPT-4o-0806, CogVLM2-llama3-chat-19B and MiniCPM-V2.6-8B",
		&o.PerImage, "per-image", "battles of an image, drawn (default all pairs)",
		&o.Seed, "seed", "seed of the random draws",
		&o.Reference, "reference", "captioner that gives each battle its human caption",
	)
}

// printPairs prints the number of battles, and counts the images and captions that were left out.
func (a *app) printPairs(r *stages.PairReport) {
	a.say("%d battles of %s under the prompt %s, %d of them new: %d captioners on %d images\n", r.Battles, r.Benchmark,
		r.Prompt, r.Added, r.Captioners, r.Images)
	for _, line := range []struct {
		what string
		n    int
	}{
		{"battles between SIMULATED captions", r.Simulated},
		{"images with a caption of one captioner only, in no battle", r.Alone},
		{"images without a caption of a baseline, in no battle", r.Undealt},
		{"captions without a text, in no battle", r.Empty},
		{"images without a picture: judges cannot be asked about their battles " +
			"(load pictures with captionlake ingest FOLDER)", r.Unpictured},
		{"battles without a human caption for the judges", r.Unreferenced},
		{"battles left out, because another unit has them", r.Elsewhere},
		{"battles removed: their captions have been made anew, and nobody had voted", r.Removed},
		{"battles of captions that have been made anew, kept for their votes", r.Outdated},
	} {
		if line.n > 0 {
			a.say("%s: %d\n", line.what, line.n)
		}
	}
	a.next("run battle --judge MODEL", "arena vote")
}
