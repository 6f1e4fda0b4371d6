package ingest

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rubric"
)

// sourceLmmsEval marks the figures that an lmms-eval results file prints.
const sourceLmmsEval = "lmms-eval"

// An lmmsMetric is what a figure of lmms-eval is called in the tables, and up to which value it goes.
type lmmsMetric struct {
	name, unit string
	most       float64
}

// lmmsMetrics are the figures of lmms-eval's captionqa and capability tasks. The captionqa task counts cannot answers as a
// share of all questions, yes/no questions among them (metric cannot_rate), as the paper's Table 9 does. Tables 11 to 26
// count them as a share of the questions that offer the option (metric cannot_rate_offered).
var lmmsMetrics = map[string]lmmsMetric{
	"captionqa_score":              {"score", "share", 1},
	"captionqa_accuracy":           {"accuracy", "share", 1},
	"captionqa_cannot_answer_rate": {"cannot_rate", "share", 1},
	"capability_precision":         {"precision", "percent", 100},
	"capability_recall":            {"recall", "percent", 100},
	"capability_f1_score":          {"f1", "percent", 100},
}

// lmmsResultsFormat reads the results file of an lmms-eval run with captionqa or capability tasks (…_results.json):
//
//	{"results": {"captionqa_natural": {"alias": "captionqa_natural", "captionqa_score,none": 0.8123,
//	             "captionqa_score_stderr,none": "N/A", …}, …}, "model_name": "Qwen/Qwen2.5-VL-3B-Instruct", …}
//
// Every number under results becomes a row of `published` with source lmms-eval and the file's name as its item, since
// the run gives sums and no answers; whoever has the sample logs has the answers themselves and should load those for
// leaderboards. Values stay as printed: shares for captionqa, percent for capability, whose dimension is the category.
// Other tasks, and texts such as N/A, are passed over; NaN, which few samples give, and what is out of range are left out
// and noted, and so are the figures of a captionqa task that are all 0, as when no judge could be reached. A run without
// figures, such as one of --predict_only, gives no rows and says so. The figures of the group captionqa, a mean over all
// questions of the four domains, have no domain. A standard error has the metric's name with _stderr.
//
// The model is --captioner, or the one that the file names; the prompt is --prompt, or that of the task's configuration.
// A second file of the same name with other figures has the start of its digest behind its item.
func lmmsResultsFormat() Format {
	return Format{
		Name:     "lmms-eval-results",
		What:     "lmms-eval results file with captionqa or capability tasks (…_results.json)",
		Version:  "2",
		Attempts: func(Source) int { return 2 },
		Detect:   func(s Source, head []byte) bool { return isLmmsResults(s, head) },
		Unit: func(s Source, o Options) (string, error) {
			captioner := o.Captioner
			if run := tryLmmsRun(s); captioner == "" && run != nil {
				captioner, _ = run.model()
			}
			if captioner != "" {
				id, err := data.ModelIDFor(captioner)
				if err != nil {
					return "", err
				}
				captioner = id
			}
			digest, err := digestOf(s)
			return unitOf(s, captioner, promptName(o.Prompt)) + "/" + digest, err
		},
		Load: loadLmmsResults,
	}
}

// isLmmsResults reports whether a file's head has the results of tasks first, as lmms-eval writes them: each has an alias,
// and figures whose names end in the filter's. Which tasks they are, only the whole file tells.
func isLmmsResults(s Source, head []byte) bool {
	dec := headDecoder(withoutNaN(head))
	if !opens(dec) {
		return false
	}
	key, err := dec.ReadToken()
	if err != nil || key.Kind() != '"' || key.String() != "results" || !opens(dec) {
		return false
	}
	if task, err := dec.ReadToken(); err != nil || task.Kind() == '}' {
		return err == nil && strings.HasSuffix(s.base(), lmmsResultsEnding)
	}
	for key := range firstKeys(dec) {
		if key == "alias" || strings.Contains(key, ",") {
			return true
		}
	}
	return false
}

func isCaptionQATask(name string) bool {
	return name == data.BenchmarkCaptionQA || strings.HasPrefix(name, data.BenchmarkCaptionQA+"_")
}

func loadLmmsResults(_ context.Context, j *Job) error {
	run, err := readLmmsRun(j.Source, j.Fault)
	if err != nil {
		return err
	}
	return writeLmmsResults(j, run, &questionFields{at: run.file.at, value: run.file, fault: j.Fault, ok: true})
}

// resultCounts is what a results file came to.
type resultCounts struct {
	prompts map[string]lmmsPrompt // what the captioner was asked with, by the prompt's name
	tasks   int                   // of the two benchmarks
	figures int
	other   []string // tasks that were passed over
}

