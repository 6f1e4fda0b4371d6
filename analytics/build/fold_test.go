package build

import (
	"crypto/md5"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/sql"
)

// foldModels are the model of answers that do not count and three of the test: a fold by unit, a
// fold by captioner, and a reader of the merged rows of the first.
func foldModels(t *testing.T) []sqlmodel.Model {
	t.Helper()
	models := sqlmodel.Named([]string{sqlmodel.StalePrefix + "answers"})
	for name, text := range map[string]string{
		"by_unit": `key: [unit, captioner, image_id]
-- source: none
-- fold: answers
-- columns:
--   unit: [varchar, unit]
--   captioner: [varchar, captioner]
--   image_id: [varchar, image]
--   n: [bigint, count, 1.., answers]
--   last: [integer, {merge: max}, highest repetition]
--   parts: ["decimal(38,3)", sum of scores]

select unit, captioner, image_id, count(*) as n, max(repeat) as last, sum(cast(score as decimal(18, 3))) as parts
from counted_answers()
group by unit, captioner, image_id;
`,
		"by_question": `key: [captioner, question_id]
-- source: none
-- fold: answers by captioner
-- columns:
--   captioner: [varchar, captioner]
--   question_id: [varchar, question]
--   n: [bigint, count, 1.., answers]
--   first: [varchar, image]

select captioner, question_id, count(*) as n, min(image_id) as first
from counted_answers()
group by captioner, question_id;
`,
		"by_image": `key: [captioner, image_id]
-- source: none
-- columns:
--   captioner: [varchar, captioner]
--   image_id: [varchar, image]
--   n: [bigint, count, 1.., answers]
--   last: [integer, highest repetition]

select captioner, image_id, n, last
from merged_by_unit();
`} {
		models = append(models, must.Get(sqlmodel.Parse(name+".sql", "-- what: w\n-- "+text))(t))
	}
	slices.SortFunc(models, func(a, b sqlmodel.Model) int { return strings.Compare(a.Name, b.Name) })
	return sqlmodel.Order(models)
}

// smallBuckets gives every unit of a test a bucket of its own, or nearly so.
func smallBuckets(t *testing.T) {
	t.Helper()
	bucket := bucketRows
	bucketRows = 1
	t.Cleanup(func() { bucketRows = bucket })
}

// filesOfMarts are the contents of all marts of a lake and of their record.
func filesOfMarts(t *testing.T, lake *data.Lake) map[string]string {
	t.Helper()
	files := map[string]string{}
	must.Succeed(t, filepath.WalkDir(lake.Path("marts"), func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files[strings.TrimPrefix(name, lake.Path("marts")+"/")] = string(must.Read(t, name))
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}))
	return files
}

// isTheWhole fails the test unless the marts of a lake are, byte for byte, the marts of a copy that
// has been built at once.
func isTheWhole(t *testing.T, lake *data.Lake, models []sqlmodel.Model, tried ...any) {
	t.Helper()
	whole := copyWithoutMarts(t, lake)
	built(t, whole, models)
	expect.Equal(t, filesOfMarts(t, lake), filesOfMarts(t, whole), tried...)
}

