package ingest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"path"
	"path/filepath"
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
// that keep resps instead of filtered_resps, arguments instead of input, and the doc with its questions are read too;
// other fields are passed over.
//
// A line gives the row of its caption and, from captionqa_score, one row of `answers` for each question. The log names
// questions by their number only, so the bank must be in the lake, unless the line has its doc. It holds no replies
// of the reader: there are no rows of `calls`, no choice is known, and a reply that names no option cannot be told from
// a wrong one: both have the outcome incorrect, as upstream counts them. The reader is --reader, or else the task's own
// judge, which is the published scores' reader.
//
// The captioner is --captioner, or the folder that lmms-eval writes to (Qwen__Qwen2.5-VL-3B-Instruct); the prompt is
// --prompt, or the prompt of the paper whose text the log shows.
func lmmsSamplesFormat() Format {
	return Format{
		Name:    "lmms-eval-samples",
		What:    "lmms-eval sample log of a captionqa task (…_samples_captionqa_*.jsonl)",
		Version: "1",
		Detect: func(_ Source, head []byte) bool {
			keys := topKeys(head)
			return keys["doc_id"] && (keys["filtered_resps"] || keys["resps"] || keys["target"] || keys["doc"])
		},
		Unit: func(s Source, o Options) (string, error) {
			captioner, err := lmmsCaptioner(s, o)
			if err != nil {
				return "", err
			}
			reader, err := readerID(o)
			return unitOf(s, captioner, promptName(o.Prompt), reader), err
		},
		Load: loadLmmsSamples,
	}
}

// topKeys reads the keys of the first object of a file, as far as its head goes.
func topKeys(head []byte) map[string]bool {
	dec := newDecoder(head)
	if !opens(dec) {
		return nil
	}
	return firstKeys(dec)
}

// lmmsCaptioner finds the captioner of a log: lmms-eval writes a model's logs to a folder named after it, with two
// underscores for the slash of a model hub.
func lmmsCaptioner(s Source, o Options) (string, error) {
	name := o.Captioner
	if name == "" {
		folder := path.Base(path.Dir(path.Clean(filepath.ToSlash(s.Path))))
		if strings.Contains(folder, "__") {
			name = strings.Replace(folder, "__", "/", 1)
		}
	}
	if name == "" {
		return "", missing(s, "which model wrote the captions", "name it with --captioner, such as --captioner qwen2.5-vl-3b, "+
			"or leave the log in the folder that lmms-eval named after the model")
	}
	return data.ModelIDFor(name)
}

// lmmsLoad is the loading of one sample log.
type lmmsLoad struct {
	*answerFile
	captions   *data.RowWriter[data.Caption]
	bank       map[string][]data.Question // questions of the lake by image, in bank order; read when first needed
	images     keySet
	promptTold bool
}

func loadLmmsSamples(ctx context.Context, j *Job) (err error) {
	captioner, err := lmmsCaptioner(j.Source, j.Options)
	if err != nil {
		return err
	}
	l := &lmmsLoad{images: keySet{}}
	if l.answerFile, err = newAnswerFile(j, captioner, ""); err != nil {
		return err
	}
	if l.captions, err = data.NewRowWriter(j.Tx, data.Captions); err != nil {
		return err
	}
	f, err := j.Source.Open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	in := bufio.NewReaderSize(f, 64<<10)
	for line := 1; ; line++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		content, readErr := in.ReadBytes('\n')
		if readErr != nil && !errors.Is(readErr, io.EOF) {
			return readErr
		}
		if len(bytes.TrimSpace(content)) > 0 {
			if err := l.line(content, line); err != nil {
				return err
			}
		}
		if readErr != nil {
			return nil
		}
	}
}

// line reads one sample. Its faults do not keep the next lines from being read.
func (l *lmmsLoad) line(content []byte, number int) error {
	// Without its line feed, so that a cut line ends on its own line.
	r := newJSONReaderAt(bytes.NewReader(bytes.TrimRight(content, "\r\n")), pos{number, 1}, l.job.Fault)
	sample, err := r.value()
	if err == nil {
		err = r.end()
	}
	if errors.Is(err, errFaulted) {
		return nil
	}
	if err != nil {
		return err
	}
	if sample.kind != kindObject {
		l.job.Fault(number, 1, "%s stands where a sample object belongs: correct or remove the line", sample.kind)
		return nil
	}
	return l.sample(&questionFields{at: sample.at, value: sample, fault: l.job.Fault, ok: true})
}

