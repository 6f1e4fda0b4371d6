package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// copyWithoutMarts copies a lake as one that was never analyzed.
func copyWithoutMarts(t *testing.T, lake *data.Lake) *data.Lake {
	t.Helper()
	return copyWithout(t, lake, "marts", "journal")
}

// copyWithout copies a lake, but for some folders.
func copyWithout(t *testing.T, lake *data.Lake, folders ...string) *data.Lake {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "copy")
	copyLake(t, lake.Dir(), dir)
	for _, folder := range folders {
		must.Succeed(t, os.RemoveAll(filepath.Join(dir, folder)))
	}
	whole := must.Get(data.Waiter{}.Edit(dir, "test"))(t)
	t.Cleanup(func() { must.Succeed(t, whole.Close()) })
	return whole
}

// TestDamagedFoldsAreComputedAnew damages the kept mart of each fold. Rows of a file that is not
// what analyze had written are not carried on, though the unit that is added would need none of
// them computed.
func TestDamagedFoldsAreComputedAnew(t *testing.T) {
	must.Slow(t)
	models := foldModels(t)
	analyzed, other := laketest.New(t), laketest.At(t, filepath.Join(t.TempDir(), "other"))
	addRows(t, analyzed, data.Answers, "m-1", answer("m-1", "Natural", "q1"), answer("m-1", "Natural", "q2"))
	addRows(t, other, data.Answers, "m-1", answer("m-1", "Natural", "q1"))
	for _, l := range []*data.Lake{analyzed, other} {
		built(t, l, models)
	}
	for _, damage := range []struct {
		name string
		do   func(file, other string) error
	}{
		{"deleted", func(file, _ string) error { return os.Remove(file) }},
		{"cut off", func(file, _ string) error { return os.Truncate(file, 100) }},
		{"one byte changed", func(file, _ string) error {
			content := must.Read(t, file)
			content[6] ^= 1
			return os.WriteFile(file, content, 0o644)
		}},
		{"another lake's",
			func(file, other string) error { return os.WriteFile(file, must.Read(t, other), 0o644) }},
	} {
		t.Run(damage.name, func(t *testing.T) {
			lake := copyWithout(t, analyzed)
			for _, fold := range []string{"marts/by_unit/00.parquet", "marts/by_question/00.parquet"} {
				must.Succeed(t, damage.do(lake.Path(fold), other.Path(fold)))
			}
			addRows(t, lake, data.Answers, "m-2", answer("m-2", "Natural", "q1"))
			var notes []string
			must.Get(Build(t.Context(), lake, models,
				Options{Note: func(text string) { notes = append(notes, text) }}))(t)
			for _, fold := range []string{"marts/by_unit/00.parquet", "marts/by_question/00.parquet"} {
				expect.Contains(t, strings.Join(notes, "\n"), fold+" was not the file that analyze had written")
			}
			isTheWhole(t, lake, models)
		})
	}
}

// TestFoldsAreHeldAgainstTheirTable builds folds whose select loses a unit, counts one twice, or
// makes rows of a unit that is not there.
func TestFoldsAreHeldAgainstTheirTable(t *testing.T) {
	const header = `-- what: w
-- key: [unit, image_id]
-- source: none
-- fold: answers
-- checks: {rows: COUNTS}
-- columns:
--   unit: [varchar, unit]
--   image_id: [varchar, image]
--   n: [bigint, count, 1.., answers]

`
	a, b := stem("answers", "a"), stem("answers", "b")
	lake := laketest.New(t)
	addRows(t, lake, data.Answers, "a", answer("m-1", "Natural", "q1"), answer("m-1", "Natural", "q2"))
	addRows(t, lake, data.Answers, "b", answer("m-2", "Natural", "q1"), answer("m-2", "Natural", "q3"))
	for _, c := range []struct{ name, counts, query, want string }{
		{"right", "n", "select unit, image_id, count(*) as n from answers group by unit, image_id", ""},
		{"a unit lost", "n",
			"select unit, image_id, count(*) as n from answers where captioner = 'm-1' group by unit, image_id",
			"unit=" + b + " counted=0 rows_that_count=2"},
		{"rows lost", "1", "select unit, image_id, 1 as n from answers where question_id <> 'q3'",
			"unit=" + b + " counted=1 rows_that_count=2"},
		{"a unit counted twice", "n",
			`select unit, image_id, count(*) as n from (from answers union all from answers where captioner = 'm-2')
				group by unit, image_id`,
			"unit=" + b + " counted=4 rows_that_count=2"},
		{"repeated by a join", "n",
			`select a.unit, a.image_id, count(*) as n from answers as a inner join answers as b using (captioner)
				group by a.unit, a.image_id`,
			"unit=" + a + " counted=4 rows_that_count=2\n  unit=" + b + " counted=4 rows_that_count=2"},
		{"no such unit", "n", "select 'c' as unit, image_id, count(*) as n from answers group by image_id",
			"unit=c counted=4 rows_that_count=∅"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(header, "COUNTS", c.counts, 1) + c.query + ";\n"
			models := []sqlmodel.Model{must.Get(sqlmodel.Parse("by_image.sql", text))(t)}
			if c.want == "" {
				built(t, lake, models)
				return
			}
			expect.Refusal(Build(t.Context(), lake, models, Options{}))(t, c.want)
		})
	}
}

// unheldFolds are the folds by unit that reduce but some of the rows of their table, so that its
// files do not say how many.
var unheldFolds = map[string]string{
	"captionqa_images": "sums of captionqa_image_sums, which is held",
	"parser_sums":      "answers that two ways of reading can read alone",
	"calls_by_item":    "calls of judges of battles and of the construction alone",
	"calls_by_second":  "replies to readers' requests alone",
}

// TestFoldsSayWhatTheyCount: a fold by unit is held against its table unless there is a reason.
func TestFoldsSayWhatTheyCount(t *testing.T) {
	for _, m := range sqlmodel.All() {
		if !m.Merges() {
			continue
		}
		if _, excepted := unheldFolds[m.Name]; excepted == (m.Counts != "") {
			t.Errorf("%s: counts is %q, and the list of folds that have none says %v", m.Name, m.Counts, excepted)
		}
	}
}
