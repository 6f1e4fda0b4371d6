package stages

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
	"github.com/captionlake/captionlake/stages/llm"
)

// judgeStage asks judges whether captions state what is annotated (CAPability section 3.2). It is text against text: no
// picture is sent.
var judgeStage = engine.Stage{
	Name:     "judge",
	Help:     "ask judges whether captions state what a benchmark annotates, text against text",
	Flags:    []string{"captioner", "judge", "benchmark", "repeats"},
	Section:  "judges",
	Units:    judgeUnits,
	Forecast: judgeForecast,
}

// A judging is what one judge is asked about the captions of one captioner.
type judging struct {
	Benchmark string
	Judge     config.Model
	Captioner string // model_id whose captions under the benchmark's own prompt are judged
	Repeat    int    // number of the repetition, from 0
	Decoding  decoding
	Templates string // their digest

	prompts *config.JudgePrompts
}

// decoding is how a judge decodes and how often it is asked.
type decoding struct {
	Attempts    int // requests about one element until a reply can be read
	MaxTokens   int // largest length of a reply
	Temperature float64
}

func decodingOf(c config.Judges) decoding { return decoding{c.Attempts, c.MaxTokens, c.Temperature} }

// sampling gives each sampled repetition a seed of its own, far enough from the others to leave room for the seeds of
// further attempts. Repetitions of greedy decoding differ only by what a server does not repeat exactly, as the paper's did
// (section 4.3).
func (d decoding) sampling(repeat int) llm.Sampling {
	if d.Temperature == 0 {
		return llm.Greedy(d.MaxTokens)
	}
	return llm.Sampled(d.Temperature, int64(repeat)<<16, d.MaxTokens)
}

// retry asks again for what cannot be read, at a temperature of 0.7 at least.
func (d decoding) retry() engine.Retry { return engine.Retry{Attempts: d.Attempts, Temperature: 0.7} }

// A judged is an annotated element with the caption that is judged.
type judged struct {
	annotated
	caption string
}

func judgeUnits(s *engine.Scope) ([]engine.AnyUnit, error) {
	jc := s.Config.Judges
	if len(jc.Models) == 0 {
		if s.Choice.Stage != "judge" && len(s.Choice.Benchmarks) == 0 {
			return nil, nil
		}
		return nil, data.WithHint(errors.New("no judge is configured"), "name one with --judge, or under judges: in %s", config.File)
	}
	sets, simulated, err := captionSets(s.Lake)
	if err != nil {
		return nil, err
	}
	var units []engine.AnyUnit
	for _, benchmark := range jc.Benchmarks {
		for _, set := range sets {
			// Captions are judged under the benchmark's own prompt.
			if set.Prompt != benchmark || !s.Choice.Wants(set.Captioner, set.Prompt) {
				continue
			}
			made := false
			for of, is := range simulated {
				made = made || is && of.Captioner == set.Captioner && ofBenchmark(of.Prompt, benchmark)
			}
			more, err := judgingsOf(s, benchmark, set.Captioner, made)
			if err != nil {
				return nil, err
			}
			for _, u := range more {
				units = append(units, u)
			}
		}
	}
	if len(units) == 0 {
		return nil, data.WithHint(fmt.Errorf("%w: the lake has no captions for %s of the captioners chosen", engine.ErrNothingToAsk, strings.Join(jc.Benchmarks, " and ")),
			"make them with: captionlake run caption --benchmark %s --captioner NAME, or load them with: captionlake ingest FOLDER", jc.Benchmarks[0])
	}
	return units, nil
}

// ofBenchmark reports whether a prompt is that of a benchmark. A captioner that described a video once more for another
// dimension has that caption under the prompt's name with the dimension after it.
func ofBenchmark(prompt, benchmark string) bool {
	return prompt == benchmark || strings.HasPrefix(prompt, benchmark+"/")
}

// judgingsOf are the units about the captions of one captioner: every judge, as often as the configuration repeats.
func judgingsOf(s *engine.Scope, benchmark, captioner string, simulated bool) ([]*engine.Unit[judged], error) {
	jc := s.Config.Judges
	prompts, err := config.LoadJudgePrompts(jc.Templates)
	if err != nil {
		return nil, err
	}
	var units []*engine.Unit[judged]
	for _, name := range jc.Models {
		judge, err := s.Config.Model(name)
		if err != nil {
			return nil, err
		}
		for repeat := range jc.Repeats {
			j := judging{benchmark, judge, captioner, repeat, decodingOf(jc), prompts.Digest(), prompts}
			units = append(units, j.unit(simulated))
		}
	}
	return units, nil
}

func (j judging) unit(simulated bool) *engine.Unit[judged] {
	items := func(s *engine.Scope) iter.Seq2[judged, error] { return j.items(s.Lake) }
	return &engine.Unit[judged]{
		Name:  conditions(j.Benchmark, j.Judge.ID, j.Captioner, fmt.Sprintf("r%d", j.Repeat)),
		Model: j.Judge, Protocol: j.Benchmark + "/judge", Source: "captions, annotations", Simulated: simulated, Repeat: j.Repeat, Settings: j,
		Reads:   []data.AnyTable{data.Annotations, data.Captions},
		Marks:   []data.AnyTable{data.Annotations}, // A corrected category changes verdicts and no request.
		Items:   items,
		Count:   counted(items),
		Subject: func(e judged) string { return e.row.SampleID + "/" + e.row.Dimension },
		Group:   func(e judged) string { return e.row.SampleID },
		Request: j.request,
		Accept:  func(e judged, r engine.Reply) error { return readable(e.annotated, r) },
		Retry:   j.Decoding.retry(),
		Results: []engine.Result[judged]{{Stage: "judgments", Tables: []engine.Rows[judged]{engine.Into(data.Judgments, j.rows)}}},
	}
}

