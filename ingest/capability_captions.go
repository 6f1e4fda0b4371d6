package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"maps"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rubric"
)

// capabilityCaptionsFormat reads what a model wrote about the media:
//
//	{"file_id": "scene_4", "caption": "…"}
//
// lmms-eval adds the annotation and the task, which are passed over. The captioner is --captioner or the folder's name;
// the prompt is --prompt or the benchmark's own (CAPability Figure A2). The captions of actions are those of events: a
// file_id that an earlier dimension has gets one row. Should a run have captioned the video once more and otherwise, the
// second caption is kept under the prompt's name with the dimension after it, and noted. The empty caption is legal.
func capabilityCaptionsFormat() Format {
	return Format{
		Name:    "capability-captions",
		What:    "captions of CAPability as JSON lines (captions/<model>/<dimension>.jsonl)",
		Version: "1",
		Detect:  detectRubric(rubricCaptions),
		Unit:    rubricCaptionUnit,
		Family:  rubricFamily(rubricCaptions),
		Strays:  rubricStrays,
		Load: func(ctx context.Context, j *Job) error {
			captioner, err := rubricModel(j.Source, j.Options)
			if err != nil {
				return err
			}
			return loadRubricCaptions(ctx, j, captioner, func(l *rubricLine) (rubric.Object, bool) { return l.object, true })
		},
	}
}

// capabilitySamplesFormat reads the captions in the logs of samples that lmms-eval writes for its capability tasks
// (…_samples_capability_<dimension>.jsonl, with --log_samples). Each line holds, under capability_inference_result and
// again under the metrics, {"file_id", "caption", "annotation", "task"}, as process_results of
// lmms_eval/tasks/capability/utils.py gives it. Judgments are in the task's own folder evaluation.
func capabilitySamplesFormat() Format {
	return Format{
		Name:    "capability-lmms-eval-samples",
		What:    "lmms-eval sample log of a capability task (…_samples_capability_*.jsonl)",
		Version: "1",
		Detect:  detectRubric(rubricSamples),
		Unit: func(s Source, o Options) (string, error) {
			captioner, err := lmmsCaptioner(s, o)
			return unitOf(s, captioner, rubricPrompt(o)), err
		},
		Load: func(ctx context.Context, j *Job) error {
			captioner, err := lmmsCaptioner(j.Source, j.Options)
			if err != nil {
				return err
			}
			return loadRubricCaptions(ctx, j, captioner, func(l *rubricLine) (rubric.Object, bool) {
				sample, ok := lmmsRubricSample(l.object)
				if !ok {
					l.fault("", "the sample has no capability_inference_result with file_id and caption: log the samples of a capability task")
				}
				return sample, ok
			})
		},
	}
}

// lmmsRubricSample finds the result of a capability task in a line of a sample log.
func lmmsRubricSample(line rubric.Object) (rubric.Object, bool) {
	for _, key := range []string{"capability_inference_result", "capability_precision", "capability_recall", "capability_f1_score"} {
		value, _ := line.Get(key)
		sample, ok := value.(rubric.Object)
		if !ok {
			continue
		}
		_, hasFile := sample.Get("file_id")
		_, hasCaption := sample.Get("caption")
		if hasFile && hasCaption {
			return sample, true
		}
	}
	return nil, false
}

func rubricCaptionUnit(s Source, o Options) (string, error) {
	captioner, err := rubricModel(s, o)
	benchmark, _ := rubricBenchmark(o)
	return strings.Join([]string{benchmark, captioner, rubricPrompt(o), rubricFolder(s)}, "/"), err
}

// rubricPrompt is the prompt of captions: the benchmark's own unless the user names another.
func rubricPrompt(o Options) string {
	if o.Prompt != "" {
		return promptName(o.Prompt)
	}
	benchmark, _ := rubricBenchmark(o)
	return benchmark
}

// captionCounts are what the captions of a unit came to, as the detail of the run keeps it.
type captionCounts struct {
	Captions int `json:"captions"` // rows written
	Reused   int `json:"reused"`   // captions that an earlier dimension has word for word
	Again    int `json:"again"`    // other captions of media that an earlier dimension has a caption of
	Empty    int `json:"empty"`    // captions without a word
}

// loadRubricCaptions reads the captions of all files of the unit. record finds the caption's record in a line.
func loadRubricCaptions(ctx context.Context, j *Job, captioner string, record func(*rubricLine) (rubric.Object, bool)) error {
	rows, err := data.NewRowWriter(j.Tx, data.Captions)
	if err != nil {
		return err
	}
	_, domain := rubricBenchmark(j.Options)
	prompt := rubricPrompt(j.Options)
	var counts captionCounts
	first := map[string][sha256.Size]byte{} // digests of the captions of earlier files
	for _, member := range j.Family {
		if err := ctx.Err(); err != nil {
			return err
		}
		dimension := "again"
		if d, ok := dimensionOf(member); ok {
			dimension = d.ID
		}
		seen := onceEach{}
		digests := map[string][sha256.Size]byte{}
		err := eachRubricLine(j, member, func(l *rubricLine) error {
			var ok bool
			if l.object, ok = record(l); !ok {
				return nil
			}
			id, ok := l.need("file_id")
			if !ok || !seen.check(l, id) {
				return nil
			}
			caption, ok := l.need("caption")
			if !ok {
				return nil
			}
			digest := sha256.Sum256([]byte(caption))
			own := prompt
			if earlier, captioned := first[id]; captioned && earlier == digest {
				counts.Reused++
				return nil
			} else if captioned {
				counts.Again++
				own = prompt + "/" + dimension
			} else {
				digests[id] = digest
			}
			if strings.TrimSpace(caption) == "" {
				counts.Empty++
			}
			counts.Captions++
			return rows.Write(captionRow(j, id, domain, captioner, own, caption))
		})
		if err != nil {
			return err
		}
		maps.Copy(first, digests)
	}
	if counts.Again > 0 {
		j.Note("%s: %d media files were captioned twice, differently; the second captions have the dimension in the name of their prompt", rubricFolder(j.Source), counts.Again)
	}
	if counts.Empty > 0 {
		j.Note("%s: %d captions are empty", rubricFolder(j.Source), counts.Empty)
	}
	detail, err := json.Marshal(counts)
	if err != nil {
		return err
	}
	j.Tx.SetDetail(string(detail))
	return nil
}
