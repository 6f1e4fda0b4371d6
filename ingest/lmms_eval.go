package ingest

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// lmmsSamplesFormat reads the per-sample logs of lmms-eval for its captionqa tasks (…_samples_captionqa_*.jsonl, written
// with --log_samples). Each line is one image:
//
//	{"doc_id": 0, "target": "nat_001", "filtered_resps": ["<caption>"], "input": "<prompt>", "doc_hash": "…",
//	 "captionqa_score": [{"image_id": "nat_001", "question_idx": 0, "category": "Attribute - Color",
//	                      "is_correct": true, "is_cannot_answer": false, "score": 1.0}, …],
//	 "captionqa_accuracy": […the same list…], "captionqa_cannot_answer_rate": […the same list…]}
//
// That is what lmms_eval/tasks/captionqa/utils.py (process_results) and loggers/evaluation_tracker.py write. Versions
// that keep resps instead of filtered_resps, and arguments instead of input, are read too; other fields are passed over.
//
// A line gives the row of its caption and, from captionqa_score, one row of `answers` for each question. The log names
// questions by their number only, so the bank must be in the lake. It holds no replies
// of the reader: there are no rows of `calls`, no choice is known, and a reply that names no option cannot be told from
// a wrong one: both have the outcome incorrect, as upstream counts them. Where the judge could not be reached, which is told
// by a log in which no answer is right, all answers are failed.
//
// The captioner is --captioner, or the model of the results file beside the log, or the folder's; the prompt is --prompt,
// or the one that the log and the results file show (lmmsPrompt); the reader is --reader, or lmmsReader's. Lines and answers that
// cannot be used are left out and noted, and so is a log that broke off.
//
// A lake may hold several runs of one captioner with one prompt. Whichever comes first has the prompt's own name; the
// rows of a later one that says something else have the run's time behind it, as in Simple/20261122_032947.
func lmmsSamplesFormat() Format {
	return Format{
		Name:     "lmms-eval-samples",
		What:     "lmms-eval sample log of a captionqa task (…_samples_captionqa_*.jsonl)",
		Version:  "2",
		Attempts: func(Source) int { return 3 },
		Detect: func(s Source, head []byte) bool {
			time, task := lmmsFile(s)
			named := time != "" && isCaptionQATask(task)
			if len(head) == 0 {
				return named && isEmptyFile(s)
			}
			keys := topKeys(head)
			if !keys["doc_id"] || !keys["filtered_resps"] && !keys["resps"] && !keys["target"] && !keys["doc"] {
				return false
			}
			return named || time == "" || keys["captionqa_score"]
		},
		Unit: func(s Source, o Options) (string, error) {
			l, err := newLmmsLog(s, o)
			if err != nil {
				return "", err
			}
			prompt, _, _ := l.prompt(l.firstLine())
			digest, err := digestOf(s)
			return strings.Join([]string{l.captioner, prompt, l.reader, l.task, digest}, "/"), err
		},
		Load: loadLmmsSamples,
	}
}

// isEmptyFile reports whether a source is a file, and one without content; the head of a folder is empty too.
func isEmptyFile(s Source) bool {
	folder, err := s.isFolder()
	return err == nil && !folder
}

// topKeys reads the keys of the first object of a file, as far as its head goes.
func topKeys(head []byte) map[string]bool {
	return firstKeys(headDecoder(withoutNaN(head)))
}

// lmmsLoad is the loading of one sample log.
type lmmsLoad struct {
	*lmmsSamples
	*answerFile
	captions *knownCaptions
	rows     []data.Answer              // all of the log, until it is known whether the judge was reached
	bank     map[string][]data.Question // questions of the lake by image, in bank order; read when first needed
	images   keySet
	digest   string
	prompts  map[string]lmmsPrompt // what the captioner was asked with, by the prompt's name
	samples  int                   // taken
	entries  int                   // scored questions of the log
}

