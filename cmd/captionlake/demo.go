package main

import (
	"context"
	"fmt"
	"net"
	"strings"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/ingest"
	"github.com/captionlake/captionlake/stages/config"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

func (a *app) demoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Build a lake from what the program carries, and show its results",
		Long: `Build a lake from what the program carries: the published results of the four benchmarks, and a sample set of pictures
and questions of its own. Rehearsal models on a server inside the program caption the pictures and
answer the questions; they are no real models, and what comes from them is marked simulated. Then every result is
computed. No network, no GPU and no configuration is needed. Running it again does only what is not done.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.writeLake(cmd, func(lake *data.Lake) error {
				if err := a.fillDemo(cmd.Context(), lake); err != nil {
					return err
				}
				return a.showDemo(cmd.Context(), lake)
			})
		},
	}
}

// fillDemo loads the reference data and the sample set, rehearses the model stages on it and computes the results.
func (a *app) fillDemo(ctx context.Context, lake *data.Lake) error {
	fmt.Fprintln(a.stderr, "1/4 published results, taxonomies and models")
	if _, err := ingest.LoadReference(ctx, lake); err != nil {
		return err
	}
	fmt.Fprintln(a.stderr, "2/4 sample set: drawing pictures, writing questions")
	if _, err := ingest.LoadSample(ctx, lake); err != nil {
		return err
	}
	fmt.Fprintln(a.stderr, "3/4 rehearsal: captions, and answers from captions, pictures and nothing")
	if err := a.rehearse(ctx, lake); err != nil {
		return err
	}
	fmt.Fprintln(a.stderr, "4/4 results")
	_, err := analytics.Analyze(ctx, lake, analytics.RunOptions{})
	return err
}

// rehearse runs every stage against a rehearsal server on a port of this machine.
func (a *app) rehearse(ctx context.Context, lake *data.Lake) error {
	world, err := rehearsalserver.LakeWorld(lake)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	address, served := make(chan net.Addr, 1), make(chan error, 1)
	go func() {
		served <- rehearsalserver.Serve(ctx, "127.0.0.1:0", rehearsalserver.New(rehearsalserver.Options{World: world}), func(at net.Addr) { address <- at })
	}()
	select {
	case err := <-served:
		return err
	case at := <-address:
		c := demoConfig("http://" + at.String() + "/v1")
		_, err := a.runStages(ctx, lake, &c, runFlags{})
		stop()
		if err != nil {
			return err
		}
	}
	return <-served
}

// demoConfig asks three captioners under the paper's four prompts and two readers.
func demoConfig(replica string) config.Config {
	captioners := []string{"stub/captioner-large", "stub/captioner-medium", "stub/captioner-small"}
	readers := []string{"stub/reader-careful", "stub/reader-eager"}
	return config.Config{
		Endpoints: []config.Endpoint{{
			Name: "rehearsal", Replicas: []string{replica}, Models: append(append([]string{}, captioners...), readers...),
			Concurrency: config.Concurrency{Max: 64},
		}},
		Captions: config.Captions{Captioners: captioners, Prompts: captionqa.CaptionPrompts(), MaxTokens: 2048},
		Answers: config.Answers{
			Readers: readers, Protocol: captionqa.ProtocolUpstream, Repeats: 1,
			Evidence: captionqa.Evidences(),
		},
	}
}

// demoScores are the scores of captionqa_main with two decimals, halves rounded up as in the paper.
func demoScores() string {
	var columns []string
	add := func(column, name string) {
		columns = append(columns, fmt.Sprintf(`cast(round(cast(%s as decimal(12, 6)), 2) as decimal(6, 2)) as "%s"`, column, name))
	}
	for _, d := range data.CaptionQA().Domains {
		add(d.ScoreColumn(), d.Column)
	}
	add("overall", "overall")
	return strings.Join(columns, ", ")
}

// demoShows are the results that the demo prints.
var demoShows = []struct{ title, query string }{
	{"CaptionQA, prompt Simple: PUBLISHED scores in percent, read by Qwen2.5 72B (CaptionQA paper, Tables 3 and 11-26)", `
		select rank, captioner_name as model, model_type as type, ` + demoScores() + `
		from captionqa_main where provenance = 'published' and prompt = 'Simple' order by rank, captioner_name`},
	{"The sample set: counts, MEASURED here", `
		select domain, questions, images, round(questions_per_image, 1) as questions_per_image
		from dataset_statistics where origin <> 'published' order by domain`},
	{"The sample set, prompt Simple: SIMULATED scores in percent (rehearsal models, no real ones)", `
		select rank, captioner_name as model, reader, ` + demoScores() + `,
			n_questions as questions, n_unparsed as unparsed, n_failed as failed
		from captionqa_main where provenance = 'simulated' and prompt = 'Simple' and protocol = 'captionqa/upstream'
		order by reader, rank, captioner_name`},
}

func (a *app) showDemo(ctx context.Context, lake *data.Lake) error {
	for _, s := range demoShows {
		fmt.Fprintf(a.stdout, "\n%s\n", s.title)
		if _, err := analytics.Query(ctx, lake, s.query, analytics.QueryOptions{}, a.stdout); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(a.stdout, `
published  printed in a paper or on a leaderboard, taken over unchanged
measured   counted or computed here from real input
simulated  from rehearsal models: good for trying things out, not a result

The lake is the folder %[1]s; its DuckDB file is %[2]s.
Try next:
  captionlake --lake %[1]s sql "select * from captionqa_results limit 5"
  captionlake --lake %[1]s tables answers
  captionlake --lake %[1]s ingest my-captions.json --captioner my-model --prompt Simple
`, lake.Dir(), lake.Path("captionlake.duckdb"))
	return err
}
