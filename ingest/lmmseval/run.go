// Package lmmseval reads lmms-eval's logs of its captionqa tasks, and its description of a run.
package lmmseval

import (
	"cmp"
	"path"
	"regexp"
	"strings"

	"github.com/captionlake/captionlake/ingest/file"
	"github.com/captionlake/captionlake/ingest/shape"
)

// A run of lmms-eval writes to its output folder
//
//	<model>/<time>_results.json             the configuration of every task, the model's name, the number of samples
//	<model>/<time>_samples_<task>.jsonl     one line for each sample, with --log_samples
//	capability_results/<X>/{inference,evaluation}/<dimension>.jsonl   captions and judgments of its capability tasks
//
// (loggers/evaluation_tracker.py, tasks/capability/utils.py). Sample logs contain neither their
// model nor their number of lines: the results file beside them does. Anything that neither file
// says must come from the command.

// sampleName matches the name of a sample log: the run's time and the task.
var sampleName = regexp.MustCompile(`^(.+)_samples_(.+)\.jsonl$`)

// resultsEnding ends the name of a results file, after the run's time.
const resultsEnding = "_results.json"

// TaskOf splits a sample log's name into the run's time and the task. For another name the time is
// empty.
func TaskOf(s file.Source) (time, task string) {
	if m := sampleName.FindStringSubmatch(s.Base()); m != nil {
		return m[1], m[2]
	}
	return "", s.Stem()
}

// A Run is the content of a run's results file; nil if there is no readable one.
type Run struct {
	source file.Source
	file.Value
}

// RunOf finds the run that wrote a sample log: the results file beside it with the same time.
func RunOf(log file.Source) *Run {
	time, _ := TaskOf(log)
	s := log.Sibling(time + resultsEnding)
	text, err := s.Text()
	if err != nil {
		return nil
	}
	v, err := file.ParseLine(text, 1, func(file.Pos, string, ...any) {})
	if err != nil {
		return nil
	}
	return &Run{s, v}
}

// hubSnapshot matches the path of a checkpoint in a model hub's cache.
var hubSnapshot = regexp.MustCompile(`models--(.+?)/snapshots/`)

// Model is the checkpoint that wrote the captions; empty if the run does not name it.
func (r *Run) Model() string {
	name := r.at("model_name").Str()
	if m := hubSnapshot.FindStringSubmatch(name); m != nil {
		return strings.Replace(m[1], "--", "/", 1)
	}
	return strings.Trim(path.Clean(name), "/.")
}

// Judge is the judge of a task, as its configuration names it; empty if it does not.
func (r *Run) Judge(task string) string {
	metadata := r.at("configs", task, "metadata")
	return cmp.Or(metadata.Path("judge_model").Str(), metadata.Path("eval_model_name").Str())
}

// Tell keeps in the detail of the job's run what the captioner of a task was asked with, which no
// table has a column for.
func (r *Run) Tell(j *shape.Job, task string) {
	asked := map[string]string{"harness": "lmms-eval"}
	for name, key := range map[string]string{"temperature": "temperature", "max_tokens": "max_new_tokens"} {
		if value := r.at("configs", task, "generation_kwargs", key); value.Text != "" {
			asked[name] = value.Text
		}
	}
	j.Detail["asked"] = asked
}

// at is a value of the results file; null if it is not found.
func (r *Run) at(keys ...string) file.Value {
	if r == nil {
		return file.Value{}
	}
	return r.Path(keys...)
}

// Asked is the prompt of a sample's captioner: under input or, in older logs, arguments. It may be
// a text, the first of a list, or the messages of a chat.
func (r *Run) Asked(sample file.Value) string {
	v, ok := sample.Field("input")
	if !ok {
		v, _ = sample.Field("arguments")
	}
	for v.Kind == file.Array && v.First().Path("role").Str() == "" && len(v.Items) > 0 {
		v = v.First()
	}
	text := v.Str()
	for _, message := range v.Items {
		content := message.Path("content")
		text += content.Str()
		for _, part := range content.Items {
			text += part.Path("text").Str()
		}
		text += "\n"
	}
	system := strings.TrimSpace(cmp.Or(r.at("system_instruction").Str(),
		r.at("config", "resolved_cli_args", "system_instruction").Str()))
	text = strings.TrimPrefix(strings.TrimSpace(strings.ReplaceAll(text, "<image>", "")), system)
	return strings.TrimSpace(system + "\n" + text)
}

// NoteMissing adds a note if the job's log has fewer samples than its run asked for.
func (r *Run) NoteMissing(j *shape.Job, task string, has int) {
	effective, _ := shape.WholeNumber(r.at("n-samples", task, "effective"))
	original, _ := shape.WholeNumber(r.at("n-samples", task, "original"))
	offset, _ := shape.WholeNumber(r.at("config", "offset"))
	if n := min(effective, original-offset); has < n { // lmms-eval counts the samples before the offset, too.
		j.Note("%s: the log has %d of the %d samples of its run: it is incomplete, or has unusable lines",
			j.Source.Path, has, n)
	}
}

// EachLine reads a file line by line as rows. An unreadable line is a fault, and the next lines are
// still read.
func EachLine(j *shape.Job, s file.Source, each func(r *shape.Row) error) error {
	return s.EachLine(func(number int, line []byte) error {
		sound := true
		v, err := file.ParseLine(line, number, func(at file.Pos, format string, args ...any) {
			if sound {
				j.Fault(at, format, args...) // One fault is enough for a line.
			}
			sound = false
		})
		if err == nil && sound && v.Kind != file.Object {
			j.Fault(file.Pos{Line: number, Col: 1},
				"this is %s, and a record belongs here, {…}: correct or remove the line", v.Kind)
		} else if err == nil && sound {
			return each(&shape.Row{Value: v, Job: j})
		}
		return nil
	})
}
