package ingest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/laketest"
)

// Fields of no use are passed over however long they are: pictures in a log, and 70 KiB of other benchmarks before the figures.
func TestLmmsLongFields(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	log := `{"doc_id": 0, "target": "nat_001", "filtered_resps": "A cat.", "media": "` + strings.Repeat("A", 300<<10) + `"}`
	if r := mustLoad(t, l, textSource("log.jsonl", log), resultsOptions); r.Format != "lmms-eval-samples" || r.Rows["captions"] != 1 {
		t.Errorf("%+v", r)
	}
	figures := example(t, "lmms_eval_results", "20260101_results.json")
	figures = strings.Replace(figures, `"results": {`, `"results": {"ocr": {"alias": "`+strings.Repeat("o", 70<<10)+`", "ocr_accuracy,none": 0.1},`, 1)
	if r := mustLoad(t, l, textSource("results.json", figures), judged); r.Format != "lmms-eval-results" || r.Rows["published"] != 5 {
		t.Errorf("%+v", r)
	}
}

// FuzzWithoutNaN replaces Python's numbers: the text keeps its length, its line feeds keep their places, and JSON that has
// none of them is not changed.
func FuzzWithoutNaN(f *testing.F) {
	for _, seed := range []string{`{"a": NaN, "b": "NaN \" Infinity", "c": [-Infinity, Infinity]}`, "NaN", `"NaN`, "{\n\"a\": NaN\n}", ""} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got := withoutNaN(text)
		if len(got) != len(text) || strings.Count(string(got), "\n") != strings.Count(string(text), "\n") {
			t.Fatalf("%q became %q", text, got)
		}
		if json.Valid(text) && string(got) != string(text) {
			t.Fatalf("%q became %q", text, got)
		}
	})
}

// The judge's server went away in the middle of a log: that stretch failed, and what it answered before counts. A reader that guesses a
// fifth of its answers right, and one that says cannot, are no failures.
func TestJudgeThatWentAway(t *testing.T) {
	t.Parallel()
	many := func(n int, outcomes ...captionqa.Outcome) (rows []data.Answer) {
		for i := range n {
			rows = append(rows, data.Answer{Outcome: string(outcomes[i%len(outcomes)]), Options: 4, OffersCannot: true})
		}
		return rows
	}
	const wrong = captionqa.Incorrect
	guessed := many(2000, captionqa.Correct, wrong, wrong, wrong, wrong)
	for name, c := range map[string]struct {
		rows   []data.Answer
		failed int
	}{
		"all wrong, many":        {many(40, wrong), 40},
		"all wrong, few":         {many(20, wrong), 0},
		"all cannot":             {many(100, captionqa.Cannot), 0},
		"guessing":               {guessed, 0},
		"went away in the end":   {slices.Concat(guessed, many(200, wrong)), 204}, // with the four wrong ones before
		"went away and was back": {slices.Concat(many(3, captionqa.Correct), many(200, wrong), many(3, captionqa.Correct)), 200},
	} {
		if failed := failUnreached(c.rows); failed != c.failed {
			t.Errorf("%s: %d failed, want %d", name, failed, c.failed)
		}
	}
}
