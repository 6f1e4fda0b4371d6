package ingest

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// sourceLmmsEval marks the figures that an lmms-eval results file prints.
const sourceLmmsEval = "lmms-eval"

// maxResultsBytes is the size up to which a results file is taken for one: real ones have some hundred kilobytes.
const maxResultsBytes = 64 << 20

// lmmsMetrics are the figures of lmms-eval's captionqa tasks with the names that the tables use. The task counts cannot
// answers as a share of all questions, yes/no questions among them (metric cannot_rate), as the paper's Table 9 does. Tables
// 11 to 26 count them as a share of the questions that offer the option (metric cannot_rate_offered).
var lmmsMetrics = map[string]string{
	"captionqa_score":              "score",
	"captionqa_accuracy":           "accuracy",
	"captionqa_cannot_answer_rate": "cannot_rate",
}

// lmmsResultsFormat reads the results file of an lmms-eval run with captionqa tasks (…_results.json):
//
//	{"results": {"captionqa_natural": {"alias": "captionqa_natural", "captionqa_score,none": 0.8123,
//	             "captionqa_score_stderr,none": "N/A", …}, …}, "model_name": "Qwen/Qwen2.5-VL-3B-Instruct", …}
//
// Every number under results becomes a row of `published` with source lmms-eval and the file's name as its item, since
// the run gives sums and no answers; whoever has the sample logs has the answers themselves and should load those for
// leaderboards. Values stay shares as printed. Tasks other than captionqa, and texts such as N/A, are passed over. The
// figures of the group captionqa, a mean over all questions of the four domains, have no domain. A standard error has
// the metric's name with _stderr. The model is --captioner, or the file's model_name; the prompt is --prompt or the
// paper's prompt that the tasks' configs show.
func lmmsResultsFormat() Format {
	return Format{
		Name:    "lmms-eval-results",
		What:    "lmms-eval results file with captionqa tasks (…_results.json)",
		Version: "1",
		Detect:  func(_ Source, head []byte) bool { return hasCaptionQATask(head) },
		Unit: func(s Source, o Options) (string, error) {
			if o.Captioner == "" {
				return unitOf(s, promptName(o.Prompt)), nil
			}
			id, err := data.ModelIDFor(o.Captioner)
			return unitOf(s, id, promptName(o.Prompt)), err
		},
		Load: loadLmmsResults,
	}
}

// hasCaptionQATask reports whether a file's head has an object results whose first key is a captionqa task.
func hasCaptionQATask(head []byte) bool {
	dec := newDecoder(head)
	if !opens(dec) {
		return false
	}
	key, err := dec.Token()
	if err != nil || key != "results" || !opens(dec) {
		return false
	}
	task, err := dec.Token()
	name, ok := task.(string)
	return err == nil && ok && (isCaptionQATask(name) || bytes.Contains(head, []byte(`"captionqa_score`)))
}

func isCaptionQATask(name string) bool {
	return name == "captionqa" || strings.HasPrefix(name, "captionqa_")
}

func loadLmmsResults(_ context.Context, j *Job) (err error) {
	f, err := j.Source.Open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() > maxResultsBytes {
		j.Fault(0, 0, "the file has %d bytes, which no results file has: name the right file", info.Size())
		return nil
	}
	r := newJSONReader(f, j.Fault)
	file, err := r.value()
	if err == nil {
		err = r.end()
	}
	if errors.Is(err, errFaulted) {
		return nil
	}
	if err != nil {
		return err
	}
	return writeLmmsResults(j, &questionFields{at: file.at, value: file, fault: j.Fault, ok: true})
}