func writeLmmsResults(j *Job, run *lmmsRun, q *questionFields) error {
	if q.value.kind != kindObject {
		q.report(q.at, "the file holds %s where an object belongs: it is no results file", q.value.kind)
		return nil
	}
	results, ok := q.value.field("results")
	if !ok || results.kind != kindObject {
		q.report(q.place("results"), "the file has no object \"results\": name the results file of an lmms-eval run")
		return nil
	}
	name, note := j.Options.Captioner, ""
	if name == "" {
		if name, note = run.model(); name == "" {
			q.report(q.place("model_name"), "the file has no model_name: name the model with --captioner")
			return nil
		}
	}
	if note != "" {
		j.Note("%s: %s", j.Source.Path, note)
	}
	id, err := data.ModelIDFor(name)
	if err != nil {
		return err
	}
	rows, err := data.NewRowWriter(j.Tx, data.PublishedFigures)
	if err != nil {
		return err
	}
	item := j.Source.base()
	if j.Attempt > 0 {
		digest, err := digestOf(j.Source)
		if err != nil {
			return err
		}
		item += "#" + digest
		j.Note("%s: the lake holds another file of this name with other figures; the figures of this one have the item %s", j.Source.Path, item)
	}
	counts := resultCounts{prompts: map[string]lmmsPrompt{}}
	written := map[string]bool{}
	for _, task := range results.fields {
		row := data.Published{Source: sourceLmmsEval, Item: item, Model: name, ModelID: id, File: j.Source.base()}
		switch dimension, isDimension := strings.CutPrefix(task.key, "capability_"); {
		case isDimension || task.key == rubric.BenchmarkCAPability:
			row.Benchmark, row.Category = rubric.BenchmarkCAPability, dimension
			if !isDimension {
				row.Category = ""
			}
			row.Prompt, _ = run.rubricPrompt(task.key, j.Options)
		case isCaptionQATask(task.key) || hasCaptionQAFigure(task.value):
			row.Benchmark = data.BenchmarkCaptionQA
			row.Domain = lmmsDomain(run, task.key, j.Options)
			asked, known := run.prompt(task.key)
			switch {
			case j.Options.Prompt != "":
				row.Prompt = promptName(j.Options.Prompt)
			case known:
				row.Prompt = asked.name(captionPrompts())
			}
			if known {
				counts.prompts[row.Prompt] = asked
			}
		default:
			counts.other = append(counts.other, task.key)
			continue
		}
		figures := lmmsFigures(j, task, row)
		for i := range figures {
			// Two tasks of one run may differ in something that no column tells, such as their sampling.
			f := &figures[i]
			key := strings.Join([]string{f.Benchmark, f.Prompt, f.Domain, f.Category, f.Metric}, "\x00")
			if written[key] {
				f.Item += "#" + task.key
			}
			written[key] = true
		}
		counts.tasks++
		counts.figures += len(figures)
		if err := rows.Write(figures...); err != nil {
			return err
		}
	}
	noteResults(j, run, q, &counts)
	return nil
}

// noteResults says what else the file holds, and why it gave no figures where it gave none.
func noteResults(j *Job, run *lmmsRun, q *questionFields, counts *resultCounts) {
	j.keepPrompts(counts.prompts)
	if n := len(counts.other); n > 0 {
		j.Note("%s: %d tasks are of other benchmarks and passed over: %s", j.Source.Path, n, clip(strings.Join(counts.other, ", ")))
	}
	predicted := run.file.path("config", "resolved_cli_args", "predict_only").truth || q.value.path("results").hasKey("bypass")
	switch {
	case counts.figures > 0 || counts.tasks == 0 || len(j.leftOut.All) > 0:
	case predicted:
		j.Note("%s: the run of --predict_only judged nothing, so there are no figures", j.Source.Path)
	default:
		j.Note("%s: the results hold no figure of a captionqa or capability task", j.Source.Path)
	}
	j.settle(1) // A run whose figures cannot be used has sample logs that can.
}

// hasKey reports whether a member of any of the object's members begins with a name: whether any task has that figure.
func (n node) hasKey(name string) bool {
	for _, task := range n.fields {
		if _, ok := task.value.figure(name); ok {
			return true
		}
	}
	return false
}

// figure is a task's figure by its name, whatever the filter.
func (n node) figure(name string) (field, bool) {
	for _, f := range n.fields {
		if base, _, _ := strings.Cut(f.key, ","); base == name {
			return f, true
		}
	}
	return field{}, false
}

