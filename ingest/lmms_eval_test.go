package ingest

import (
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/laketest"
)

// lmmsLog is a sample log as today's lmms-eval writes it: neither doc nor arguments.
const lmmsLog = `{"doc_id": 0, "target": "nat_001", "filtered_resps": ["A grey cat."], "doc_hash": "00", "captionqa_score": [{"image_id": "nat_001", "question_idx": 0, "category": "Attribute - Color", "is_correct": true, "is_cannot_answer": false, "score": 1.0}, {"image_id": "nat_001", "question_idx": 1, "category": "Scene -> Time -> Day", "is_correct": false, "is_cannot_answer": false, "score": 0.0}, {"image_id": "nat_001", "question_idx": 2, "category": "", "is_correct": false, "is_cannot_answer": true, "score": 0.38333333333333336}], "captionqa_accuracy": [], "input": "Describe this image in detail."}
{"doc_id": 1, "target": "doc_001", "resps": [["<table>"]], "filtered_resps": [["A table."]], "captionqa_score": [{"image_id": "doc_001", "question_idx": 0, "category": "Structural Elements", "is_correct": true, "is_cannot_answer": false, "score": 1.0}], "input": "Describe this image in detail."}
`

const lmmsPath = "logs/Qwen__Qwen2.5-VL-3B-Instruct/20260101_000000_samples_captionqa_natural.jsonl"

func lmmsSource(content string) Source {
	s := textSource("log.jsonl", content)
	s.Path = lmmsPath
	return s
}

func TestLmmsSamples(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	mustLoad(t, l, textSource("bank.json", goodBank), judged)
	result := mustLoad(t, l, lmmsSource(lmmsLog), judged)
	if result.Format != "lmms-eval-samples" || result.Rows["captions"] != 2 || result.Rows["answers"] != 4 {
		t.Fatalf("got %+v", result)
	}
	captions := laketest.All(t, l, data.Captions)
	if c := captions[0]; c.Caption != "A table." || c.Captioner != "qwen2.5-vl-3b" || c.Prompt != "Simple" || c.Domain != "Document" {
		t.Errorf("got %+v", c)
	}
	answers := map[string]data.Answer{}
	for _, a := range laketest.All(t, l, data.Answers) {
		answers[a.QuestionID] = a
	}
	if a := answers["nat_001/c78dee78eb"]; a.Outcome != "correct" || *a.ChoiceIndex != 0 || a.Reader != "qwen2.5-72b" || a.RequestHash != "" || a.Subcategory != "Color" || a.Prompt != "Simple" {
		t.Errorf("got %+v", a)
	}
	if a := answers["nat_001/c78dee78eb-2"]; a.Outcome != "cannot" || a.Score != 1./3+0.05 || !a.OffersCannot {
		t.Errorf("got %+v", a)
	}
	if a := answers[captionqa.QuestionID("nat_001", "Is it day?", []string{"Yes", "No"})]; a.Outcome != "incorrect" || a.ChoiceIndex != nil || a.OffersCannot {
		t.Errorf("got %+v", a)
	}
	if again := mustLoad(t, l, lmmsSource(lmmsLog), judged); again.Changed {
		t.Error("loading the same file again changed something")
	}
}

// A log of captions alone gives captions.
func TestLmmsSamplesOfCaptions(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	result := mustLoad(t, l, textSource("log.jsonl", "{\"doc_id\": 0, \"target\": \"nat_001\", \"filtered_resps\": \"A cat.\"}\n\n"), Options{Captioner: "gpt-5", Prompt: "Mine"})
	if result.Rows["captions"] != 1 || result.Rows["answers"] != 0 || laketest.All(t, l, data.Captions)[0].Prompt != "Mine" {
		t.Errorf("got %+v", result)
	}
}