// items streams the annotated elements of which the captioner has a caption, those that share a caption together.
func (j judging) items(l *data.Lake) iter.Seq2[judged, error] {
	return func(yield func(judged, error) bool) {
		captions := map[string]map[string]string{} // by prompt and sample
		for c, err := range data.Select(l, data.Captions, data.Where{"captioner": j.Captioner}) {
			if err != nil {
				yield(judged{}, err)
				return
			}
			if !ofBenchmark(c.Prompt, j.Benchmark) {
				continue
			}
			if captions[c.Prompt] == nil {
				captions[c.Prompt] = map[string]string{}
			}
			captions[c.Prompt][c.ImageID] = c.Caption
		}
		elements, err := annotations(l, j.Benchmark)
		if err != nil {
			yield(judged{}, err)
			return
		}
		for _, a := range bySample(elements) {
			caption, ok := captions[j.Benchmark+"/"+a.row.Dimension][a.row.SampleID]
			if !ok {
				caption, ok = captions[j.Benchmark][a.row.SampleID]
			}
			if ok && !yield(judged{a, caption}, nil) {
				return
			}
		}
	}
}

// bySample orders elements such that those of one sample come together.
func bySample(elements []annotated) []annotated {
	slices.SortStableFunc(elements, func(a, b annotated) int {
		return cmp.Or(strings.Compare(a.row.SampleID, b.row.SampleID), strings.Compare(a.row.Dimension, b.row.Dimension), cmp.Compare(a.row.Ordinal, b.row.Ordinal))
	})
	return elements
}

func (j judging) request(e judged) (engine.Request, error) {
	text := j.prompts.Caption(e.dimension, e.element(), e.caption)
	return engine.Chat(llm.Request{Messages: []llm.Message{llm.User(llm.Text(text))}, Sampling: j.Decoding.sampling(j.Repeat)}), nil
}

// readable says why a judge's reply about an element cannot be read.
func readable(a annotated, r engine.Reply) error {
	_, err := a.dimension.ReadReply(a.element(), r.Text)
	return err
}

// rows gives the judgment of an element: the verdict failed for a call that failed, and unparsed when no reply could be
// read.
func (j judging) rows(e judged, o engine.Outcome) ([]data.Judgment, error) {
	row := data.Judgment{
		Benchmark: j.Benchmark, Judge: j.Judge.ID, Captioner: j.Captioner, Repeat: int32(j.Repeat), SampleID: e.row.SampleID,
		Element: e.row.Element, Dimension: e.row.Dimension, RequestHash: o.RequestHash, Verdict: string(rubric.Failed), Provenance: o.Provenance,
		CaptionDigest: textDigest(e.caption), ValueDigest: textDigest(e.row.Value),
	}
	if !o.Failed {
		reply, _ := e.dimension.ReadReply(e.element(), o.Text) // What cannot be read is the verdict unparsed.
		row.Verdict, row.Predicted, row.Reason = string(reply.Verdict), reply.Predicted, reply.Reason
	}
	return []data.Judgment{row}, nil
}

// judgeForecast plans the judgments of captions that the run has yet to make. A text of the length that such captions are
// assumed to have takes the place of each.
func judgeForecast(s *engine.Scope) ([]engine.AnyUnit, error) {
	c := s.Config
	if s.Choice.Stage != "" || len(s.Choice.Benchmarks) == 0 || len(c.Judges.Models) == 0 {
		return nil, nil
	}
	_, have, err := captionSets(s.Lake)
	if err != nil {
		return nil, err
	}
	var units []engine.AnyUnit
	for _, benchmark := range c.Judges.Benchmarks {
		for _, name := range c.Captions.Captioners {
			model, err := c.Model(name)
			if err != nil {
				return nil, err
			}
			if _, made := have[captionSet{model.ID, benchmark}]; made {
				continue
			}
			more, err := judgingsOf(s, benchmark, model.ID, false)
			if err != nil {
				return nil, err
			}
			for _, u := range more {
				u.Shape, u.Reads = conditions(benchmark, u.Model.ID), nil
				u.Items = func(s *engine.Scope) iter.Seq2[judged, error] { return assumedCaptions(s, benchmark) }
				units = append(units, u)
			}
		}
	}
	return units, nil
}

// assumedCaptions streams the elements whose media file can be captioned, with assumed captions.
func assumedCaptions(s *engine.Scope, benchmark string) iter.Seq2[judged, error] {
	return func(yield func(judged, error) bool) {
		caption := strings.Repeat("word", captionqa.AssumedTokens(benchmark))
		for a, err := range withMedia(s, benchmark) {
			if !yield(judged{a.annotated, caption}, err) {
				return
			}
		}
	}
}
