package stages

import (
	"fmt"
	"iter"
	"slices"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/stages/llm"
)

// A MediaCaptionJob is what one captioner is asked about the media files of a benchmark of annotated elements: a caption
// of each under the paper's image or video prompt (CAPability Figure A2, CV-CapBench section 4.1).
type MediaCaptionJob struct {
	Benchmark string
	Captioner ModelName
	MaxTokens int
	Media     MediaConfig
}

func (j MediaCaptionJob) unit() string { return conditions(j.Benchmark, j.Captioner.ID) }

func (j MediaCaptionJob) protocol() string { return j.Benchmark + "/caption" }

// benchmarkDomain is the domain that the captions of a benchmark's media have.
func benchmarkDomain(benchmark string) string {
	if benchmark == rubric.BenchmarkCVCapBench {
		return "CV-CapBench"
	}
	return "CAPability"
}

// MediaCaptionWork plans one request for each sample of which the media folder has the file. Samples that serve two
// dimensions, as those of events and actions do, are captioned once, as in the papers.
func MediaCaptionWork(l *data.Lake, j MediaCaptionJob) (Work, error) {
	files, err := newMedia(l, j.Media)
	if err != nil {
		return Work{}, err
	}
	samples, err := annotations(l, j.Benchmark)
	if err != nil {
		return Work{}, err
	}
	samples = slices.CompactFunc(samples, func(a, b annotated) bool { return a.row.SampleID == b.row.SampleID })
	samples, err = atHand(files, samples)
	if err != nil {
		return Work{}, err
	}
	return Work{
		Stage: CaptionStage, Name: j.unit(), Model: j.Captioner.ID, Protocol: j.protocol(),
		Source: "annotations, media", Provenance: provenance(j.Captioner.Simulated()),
		Groups: func() iter.Seq2[Group, error] {
			return func(yield func(Group, error) bool) {
				for _, a := range samples {
					parts, err := files.of(a.row)
					if err != nil {
						yield(Group{}, err)
						return
					}
					prompt, ok := rubric.CaptionPrompt(j.Benchmark, a.dimension.Media)
					if !ok {
						yield(Group{}, fmt.Errorf("there is no caption prompt of %s for the medium %q", j.Benchmark, a.dimension.Media))
						return
					}
					request := llm.Request{
						Model: j.Captioner.Served, Messages: []llm.Message{llm.User(append(slices.Clone(parts), llm.Text(prompt))...)},
						Sampling: llm.Greedy(j.MaxTokens), TemplateFlags: j.Captioner.Flags, Protocol: j.protocol(),
					}
					if !yield(Group{a.row.SampleID, []Task{{Request: request, Subject: a.row.SampleID}}}, nil) {
						return
					}
				}
			}
		},
	}, nil
}

// atHand keeps the elements of which the media folder has the file. It is an error when it has none of them.
func atHand(files *media, all []annotated) ([]annotated, error) {
	var kept []annotated
	for _, a := range all {
		parts, err := files.of(a.row)
		if err != nil {
			return nil, err
		}
		if len(parts) > 0 {
			kept = append(kept, a)
		}
	}
	if len(kept) == 0 {
		return nil, data.WithHint(fmt.Errorf("%s has none of the media files of the annotations, such as %s", files.config.Folder, all[0].row.Media),
			"correct media.folder in %s: the annotations' paths are relative to it", ConfigFile)
	}
	return kept, nil
}

// ReadMediaCaptions turns the recorded calls of a job into captions under the benchmark's own prompt and returns their
// number. Failed calls give no caption.
func ReadMediaCaptions(l *data.Lake, j MediaCaptionJob) (int, error) {
	w, err := MediaCaptionWork(l, j)
	if err != nil {
		return 0, err
	}
	return readCaptions(l, w, j.Captioner, j.Benchmark, func(string) string { return benchmarkDomain(j.Benchmark) })
}

// MediaCaptionSteps lists the captions to make of media files: those of every captioner for every benchmark chosen.
func MediaCaptionSteps(c *Config) ([]Step, error) {
	var steps []Step
	for _, benchmark := range c.Judges.Benchmarks {
		for _, name := range c.Captions.Captioners {
			model, endpoint, err := c.Model(name)
			if err != nil {
				return nil, err
			}
			j := MediaCaptionJob{
				Benchmark: benchmark, Captioner: model, MaxTokens: c.Captions.MaxTokens, Media: c.Media,
			}
			steps = append(steps, Step{
				Stage: CaptionStage, Name: j.unit(), Model: model, Endpoint: endpoint, Protocol: j.protocol(),
				Work: func(l *data.Lake) (Work, error) { return MediaCaptionWork(l, j) },
				Read: func(l *data.Lake) (int, error) { return ReadMediaCaptions(l, j) },
			})
		}
	}
	return steps, nil
}