func loadLmmsSamples(ctx context.Context, j *Job) (err error) {
	log, err := newLmmsLog(j.Source, j.Options)
	if err != nil {
		return err
	}
	l := &lmmsLoad{lmmsSamples: log, images: keySet{}, prompts: map[string]lmmsPrompt{}}
	if l.digest, err = digestOf(j.Source); err != nil {
		return err
	}
	answers, err := data.NewRowWriter(j.Tx, data.Answers)
	if err != nil {
		return err
	}
	l.answerFile = &answerFile{job: j, captioner: log.captioner, reader: log.reader, answers: answers}
	if l.captions, err = newKnownCaptions(j); err != nil {
		return err
	}
	text, err := j.Source.text()
	if err != nil {
		return err
	}
	if err := eachLine(ctx, text, l.line); err != nil {
		return err
	}
	if failed := failUnreached(l.rows); failed > 0 {
		j.Note("%s: %d of %d answers are failed, not wrong: with none of them correct or cannot, the judge was not reached, which lmms-eval counts as wrong",
			j.Source.Path, failed, len(l.rows))
	}
	if err := answers.Write(l.rows...); err != nil {
		return err
	}
	l.finish()
	return nil
}

// finish notes what the log came to.
func (l *lmmsLoad) finish() {
	j := l.job
	if l.captionerNote != "" {
		j.Note("%s: %s", j.Source.Path, l.captionerNote)
	}
	if !l.run.noteMissing(j, l.source, l.task, l.samples) && l.samples == 0 && len(j.leftOut.All) == 0 {
		j.Note("%s: the log is empty", j.Source.Path)
	}
	j.keepPrompts(l.prompts)
	if len(l.prompts) > 0 && j.Attempt > 0 {
		j.Note("%s: the lake holds another run of %s with this prompt; the rows of this one have the prompt %s", j.Source.Path, l.answerFile.captioner,
			rowPrompt(slices.Sorted(maps.Keys(l.prompts))[0], l.time, l.digest, j.Attempt))
	}
	taken := l.samples
	if len(l.rows)*2 < l.entries {
		taken = 0 // The log and the bank are about different questions.
	}
	j.settle(taken)
}

// line reads one sample. Its faults do not keep the next lines from being read.
func (l *lmmsLoad) line(number int, content []byte) error {
	sound := true
	sample, err := readJSONLine(withoutNaN(content), number, false, func(line, col int, format string, args ...any) {
		if sound {
			l.job.LeaveOut(line, col, format, args...) // the first fault says enough of a line that is left out
		}
		sound = false
	})
	if err != nil && !errors.Is(err, errFaulted) {
		return err
	}
	if err != nil || !sound {
		return nil
	}
	if sample.kind != kindObject {
		l.job.LeaveOut(number, 1, "this is %s, and a sample object belongs here: correct or remove the line", sample.kind)
		return nil
	}
	return l.sample(&questionFields{at: sample.at, value: sample, fault: l.job.LeaveOut, ok: true})
}

func (l *lmmsLoad) sample(q *questionFields) error {
	imageID := captionqa.ItemName(q.lmmsTarget())
	caption := q.lmmsCaption()
	name, asked, ok := l.lmmsSamples.prompt(q.value)
	if !ok {
		q.report(q.value.at, "neither the sample nor a results file beside the log says what the captioner was asked with: name the prompt with --prompt")
	}
	if !q.ok {
		return nil
	}
	if first, twice := l.images.add(imageID, q.at.line); twice {
		q.report(q.place("target"), "the image %q has line %d already: keep one of the two", clip(imageID), first)
		return nil
	}
	if err := l.readBank(); err != nil {
		return err
	}
	questions := l.bank[imageID]
	domain, ok := domainOf(imageID, l.options)
	if !ok && len(questions) > 0 {
		domain = questions[0].Domain
	} else if !ok {
		domain = lmmsDomain(l.run, l.task, l.options)
	}
	if domain == "" {
		q.report(q.place("target"), "the name %q does not tell its domain: name the domain with --domain", clip(imageID))
		return nil
	}
	l.samples++
	l.prompts[name] = asked
	l.answerFile.prompt = rowPrompt(name, l.time, l.digest, l.job.Attempt)
	if err := l.captions.write(captionRow(imageID, domain, l.answerFile.captioner, l.answerFile.prompt, caption)); err != nil {
		return err
	}
	return l.scores(q, imageID, questions)
}