// What cannot be used is left out and noted with its place; the rest is taken.
func TestLmmsSamplesLeftOut(t *testing.T) {
	t.Parallel()
	const path = lmmsPath
	lines := strings.Split(lmmsLog, "\n")
	edit := func(old, with string) string { return strings.Replace(lmmsLog, old, with, 1) }
	column := func(line, before string) string { return itoa(strings.Index(line, before) + len(before) + 1) }
	for name, c := range map[string]struct {
		content           string
		captions, answers int
		want              string
	}{
		"a line that broke off": {lines[1] + "\n" + lines[0][:30], 1, 1, path + ":2:31: the text ends in the middle of a value: it was cut off; fetch or write it again; left out"},
		"key twice":             {edit(`"doc_hash": "00"`, `"doc_id": 1`), 1, 1, path + ":1:" + column(lines[0], `"filtered_resps": ["A grey cat."], `) + ": the key \"doc_id\" was given on line 1 already: keep one of the two; left out"},
		"image twice":           {edit(`"target": "doc_001"`, `"target": "nat_001"`), 1, 3, path + ":2:25: the image \"nat_001\" has line 1 already: keep one of the two; left out"},
		"another category": {edit(`"category": "Attribute - Color"`, `"category": "Attribute - Size"`), 2, 3, path + ":1:" + column(lines[0], `"question_idx": 0, "category": `) +
			": the category is \"Attribute - Size\", but the bank's question 0 about \"nat_001\" has \"Attribute - Color\": load the bank that the log was made with; left out"},
		"no such question": {edit(`"question_idx": 2`, `"question_idx": 2.5`), 2, 3, path + ":1:" + itoa(strings.LastIndex(lines[0], `"question_idx": `)+len(`"question_idx": `)+1) +
			": question_idx is 2.5, but the bank has 3 questions about \"nat_001\", counted from 0: load the bank that the log was made with; left out"},
		"bad score": {edit(`"is_correct": true, "is_cannot_answer": false, "score": 1.0`, `"is_correct": true, "is_cannot_answer": false, "score": 0.9`), 2, 3, path + ":1:" + column(lines[0], `"is_correct": true, "is_cannot_answer": false, "score": `) +
			": score is 0.9, but an answer that is correct with 3 options scores 1: correct the wrong one; left out"},
		"an image that the bank does not have": {edit("doc_001", "doc_009"), 2, 3, path + ":2:25: the log names questions by their number only, and the lake has no questions about \"doc_009\": load the bank first, with captionlake ingest; left out"},
		"invalid UTF-8":                        {edit("A grey cat.", "A grey\xff cat."), 1, 1, path + ":1:" + column(lines[0], `["A grey`) + ": " + notUTF8 + "; left out"},
		"NaN in a field of no use":             {edit(`"doc_id": 0`, `"doc_id": NaN`), 2, 4, ""},
		"several replies":                      {edit(`["A grey cat."]`, `["A grey cat.", "b"]`), 2, 4, ""},
	} {
		t.Run(name, func(t *testing.T) {
			l := laketest.New(t)
			mustLoad(t, l, textSource("bank.json", goodBank), judged)
			result := mustLoad(t, l, lmmsSource(c.content), Options{Reader: "qwen2.5-72b"})
			if result.Rows["captions"] != c.captions || result.Rows["answers"] != c.answers {
				t.Errorf("got %v, want %d captions and %d answers", result.Rows, c.captions, c.answers)
			}
			if left := leftOut(result.Notes); strings.Join(left, "\n") != c.want {
				t.Errorf("left out:\n%s\nwant:\n%s", strings.Join(left, "\n"), c.want)
			}
		})
	}
}

// leftOut are the notes about what was left out.
func leftOut(notes []string) []string {
	return slices.DeleteFunc(slices.Clone(notes), func(n string) bool { return !strings.HasSuffix(n, "; left out") })
}

// A log of which nothing can be used, or that is about other questions than the bank, is refused.
func TestLmmsSamplesRefused(t *testing.T) {
	t.Parallel()
	const path = lmmsPath
	for name, c := range map[string]struct {
		bank, content string
		want          []string
	}{
		"truncated":    {goodBank, lmmsLog[:200], []string{path + ":1:201: the text ends in the middle of a value: it was cut off; fetch or write it again"}},
		"another bank": {goodBank, strings.NewReplacer(`"category": "Attribute - Color"`, `"category": "X"`, `"category": "Scene`, `"category": "Z`, `"category": "Struct`, `"category": "Y`).Replace(lmmsLog), nil},
		"no bank": {"", lmmsLog, []string{
			path + ":1:25: the log names questions by their number only, and the lake has no questions about \"nat_001\": load the bank first, with captionlake ingest",
			path + ":2:25: the log names questions by their number only, and the lake has no questions about \"doc_001\": load the bank first, with captionlake ingest"}},
	} {
		t.Run(name, func(t *testing.T) {
			l := laketest.New(t)
			if c.bank != "" {
				mustLoad(t, l, textSource("bank.json", c.bank), judged)
			}
			if faults := mustRefuse(t, l, lmmsSource(c.content), judged, c.want...); c.want == nil && len(faults.All) != 3 {
				t.Errorf("got faults:\n%v", faults)
			}
		})
	}
}

const lmmsResults = `{
  "results": {
    "captionqa": {"alias": "captionqa", " ": " ", "captionqa_score,none": 0.7},
    "captionqa_natural": {
      "alias": " - captionqa_natural",
      "captionqa_score,none": 0.8123,
      "captionqa_score_stderr,none": "N/A",
      "captionqa_accuracy,none": 0.78,
      "captionqa_accuracy_stderr,none": 0.01,
      "captionqa_cannot_answer_rate,none": 0.1501
    },
    "mme": {"mme_score,none": 2000}
  },
  "configs": {"captionqa_natural": {"lmms_eval_specific_kwargs": {"caption_prompt": "Describe this image in detail."}}},
  "model_name": "Qwen/Qwen2.5-VL-3B-Instruct"
}`

