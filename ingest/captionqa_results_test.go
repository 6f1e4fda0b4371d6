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
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

var resultsOptions = Options{Captioner: "gpt-5", Prompt: "Simple", Reader: "qwen2.5-72b"}

// The published file of results loads, and its figures are the figures of the authors' own summary.
func TestResultsParity(t *testing.T) {
	t.Parallel()
	file := must.Shared(t, "parity/captionqa_results.json")
	content := must.Read(t, must.Shared(t, "parity/captionqa_results_summary.json"))
	var want struct {
		Questions int     `json:"questions"`
		Correct   int     `json:"correct"`
		Cannot    int     `json:"cannot"`
		Average   float64 `json:"average_score"`
	}
	must.Succeed(t, json.Unmarshal(content, &want))
	l := laketest.New(t)
	result := mustLoad(t, l, pathSource(file), resultsOptions)
	got := want // whose average is of scores rounded to four decimals
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
	if average := total / float64(got.Questions); len(images) != 5 || math.Abs(average-want.Average) > 5e-5 {
		t.Errorf("%d images with the average %v, want 5 with %v", len(images), average, want.Average)
	}
	expect.Equal(t, got, want)
}

// BenchmarkIngestResults loads a result file of the official size: 33,027 answers about 657 images.
func BenchmarkIngestResults(b *testing.B) {
	content := officialResults(33027, 657)
	b.SetBytes(int64(len(content)))
	b.ReportAllocs()
	for b.Loop() {
		l := laketest.New(b)
		result := mustLoad(b, l, textSource(b, "results.json", content), resultsOptions)
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
		must.Get(fmt.Sscan(peak, &kilobytes))(b)
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
			options := []string{"the left one of them", "the right one of them", "neither of the two",
				"both, one after the other"}[:2+i%3]
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
