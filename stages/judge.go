package stages

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/stages/llm"
)

// JudgeStage is the name of the stage that asks judges whether captions state what is annotated.
const JudgeStage = "judge"

// A JudgeJob is what one judge is asked about the captions of one captioner (CAPability section 3.2). It is text against
// text: no picture is sent.
type JudgeJob struct {
	Benchmark   string // rubric.BenchmarkCAPability or rubric.BenchmarkCVCapBench
	Judge       ModelName
	Captioner   string // model_id whose captions under the benchmark's own prompt are judged
	Repeat      int    // number of the repetition, from 0
	Attempts    int    // requests about one element until a reply can be read, at least 1
	MaxTokens   int    // largest length of a reply in tokens
	Temperature float64
	Prompts     *JudgePrompts
}

func (j JudgeJob) unit() string {
	return conditions(j.Benchmark, j.Judge.ID, j.Captioner, fmt.Sprintf("r%d", j.Repeat))
}

func judgeProtocol(benchmark string) string { return benchmark + "/judge" }

// sampling is how a judge decodes. Repetitions of greedy decoding differ only by what a server does not repeat exactly,
// as the paper's did (section 4.3); with a temperature each has a seed of its own, far enough from the others to leave
// room for the seeds of second tries.
func sampling(temperature float64, repeat, maxTokens int) llm.Sampling {
	if temperature == 0 {
		return llm.Greedy(maxTokens)
	}
	return llm.Sampled(temperature, int64(repeat)<<16, maxTokens)
}

// annotated is one annotated element of a benchmark.
type annotated struct {
	dimension *rubric.Dimension
	row       data.Annotation
}

func (a annotated) element() rubric.Element {
	return rubric.Element{Name: a.row.Element, Value: a.row.Value}
}

// annotations reads the annotated elements of a benchmark, those of one sample together.
func annotations(l *data.Lake, benchmark string) ([]annotated, error) {
	known := map[string]*rubric.Dimension{}
	for _, d := range rubric.Dimensions() {
		known[d.ID] = &d
	}
	var all []annotated
	for row, err := range data.Select(l, data.Annotations, data.Where{"benchmark": benchmark}) {
		if err != nil {
			return nil, err
		}
		d, ok := known[row.Dimension]
		if !ok {
			return nil, data.WithHint(fmt.Errorf("annotation of %s: there is no dimension %q", row.SampleID, row.Dimension), "load the annotations of %s again", benchmark)
		}
		all = append(all, annotated{d, row})
	}
	if len(all) == 0 {
		return nil, data.WithHint(fmt.Errorf("the lake has no annotations of %s", benchmark), "load them with: captionlake ingest FOLDER")
	}
	return all, nil
}

// judged is an element with the caption that is judged.
type judged struct {
	annotated
	caption string
}

// judgedCaptions pairs the annotations with the captions. A captioner that described a video once more for another
// dimension has that caption under the prompt's name with the dimension after it. simulated is true when a caption is.
func judgedCaptions(l *data.Lake, benchmark, captioner string) (all []judged, simulated bool, err error) {
	elements, err := annotations(l, benchmark)
	if err != nil {
		return nil, false, err
	}
	captions := map[string]map[string]string{} // by prompt and sample
	for c, err := range data.Select(l, data.Captions, data.Where{"captioner": captioner}) {
		if err != nil {
			return nil, false, err
		}
		if c.Prompt != benchmark && !strings.HasPrefix(c.Prompt, benchmark+"/") {
			continue
		}
		if captions[c.Prompt] == nil {
			captions[c.Prompt] = map[string]string{}
		}
		captions[c.Prompt][c.ImageID] = c.Caption
		simulated = simulated || c.Provenance == data.ProvenanceSimulated
	}
	for _, a := range elements {
		caption, ok := captions[benchmark+"/"+a.row.Dimension][a.row.SampleID]
		if !ok {
			caption, ok = captions[benchmark][a.row.SampleID]
		}
		if ok {
			all = append(all, judged{a, caption})
		}
	}
	if len(all) == 0 {
		return nil, false, data.WithHint(fmt.Errorf("the lake has no captions of %s for %s", captioner, benchmark),
			"make them with: captionlake run caption --benchmark %s --captioner NAME, or load them with: captionlake ingest FOLDER", benchmark)
	}
	// Elements that share a caption are asked about together.
	slices.SortStableFunc(all, func(a, b judged) int {
		return cmp.Or(strings.Compare(a.row.SampleID, b.row.SampleID), strings.Compare(a.row.Dimension, b.row.Dimension), cmp.Compare(a.row.Ordinal, b.row.Ordinal))
	})
	return all, simulated, nil
}

// plan is the inquiry of a job, and the elements that it asks about.
func (j JudgeJob) plan(l *data.Lake) (*inquiry, []judged, error) {
	if _, ok := rubric.ProtocolOf(j.Benchmark); !ok {
		return nil, nil, fmt.Errorf("there is no benchmark %q with annotated elements; choose %s", j.Benchmark, strings.Join(rubricBenchmarks(), " or "))
	}
	things, simulated, err := judgedCaptions(l, j.Benchmark, j.Captioner)
	if err != nil {
		return nil, nil, err
	}
	return &inquiry{
		work: Work{
			Stage: JudgeStage, Name: j.unit(), Model: j.Judge.ID, Protocol: judgeProtocol(j.Benchmark),
			Source: "captions, annotations", Provenance: provenance(simulated || j.Judge.Simulated()),
		},
		n: len(things), attempts: j.Attempts,
		affinity: func(i int) string { return things[i].row.SampleID + "\x00" + j.unit() },
		subject:  func(i int) string { return things[i].row.SampleID + "/" + things[i].row.Dimension },
		request: func(i int) (llm.Request, error) {
			text := j.Prompts.caption(things[i].dimension, things[i].element(), things[i].caption)
			return llm.Request{
				Model: j.Judge.Served, Messages: []llm.Message{llm.User(llm.Text(text))}, TemplateFlags: j.Judge.Flags,
				Sampling: sampling(j.Temperature, j.Repeat, j.MaxTokens), Protocol: judgeProtocol(j.Benchmark), Repeat: j.Repeat,
			}, nil
		},
		readable: func(i int, reply string) error {
			_, err := things[i].dimension.ReadReply(things[i].element(), reply)
			return err
		},
	}, things, nil
}