// TestFoldsInPartsEqualTheWhole changes a lake step by step. After each step the marts that were
// carried on are byte for byte the marts of a lake without marts, and only units that changed were
// computed.
func TestFoldsInPartsEqualTheWhole(t *testing.T) {
	smallBuckets(t)
	models := foldModels(t)
	lake := laketest.New(t)
	given := func(captioner, question string, repeat int32, call string) data.Answer {
		a := answer(captioner, "Natural", question)
		a.Repeat, a.RequestHash, a.Category = repeat, strings.Repeat(call, 12), "c"
		if call != "" {
			digest := fmt.Sprintf("%x", md5.Sum([]byte("A cat.")))
			a.CaptionDigest = &digest
		}
		return a
	}
	call := func(hash string, repeat int32) data.Call {
		return data.Call{RequestHash: strings.Repeat(hash, 12), Repeat: repeat, Stage: "answer"}
	}
	question := func(id string) data.Question {
		return data.Question{QuestionID: id, ImageID: "image of " + id, Domain: "Natural", Category: "c",
			Source: "bank", Options: []string{"a", "b"}}
	}
	caption := func(captioner, id, text string) data.Caption {
		return data.Caption{ImageID: "image of " + id, Captioner: captioner, Prompt: "Simple", Caption: text}
	}
	remove := func(units ...string) {
		t.Helper()
		for _, u := range units {
			must.Succeed(t, lake.Remove(u))
		}
	}
	var last time.Time
	for _, step := range []struct {
		name  string
		do    func()
		stale int64
		by    string // rows of by_image: captioner, answers
	}{
		{"empty", func() {}, 0, ""},
		{"loaded answers", func() {
			addRows(t, lake, data.Answers, "m-1", given("m-1", "q1", 0, ""), given("m-1", "q2", 0, ""))
		}, 0, "m-1 2"},
		{"another unit", func() { addRows(t, lake, data.Answers, "m-2", given("m-2", "q1", 0, "")) }, 0,
			"m-1 2; m-2 1"},
		{"repetitions in another unit",
			func() { addRows(t, lake, data.Answers, "m-1 again", given("m-1", "q1", 1, "")) }, 0, "m-1 3; m-2 1"},
		{"a unit replaced",
			func() { addRows(t, lake, data.Answers, "m-2", given("m-2", "q1", 0, ""), given("m-2", "q2", 0, "")) }, 0,
			"m-1 3; m-2 2"},
		{"answers without a call", func() { addRows(t, lake, data.Answers, "m-3", given("m-3", "q1", 0, "a")) }, 1,
			"m-1 3; m-2 2"},
		{"their call", func() { addRows(t, lake, data.Calls, "m-3", call("a", 0)) }, 1, "m-1 3; m-2 2"},
		{"their caption", func() { addRows(t, lake, data.Captions, "m-3", caption("m-3", "q1", "A cat.")) }, 1,
			"m-1 3; m-2 2"},
		{"their bank", func() { addRows(t, lake, data.Questions, "bank", question("q1"), question("q2")) }, 0,
			"m-1 3; m-2 2; m-3 1"},
		{"another caption", func() { addRows(t, lake, data.Captions, "m-3", caption("m-3", "q1", "A dog.")) }, 1,
			"m-1 3; m-2 2"},
		{"the first caption again", func() { addRows(t, lake, data.Captions, "m-3", caption("m-3", "q1", "A cat.")) },
			0, "m-1 3; m-2 2; m-3 1"},
		{"the call removed", func() { remove(stem("calls", "m-3")) }, 1, "m-1 3; m-2 2"},
		{"a bank without a question", func() { addRows(t, lake, data.Questions, "bank", question("q1")) }, 3,
			"m-1 2; m-2 1"},
		{"units removed", func() {
			remove(stem("answers", "m-1"), stem("answers", "m-3"), stem("captions", "m-3"), stem("questions", "bank"))
		}, 0, "m-1 1; m-2 2"},
		{"many small units", func() {
			for i := range 20 {
				addRows(t, lake, data.Answers, fmt.Sprintf("s-%02d", i), given("s", fmt.Sprintf("q%d", i), 0, ""))
			}
		}, 0, "m-1 1; m-2 2; s 20"},
		{"a unit without rows", func() { addRows(t, lake, data.Answers, "none") }, 0, "m-1 1; m-2 2; s 20"},
		{"a unit of two captioners", func() {
			addRows(t, lake, data.Answers, "both", given("m-2", "q3", 0, ""), given("s", "q22", 0, ""))
		}, 0, "m-1 1; m-2 3; s 21"},
		{"the captioners apart again", func() { remove(stem("answers", "both")) }, 0, "m-1 1; m-2 2; s 20"},
		{"one of them added, one replaced, one removed", func() {
			addRows(t, lake, data.Answers, "s-09 again", given("s", "q9", 1, ""))
			addRows(t, lake, data.Answers, "s-05", given("t", "q5", 0, ""))
			remove(stem("answers", "s-12"))
		}, 0, "m-1 1; m-2 2; s 19; t 1"},
	} {
		step.do()
		last = time.Now()
		built(t, lake, models)
		var stale int64
		for _, count := range Stale(lake) {
			stale += count.Rows
		}
		expect.Equal(t, stale, step.stale, step.name)
		expect.Equal(t, len(must.Get(Behind(lake))(t)), 0, step.name)
		by := `select string_agg(captioner || ' ' || n, '; ' order by captioner) as n from (select captioner, sum(n) as n
			from ` +
			sql.Quote(lake.Path("marts/by_image.parquet")) + " group by captioner)"
		expect.Equal(t, asked(t, lake, "csv", by), "n\n"+step.by+"\n", step.name)
		isTheWhole(t, lake, models, step.name)
	}
	parts, kept := map[string]int{}, map[string]int{}
	for name := range filesOfMarts(t, lake) {
		mart, _, _ := strings.Cut(name, "/")
		parts[mart]++
		if must.Get(os.Stat(lake.Path("marts/" + name)))(t).ModTime().Before(last) {
			kept[mart]++
		}
	}
	for _, mart := range []string{"by_unit", "stale_answers"} {
		if parts[mart] != 32 || kept[mart] < 28 || kept[mart] == 32 {
			t.Errorf("of %d buckets of %s %d were kept when three units of 22 had changed", parts[mart],
				mart, kept[mart])
		}
	}
	expect.Equal(t, fmt.Sprint(parts["by_question"], kept["by_question"]), "4 2")
}

