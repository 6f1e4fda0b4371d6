package ingest

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

var resultsOptions = Options{Captioner: "gpt-5", Prompt: "Simple", Reader: "qwen2.5-72b"}

const goodResults = `{
 "nat_001": [
  {"question": "What colour is the cat?", "choices": ["Grey", "Black", "White"], "ground_truth": "Grey", "model_answer": "Grey", "model_response": "B", "is_correct": true, "is_cannot_answer": false, "score": 1.0, "category": "Attribute - Color"},
  {"question": "What colour is the cat?", "choices": ["White", "Black", "Grey"], "ground_truth": "Black", "model_answer": "Cannot answer from the caption", "model_response": "D", "is_correct": false, "is_cannot_answer": true, "score": 0.3833, "category": ["Attribute - Color"]},
  {"question": "Is it day?", "choices": ["Yes", "No"], "ground_truth": "No", "model_answer": "Yes", "model_response": "A", "is_correct": false, "is_cannot_answer": false, "score": 0, "category": "Scene"},
  {"question": "Is it wet?", "choices": ["Yes", "No"], "ground_truth": "No", "model_answer": null, "model_response": "", "is_correct": false, "is_cannot_answer": false, "score": 0.0, "category": ""},
  {"question": "Which one?", "choices": ["x", "y", "x"], "ground_truth": "x", "model_answer": "x", "model_response": "C", "is_correct": false, "is_cannot_answer": false, "score": 0.0}
 ],
 "emb_001": [
  {"question": "What is held?", "choices": ["Cup", "Pen", "Box"], "ground_truth": "Pen", "model_answer": "Cannot answer from the caption", "model_response": "A", "is_correct": false, "is_cannot_answer": true, "score": 0.38333333333333336}
 ]
}`

func TestResults(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	s := textSource("results.json", goodResults)
	result := mustLoad(t, l, s, resultsOptions)
	if result.Format != "captionqa-results" || result.Rows["answers"] != 6 || result.Rows["calls"] != 6 {
		t.Fatalf("got %+v", result)
	}
	answers := map[string]data.Answer{}
	for _, a := range laketest.All(t, l, data.Answers) {
		answers[a.QuestionID] = a
	}
	first := answers["nat_001/c78dee78eb"]
	if first.Protocol != captionqa.ProtocolUpstream || first.Reader != "qwen2.5-72b" || first.Evidence != "caption" || first.Captioner != "gpt-5" ||
		first.Prompt != "Simple" || first.Domain != "Natural" || first.Category != "Attribute" || first.Subcategory != "Color" ||
		first.Options != 3 || !first.OffersCannot || *first.ChoiceIndex != 0 || first.Outcome != "correct" || first.Score != 1 {
		t.Errorf("got %+v", first)
	}
	// The same question is there twice: 1/3 + 0.05 rounded to four decimals is 0.3833, kept as written.
	if second := answers["nat_001/c78dee78eb-2"]; second.Outcome != "cannot" || second.Score != 0.3833 || second.ChoiceIndex != nil {
		t.Errorf("got %+v", second)
	}
	if a := answers[captionqa.QuestionID("nat_001", "Is it day?", []string{"Yes", "No"})]; a.Outcome != "incorrect" || a.OffersCannot || *a.ChoiceIndex != 0 {
		t.Errorf("got %+v", a)
	}
	if a := answers[captionqa.QuestionID("nat_001", "Is it wet?", []string{"Yes", "No"})]; a.Outcome != "unparsed" || a.ChoiceIndex != nil || a.Score != 0 {
		t.Errorf("got %+v", a)
	}
	// Of two equal options only the first is the key; the record says that the other was chosen.
	if a := answers[captionqa.QuestionID("nat_001", "Which one?", []string{"x", "x", "y"})]; a.Outcome != "incorrect" || *a.ChoiceIndex != 2 {
		t.Errorf("got %+v", a)
	}
	if a := answers[captionqa.QuestionID("emb_001", "What is held?", []string{"Cup", "Pen", "Box"})]; a.Outcome != "cannot" || a.Score != 1./3+0.05 || a.Domain != "Embodied AI" {
		t.Errorf("got %+v", a)
	}
	calls := map[string]data.Call{}
	for _, c := range laketest.All(t, l, data.Calls) {
		calls[c.Subject] = c
	}
	if c := calls[first.QuestionID]; c.RequestHash != first.RequestHash || c.Text != "B" || c.Stage != "ingest" || c.Model != "qwen2.5-72b" || c.State != "ok" || c.Endpoint != "results.json" {
		t.Errorf("got %+v", c)
	}
	if again := mustLoad(t, l, s, resultsOptions); again.Changed {
		t.Error("loading the same file again changed something")
	}
	// The same answers by another reader are other answers.
	o := resultsOptions
	o.Reader = "My Reader"
	mustLoad(t, l, s, o)
	if n := len(laketest.All(t, l, data.Answers)); n != 12 {
		t.Errorf("%d answers of two readers, want 12", n)
	}
}