func hasCaptionQAFigure(task node) bool {
	_, ok := task.figure("captionqa_score")
	return ok
}

// lmmsFigures makes rows of the numbers of one task.
func lmmsFigures(j *Job, task field, row data.Published) []data.Published {
	leave := func(n node, figure string, why ...any) {
		j.LeaveOut(n.at.line, n.at.col, "%s of %s %s", figure, task.key, fmt.Sprint(why...))
	}
	if task.value.kind != kindObject {
		j.LeaveOut(task.value.at.line, task.value.at.col, "the value of %q is %s where the task's figures belong", task.key, task.value.kind)
		return nil
	}
	if first, all := allZero(task.value); all {
		leave(first, "every figure", "is 0, which is what a judge that cannot be reached gives")
		return nil
	}
	if f, none := notJudged(task.value); none {
		leave(f.value, f.key, "is no number (NaN), so no sample was judged and the task's other figures are none either")
		return nil
	}
	var figures []data.Published
	seen := map[string]bool{}
	for _, f := range task.value.fields {
		name, _, _ := strings.Cut(f.key, ",") // what follows the comma is lmms-eval's filter, none for these tasks
		base, isError := strings.CutSuffix(name, "_stderr")
		metric, known := lmmsMetrics[base]
		if !known || f.value.kind == kindNull || f.value.kind == kindString && f.value.text != pythonNaN {
			continue
		}
		if isError {
			metric.name += "_stderr"
		}
		value, err := strconv.ParseFloat(f.value.text, 64)
		switch {
		case f.value.kind == kindString:
			leave(f.value, name, "is no number (NaN or Infinity)")
			continue
		case f.value.kind != kindNumber || err != nil || math.IsInf(value, 0):
			leave(f.value, name, "is ", f.value.kind, " where a number belongs")
			continue
		case value < 0 || value > metric.most:
			leave(f.value, name, "is ", clip(f.value.text), ", but it lies between 0 and ", metric.most)
			continue
		case seen[metric.name]:
			leave(f.value, name, "is given twice")
			continue
		}
		seen[metric.name] = true
		row.Metric, row.Unit, row.Value, row.Line = metric.name, metric.unit, value, int32(f.at.line)
		row.Decimals = decimalsOf(f.value.text)
		figures = append(figures, row)
	}
	return figures
}

// notJudged reports whether a capability task's recall is NaN: a share of no judgments. Its precision and F1 are then
// written as 0.
func notJudged(task node) (recall field, none bool) {
	recall, ok := task.figure("capability_recall")
	return recall, ok && recall.value.kind == kindString && recall.value.text == pythonNaN
}

// allZero reports whether score, accuracy and cannot rate of a captionqa task are all 0, and gives the first of them. A
// reader that answers at all is sometimes right or says cannot.
func allZero(task node) (first node, all bool) {
	for i, name := range []string{"captionqa_score", "captionqa_accuracy", "captionqa_cannot_answer_rate"} {
		f, ok := task.figure(name)
		value, err := strconv.ParseFloat(f.value.text, 64)
		if !ok || err != nil || value != 0 {
			return first, false
		}
		if i == 0 {
			first = f.value
		}
	}
	return first, true
}

// decimalsOf counts the digits after the point of a number's text.
func decimalsOf(text string) int32 {
	if strings.ContainsAny(text, "eE") {
		return 0
	}
	_, digits, _ := strings.Cut(text, ".")
	return int32(len(digits))
}

// rubricPrompt is the prompt of a capability task: the option's; the benchmark's own if the run's configuration has its
// texts or says nothing; or that of the configuration's text for images, or else videos.
func (r *lmmsRun) rubricPrompt(task string, o Options) (name string, asked lmmsPrompt) {
	if o.Prompt != "" {
		return promptName(o.Prompt), asked
	}
	benchmark, _ := rubricBenchmark(o)
	known := map[string]string{}
	for _, text := range []string{rubric.ImagePrompt, rubric.VideoPrompt} {
		known[strings.TrimSpace(text)] = benchmark
	}
	asked.System = r.system()
	for _, media := range []string{"image_prompt", "video_prompt"} {
		for _, place := range [][]string{{media}, {"default", media}} {
			if r == nil {
				continue
			}
			text := strings.TrimSpace(r.task(task).path("lmms_eval_specific_kwargs").path(place...).str())
			if text == "" {
				continue
			}
			asked.Text = text
			if name = asked.name(known); name != benchmark {
				return name, asked
			}
		}
	}
	if asked.Text == "" && asked.System != "" {
		return asked.name(known), asked
	}
	return benchmark, asked
}
