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
//	<model>/<time>_results.json             the configuration of every task, the model's name,
//	                                        the number of samples
//	<model>/<time>_samples_<task>.jsonl     one line for each sample, with --log_samples
//	capability_results/<X>/{inference,evaluation}/<dimension>.jsonl
//	                                        captions and judgments of its capability tasks
//
// (loggers/evaluation_tracker.py, tasks/capability/utils.py). Sample logs contain neither their
// model nor their number of lines: the results file beside them has both. The command must give
// everything that neither file says.

// sampleName matches the name of a sample log: the run's time and the task.
var sampleName = regexp.MustCompile(`^(.+)_samples_(.+)\.jsonl$`)

// TaskOf splits a sample log's name into the run's time and the task. For another name the time is
// empty, and the task is the name without its ending.
func TaskOf(s file.Source) (time, task string) {
	if match := sampleName.FindStringSubmatch(s.Base()); match != nil {
		return match[1], match[2]
	}
	return "", s.Stem()
}

// A Run is a run of lmms-eval that wrote a sample log: the time and the task in the log's name, and
// the results file.
type Run struct {
	Time, Task string
	file.Value // content of the results file; null if there is no readable one
}

// RunOf finds the run that wrote a sample log: the results file beside it with the same time. A
// log may come without a readable results file, so errors are ignored.
func RunOf(log file.Source) (r Run) {
	r.Time, r.Task = TaskOf(log)
	if text, err := log.Sibling(r.Time + "_results.json").Text(); err == nil {
		if v, err := file.ParseLine(text, 1, func(file.Pos, string, ...any) {}); err == nil {
			r.Value = v
		}
	}
	return r
}

// hubSnapshot matches the path of a checkpoint in a model hub's cache.
var hubSnapshot = regexp.MustCompile(`models--(.+?)/snapshots/`)

// Model is the checkpoint that wrote the captions; empty if the run does not name it.
func (r Run) Model() string {
	name := r.Path("model_name").Str()
	if m := hubSnapshot.FindStringSubmatch(name); m != nil {
		return strings.Replace(m[1], "--", "/", 1)
	}
	// Clean turns an empty name into a dot. Trim removes this dot, and the slash of an absolute path.
	return strings.Trim(path.Clean(name), "/.")
}

// Judge is the judge of the task, as its configuration names it; empty if it does not.
func (r Run) Judge() string {
	metadata := r.Path("configs", r.Task, "metadata")
	return cmp.Or(metadata.Path("judge_model").Str(), metadata.Path("eval_model_name").Str())
}

// Tell records the captioner's sampling parameters in runs.detail, since no table has columns for
// them.
func (r Run) Tell(j *shape.Job) {
	asked := map[string]string{"harness": "lmms-eval"}
	for name, key := range map[string]string{"temperature": "temperature", "max_tokens": "max_new_tokens"} {
		if value := r.Path("configs", r.Task, "generation_kwargs", key); value.Text != "" {
			asked[name] = value.Text
		}
	}
	j.Detail["asked"] = asked
}

// Asked is the text that a sample's captioner was asked with: the run's system message, and the
// sample's input or, in older logs, its arguments. The input may be a text, a list that begins with
// the text, or the messages of a chat.
func (r Run) Asked(sample file.Value) string {
	input, ok := sample.Field("input")
	if !ok {
		input = sample.Path("arguments")
	}
	isChat := func(v file.Value) bool { return v.First().Path("role").Str() != "" }
	for len(input.Items) > 0 && !isChat(input) {
		input = input.First()
	}
	text := input.Str()
	for _, message := range input.Items {
		content := message.Path("content")
		text += content.Str()
		for _, part := range content.Items {
			text += part.Path("text").Str()
		}
		text += "\n"
	}
	system := strings.TrimSpace(cmp.Or(r.Path("system_instruction").Str(),
		r.Path("config", "resolved_cli_args", "system_instruction").Str()))
	// The messages may begin with the system message.
	text = strings.TrimPrefix(strings.TrimSpace(strings.ReplaceAll(text, "<image>", "")), system)
	return strings.TrimSpace(system + "\n" + text)
}

// NoteMissing adds a note if the job's log has fewer samples than its run asked for. There is no
// note if the results file does not give the number.
func (r Run) NoteMissing(j *shape.Job, has int) {
	effective, _ := shape.WholeNumber(r.Path("n-samples", r.Task, "effective"))
	original, _ := shape.WholeNumber(r.Path("n-samples", r.Task, "original"))
	offset, _ := shape.WholeNumber(r.Path("config", "offset"))
	// A run with an offset asks for fewer samples than lmms-eval counts.
	if asked := min(effective, original-offset); has < asked {
		j.Note("%s: the log has %d of the %d samples of its run: it is incomplete, or has unusable lines",
			j.Source.Path, has, asked)
	}
}
