package ask

import (
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// A unit that was run again has several rows in runs. A join by the unit takes one of them when it
// asks for the current one.
func TestCurrentRun(t *testing.T) {
	lake := laketest.New(t)
	for range 2 {
		laketest.Put(t, lake, data.Models, "one", data.Model{ModelID: "m-1"}, data.Model{ModelID: "m-2"})
	}
	laketest.Put(t, lake, data.Models, "two", data.Model{ModelID: "m-3"})
	expect.Equal(t, asked(t, lake, "csv",
		"select count(*) as n, count(*) filter (where current) as n_current from models join runs using (unit)"),
		"n,n_current\n5,3\n")
	expect.Equal(t, asked(t, lake, "csv", "select execution from runs where current order by 1"), "execution\n1\n2\n")
}

// Before the models are built, what reads marts says what to do, and what reads tables alone is
// there.
func TestShortcutsBeforeTheModels(t *testing.T) {
	lake := sampleLake(t)
	expect.Equal(t, asked(t, lake, "csv", "select count(*) as n from SPENT()"), "n\n0\n")
	for _, query := range []string{"from leaderboard('Simple')", "from answers_wide", "from counted_answers"} {
		var out strings.Builder
		_, err := Query(t.Context(), lake, query, Options{}, &out)
		laketest.Hint(t, err, "captionlake analyze")
	}
}

// A lake whose marts are not built has no samples, which is no error; there is no other kind.
func TestSamplesBeforeTheModels(t *testing.T) {
	r := openReader(t, sampleLake(t))
	for range 2 {
		must.Succeed(t, r.Samples(t.Context(), "questions", "items", 0, 0,
			func(arrow.RecordBatch) error { t.Error("there is a sample"); return nil }))
	}
	expect.Failure(t, r.Samples(t.Context(), "../questions", "items", 0, 0,
		func(arrow.RecordBatch) error { return nil }))
}

// The sandbox takes what the shortcuts give as examples.
func TestShortcutsAreAllowed(t *testing.T) {
	e := bareDuckDB(t, "")
	for _, s := range sqlmodel.Shortcuts() {
		if one, err := isOneSelect(t.Context(), e, s.Example, false); !one || err != nil {
			t.Errorf("%s: %q: %v", s.Name, s.Example, err)
		}
	}
}
