package capability

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/ingest/file"
	"github.com/captionlake/captionlake/ingest/lmmseval"
	"github.com/captionlake/captionlake/ingest/shape"
)

// captionsFormat reads a model's captions of the media:
//
//	{"file_id": "scene_4", "caption": "…"}
//
// lmms-eval adds the annotation and the task, which are ignored. The captioner is --captioner or
// the folder's name; the prompt is --prompt or the benchmark's own (CAPability Figure A2). The
// dimension of actions has the videos and the captions of events: if an earlier dimension has a
// file_id, the file_id gets no second row. If a run has captioned the video again with another
// result, the second caption gets a prompt with the dimension after the name, and a note says so.
// The empty caption is valid.
var captionsFormat = released(&shape.Format{
	Name: captions, Version: "3", Unit: captionsUnit, Load: loadCaptions,
	What: "captions of CAPability as JSON lines (captions/<model>/<dimension>.jsonl)",
})

// samplesFormat reads the captions in lmms-eval's logs of samples of its capability tasks
// (…_samples_capability_<dimension>.jsonl, with --log_samples). Each line has {"file_id",
// "caption", "annotation", "task"} under capability_inference_result and again under the metrics
// (process_results of lmms_eval/tasks/capability/utils.py). Judgments are in the task's own folder
// evaluation.
var samplesFormat = &shape.Format{
	Name: samples, Version: "3", Unit: captionsUnit, Family: sampleLogs, Load: loadCaptions,
	What: "lmms-eval sample log of a capability task (…_samples_capability_*.jsonl)",
	Detect: func(l *shape.Look) bool {
		time, task := lmmseval.TaskOf(l.Source)
		named := time != "" && strings.HasPrefix(task, taskPrefix)
		// Only the name shows the format of an empty log.
		return kindOf(l.First) == samples || named && (l.First.Has("doc_id") || len(l.Head) == 0)
	},
}

// captionsUnit names the unit of captions by captioner, prompt and folder. The unit of a sample log
// has the log's digest instead of the folder.
func captionsUnit(s file.Source, o shape.Options) (string, error) {
	captioner, err := captionerOf(s, o)
	folder := folderOf(s)
	if time, _ := lmmseval.TaskOf(s); time != "" && err == nil { // Only the name of a sample log has a time.
		folder, err = s.Digest()
	}
	return strings.Join([]string{benchmarkOf(o).Name, captioner, o.Prompt, folder}, "/"), err
}

// sampleLogs lists the sample logs of a run's capability tasks, in the order of the dimensions.
// Actions are asked about on the videos of events, so the logs of these two dimensions must be one
// unit: loadCaptions compares their captions.
func sampleLogs(s file.Source, _ shape.Options) (logs []file.Source, err error) {
	time, task := lmmseval.TaskOf(s)
	if _, ok := rubric.ByID(strings.TrimPrefix(task, taskPrefix)); !ok {
		return []file.Source{s}, nil // a task of the user's own
	}
	for _, d := range rubric.Dimensions() {
		if log := s.Sibling(time + "_samples_" + taskPrefix + d.ID + ".jsonl"); log.Exists() {
			logs = append(logs, log)
		}
	}
	return logs, nil
}

// sampleOf finds the result of a capability task in a line of a sample log.
func sampleOf(line file.Value) (file.Value, bool) {
	for _, key := range []string{"capability_inference_result", "capability_precision", "capability_recall",
		"capability_f1_score"} {
		if sample, _ := line.Field(key); sample.Has("file_id", "caption") {
			return sample, true
		}
	}
	return file.Value{}, false
}

// loadCaptions writes the captions of all files of a unit: released files, lmms-eval's files of
// captions, or its sample logs.
func loadCaptions(_ context.Context, j *shape.Job) (err error) {
	named := j.Source
	if j.Options.Captioner, err = captionerOf(named, j.Options); err != nil {
		return err
	}
	time, _ := lmmseval.TaskOf(named)
	j.Lenient = time != "" || isLmms(named)
	benchmark := benchmarkOf(j.Options)
	given := cmp.Or(j.Options.Prompt, benchmark.Name)
	j.Options.Domain = benchmark.Title
	fillers := map[string]shape.Filler{} // by prompt; a filler of captions has no End
	taken := 0
	earlier := map[string]string{} // digests of the captions in earlier files, by file_id
	for _, j.Source = range j.Family {
		run := lmmseval.RunOf(j.Source)
		isLog := run.Time != ""
		if isLog {
			run.Tell(j)
		}
		lines := map[string]int{} // by file_id
		// digests of this file's captions by file_id, and the number of captions that can be used
		digests, captions := map[string]string{}, 0
		err = j.EachLine(func(r *shape.Row) error {
			if isLog {
				sample, ok := sampleOf(r.Value)
				if !ok {
					r.Report(r.At,
						"the sample has no capability_inference_result: log the samples of a capability task")
					return nil
				}
				// lmms-eval asks with the prompts of CAPability, whichever benchmark --domain names.
				image, _ := rubric.CaptionPrompt(rubric.BenchmarkCAPability, rubric.MediaImage)
				video, _ := rubric.CaptionPrompt(rubric.BenchmarkCAPability, rubric.MediaVideo)
				// A log without inputs has the text "".
				ofBenchmark := []string{"", strings.TrimSpace(image), strings.TrimSpace(video)}
				// A prompt that the user names may have any text.
				if asked := run.Asked(r.Value); given == benchmark.Name && !slices.Contains(ofBenchmark, asked) {
					return j.Source.Refuse("name the prompt with --prompt",
						"the captioner was asked with %q, which is not the benchmark's prompt", shape.Clip(asked))
				}
				r = r.Child(sample)
			}
			id, ok := fileID(r, lines)
			if !ok {
				return nil
			}
			caption, _ := r.Field("caption")
			digest, prompt := data.Fingerprint(caption.Text), given
			switch first, captioned := earlier[id]; {
			case !captioned:
				digests[id] = digest
			case first == digest: // The caption can be used, but has its row from the earlier file.
				captions++
				return nil
			default:
				j.Count("%d media files were captioned twice, differently; the second captions have the dimension in their prompt")
				task := strings.TrimPrefix(run.Task, taskPrefix)
				if d, ok := rubric.ByID(task); ok { // ByID ignores letter case, and the tables have d.ID.
					task = d.ID
				}
				prompt += "/" + task
			}
			filler, begun := fillers[prompt]
			if !begun {
				j.Options.Prompt = prompt
				if filler, err = shape.Captions.Begin(j); err != nil {
					return err
				}
				fillers[prompt] = filler
			}
			row := shape.NewRow(j, r.At, shape.Column("image", r.At, id), file.Field{Key: "caption", Value: caption})
			err := filler.Row(row)
			if !row.Faulty {
				captions++
			}
			return err
		})
		if err != nil {
			return err
		}
		maps.Copy(earlier, digests)
		if taken += captions; isLog {
			run.NoteMissing(j, captions)
		}
	}
	j.Source = named
	j.Settle(taken)
	return nil
}