func TestLmmsResults(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	s := textSource("20260101_results.json", lmmsResults)
	result := mustLoad(t, l, s, judged)
	if result.Format != "lmms-eval-results" || result.Rows["published"] != 5 {
		t.Fatalf("got %+v", result)
	}
	rows := laketest.All(t, l, data.PublishedFigures)
	i := slices.IndexFunc(rows, func(p data.Published) bool { return p.Metric == "cannot_rate" })
	want := data.Published{Benchmark: "captionqa", Source: "lmms-eval", Item: "20260101_results.json", Model: "Qwen/Qwen2.5-VL-3B-Instruct",
		ModelID: "qwen2.5-vl-3b", Prompt: "Simple", Domain: "Natural", Metric: "cannot_rate", Value: 0.1501, Unit: "share", Decimals: 4,
		File: "20260101_results.json", Line: 10}
	if i < 0 || rows[i] != want {
		t.Errorf("got %+v, want %+v", rows, want)
	}
	if rows[0].Domain != "" || rows[0].Prompt != "" || rows[0].Value != 0.7 {
		t.Errorf("the group became %+v", rows[0])
	}
	if again := mustLoad(t, l, s, judged); again.Changed {
		t.Error("loading the same file again changed something")
	}
}

func TestLmmsResultsRefused(t *testing.T) {
	t.Parallel()
	edit := func(old, with string) string { return strings.Replace(lmmsResults, old, with, 1) }
	for name, c := range map[string]struct {
		content string
		want    []string
	}{
		"truncated": {lmmsResults[:100], []string{`bad.json:4:4: the text ends in the middle of a value: it was cut off; fetch or write it again`}},
		"key twice": {edit(`"captionqa_accuracy,none"`, `"captionqa_score,none"`), []string{`bad.json:8:7: the key "captionqa_score,none" was given on line 6 already: keep one of the two`}},
		"no model":  {edit("model_name", "model"), []string{`bad.json:1:1: the file has no model_name: name the model with --captioner`}},
	} {
		t.Run(name, func(t *testing.T) {
			l := laketest.New(t)
			mustLoad(t, l, textSource("good.json", lmmsResults), judged)
			mustRefuse(t, l, textSource("bad.json", c.content), judged, c.want...)
		})
	}
}

// Figures that cannot be used are left out and noted with their place; the rest is taken.
func TestLmmsResultsLeftOut(t *testing.T) {
	t.Parallel()
	edit := func(old, with string) string { return strings.Replace(lmmsResults, old, with, 1) }
	for name, c := range map[string]struct {
		content string
		rows    int
		want    string
	}{
		"wrong type":   {edit("0.78", "true"), 4, "bad.json:8:34: captionqa_accuracy of captionqa_natural is a boolean where a number belongs; left out"},
		"out of range": {edit("0.78", "78"), 4, "bad.json:8:34: captionqa_accuracy of captionqa_natural is 78, but it lies between 0 and 1; left out"},
		"NaN":          {edit("0.78", "NaN"), 4, "bad.json:8:34: captionqa_accuracy of captionqa_natural is no number (NaN or Infinity); left out"},
		"-Infinity":    {edit("0.01", "-Infinity"), 4, "bad.json:9:41: captionqa_accuracy_stderr of captionqa_natural is no number (NaN or Infinity); left out"},
		"all zero": {strings.NewReplacer("0.8123", "0.0", "0.78", "0.0", "0.1501", "0.0").Replace(lmmsResults), 1,
			"bad.json:6:31: every figure of captionqa_natural is 0, which is what a judge that cannot be reached gives; left out"},
		"no figures": {strings.ReplaceAll(lmmsResults, ",none", "_none"), 0, ""},
		"behind 64 KiB of other tasks": {edit(`"results": {`, `"results": {`+strings.Repeat(`"mme_`+strings.Repeat("x", 90)+`": {"alias": "mme", "mme_score,none": 1},`, 1)+
			`"ocr": {"alias": "`+strings.Repeat("o", 70<<10)+`", "ocr_accuracy,none": 0.1},`), 5, ""},
	} {
		t.Run(name, func(t *testing.T) {
			l := laketest.New(t)
			result := mustLoad(t, l, textSource("bad.json", c.content), judged)
			if result.Format != "lmms-eval-results" || result.Rows["published"] != c.rows {
				t.Errorf("got %+v, want %d figures", result, c.rows)
			}
			if left := leftOut(result.Notes); strings.Join(left, "\n") != c.want {
				t.Errorf("left out:\n%s\nwant:\n%s", strings.Join(left, "\n"), c.want)
			}
		})
	}
}
