package ingest

import (
	"context"
	"crypto/sha256"
	"io/fs"
	"maps"
	"path"
	"slices"
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
		Version: "2",
		Detect:  detectRubric(rubricCaptions),
		Unit: func(s Source, o Options) (string, error) {
			origin, err := rubricOriginOf(s, o)
			if err != nil {
				return "", err
			}
			prompt, _ := origin.run.rubricPrompt(rubricTask(s), o)
			folder, err := rubricUnit(s)
			benchmark, _ := rubricBenchmark(o)
			return strings.Join([]string{benchmark, origin.captioner, prompt, folder}, "/"), err
		},
		Family:   rubricFamily(rubricCaptions),
		Attempts: lmmsAttempts,
		Load: func(ctx context.Context, j *Job) error {
			origin, err := rubricOriginOf(j.Source, j.Options)
			if err != nil {
				return err
			}
			j.notes = append(j.notes, origin.notes...)
			j.lenient = origin.lmms
			l := &rubricCaptionLoad{job: j, captioner: origin.captioner, run: origin.run}
			if origin.run != nil {
				l.time = origin.run.time
			}
			l.noteUnjudged(origin)
			return l.load(ctx, func(l *rubricLine) (rubric.Object, bool) { return l.object, true })
		},
	}
}

// lmmsAttempts is how often the captions of a folder may be named anew: those of lmms-eval's runs are.
func lmmsAttempts(s Source) int {
	if isLmmsRubric(s) {
		return 3
	}
	return 1
}

// rubricTask is lmms-eval's task of a file that is named after a dimension, or of a sample log.
func rubricTask(s Source) string {
	if d, ok := dimensionOf(s); ok {
		return "capability_" + d.ID
	}
	_, task := lmmsFile(s)
	return task
}

// noteUnjudged says which dimensions of lmms-eval's folder inference have no judgments beside.
func (l *rubricCaptionLoad) noteUnjudged(origin *rubricOrigin) {
	if !origin.lmms {
		return
	}
	var unjudged []string
	for _, member := range l.job.Family {
		d, ok := dimensionOf(member)
		if !ok {
			continue
		}
		if _, err := fs.Stat(member.FS, rubricBeside(member, "evaluation", d.ID).Name); err != nil {
			unjudged = append(unjudged, d.ID)
		}
	}
	if len(unjudged) > 0 {
		l.job.Note("%s: the folder evaluation beside has no judgments of %s: the judge was not reached, or the run had no more than %d samples, which lmms-eval does not ask about",
			path.Dir(l.job.Source.Path), strings.Join(unjudged, ", "), judgeAllowsMissing)
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
		Version: "2",
		Detect:  isRubricSampleLog,
		Unit: func(s Source, o Options) (string, error) {
			run := lmmsRunOf(s)
			captioner, _, err := lmmsCaptioner(s, run, o)
			if err != nil {
				return "", err
			}
			time, task := lmmsFile(s)
			if time != "" {
				task = rubric.BenchmarkCAPability
			}
			prompt, _ := run.rubricPrompt(rubricTask(s), o)
			family, err := rubricSampleLogs(s, o)
			if err != nil {
				return "", err
			}
			var digests []string
			for _, member := range family {
				digest, err := member.Digest()
				if err != nil {
					return "", err
				}
				digests = append(digests, digest)
			}
			return strings.Join([]string{captioner, prompt, task, data.Fingerprint(digests...)[:8]}, "/"), nil
		},
		Family:   rubricSampleLogs,
		Attempts: func(Source) int { return 3 },
		Load: func(ctx context.Context, j *Job) error {
			run := lmmsRunOf(j.Source)
			captioner, note, err := lmmsCaptioner(j.Source, run, j.Options)
			if err != nil {
				return err
			}
			if note != "" {
				j.Note("%s: %s", j.Source.Path, note)
			}
			j.lenient = true
			l := &rubricCaptionLoad{job: j, captioner: captioner, run: run, logs: true}
			l.time, _ = lmmsFile(j.Source)
			return l.load(ctx, func(l *rubricLine) (rubric.Object, bool) {
				sample, ok := lmmsRubricSample(l.object)
				if !ok {
					l.fault("", "the sample has no capability_inference_result with file_id and caption: log the samples of a capability task")
				}
				return sample, ok
			})
		},
	}
}

// isRubricSampleLog reports whether a file is the sample log of a capability task. A log that broke off before its first
// line is one by its name.
func isRubricSampleLog(s Source, head []byte) bool {
	time, task := lmmsFile(s)
	named := time != "" && strings.HasPrefix(task, "capability_")
	return rubricKindOf(head) == rubricSamples || named && (topKeys(head)["doc_id"] || len(head) == 0 && isEmptyFile(s))
}