// JudgeWork plans one request for each annotated element of which the captioner has a caption.
func JudgeWork(l *data.Lake, j JudgeJob) (Work, error) {
	q, _, err := j.plan(l)
	if err != nil {
		return Work{}, err
	}
	return q.first(), nil
}

// ReadJudgments turns the recorded replies of a job into judgments: a pure function of calls, annotations and captions,
// which can be repeated at no cost. Elements without a recorded call give no row; a call that failed gives the verdict
// failed, and replies of which none could be read give unparsed. It returns the number of judgments.
func ReadJudgments(l *data.Lake, j JudgeJob) (int, error) {
	q, things, err := j.plan(l)
	if err != nil {
		return 0, err
	}
	found, err := q.read(l, j.Attempts)
	if err != nil {
		return 0, err
	}
	marks, err := l.State(data.Annotations) // A corrected category changes verdicts and no request.
	if err != nil {
		return 0, err
	}
	unit := data.Unit{
		Stage: "judgments", Name: j.unit(), Protocol: judgeProtocol(j.Benchmark), Source: "calls", Provenance: q.work.Provenance,
		Fingerprint: data.Fingerprint(found.fingerprint, marks),
	}
	return writeUnit(l, unit, data.Judgments, func(write func(data.Judgment) error) error {
		for i, h := range found.things {
			if !h.asked {
				continue
			}
			a := things[i]
			row := data.Judgment{
				Benchmark: j.Benchmark, Judge: j.Judge.ID, Captioner: j.Captioner, Repeat: int32(j.Repeat), SampleID: a.row.SampleID,
				Element: a.row.Element, Dimension: a.row.Dimension, RequestHash: h.call.RequestHash, Provenance: q.work.Provenance,
				CaptionDigest: textDigest(a.caption), ValueDigest: textDigest(a.row.Value),
			}
			if h.failed {
				row.Verdict = string(rubric.Failed)
			} else {
				// What could not be read is the verdict unparsed.
				reply, _ := a.dimension.ReadReply(a.element(), h.call.Reply)
				row.Verdict, row.Predicted, row.Reason = string(reply.Verdict), reply.Predicted, reply.Reason
			}
			if err := write(row); err != nil {
				return err
			}
		}
		return nil
	})
}

func rubricBenchmarks() []string {
	return []string{rubric.BenchmarkCAPability, rubric.BenchmarkCVCapBench}
}

// JudgeSteps lists the judgments to make: every judge on every captioner that the lake has captions of for a benchmark,
// as often as the configuration repeats. The choice narrows captioners down.
func JudgeSteps(l *data.Lake, c *Config, o Choice) ([]Step, error) {
	jc := c.Judges
	if len(jc.Models) == 0 {
		if o.Stage != JudgeStage && len(o.Benchmarks) == 0 {
			return nil, nil
		}
		return nil, data.WithHint(errors.New("no judge is configured"), "name one with --judge, or under judges: in %s", ConfigFile)
	}
	prompts, err := LoadJudgePrompts(jc.Templates)
	if err != nil {
		return nil, err
	}
	sets, err := captionSets(l)
	if err != nil {
		return nil, err
	}
	o.Prompts = nil // Captions are judged under the benchmark's own prompt.
	var steps []Step
	for _, benchmark := range jc.Benchmarks {
		for _, set := range sets {
			if set.Prompt != benchmark || !o.wants(set) {
				continue
			}
			for _, name := range jc.Models {
				judge, endpoint, err := c.Model(name)
				if err != nil {
					return nil, err
				}
				for repeat := range jc.Repeats {
					j := JudgeJob{
						Benchmark: benchmark, Judge: judge, Captioner: set.Captioner, Repeat: repeat, Attempts: jc.Attempts,
						MaxTokens: jc.MaxTokens, Temperature: jc.Temperature, Prompts: prompts,
					}
					steps = append(steps, inquiryStep(Step{
						Stage: JudgeStage, Name: j.unit(), Model: judge, Endpoint: endpoint, Protocol: judgeProtocol(benchmark),
						Read: func(l *data.Lake) (int, error) { return ReadJudgments(l, j) },
					}, func(l *data.Lake) (*inquiry, error) {
						q, _, err := j.plan(l)
						return q, err
					}))
				}
			}
		}
	}
	if len(steps) == 0 && o.Stage == JudgeStage {
		return nil, data.WithHint(fmt.Errorf("the lake has no captions for %s of the captioners chosen", strings.Join(jc.Benchmarks, " and ")),
			"make them with: captionlake run caption --benchmark %s --captioner NAME, or load them with: captionlake ingest FOLDER", jc.Benchmarks[0])
	}
	return steps, nil
}