// scores writes the answers of a sample.
func (l *lmmsLoad) scores(q *questionFields, imageID string, questions []data.Question) error {
	scores, ok := q.value.field("captionqa_score")
	if !ok {
		l.job.Count("%d samples have no scores, as --predict_only leaves them: they give captions alone")
		return nil
	}
	if scores.kind != kindArray {
		q.report(scores.at, "\"captionqa_score\" is %s where the list of scored questions belongs: correct it", scores.kind)
		return nil
	}
	if len(questions) == 0 && len(scores.items) > 0 {
		l.entries += len(scores.items)
		q.report(q.place("target"), "the log names questions by their number only, and the lake has no questions about %q: load the bank first, with captionlake ingest", clip(imageID))
		return nil
	}
	if l.answerFile.reader == "" {
		return errNoReader(l.source)
	}
	seen := map[string]bool{}
	l.entries += len(scores.items)
	for _, item := range scores.items {
		if item.kind != kindObject {
			q.report(item.at, "this is %s, and a scored question belongs here: correct it", item.kind)
			continue
		}
		if err := l.score(&questionFields{at: item.at, value: item, fault: q.fault, ok: true}, imageID, questions, seen); err != nil {
			return err
		}
	}
	for _, question := range questions {
		if !seen[question.QuestionID] {
			l.job.Count("%d questions of the bank have no answer; upstream skips questions with fewer than two options or without a key; first %s", question.QuestionID)
		}
	}
	return nil
}

// lmmsTarget is the image of a sample.
func (q *questionFields) lmmsTarget() string {
	n, ok := q.need("target", kindString)
	if ok && strings.TrimSpace(n.text) == "" {
		q.report(n.at, "the target names no image: write the image_id, such as nat_001")
	}
	return n.text
}

// lmmsCaption is the reply of a sample, however deep the log nests it. Of several, as --repeats may leave them, it is the
// first, which is the one that upstream scores.
func (q *questionFields) lmmsCaption() string {
	key := "filtered_resps"
	n, ok := q.value.field(key)
	if !ok {
		key = "resps"
		n, ok = q.value.field(key)
	}
	if !ok {
		q.report(q.value.at, "the sample has neither \"filtered_resps\" nor \"resps\": log the samples again")
		return ""
	}
	for n.kind == kindArray && len(n.items) > 0 {
		n = n.items[0]
	}
	if n.kind != kindString {
		q.report(n.at, "%q is %s where a caption belongs: correct it", key, n.kind)
	} else if problem := textProblem(n.text); problem != "" {
		q.report(n.at, "%s", problem)
	}
	return n.text
}

// score writes the answer that one entry of captionqa_score stands for.
func (l *lmmsLoad) score(q *questionFields, imageID string, questions []data.Question, seen map[string]bool) error {
	if named := q.string("image_id"); q.ok && captionqa.ItemName(named) != imageID {
		q.report(q.place("image_id"), "the entry is about %q, but the line's target is %q: correct the wrong one", clip(named), clip(imageID))
	}
	number := q.number("question_idx")
	correct, cannot, recorded := q.truth("is_correct"), q.truth("is_cannot_answer"), q.number("score")
	category := q.category()
	if !q.ok {
		return nil
	}
	index := int(number)
	if number != float64(index) || index < 0 || index >= len(questions) {
		q.report(q.place("question_idx"), "question_idx is %v, but the bank has %d questions about %q, counted from 0: load the bank that the log was made with", number, len(questions), clip(imageID))
		return nil
	}
	question := questions[index]
	if seen[question.QuestionID] {
		q.report(q.place("question_idx"), "question %d has an entry already: keep one of the two", index)
		return nil
	}
	seen[question.QuestionID] = true
	first, second, _ := captionqa.SplitCategory(category)
	if category != "" && (first != question.Category || second != question.Subcategory) {
		q.report(q.place("category"), "the category is %q, but the bank's question %d about %q has %q: load the bank that the log was made with",
			clip(category), index, clip(imageID), strings.TrimSuffix(question.Category+" - "+question.Subcategory, " - "))
	}
	row := l.answer(question, !captionqa.IsYesNo(question.Question, question.Options))
	outcome := captionqa.Incorrect
	switch {
	case correct && cannot:
		q.report(q.place("is_correct"), "the answer is both correct and cannot: correct the wrong one")
	case correct:
		outcome = captionqa.Correct
	case cannot:
		outcome = captionqa.Cannot
		if !row.OffersCannot {
			q.report(q.place("is_cannot_answer"), "a yes/no question offers no cannot option: load the bank that the log was made with")
		}
	}
	if want := captionqa.Score(outcome, len(question.Options)); !sameScore(recorded, want) {
		q.report(q.place("score"), "score is %v, but an answer that is %s with %d options scores %v: correct the wrong one", recorded, outcome, len(question.Options), want)
	}
	if !q.ok {
		return nil
	}
	row.Outcome, row.Score = string(outcome), recorded
	if outcome == captionqa.Correct {
		row.ChoiceIndex = &question.AnswerIndex
	}
	l.rows = append(l.rows, row)
	return nil
}