func writeLmmsResults(j *Job, q *questionFields) error {
	if q.value.kind != kindObject {
		q.report(q.at, "the file holds %s where an object belongs: it is no results file", q.value.kind)
		return nil
	}
	results, ok := q.value.field("results")
	if !ok || results.kind != kindObject {
		q.report(q.place("results"), "the file has no object \"results\": name the results file of an lmms-eval run")
		return nil
	}
	name := j.Options.Captioner
	if name == "" {
		n, ok := q.value.field("model_name")
		if !ok || n.kind != kindString || n.text == "" {
			q.report(q.place("model_name"), "the file has no model_name: name the model with --captioner")
			return nil
		}
		name = n.text
	}
	id, err := data.ModelIDFor(name)
	if err != nil {
		return err
	}
	rows, err := data.NewRowWriter(j.Tx, data.PublishedFigures)
	if err != nil {
		return err
	}
	written := 0
	for _, task := range results.fields {
		if !isCaptionQATask(task.key) {
			continue
		}
		figures := lmmsFigures(q, task, data.Published{
			Benchmark: "captionqa", Source: sourceLmmsEval, Item: j.Source.base(), Model: name, ModelID: id,
			Prompt: lmmsTaskPrompt(j, q.value, task.key), Domain: taskDomain(task.key), Unit: "share", File: j.Source.base(),
		})
		written += len(figures)
		if err := rows.Write(figures...); err != nil {
			return err
		}
	}
	if written == 0 && q.ok {
		q.report(results.at, "the results hold no figure of a captionqa task: name the results file of such a run")
	}
	return nil
}

// taskDomain is the domain of a task such as captionqa_natural; the group of all four has none.
func taskDomain(task string) string {
	return domainName(strings.TrimPrefix(strings.TrimPrefix(task, "captionqa"), "_"))
}

// lmmsTaskPrompt is the prompt of a task: the option's, or the one whose text the task's configuration holds, or none.
func lmmsTaskPrompt(j *Job, file node, task string) string {
	if j.Options.Prompt != "" {
		return promptName(j.Options.Prompt)
	}
	n := file
	for _, key := range []string{"configs", task, "lmms_eval_specific_kwargs"} {
		n, _ = n.field(key)
	}
	if inner, ok := n.field("default"); ok {
		n = inner
	}
	n, _ = n.field("caption_prompt")
	prompt, _ := promptOfText(n.text)
	return prompt
}

// lmmsFigures makes rows of the numbers of one task.
func lmmsFigures(q *questionFields, task field, row data.Published) []data.Published {
	if task.value.kind != kindObject {
		q.report(task.value.at, "under %q stands %s where the task's figures belong: correct it", task.key, task.value.kind)
		return nil
	}
	var figures []data.Published
	seen := map[string]bool{}
	for _, f := range task.value.fields {
		name, _, _ := strings.Cut(f.key, ",") // what follows the comma is lmms-eval's filter, none for these tasks
		base, isError := strings.CutSuffix(name, "_stderr")
		metric, known := lmmsMetrics[base]
		if !known || f.value.kind == kindString || f.value.kind == kindNull {
			continue
		}
		if isError {
			metric += "_stderr"
		}
		value, err := strconv.ParseFloat(f.value.text, 64)
		if f.value.kind != kindNumber || err != nil || math.IsInf(value, 0) {
			q.report(f.value.at, "%q is %s where a number belongs: correct it", f.key, f.value.kind)
			continue
		}
		if value < 0 || value > 1 {
			q.report(f.value.at, "%q is %s, but shares lie between 0 and 1: correct it", f.key, quoted(f.value.text))
			continue
		}
		if seen[metric] {
			q.report(f.at, "the figure %s of %s was given already: keep one", metric, task.key)
			continue
		}
		seen[metric] = true
		row.Metric, row.Value, row.Line = metric, value, int32(f.at.line)
		row.Decimals = decimalsOf(f.value.text)
		figures = append(figures, row)
	}
	return figures
}

// decimalsOf counts the digits after the point of a number's text.
func decimalsOf(text string) int32 {
	if strings.ContainsAny(text, "eE") {
		return 0
	}
	_, digits, _ := strings.Cut(text, ".")
	return int32(len(digits))
}