// rubricSampleLogs lists the sample logs of a run's capability tasks, in the order of the dimensions: actions are asked
// about on the videos of events, so that the captions of the two are told apart only together.
func rubricSampleLogs(s Source, _ Options) ([]Source, error) {
	time, task := lmmsFile(s)
	if time == "" || !strings.HasPrefix(task, "capability_") {
		return []Source{s}, nil
	}
	var family []Source
	found := false
	for _, d := range rubric.Dimensions() {
		member := s.sibling(time + "_samples_capability_" + d.ID + ".jsonl")
		if _, err := fs.Stat(member.FS, member.Name); err == nil {
			family = append(family, member)
			found = found || member.Name == s.Name
		}
	}
	if !found {
		return []Source{s}, nil // a task of one's own
	}
	return family, nil
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

// rubricCaptionLoad is the loading of the captions of one folder or run.
type rubricCaptionLoad struct {
	job       *Job
	captioner string
	run       *lmmsRun              // run of lmms-eval that wrote the captions; nil when none is known
	time      string                // time of that run; empty when it is not known
	logs      bool                  // the files are sample logs
	prompts   map[string]lmmsPrompt // what the captioner was asked with, by the prompt's name
	taken     int
	written   *knownCaptions
	first     map[string][sha256.Size]byte // digests of the captions of earlier files
}

// load reads the captions of all files of the unit. record finds the caption's record in a line.
func (l *rubricCaptionLoad) load(ctx context.Context, record func(*rubricLine) (rubric.Object, bool)) (err error) {
	j := l.job
	l.first, l.prompts = map[string][sha256.Size]byte{}, map[string]lmmsPrompt{}
	if l.written, err = newKnownCaptions(j); err != nil {
		return err
	}
	digest, err := digestOf(j.Source)
	if err != nil {
		return err
	}
	for _, member := range j.Family {
		if err := ctx.Err(); err != nil {
			return err
		}
		name, asked := l.run.rubricPrompt(rubricTask(member), j.Options)
		if asked.Text != "" || asked.System != "" {
			l.prompts[name] = asked
		}
		if err := l.member(member, rowPrompt(name, l.time, digest, j.Attempt), record); err != nil {
			return err
		}
	}
	return l.finish()
}

// member reads the captions of one file.
func (l *rubricCaptionLoad) member(member Source, prompt string, record func(*rubricLine) (rubric.Object, bool)) error {
	_, domain := rubricBenchmark(l.job.Options)
	dimension := strings.TrimPrefix(rubricTask(member), "capability_")
	if _, known := rubric.ByID(dimension); !known {
		dimension = "again"
	}
	seen := keySet{}
	digests := map[string][sha256.Size]byte{}
	lines := 0
	err := eachRubricLine(l.job, member, func(line *rubricLine) error {
		var ok bool
		if line.object, ok = record(line); !ok {
			return nil
		}
		id, ok := line.need("file_id")
		if !ok || !line.isNew(id, seen) {
			return nil
		}
		caption, ok := line.need("caption")
		if !ok {
			return nil
		}
		lines++
		l.taken++
		digest := sha256.Sum256([]byte(caption))
		own := prompt
		if earlier, captioned := l.first[id]; captioned && earlier == digest {
			return nil
		} else if captioned {
			l.job.Count("%d media files were captioned twice, differently; the second captions have the dimension in the name of their prompt")
			own = prompt + "/" + dimension
		} else {
			digests[id] = digest
		}
		return l.written.write(captionRow(id, domain, l.captioner, own, caption))
	})
	if err != nil {
		return err
	}
	maps.Copy(l.first, digests)
	if l.logs {
		l.run.noteMissing(l.job, member, rubricTask(member), lines)
	}
	return nil
}

// finish notes what the captions came to.
func (l *rubricCaptionLoad) finish() error {
	j := l.job
	where := rubricFolder(j.Source)
	if l.logs {
		where = j.Source.Path
	}
	benchmark, _ := rubricBenchmark(j.Options)
	for _, name := range slices.Sorted(maps.Keys(l.prompts)) {
		if name != benchmark && j.Options.Prompt == "" {
			p := l.prompts[name]
			j.Note("%s: the prompt is not the paper's; it is called %s: %q", where, name, clip(strings.TrimSpace(p.System+" "+p.Text)))
		}
	}
	if j.Attempt > 0 {
		j.Note("%s: the lake holds other captions of %s with this prompt; the name of the prompt of these ends in %s", where, l.captioner, strings.TrimPrefix(rowPrompt("", l.time, "", 1), "/"))
	}
	j.settle(l.taken)
	j.detail["prompts"] = l.prompts
	return nil
}
