package ingest

import (
	"strings"
	"testing"

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
