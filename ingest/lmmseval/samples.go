package lmmseval

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/ingest/file"
	"github.com/captionlake/captionlake/ingest/shape"
)

// Format reads lmms-eval's per-sample logs of its captionqa tasks (…_samples_captionqa_*.jsonl,
// written with --log_samples). Each line is one image:
//
//	{"doc_id": 0, "target": "nat_001", "filtered_resps": ["<caption>"], "input": "<prompt>",
//	 "doc_hash": "…",
//	 "captionqa_score": [{"image_id": "nat_001", "question_idx": 0, "category": "Attribute - Color",
//	                      "is_correct": true, "is_cannot_answer": false, "score": 1.0}, …], …}
//
// lmms_eval/tasks/captionqa/utils.py (process_results) and loggers/evaluation_tracker.py write it.
// Older names, resps for filtered_resps and arguments for input, are read too; other fields are
// ignored.
//
// A line gives the row of its caption and, from captionqa_score, one row of answers for each
// question. The log has only the numbers of questions, so the bank must be in the lake. It has no
// replies of the reader, so there are no rows of calls, and no known choices. A reply that names no
// option looks like a wrong reply: both have the outcome incorrect, as upstream counts them. If no
// answer of a log is right or says cannot, the judge was not reached. lmms-eval counts these
// answers as wrong; here they are left out.
//
// The captioner is --captioner or the model of the results file beside the log. The prompt is
// --prompt or the paper's prompt with the text in the log. The reader is --reader or the reader in
// the task's configuration. Unusable lines and answers are left out, and a note counts them.
// Another note says that a log is incomplete.
var Format = &shape.Format{
	Name: "lmms-eval-samples", Version: "3",
	What: "lmms-eval sample log of a captionqa task (…_samples_captionqa_*.jsonl)",
	Detect: func(l *shape.Look) bool {
		time, task := TaskOf(l.Source)
		isNamed := time != "" && strings.HasPrefix(task, data.BenchmarkCaptionQA)
		if len(l.Head) == 0 {
			return isNamed
		}
		mayBeOfTask := isNamed || time == "" // The name is not the name of another task's log.
		return l.First.Has("doc_id") && (l.First.Has("captionqa_score") || l.First.Has("target") && mayBeOfTask)
	},
	Unit: func(s file.Source, o shape.Options) (string, error) {
		run := RunOf(s)
		digest, err := s.Digest()
		return fmt.Sprintf("%s/%s/%s/%s/%.8s", cmp.Or(o.Captioner, run.Model()), o.Prompt, o.Reader, run.Task,
			digest), err
	},
	Load: load,
}

// load loads the captions line by line, and the answers after the last line.
func load(_ context.Context, j *shape.Job) error {
	run := RunOf(j.Source)
	j.Lenient = true
	j.Options.Captioner, j.Options.Reader = cmp.Or(j.Options.Captioner, run.Model()),
		cmp.Or(j.Options.Reader, run.Judge())
	if j.Options.Captioner == "" {
		return shape.NeedCaptionedBy(j.Source, "", "") // the error of a missing captioner
	}
	run.Tell(j)
	captions, err := shape.Captions.Begin(j)
	if err != nil {
		return err
	}
	var scored []*shape.Row // rows of answers; the whole log shows whether the judge was reached
	samples, entries, reached := 0, 0, false
	err = j.EachLine(func(r *shape.Row) error {
		name, err := prompt(r, run)
		if err != nil {
			return err
		}
		target, _ := r.Field("target")
		about := []file.Field{{Key: "image", Value: target}, shape.Column("prompt", r.At, name)}
		row := shape.NewRow(j, r.At, append(about, file.Field{Key: "caption", Value: caption(r)})...)
		if err := captions.Row(row); err != nil || row.Faulty {
			return err
		}
		samples++
		scores, ok := r.Field("captionqa_score")
		if !ok {
			j.Count("%d samples have no scores, as --predict_only leaves them: they give only captions")
			return nil
		}
		for _, item := range scores.Items {
			entries++
			reached = reached || item.Path("is_correct").Truth || item.Path("is_cannot_answer").Truth
		}
		scored = append(scored, shape.NewRow(j, r.At, append(about, file.Field{Key: "questions", Value: scores})...))
		return nil
	})
	if err != nil {
		return err
	}
	run.NoteMissing(j, samples)
	if entries >= fewAnswers && !reached {
		j.Note("%s: the %d answers are left out: none is correct or cannot, so the judge was not reached",
			j.Source.Path, entries)
		scored, entries = nil, 0
	}
	answers, err := shape.Answers.Begin(j)
	if err != nil {
		return err
	}
	for _, row := range scored {
		if err := answers.Row(row); err != nil {
			return err
		}
	}
	if j.Tx.Rows()["answers"]*2 < entries {
		samples = 0 // The log and the bank are about different questions: Settle refuses the file.
	}
	j.Settle(samples)
	return nil
}

// fewAnswers is the number of answers that cannot all be wrong by chance. The task's
// judge returns an empty reply if it cannot reach its server (call_llm_judge), and an empty reply
// is scored as wrong.
const fewAnswers = 20

// prompt is the name of the prompt that the captioner got: the name that the user gives, or the
// paper's prompt with the text in the sample.
func prompt(r *shape.Row, run Run) (string, error) {
	if name := r.Job.Options.Prompt; name != "" {
		return shape.PromptName(name), nil
	}
	asked := run.Asked(r.Value)
	if name := shape.PromptOfText(asked); name != "" || asked == "" {
		return name, shape.NeedCaptionedBy(r.Job.Source, "any", name) // load has checked the captioner.
	}
	return "", data.Errorf("name the prompt with --prompt",
		"%s:%d: the captioner was asked with %q, which is not a prompt of the paper", r.Job.Source.Path, r.At.Line,
		shape.Clip(asked))
}

// caption is the reply of a sample, however deep the log nests it. With several replies, as from
// --repeats, it is the first, which upstream scores.
func caption(r *shape.Row) file.Value {
	v, ok := r.Field("filtered_resps")
	if !ok {
		v, _ = r.Field("resps")
	}
	for v.Kind == file.Array {
		v = v.First()
	}
	return v
}
