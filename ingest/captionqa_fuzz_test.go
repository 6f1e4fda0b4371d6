package ingest

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// fuzzLimit bounds what a fuzzer tries: longer texts teach nothing new and take time.
const fuzzLimit = 1 << 14

// fuzzFormat loads texts as a format: nothing panics, a refused text leaves the lake as it was and names the file, and
// a text that was taken is not taken a second time.
func fuzzFormat(f *testing.F, format string, o Options, bank string, seeds ...string) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
		f.Add([]byte(seed[:len(seed)/2]))
	}
	for _, seed := range []string{"", "{", "[]", "null", "{}", `{"nat_001": null}`, `{"nat_001": []}`, `{"nat_001": [{}]}`, "{\"\xff\": \"\\ud800\"}", `{"a": 1e999}`} {
		f.Add([]byte(seed))
	}
	o.Format = format
	o.Domain = "Street"
	// One lake serves all tries: a refused text must not change it anyhow, and a taken one replaces the last.
	l := laketest.New(f)
	if bank != "" {
		mustLoad(f, l, textSource("bank.json", bank), Options{})
	}
	before := lakeFiles(f, l)
	f.Fuzz(func(t *testing.T, content []byte) {
		if len(content) > fuzzLimit {
			t.Skip("larger than inputs that say something new")
		}
		s := textSource("fuzz.json", string(content))
		if _, err := Load(t.Context(), l, s, o); err != nil {
			var faults *Faults
			if !errors.As(err, &faults) {
				t.Fatalf("an error that is no fault: %v", err)
			}
			for _, fault := range faults.All {
				if fault.Line < 1 || fault.Col < 1 || fault.Message == "" {
					t.Fatalf("a fault without a place: %+v", fault)
				}
			}
			if after := lakeFiles(t, l); !maps.Equal(before, after) {
				t.Fatal("the lake changed")
			}
			return
		}
		before = lakeFiles(t, l)
		if again, err := Load(t.Context(), l, s, o); err != nil || again.Changed {
			t.Fatalf("loading again gave %+v, %v", again, err)
		}
		for answer, err := range data.Scan(l, data.Answers) {
			must.Succeed(t, err)
			if answer.Score < 0 || answer.Score > 1 || answer.Options < 2 {
				t.Fatalf("got %+v", answer)
			}
		}
	})
}

func FuzzCaptions(f *testing.F) {
	fuzzFormat(f, "captions", resultsOptions, "", example(f, "captions", "captions.json"), `{"nat_001": "a", "x/nat_001.png": "b"}`)
}

func FuzzBankJSON(f *testing.F) {
	fuzzFormat(f, "captionqa-bank-json", Options{}, "", example(f, "bank_json", "bank.json"))
}

func FuzzResults(f *testing.F) {
	fuzzFormat(f, "captionqa-results", resultsOptions, "", example(f, "results", "results.json"))
}

func FuzzLmmsEval(f *testing.F) {
	log := example(f, "lmms_eval_samples", "logs/Qwen__Qwen2.5-VL-3B-Instruct/20260101_000000_samples_captionqa_natural.jsonl")
	fuzzFormat(f, "lmms-eval-samples", resultsOptions, example(f, "bank_json", "bank.json"), log, strings.Replace(log, "0.38333333333333336", "NaN", 1))
}

func FuzzLmmsResults(f *testing.F) {
	results := example(f, "lmms_eval_results", "20260101_results.json")
	fuzzFormat(f, "lmms-eval-results", resultsOptions, "", results, strings.Replace(results, "0.78", "NaN", 1))
}

func FuzzCaptionRecords(f *testing.F) {
	fuzzFormat(f, "captions", Options{Captioner: "m", Prompt: "Simple"}, "", `[{"image_id": 42, "caption": "A bed."}]`, `{"file_name":"kitchen.png","text":"A red kettle."}`+"\n{}",
		"image,caption\nkitchen,a\n", "image\tcaption\nkitchen\ta\n", `{"captions": {"a": "b"}, "annotations": [{"id": 1, "text": ""}]}`, "image,caption\n\"a")
}
