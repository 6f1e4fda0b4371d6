package build

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/spark"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/sql"
)

// asSparkWould computes what a script asks for: of a copy of the lake with DuckDB, as folders of
// the shape that Spark writes.
func asSparkWould(t *testing.T, lake *data.Lake, models []sqlmodel.Model, folder string) {
	t.Helper()
	script := must.Get(ExportFolds(t.Context(), lake, models, folder, Addresses{}, Options{}))(t)
	id := regexp.MustCompile(`select '(\w+)' as script`).FindStringSubmatch(string(must.Read(t, script)))[1]
	whole := copyWithoutMarts(t, lake)
	built(t, whole, models)
	e := testEngine(t, engine.Config{Options: engine.Options{Unlocked: true}})
	var counts []string
	for _, m := range models {
		if m.Fold == "" {
			continue
		}
		var columns []string
		for _, c := range m.Columns {
			if c.Made == "" {
				columns = append(columns, c.Name)
			}
		}
		rows := fmt.Sprintf("select %s from read_parquet(%s)", sql.QuoteNames(columns),
			sql.Quote(sql.Pattern(whole.Dir()+"/")+strings.Replace(m.PartFile(0), "00", "[0-9][0-9]", 1)))
		write(t, e, rows, filepath.Join(folder, m.Name, "part-00000.zstd.parquet"))
		counts = append(counts,
			fmt.Sprintf("select %s as folder, count(*) as n_rows from (%s)", sql.Quote(m.Name), rows))
	}
	write(t, e, fmt.Sprintf("select %s as script, '4.3.0 0123456789abcdef' as version, folder, n_rows from (%s)",
		sql.Quote(id), strings.Join(counts, " union all ")),
		filepath.Join(folder, spark.Finished, "part-00000.zstd.parquet"))
}

// write writes rows to a Parquet file in a folder of its own.
func write(t *testing.T, e *engine.Engine, rows, file string) {
	t.Helper()
	must.Succeed(t, os.RemoveAll(filepath.Dir(file)))
	must.Succeed(t, os.MkdirAll(filepath.Dir(file), 0o777))
	must.Succeed(t, e.Exec(t.Context(), fmt.Sprintf("copy (%s) to %s (format parquet)", rows, sql.Quote(file))))
}

// TestFoldsOfAnotherEngine takes folds in as a lake changes. After each step the rows of every mart
// are byte for byte the rows of a lake that DuckDB computed alone, and the folds say who computed
// them.
func TestFoldsOfAnotherEngine(t *testing.T) {
	must.Slow(t)
	models := foldModels(t)
	lake := laketest.New(t)
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"first units", func() {
			addRows(t, lake, data.Answers, "m-1", answer("m-1", "Natural", "q1"), answer("m-1", "Natural", "q2"))
			addRows(t, lake, data.Answers, "m-2", answer("m-2", "Natural", "q1"))
		}},
		{"one more", func() { addRows(t, lake, data.Answers, "m-3", answer("m-3", "Natural", "q2")) }},
		{"one replaced", func() { addRows(t, lake, data.Answers, "m-2", answer("m-2", "Natural", "q2")) }},
	} {
		step.do()
		folder := filepath.Join(t.TempDir(), "folds [1]")
		asSparkWould(t, lake, models, folder)
		must.Get(Build(t.Context(), lake, models, Options{Folds: folder}))(t)
		whole := copyWithoutMarts(t, lake)
		built(t, whole, models)
		for _, m := range models {
			file := m.PartFile(0)
			ours, _ := data.FileMetadata(whole, file)
			theirs, _ := data.FileMetadata(lake, file)
			if ours[contentKey] == "" || ours[contentKey] != theirs[contentKey] {
				t.Errorf("%s: the rows of %s are not DuckDB's", step.name, m.Name)
			}
			if m.Name == "by_unit" && theirs[engineKey] != "Spark 4.3.0" {
				t.Errorf("%s: the mart says %q", step.name, theirs[engineKey])
			}
		}
	}
}