// TestMartsOfGoneModelsAreRemoved builds without models that the lake has marts of, which would
// never be up to date again. A file that is not analyze's stays.
func TestMartsOfGoneModelsAreRemoved(t *testing.T) {
	models, lake := foldModels(t), laketest.New(t)
	addRows(t, lake, data.Answers, "m-1", answer("m-1", "Natural", "q1"))
	built(t, lake, models)
	must.Write(t, lake.Path("marts/mine.parquet"), "mine")
	addRows(t, lake, data.Answers, "m-2", answer("m-2", "Natural", "q1"))
	less := slices.DeleteFunc(models,
		func(m sqlmodel.Model) bool { return m.Name == "by_image" || m.Name == "by_question" })
	must.Get(Build(t.Context(), lake, less, Options{Select: []string{"by_unit"}}))(t)
	for _, kept := range []bool{true, false} {
		for _, file := range []string{"marts/by_image.parquet", "marts/by_question/00.parquet"} {
			if _, err := os.Stat(lake.Path(file)); (err == nil) != kept {
				t.Errorf("%s: %v", file, err)
			}
		}
		built(t, lake, less)
	}
	must.Get(os.Stat(lake.Path("marts/mine.parquet")))(t)
}

// TestModelIsTriedTwice carries a model out again in the same run, as one that found too little
// memory is: it removes nothing that is its.
func TestModelIsTriedTwice(t *testing.T) {
	models, lake := foldModels(t), laketest.New(t)
	addRows(t, lake, data.Answers, "m-1", answer("m-1", "Natural", "q1"))
	built(t, lake, models)
	want := filesOfMarts(t, lake)
	must.Succeed(t, withBuilder(t.Context(), lake, Options{FullRefresh: true}, func(b *builder) error {
		for _, m := range models {
			for range 2 {
				if state, _, err := b.inTurn(t.Context(), m); err != nil || state != StateBuilt {
					t.Errorf("%s: %s, %v", m.Name, state, err)
				}
			}
		}
		return nil
	}))
	expect.Equal(t, filesOfMarts(t, lake), want)
}

// TestOnlyFoldsReadBigTables holds what each model reads, by the tables that its select and audits
// name, against its header: nothing that the inputs do not list, and no big table unless the model
// is a fold.
func TestOnlyFoldsReadBigTables(t *testing.T) {
	models := sqlmodel.All()
	e := testEngine(t, engine.Config{})
	known := map[string]bool{}
	for _, name := range sqlmodel.TableNames() {
		known[name] = true
	}
	for _, m := range models {
		known[m.Name] = true
	}
	for _, m := range models {
		reads := map[string]bool{}
		for _, input := range m.Inputs {
			reads[input] = false
		}
		for _, audit := range append([]sqlmodel.Audit{{Name: "select", Query: m.Select}}, m.Audits...) {
			for _, table := range tablesOf(t, e, audit.Query) {
				if _, listed := reads[table]; !listed && known[table] && table != m.Name {
					t.Errorf("%s, %s: %s is read and not among the inputs", m.Name, audit.Name, table)
				}
				reads[table] = true
			}
		}
		for input, read := range reads {
			if !read {
				t.Errorf("%s: the input %s is not read", m.Name, input)
			}
			if isBig(input) && m.Fold == "" {
				t.Errorf("%s reads %s and is not a fold", m.Name, input)
			}
		}
	}
}

// tablesOf lists the tables that a query names, and the tables behind rows that count and behind
// merged rows.
func tablesOf(t *testing.T, e *engine.Engine, query string) []string {
	t.Helper()
	var tables []string
	own := map[string]bool{} // common table expressions, which may have the name of a table
	var walk func(node any)
	walk = func(node any) {
		switch n := node.(type) {
		case []any:
			for _, child := range n {
				walk(child)
			}
		case map[string]any:
			if name, ok := n["table_name"].(string); ok && n["type"] == "BASE_TABLE" {
				tables = append(tables, name)
			}
			if name, ok := n["function_name"].(string); ok {
				tables = append(tables, sql.Reads(name+"()")...)
			}
			if ctes, ok := n["cte_map"].(map[string]any); ok {
				for _, cte := range ctes["map"].([]any) {
					own[cte.(map[string]any)["key"].(string)] = true
				}
			}
			for _, child := range n {
				walk(child)
			}
		}
	}
	rows := selected(t, e, "select cast(json_serialize_sql("+sql.Quote(query)+") as varchar)")
	var tree any
	must.Succeed(t, json.Unmarshal([]byte(rows[0][0]), &tree))
	walk(tree)
	return slices.DeleteFunc(tables, func(name string) bool { return own[name] })
}
