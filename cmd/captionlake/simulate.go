package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/ingest"
	"github.com/captionlake/captionlake/stages/rehearsal/simulate"
)

func (a *app) simulateCommand() *cobra.Command {
	options, benchmark := simulate.Options{Seed: 1, Scale: 1}, data.BenchmarkCaptionQA
	return flags(&cobra.Command{
		Use:   "simulate",
		Short: "Fill a lake with made-up answers of the published accuracies",
		Long: `Fill a lake with made-up answers of the published accuracies: 657 pictures without pixels, 33,027
numbered questions, and the answers of 24 captioners under four caption prompts and of seven models that see
the images. Use the lake to try, test and time the computation of results; every row is marked simulated. A
lake with other data is refused. The same seed gives the same rows.

The accuracy and the cannot-rate (share of "cannot answer") of every model, prompt and domain equal the
printed ones, and at full size the scores are within 0.2 points of the printed scores. There are three
exceptions. The printed cannot-rates of Qwen3-VL 30B-A3B under Taxonomy-Hinted in Natural and of GPT-5 under
Long in Embodied AI contradict the printed scores; for these two the simulated answers have the printed
scores. Table 12 has no row for InternVL3 8B under Simple in Natural; its simulated answers have the rates of
the model with the nearest score in Table 3.

With --benchmark caparena the command makes up an arena of CapArena's size instead: 6,522 battles between 15
captioners of known strengths, with the votes of annotators and without captions. The command prints the
strengths and records them in the column detail of the table runs, so that you can compare them with the
ratings.`,
		Example: `  captionlake --lake simulated simulate
  captionlake --lake simulated simulate --seed 7 --prompt Simple,Short
  captionlake --lake large simulate --scale 10
  captionlake --lake arena simulate --benchmark caparena`,
		RunE: func(*cobra.Command, []string) error {
			return a.writeLake(func(lake *data.Lake) error {
				if err := simulate.Check(lake); err != nil { // before LoadReference writes anything
					return err
				}
				if _, err := ingest.LoadReference(a.context, lake); err != nil {
					return err
				}
				options.Progress = a.progress()
				if benchmark == data.BenchmarkCapArena {
					report, err := simulate.RunArena(a.context, lake, options)
					return show(a, report, err, a.printArena)
				}
				report, err := simulate.Run(a.context, lake, options)
				return show(a, report, err, a.printSimulation)
			})
		},
	},
		oneName(&benchmark, data.BenchmarkCaptionQA, data.BenchmarkCapArena), "benchmark",
		"benchmark to make up: "+data.BenchmarkCaptionQA+" or "+data.BenchmarkCapArena,
		&options.Seed, "seed", "seed of the random draws",
		&options.Scale, "scale", "times the paper's numbers of pictures and questions, or of battles, above 0 to 100",
		&options.Prompts, "prompt", "caption prompts: "+strings.Join(captionqa.TablePrompts(), ", ")+" (default all)",
	)
}

// printSimulation prints the numbers of rows and units that the simulated lake has.
func (a *app) printSimulation(r *simulate.Report) {
	// fmt.Sprint keeps commas out of the seed: say would write them between thousands.
	a.say("SIMULATED after the CaptionQA paper, seed %s, scale %v: %d rows in %d units, %d units were there\n",
		fmt.Sprint(r.Seed), r.Scale, r.Rows, r.Written, r.Units-r.Written)
	a.next("analyze")
}

// printArena prints the size of the simulated arena, and the captioners' strengths, which ratings
// should find again.
func (a *app) printArena(r *simulate.ArenaReport) {
	// fmt.Sprint keeps commas out of the seed.
	a.say("SIMULATED after CapArena, seed %s, scale %v: %d battles between %d captioners, %d votes of made-up people; "+
		"%d of %d units written now\n\n", fmt.Sprint(r.Seed), r.Scale, r.Battles, r.Captioners, r.Votes, r.Written, r.Units)
	ids := slices.SortedFunc(maps.Keys(r.Strengths), func(x, y string) int {
		return cmp.Or(cmp.Compare(r.Strengths[y], r.Strengths[x]), strings.Compare(x, y)) // the strongest first
	})
	t := newTable("captioner | known strength, log-odds")
	for _, id := range ids {
		t.add(id, fmt.Sprintf("%.3f", r.Strengths[id]))
	}
	a.print(t)
	a.next("analyze")
}