func TestResultsAgreeWithTheBank(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	mustLoad(t, l, textSource("bank.json", goodBank), judged)
	mustLoad(t, l, textSource("results.json", goodResults), resultsOptions)
	bank := map[string]data.Question{}
	for _, q := range laketest.All(t, l, data.Questions) {
		bank[q.QuestionID] = q
	}
	joined := 0
	for _, a := range laketest.All(t, l, data.Answers) {
		if q, ok := bank[a.QuestionID]; ok {
			joined++
			if int(a.Options) != len(q.Options) || a.OffersCannot == q.YesNo {
				t.Errorf("%+v is no answer to %+v", a, q)
			}
		}
	}
	// Both questions about the cat's colour and the one about the day are in both files.
	if joined != 3 {
		t.Errorf("%d answers found their question, want 3", joined)
	}
}

func TestResultsRefused(t *testing.T) {
	t.Parallel()
	// The faulty row is the third line of the file.
	row := func(answer, rest string) string {
		return "{\"nat_001\": [\n{\"question\": \"p\", \"choices\": [\"a\", \"b\"], \"ground_truth\": \"a\", \"model_answer\": \"a\", \"model_response\": \"A\", \"is_correct\": true, \"is_cannot_answer\": false, \"score\": 1.0},\n" +
			`{"question": "q", "choices": ["a", "b"], "ground_truth": "a", "model_answer": ` + answer + `, "model_response": "A", ` + rest + "}\n]}"
	}
	for name, c := range map[string]struct {
		content string
		want    []string
	}{
		"truncated": {goodResults[:300], []string{`bad.json:4:38: the text ends in the middle of a value: it was cut off; fetch or write it again`}},
		"contradictions": {row(`"b"`, `"is_correct": true, "is_cannot_answer": true, "score": 1.0`), []string{
			`bad.json:3:121: is_correct is true, but model_answer, ground_truth and choices make it false: correct the wrong one`,
			`bad.json:3:147: is_cannot_answer is true, but model_answer makes it false: correct the wrong one`,
			`bad.json:3:162: score is 1, but an answer that is incorrect with 2 options scores 0: correct the wrong one`}},
		"cannot score": {row(`"Cannot answer from the caption"`, `"is_correct": false, "is_cannot_answer": true, "score": 0.5501`), []string{
			`bad.json:3:192: score is 0.5501, but an answer that is cannot with 2 options scores 0.55: correct the wrong one`}},
		"unknown answer": {row(`"c"`, `"is_correct": false, "is_cannot_answer": false, "score": 0`), []string{
			`bad.json:3:79: the model's answer "c" is not one of the options offered: write one of them, or null for a reply that names none`}},
		"wrong types": {row(`3`, `"is_correct": "true", "is_cannot_answer": null, "score": "1"`), []string{
			`bad.json:3:79: "model_answer" is a number where a string belongs: correct it`,
			`bad.json:3:119: "is_correct" is a string where a boolean belongs: correct it`,
			`bad.json:3:147: "is_cannot_answer" is null where a boolean belongs: correct it`,
			`bad.json:3:162: "score" is a string where a number belongs: correct it`}},
		"field twice": {row(`"a"`, `"is_correct": true, "is_cannot_answer": false, "score": 1, "score": 1`), []string{
			`bad.json:3:166: the key "score" was given on line 3 already: keep one of the two`}},
		"missing": {row(`"a"`, `"is_correct": true, "is_cannot_answer": false`), []string{`bad.json:3:1: the question has no "score": add it`}},
		"bad key": {strings.Replace(row(`"a"`, `"is_correct": true, "is_cannot_answer": false, "score": 1`), `"b"], "ground_truth": "a"`, `"b"], "ground_truth": "z"`, 2), []string{
			`bad.json:2:58: the answer "z" is the text of no option: write the right option's text, or its capital letter`,
			`bad.json:3:58: the answer "z" is the text of no option: write the right option's text, or its capital letter`}},
		"invalid UTF-8": {row("\"a\xc0\"", `"is_correct": true, "is_cannot_answer": false, "score": 1`), []string{
			`bad.json:3:81: ` + notUTF8,
			`bad.json:3:79: the model's answer "a` + "\ufffd" + `" is not one of the options offered: write one of them, or null for a reply that names none`}},
		"image twice": {strings.Replace(goodResults, "emb_001", "nat_001", 1), []string{
			`bad.json:9:2: the key "nat_001" was given on line 2 already: keep one of the two`}},
		"yes/no that cannot": {strings.Replace(row(`"Cannot answer from the caption"`, `"is_correct": false, "is_cannot_answer": true, "score": 0.55`), `"q", "choices"`, `"Is it?", "choices"`, 1), []string{
			`bad.json:3:84: the model's answer "Cannot answer from the caption" is not one of the options offered: write one of them, or null for a reply that names none`}},
	} {
		t.Run(name, func(t *testing.T) {
			l := laketest.New(t)
			mustLoad(t, l, textSource("good.json", goodResults), Options{Captioner: "gpt-4o", Prompt: "Simple", Reader: "qwen2.5-72b"})
			mustRefuse(t, l, textSource("bad.json", c.content), resultsOptions, c.want...)
		})
	}
}

