package ask

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/must"
)

func testEngine(t testing.TB, c engine.Config) *engine.Engine {
	t.Helper()
	c.Spill = filepath.Join(t.TempDir(), "spill")
	if c.Options.Threads == 0 {
		c.Options.Threads = 1 // Rows are few: more threads take longer.
	}
	e := must.Get(engine.Open(context.Background(), c))(t)
	t.Cleanup(func() {
		must.Succeed(t, e.Close())
	})
	return e
}

func joinRows(rows [][]string) string {
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(strings.Join(r, ",") + "\n")
	}
	return b.String()
}

// modelsWith are the named models and those that they read, in building order.
func modelsWith(t testing.TB, names ...string) []sqlmodel.Model {
	t.Helper()
	models := sqlmodel.All()
	names = append(names, "stale_answers") // which answers count, every model of answers must know
	for _, m := range slices.Backward(models) {
		if slices.Contains(names, m.Name) {
			names = append(names, m.Inputs...)
		}
	}
	return slices.DeleteFunc(models, func(m sqlmodel.Model) bool { return !slices.Contains(names, m.Name) })
}

// addRows commits rows as one unit.
func addRows[T any](t testing.TB, lake *data.Lake, table data.Table[T], unit string, rows ...T) {
	t.Helper()
	tx := must.Get(lake.Begin(data.Unit{Stage: "test/" + table.Name(), Name: unit, Provenance: data.ProvenanceSimulated, Fingerprint: fmt.Sprint(time.Now())}))(t)
	defer tx.Abort()
	w := must.Get(data.NewRowWriter(tx, table))(t)
	must.Succeed(t, w.Write(rows...))
	must.Succeed(t, tx.Commit())
}

// answer makes a correct answer to a question that offers the cannot option.
func answer(captioner, domain, question string) data.Answer {
	return data.Answer{
		Protocol: "captionqa/upstream", Reader: "r", Evidence: "caption", Captioner: captioner, Prompt: "Simple",
		QuestionID: question, ImageID: "image of " + question, Domain: domain, Category: "c", Options: 3, OffersCannot: true,
		Outcome: "correct", Score: 1, Provenance: data.ProvenanceSimulated,
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
	content := must.Get(os.ReadFile(name))(t)
	return string(content)
}
