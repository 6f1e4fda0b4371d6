package ingest

import (
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/laketest"
)

// Fields of no use are passed over however long they are, such as pictures in a log.
func TestLmmsLongFields(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	log := `{"doc_id": 0, "target": "nat_001", "filtered_resps": "A cat.", "media": "` + strings.Repeat("A",
		300<<10) + `"}`
	if r := mustLoad(t, l, textSource(t, "log.jsonl", log), resultsOptions); r.Format != "lmms-eval-samples" ||
		r.Rows["captions"] != 1 {
		t.Errorf("%+v", r)
	}
}