// The published file of results loads, and its figures are those of the authors' own summary.
func TestResultsParity(t *testing.T) {
	t.Parallel()
	file := laketest.Shared(t, "parity/captionqa_results.json")
	content, err := os.ReadFile(laketest.Shared(t, "parity/captionqa_results_summary.json"))
	must.Succeed(t, err)
	var want struct {
		Questions int     `json:"questions"`
		Correct   int     `json:"correct"`
		Cannot    int     `json:"cannot"`
		Average   float64 `json:"average_score"`
	}
	must.Succeed(t, json.Unmarshal(content, &want))
	l := laketest.New(t)
	result := mustLoad(t, l, pathSource(file), resultsOptions)
	got := want
	got.Questions, got.Correct, got.Cannot = result.Rows["answers"], 0, 0
	total, images := 0.0, map[string]bool{}
	for _, a := range laketest.All(t, l, data.Answers) {
		switch captionqa.Outcome(a.Outcome) {
		case captionqa.Correct:
			got.Correct++
		case captionqa.Cannot:
			got.Cannot++
		}
		total += a.Score
		images[a.ImageID] = true
	}
	if average := total / float64(got.Questions); len(images) != 5 || math.Abs(average-want.Average) > 1e-12 {
		t.Errorf("%d images with the average %v, want 5 with %v", len(images), average, want.Average)
	}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// BenchmarkIngestResults loads a result file of the official size: 33,027 answers about 657 images.
func BenchmarkIngestResults(b *testing.B) {
	content := officialResults(33027, 657)
	b.SetBytes(int64(len(content)))
	b.ReportAllocs()
	for b.Loop() {
		l := laketest.New(b)
		result := mustLoad(b, l, textSource("results.json", content), resultsOptions)
		if result.Rows["answers"] != 33027 {
			b.Fatalf("got %+v", result)
		}
	}
	b.ReportMetric(33027*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
	reportPeak(b)
}

// reportPeak reports the greatest resident size of the process.
func reportPeak(b *testing.B) {
	status, err := os.ReadFile("/proc/self/status") // Only Linux tells the greatest resident size.
	if err != nil {
		return
	}
	var kilobytes float64
	if _, peak, ok := strings.Cut(string(status), "VmHWM:"); ok {
		if _, err := fmt.Sscan(peak, &kilobytes); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(kilobytes/1024, "peak-MB")
}

// officialResults makes a result file in the authors' layout, with indent 2.
func officialResults(questions, images int) string {
	prefixes := []string{"nat", "doc", "ecom", "emb"}
	var out strings.Builder
	out.WriteString("{")
	for image := range images {
		if image > 0 {
			out.WriteString(",")
		}
		fmt.Fprintf(&out, "\n  \"%s_%03d\": [", prefixes[image%4], image)
		for i := image; i < questions; i += images {
			options := []string{"the left one of them", "the right one of them", "neither of the two", "both, one after the other"}[:2+i%3]
			answer, response, correct, cannot, score := fmt.Sprintf("%q", options[0]), "A", true, false, 1.0
			switch i % 5 {
			case 1:
				answer, response, correct, score = fmt.Sprintf("%q", options[1]), "B", false, 0
			case 2:
				answer, response, correct, cannot = fmt.Sprintf("%q", captionqa.CannotOption), "C", false, true
				score = captionqa.FileScore(captionqa.Score(captionqa.Cannot, len(options)))
			case 3:
				answer, response, correct, score = "null", "I think", false, 0
			}
			if i > image {
				out.WriteString(",")
			}
			choices, err := json.Marshal(options)
			if err != nil {
				panic(err)
			}
			fmt.Fprintf(&out, `
    {
      "question": "Which of the things in picture %d does number %d point at?",
      "choices": %s,
      "ground_truth": %q,
      "model_answer": %s,
      "model_response": %q,
      "is_correct": %t,
      "is_cannot_answer": %t,
      "score": %v,
      "category": "Spatial - Layout"
    }`, image, i, choices, options[0], answer, response, correct, cannot, score)
		}
		out.WriteString("\n  ]")
	}
	out.WriteString("\n}\n")
	return out.String()
}
