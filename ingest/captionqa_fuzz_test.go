package ingest

import (
	"errors"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/ingest/tabular"
)

// fuzzLimit bounds what a fuzzer tries: longer texts teach nothing new and take time.
const fuzzLimit = 1 << 14

// FuzzFormats loads texts as a format: nothing panics, a refused text leaves the lake as it was and
// names the file, and a text that was taken is not taken a second time.
func FuzzFormats(f *testing.F) {
	bank := example(f, "bank_json", "bank.json")
	log := example(f, "lmms_eval_samples",
		"logs/Qwen__Qwen2.5-VL-3B-Instruct/20260101_000000_samples_captionqa_natural.jsonl")
	cases := []struct {
		format  string
		options Options
		before  string // what the lake has, if anything
		seeds   []string
		lake    *data.Lake
	}{
		{"captions", resultsOptions, "",
			[]string{example(f, "captions", "captions.json"), `{"nat_001": "a", "x/nat_001.png": "b"}`}, nil},
		{"captions", Options{Captioner: "m", Prompt: "Simple"}, "",
			[]string{`[{"image_id": 42, "caption": "A bed."}]`,
				`{"file_name":"kitchen.png","text":"A red kettle."}` + "\n{}",
				"image,caption\nkitchen,a\n", "image\tcaption\nkitchen\ta\n",
				`{"captions": {"a": "b"}, "annotations": [{"id": 1, "text": ""}]}`, "image,caption\n\"a"}, nil},
		{"captions", resultsOptions, "",
			[]string{`[{"image": "a.jpg", "conversations": [{"from": "gpt", "value": "A."}]}]`,
				`{"custom_id": "a.jpg", "response": {"body": {"choices": [{"message": {"content": "A."}}]}}}`,
				`{"images": [{"id": 1, "file_name": "a.jpg"}], "annotations": [{"image_id": 1, "caption": "A."}]}`}, nil},
		{"references", Options{}, "", []string{"a.jpg#0\tA red kettle .\na.jpg#1\tA kettle .\n"}, nil},
		{"bank", Options{}, "", []string{"index\timage\tquestion\tA\tB\tanswer\n0\tx\tWhat?\ta\t\"b\tB\n",
			`[{"image": "a.jpg", "question": "What?", "choices": "['a', 'b']", "answer": "(B)"}]`,
			"image,question,A,B,answer\na,What?,x,y,A\n"}, nil},
		{"captionqa-bank-json", Options{}, "", []string{bank}, nil},
		{"captionqa-results", resultsOptions, "", []string{example(f, "results", "results.json")}, nil},
		{"lmms-eval-samples", resultsOptions, bank,
			[]string{log, strings.Replace(log, "0.38333333333333336", "NaN", 1)}, nil},
		{"caparena-annotations", Options{Reader: "GPT-4o"}, "", []string{example(f, "arena", "judged.json")}, nil},
		{"caparena-auto", Options{Reader: "GPT-4o"}, "", []string{example(f, "arena_auto", "Ovis-1_6-27b.json")}, nil},
		{"metric-scores", Options{Reader: "SPICE"}, example(f, "arena", "people.json"),
			[]string{"image,captioner,score\ntest_1.jpg,GPT-4o-0806,0.5\ntest_1.jpg,LLama-3.2-90B,1\n",
				`[{"battle": "test_1/0", "score_a": 1, "score_b": null, "metric": "x"}]`}, nil},
		{"benchmark-scores", Options{}, "",
			[]string{"model,benchmark,score\nInternVL2-26B,MMMU,51.2\n",
				`[{"model": "x", "benchmark": "MMMU", "score": 1e2}]`}, nil},
	}
	for i := range cases {
		c := &cases[i]
		for _, seed := range c.seeds {
			f.Add(uint8(i), []byte(seed))
			f.Add(uint8(i), []byte(seed[:len(seed)/2]))
		}
		for _, seed := range []string{"", "{", "[]", "null", "{}", `{"nat_001": null}`, `{"nat_001": []}`,
			`{"nat_001": [{}]}`, "{\"\xff\": \"\\ud800\"}", `{"a": 1e999}`} {
			f.Add(uint8(i), []byte(seed))
		}
		c.options.Format, c.options.Domain = c.format, "Street"
		// One lake serves all tries: a refused text must not change it anyhow, and a taken one replaces
		// the last.
		c.lake = laketest.New(f)
		if c.before != "" {
			mustLoad(f, c.lake, textSource(f, "before.json", c.before), Options{})
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, content []byte) {
		if len(content) > fuzzLimit {
			t.Skip("larger than inputs that say something new")
		}
		c := &cases[int(which)%len(cases)]
		before := lakeFiles(t, c.lake)
		s := textSource(t, "fuzz.json", string(content))
		if _, err := load(t.Context(), c.lake, s, c.options); err != nil {
			faults := &Faults{}
			if !errors.As(err, &faults) && !errors.Is(err, tabular.ErrUnknown) &&
				!errors.Is(err, data.ErrDuplicateKey) {
				t.Fatalf("an error that is no fault: %v", err)
			}
			for _, fault := range faults.All {
				if fault.Path == "" || fault.Message == "" {
					t.Fatalf("a fault without a place: %+v", fault)
				}
			}
			must.Equal(t, before, lakeFiles(t, c.lake), "the lake changed")
			return
		}
		if again, err := load(t.Context(), c.lake, s, c.options); err != nil || again.Changed {
			t.Fatalf("loading again gave %+v, %v", again, err)
		}
		for answer, err := range data.Scan(c.lake, data.Answers) {
			must.Succeed(t, err)
			if answer.Score < 0 || answer.Score > 1 || answer.Options < 2 {
				t.Fatalf("got %+v", answer)
			}
		}
	})
}