func (l *lmmsLoad) sample(q *questionFields) error {
	imageID := itemName(q.lmmsTarget())
	caption := q.lmmsCaption()
	prompt := l.lmmsPrompt(q)
	if !q.ok {
		return nil
	}
	l.images.check(imageID, imageID, q.place("target"), func(line, col int, _ string, _ ...any) {
		q.report(pos{line, col}, "the image %q has a line already: keep one of the two", quoted(imageID))
	})
	domain, ok := domainOf(imageID, l.job.Options)
	if !ok {
		q.report(q.place("target"), "the name %q does not tell its domain: name the domain with --domain", quoted(imageID))
	}
	if !q.ok {
		return nil
	}
	l.prompt = prompt
	if err := l.captions.Write(captionRow(l.job, imageID, domain, l.captioner, prompt, caption)); err != nil {
		return err
	}
	scores, ok := q.value.field("captionqa_score")
	if !ok {
		return nil // a log of captions alone
	}
	if scores.kind != kindArray {
		q.report(scores.at, "\"captionqa_score\" is %s where the list of scored questions belongs: correct it", scores.kind)
		return nil
	}
	questions, err := l.questions(q, imageID, domain)
	if err != nil || !q.ok {
		return err
	}
	seen := map[string]bool{}
	for _, item := range scores.items {
		if item.kind != kindObject {
			q.report(item.at, "%s stands where a scored question belongs: correct it", item.kind)
			continue
		}
		if err := l.score(&questionFields{at: item.at, value: item, fault: q.fault, ok: true}, imageID, questions, seen); err != nil {
			return err
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

// lmmsCaption is the one reply of a sample, however deep the log nests it.
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
	for n.kind == kindArray && len(n.items) == 1 {
		n = n.items[0]
	}
	switch n.kind {
	case kindString:
	case kindArray:
		q.report(n.at, "%q holds %d replies where one caption belongs: keep one", key, len(n.items))
	default:
		q.report(n.at, "%q is %s where a caption belongs: correct it", key, n.kind)
	}
	return n.text
}

// lmmsPrompt is the prompt of a sample: the option's, or the paper's prompt that the log shows the text of.
func (l *lmmsLoad) lmmsPrompt(q *questionFields) string {
	if l.job.Options.Prompt != "" {
		return promptName(l.job.Options.Prompt)
	}
	n, ok := q.value.field("input")
	if !ok {
		n, ok = q.value.field("arguments")
	}
	for ok && n.kind == kindArray && len(n.items) > 0 {
		n = n.items[0]
	}
	shown := strings.TrimSpace(strings.ReplaceAll(n.text, "<image>", ""))
	prompt, known := promptOfText(shown)
	if !known {
		if !l.promptTold {
			at := q.value.at
			if ok {
				at = n.at
			}
			q.fault(at.line, at.col, "the log shows none of the paper's prompts: name the prompt with --prompt")
			l.promptTold = true // one option mends all of them
		}
		q.ok = false
	}
	return prompt
}

// score writes the answer that one entry of captionqa_score stands for.
func (l *lmmsLoad) score(q *questionFields, imageID string, questions []data.Question, seen map[string]bool) error {
	if named := q.string("image_id"); q.ok && itemName(named) != imageID {
		q.report(q.place("image_id"), "the entry is about %q, but the line's target is %q: correct the wrong one", quoted(named), quoted(imageID))
	}
	number := q.number("question_idx")
	correct, cannot, recorded := q.truth("is_correct"), q.truth("is_cannot_answer"), q.number("score")
	category := q.category()
	if !q.ok {
		return nil
	}
	place := int(number)
	if number != float64(place) || place < 0 || place >= len(questions) {
		q.report(q.place("question_idx"), "question_idx is %v, but the bank has %d questions about %q, counted from 0: load the bank that the log was made with", number, len(questions), quoted(imageID))
		return nil
	}
	question := questions[place]
	if seen[question.QuestionID] {
		q.report(q.place("question_idx"), "question %d has an entry already: keep one of the two", place)
	}
	seen[question.QuestionID] = true
	first, second, _ := splitCategory(category)
	if category != "" && (first != question.Category || second != question.Subcategory) {
		q.report(q.place("category"), "the category is %q, but the bank's question %d about %q has %q: load the bank that the log was made with",
			quoted(category), place, quoted(imageID), strings.TrimSuffix(question.Category+" - "+question.Subcategory, " - "))
	}
	row := l.answer(question)
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
	return l.answers.Write(row)
}
