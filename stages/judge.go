package stages

import (
	"fmt"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
	"github.com/captionlake/captionlake/stages/llm"
)

// judgeStage asks judges whether captions state the annotated elements (CAPability section 3.2). It
// compares texts only; no picture is sent.
var judgeStage = engine.Stage{
	Name:    "judge",
	Help:    "ask judges whether captions state what a benchmark annotates, text against text",
	Flags:   []string{"captioner", "judge", "benchmark", "repeats"},
	Section: "judges",
	Asks:    func(c *config.Config) ([]string, int) { return c.Judges.Models, c.Judges.MaxTokens },
	Check: func(k *config.Check) {
		c := k.Config.Judges
		k.Served("judges.models", "judge", c.Models)
		k.Known("judges.benchmarks", "benchmark", c.Benchmarks, data.AnnotatedBenchmarks())
		k.Whole("judges.repeats", 1)
		k.Whole("judges.attempts", 1)
		k.Whole("judges.max_tokens", 1)
		k.Between("judges.temperature", 0, 2)
	},
	Units:        judgeUnits,
	DependsOnRun: true,
}

// A judgeUnit is the set of requests to one judge about the captions of one captioner.
type judgeUnit struct {
	Benchmark string
	Judge     config.Model
	Captioner string // model_id
	Repeat    int    // number of the repetition, from 0
	Sampling  llm.Sampling
	Templates string // digest of the templates

	prompts *rubric.JudgePrompts
}

// judgeUnits adds a unit for each benchmark, each captioner with captions for the benchmark, each
// judge and each repetition.
func judgeUnits(s *engine.Scope) error {
	jc := s.Config.Judges
	wantsJudgments := len(jc.Models) > 0 || s.Choice.Stage == "judge" || len(s.Choice.Benchmarks) > 0
	if !wantsJudgments {
		return nil
	}
	judges, err := judgesOf(s, "no judge is configured")
	if err != nil {
		return err
	}
	sets, simulated, err := captionSets(s)
	if err != nil {
		return err
	}
	prompts, err := judgePrompts(jc.Templates)
	if err != nil {
		return err
	}
	for _, benchmark := range jc.Benchmarks {
		for _, set := range sets {
			// A unit has all captions of a captioner for the benchmark (see annotations). The set under
			// the benchmark's own prompt stands for all these captions: each captioner gets one unit.
			if set.Prompt != benchmark || !s.Choice.Wants(set.Captioner, set.Prompt) {
				continue
			}
			isSimulated := false // any caption of this captioner for the benchmark
			for other, hasSimulated := range simulated {
				isSimulated = isSimulated ||
					hasSimulated && other.Captioner == set.Captioner && ofBenchmark(other.Prompt, benchmark)
			}
			for _, judge := range judges {
				for repeat := range jc.Repeats {
					j := judgeUnit{benchmark, judge, set.Captioner, repeat,
						judgeSampling(jc.Temperature, jc.MaxTokens, repeat), prompts.Digest(), prompts}
					s.Add(j.unit(isSimulated, jc.Attempts))
				}
			}
		}
	}
	if s.Empty() { // jc.Benchmarks is not empty: its default is capability.
		return data.WithHint(fmt.Errorf("%w: the lake has no captions for %s of the captioners chosen",
			engine.ErrNothingToAsk, strings.Join(jc.Benchmarks, " and ")),
			"make them with: captionlake run caption --benchmark %s --captioner NAME, "+
				"or load them with: captionlake ingest FOLDER", jc.Benchmarks[0])
	}
	return nil
}

func (j judgeUnit) unit(simulated bool, attempts int) *engine.Unit[elementItem] {
	return &engine.Unit[elementItem]{
		Conditions: engine.Conditions{
			Name:  conditions(j.Benchmark, j.Judge.ID, j.Captioner, fmt.Sprintf("r%d", j.Repeat)),
			Model: j.Judge, Protocol: j.Benchmark + "/judge", Source: "captions, annotations", Simulated: simulated,
			Repeat: j.Repeat, Attempts: attempts, CostClass: conditions(j.Benchmark, j.Judge.ID),
		},
		Inputs: engine.Inputs{
			Settings: j,
			Reads:    []data.AnyTable{data.Annotations, data.Captions},
		},
		Items: j.items,
		Request: func(e elementItem) (llm.Request, error) {
			return judgeRequest(j.prompts.Caption(e.dimension, e.element(), e.caption), j.Sampling), nil
		},
		Accept: readable,
		Rows:   engine.Into("judgments", data.Judgments, j.rows),
	}
}

// items gives the annotated elements with a caption by the captioner; elements with the same
// caption come together. With Assumed it gives the elements that the captioner can caption, because
// they have a media file.
func (j judgeUnit) items(s *engine.Scope, each engine.Each[elementItem]) error {
	if s.Assumed {
		return withMedia(s, j.Benchmark, func(a elementItem) error {
			a.caption = assumedCaption(j.Benchmark)
			return each(a, a.keys())
		})
	}
	elements, err := annotations(s.Lake, j.Benchmark, j.Captioner)
	if err != nil {
		return err
	}
	for _, a := range elements {
		if err := each(a, a.keys()); err != nil {
			return err
		}
	}
	return nil
}

// rows gives the judgment of an element. A failed call is the verdict failed, and an unreadable
// reply the verdict unparsed.
func (j judgeUnit) rows(e elementItem, o engine.Outcome) ([]data.Judgment, error) {
	row := data.Judgment{
		Benchmark: j.Benchmark, Judge: j.Judge.ID, Captioner: j.Captioner, Repeat: int32(j.Repeat),
		SampleID: e.row.SampleID, Element: e.row.Element, Dimension: e.row.Dimension,
		Verdict: string(rubric.Failed), RequestHash: o.RequestHash, Provenance: o.Provenance,
		CaptionDigest: textDigest(e.caption), ValueDigest: textDigest(e.row.Value),
	}
	if !o.Failed {
		reply, _ := e.dimension.ReadReply(e.element(), o.Text) // An unreadable reply has the verdict unparsed.
		row.Verdict, row.Predicted, row.Reason = string(reply.Verdict), reply.Predicted, reply.Reason
	}
	return []data.Judgment{row}, nil
}