// TestResultsThatAreNotWhole breaks the results of another engine in every way that was seen or
// feared: the error says what is wrong and what to do, and no file of the fold's mart changes.
func TestResultsThatAreNotWhole(t *testing.T) {
	must.Slow(t)
	models := foldModels(t)
	lake := laketest.New(t)
	addRows(t, lake, data.Answers, "m-1", answer("m-1", "Natural", "q1"), answer("m-1", "Natural", "q2"))
	folder := filepath.Join(t.TempDir(), "folds")
	asSparkWould(t, lake, models, folder)
	parent := t.TempDir()
	e := testEngine(t, engine.Config{Folders: []string{parent}})
	part := filepath.Join("by_unit", "part-00000.zstd.parquet")
	const lost = "rows that the engine lost"
	for _, c := range []struct {
		name string
		do   func(t *testing.T, folder string)
		want string
		hint string
	}{
		{"killed before the end",
			func(t *testing.T, folder string) { remove(t, folder, spark.Finished) },
			"the folder finished, which the script writes last, cannot be read", "run the script again"},
		{"the end of another script", func(t *testing.T, folder string) {
			again(t, e, folder, spark.Finished, "select * replace ('0123' as script) from rows")
		}, "results of another script", "export the script again"},
		{"a fold that was not computed", func(t *testing.T, folder string) {
			again(t, e, folder, spark.Finished, "select * from rows where folder <> 'by_unit'")
		}, "by_unit has 2 rows, and Spark wrote none", "run the script again"},
		{"a file that is missing", func(t *testing.T, folder string) { remove(t, folder, part) },
			"by_unit cannot be read", "copy all of its folders"},
		{"a file of another run", func(t *testing.T, folder string) {
			must.Write(t, filepath.Join(folder, "by_unit", "part-00001.parquet"), must.Read(t, filepath.Join(folder, part)))
		}, "were left from another run", "run the script again"},
		{"a file that was cut off", func(t *testing.T, folder string) { cut(t, folder, part) },
			"by_unit cannot be read", "run the script again"},
		{"a column too few", func(t *testing.T, folder string) {
			again(t, e, folder, "by_unit", "select * exclude (n) from rows")
		}, `does not have a column named "n"`, ""},
		{"a key twice", func(t *testing.T, folder string) {
			again(t, e, folder, "by_unit", "select * from rows union all select * from rows")
			again(t, e, folder, spark.Finished,
				"select * replace (case folder when 'by_unit' then n_rows * 2 else n_rows end as n_rows) from rows")
		}, "rows share the key unit, captioner, image_id", ""},
		{"a value out of its range", func(t *testing.T, folder string) {
			again(t, e, folder, "by_unit", "select * replace (cast(0 as bigint) as n) from rows")
		}, "check failed: n 1..", ""},
		{lost, func(t *testing.T, folder string) {
			again(t, e, folder, "by_unit", "select * from rows limit 1")
			again(t, e, folder, spark.Finished,
				"select * replace (case folder when 'by_unit' then 1 else n_rows end as n_rows) from rows")
		}, "counted=1 rows_that_count=2", "the rows that Spark 4.3.0 computed are not those of the table"},
	} {
		t.Run(c.name, func(t *testing.T) {
			models := slices.Clone(models)
			if c.name == lost {
				models[slices.IndexFunc(models, func(m sqlmodel.Model) bool { return m.Name == "by_unit" })].Counts = "n"
			}
			broken := filepath.Join(parent, c.name)
			must.Succeed(t, os.CopyFS(broken, os.DirFS(folder)))
			c.do(t, broken)
			refused(t, lake, models, broken, c.want, c.hint)
			expect.Equal(t, filesOfMarts(t, lake)["by_unit/00.parquet"], "", "by_unit has come")
		})
	}
	// The results are of the lake as it was, or of nothing.
	for _, change := range []func(){
		func() { addRows(t, lake, data.Answers, "m-2", answer("m-2", "Natural", "q3")) },
		func() { must.Succeed(t, lake.Remove(stem("answers", "m-1"))) },
	} {
		change()
		refused(t, lake, models, folder, "has results of another script", "export the script again")
	}
}

