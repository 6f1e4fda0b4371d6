package ask

import (
	"strings"
	"testing"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/must"
)

func testEngine(t testing.TB) *engine.Engine {
	t.Helper()
	e := must.Get(engine.Open(t.Context(),
		engine.Config{Spill: t.TempDir(), Options: engine.Options{Threads: 1}}))(t)
	t.Cleanup(func() { must.Succeed(t, e.Close()) })
	return e
}

// answer makes a correct answer to a question that offers the cannot option.
func answer(captioner, domain, question string) data.Answer {
	return data.Answer{
		Protocol: "captionqa/upstream", Reader: "r", Evidence: "caption", Captioner: captioner, Prompt: "Simple",
		QuestionID: question, ImageID: "image of " + question, Domain: domain, Category: "c", Options: 3,
		OffersCannot: true,
		Outcome:      "correct", Score: 1, Provenance: data.ProvenanceSimulated,
	}
}

// asked are the rows of a query in a format.
func asked(t *testing.T, lake *data.Lake, format, query string) string {
	t.Helper()
	var out strings.Builder
	if _, err := Query(t.Context(), lake, query, Options{Format: format}, &out); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return out.String()
}

func fileBytes(t *testing.T, name string) string {
	t.Helper()
	return string(must.Read(t, name))
}
