package build

import (
	"fmt"
	"testing"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// listModel is a model that gathers so many numbers into a list, which DuckDB cannot spill.
func listModel(t *testing.T, name string, numbers int) sqlmodel.Model {
	t.Helper()
	return must.Get(sqlmodel.Parse(name+".sql", fmt.Sprintf(`-- what: how many numbers a list has
-- key: [n]
-- source: none
-- columns:
--   n: [bigint, count, 1.., numbers]

select len(list(i)) as n from range(%d) as t (i)
where i not in (select cast(len(model_id) as bigint) - 100 from models);
`, numbers)))(t)
}

// TestShortOfMemory builds three models side by side. Each needs most of the memory that SQL may
// use, and one that needs more than all of it.
func TestShortOfMemory(t *testing.T) {
	must.Slow(t)
	lake := laketest.New(t)
	addRows(t, lake, data.Models, "m", data.Model{ModelID: "m"})
	const numbers = 8_000_000
	models := []sqlmodel.Model{
		listModel(t, "a", numbers), listModel(t, "b", numbers), listModel(t, "c", numbers),
		listModel(t, "too_much", 10*numbers),
	}
	reports, err := Build(t.Context(), lake, models, Options{Engine: engine.Options{MemoryLimit: "200MB", Threads: 4}})
	for _, m := range []string{"a", "b", "c"} {
		if got := reportOf(reports, m); got.State != StateBuilt || got.Rows != 1 {
			t.Errorf("%s: %+v, %v", m, got, err)
		}
	}
	expect.Equal(t, reportOf(reports, "too_much").State, StateFailed)
	laketest.Hint(t, err, "more than 200MB with --memory", "model too_much: the select failed: Out of Memory Error")
	expect.Lacks(t, err.Error(), "SET ")
}
