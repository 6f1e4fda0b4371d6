package build

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/ingest"
)

func init() { laketest.Reader = ask.Read }

func testEngine(t testing.TB, c engine.Config) *engine.Engine {
	t.Helper()
	c.Spill = filepath.Join(t.TempDir(), "spill")
	if c.Options.Threads == 0 {
		c.Options.Threads = 1 // Rows are few: more threads take longer.
	}
	e := must.Get(engine.Open(context.Background(), c))(t)
	t.Cleanup(func() { must.Succeed(t, e.Close()) })
	return e
}

// macroEngine has the macros, and no tables.
func macroEngine(t testing.TB) *engine.Engine {
	t.Helper()
	e := testEngine(t, engine.Config{})
	must.Succeed(t, e.Exec(t.Context(), engine.Macros))
	return e
}

// built builds models of a lake.
func built(t testing.TB, lake *data.Lake, models []sqlmodel.Model) []Report {
	t.Helper()
	return must.Get(Build(t.Context(), lake, models, Options{}))(t)
}

// referenceLake is a lake with the papers' figures and the registry.
func referenceLake(t testing.TB) *data.Lake {
	t.Helper()
	lake := laketest.New(t)
	must.Get(ingest.LoadReference(t.Context(), lake))(t)
	return lake
}

func joinRows(rows [][]string) string {
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(strings.Join(r, ",") + "\n")
	}
	return b.String()
}

// modelsWith are the named models and the models that they read, in building order.
func modelsWith(t testing.TB, names ...string) []sqlmodel.Model {
	t.Helper()
	patterns := []string{"+stale_answers"} // which answers count, every model of answers must know
	for _, name := range names {
		patterns = append(patterns, "+"+name)
	}
	return must.Get(sqlmodel.Select(sqlmodel.All(), patterns))(t)
}

// addRows commits rows as one unit.
func addRows[T any](t testing.TB, lake *data.Lake, table data.Table[T], unit string, rows ...T) {
	t.Helper()
	laketest.Put(t, lake, table, table.Name()+" "+unit, rows...)
}

// stem is the unit that addRows makes.
func stem(table, unit string) string {
	return data.Unit{Stage: "test", Name: table + " " + unit}.FileStem()
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
	if _, err := ask.Query(t.Context(), lake, query, ask.Options{Format: format}, &out); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return out.String()
}

// selected are the values of a query's rows as texts.
func selected(t *testing.T, e *engine.Engine, query string) [][]string {
	t.Helper()
	_, rows, err := e.Strings(t.Context(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return rows
}