// refused takes results in, which must fail.
func refused(t *testing.T, lake *data.Lake, models []sqlmodel.Model, folder, want, hint string) {
	t.Helper()
	_, err := Build(t.Context(), lake, models, Options{Folds: folder})
	expect.Failure(t, err, want)
	if hint != "" {
		laketest.Hint(t, err, hint)
	}
}

func remove(t *testing.T, folder, name string) {
	t.Helper()
	must.Succeed(t, os.RemoveAll(filepath.Join(folder, name)))
}

func cut(t *testing.T, folder, name string) {
	t.Helper()
	info, err := os.Stat(filepath.Join(folder, name))
	must.Succeed(t, errors.Join(err, os.Truncate(filepath.Join(folder, name), info.Size()/2)))
}

// again writes a folder of results again, as a query of its rows says.
func again(t *testing.T, e *engine.Engine, folder, name, query string) {
	t.Helper()
	file := filepath.Join(folder, name, "part-00000.zstd.parquet")
	must.Succeed(t, e.Exec(t.Context(),
		fmt.Sprintf("create or replace temp table rows as from read_parquet(%s)", sql.Quote(file))))
	write(t, e, query, file)
}

// TestEveryFoldCanBeHandedOver exports a lake with a row in every big table: the script has every
// fold, and is the same the second time.
func TestEveryFoldCanBeHandedOver(t *testing.T) {
	must.Slow(t)
	models := sqlmodel.All()
	lake := laketest.New(t)
	addRows(t, lake, data.Answers, "a", answer("m-1", "Natural", "q1"))
	addRows(t, lake, data.Calls, "c", data.Call{RequestHash: "h", Stage: "answer"})
	addRows(t, lake, data.Captions, "c",
		data.Caption{ImageID: "i", Captioner: "m-1", Prompt: "it's; a \\ \"prompt\"", Caption: "A cat."})
	addRows(t, lake, data.Annotations, "n",
		data.Annotation{Benchmark: "capability", Dimension: "style", SampleID: "s", Value: "it's; \\ black"})
	addRows(t, lake, data.Judgments, "j",
		data.Judgment{Benchmark: "capability", Dimension: "style", SampleID: "s", Verdict: "positive"})
	addRows(t, lake, data.ElementAnswers, "e",
		data.ElementAnswer{Benchmark: "capability", Dimension: "style", SampleID: "s", Outcome: "correct"})
	addRows(t, lake, data.Battles, "b", data.Battle{BattleID: "b"})
	addRows(t, lake, data.Votes, "v", data.Vote{BattleID: "b"})
	var texts []string
	for range 2 {
		folder := filepath.Join(t.TempDir(), "folds")
		script := must.Get(ExportFolds(t.Context(), lake, models, folder,
			Addresses{Lake: "s3a://bucket/{a lake}/", Results: "s3a://bucket/folds"},
			Options{Prompts: []string{"it's; \\", "Simple"}}))(t)
		texts = append(texts, string(must.Read(t, script)))
	}
	for _, m := range models {
		if m.Fold != "" {
			expect.Contains(t, texts[0], "insert overwrite directory 's3a://bucket/folds/"+m.Name+"'")
		}
	}
	expect.Contains(t, texts[0],
		`path 's3a://bucket/\\{a lake\\}/answers/{`+
			stem("answers", "a")+"}.parquet'",
		`return prompt in ('Simple', 'it''s; \\');`,
		`{"benchmark":"capability","dimension":"style",`,
	)
	// Tools divide a script at semicolons at the ends of lines, and may take a quotation mark in a
	// comment for the mark of a literal.
	for line := range strings.Lines(texts[0]) {
		if strings.HasPrefix(line, "--") && strings.ContainsAny(line, "\"'`;") {
			t.Errorf("the comment %s", line)
		}
	}
	expect.Equal(t, texts[0], texts[1], "the script is another one the second time")
	expect.Equal(t, len(must.Get(filepath.Glob(lake.Path("marts/*")))(t)), 0)
}
