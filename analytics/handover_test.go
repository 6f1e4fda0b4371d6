package analytics

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/analytics/spark"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// asSparkWould computes what a script asks for: of a copy of the lake with DuckDB, as folders of the shape that Spark writes. It returns
// the names of the folds.
func asSparkWould(t *testing.T, lake *data.Lake, models []Model, folder string) []string {
	t.Helper()
	x, err := exportFolds(t.Context(), lake, models, folder, Addresses{}, RunOptions{})
	must.Succeed(t, err)
	h, err := readHandover(folder)
	must.Succeed(t, err)
	whole := copyWithoutMarts(t, lake)
	if _, err := Build(t.Context(), whole, models, RunOptions{}); err != nil {
		t.Fatal(err)
	}
	e := testEngine(t, engineConfig{unlocked: true})
	var counts []string
	for _, m := range models {
		covered, ok := h.Folds[m.Name]
		if !ok {
			continue
		}
		var columns []string
		for _, c := range m.Columns {
			if c.made == "" {
				columns = append(columns, c.Name)
			}
		}
		from := whole
		if m.sums() { // of the units that are covered alone
			from = copyWithoutMarts(t, lake)
			units, err := from.Units(data.Answers)
			must.Succeed(t, err)
			for unit := range units {
				if !slices.Contains(covered.Units, unit) {
					must.Succeed(t, from.Remove(unit))
				}
			}
			if _, err := Build(t.Context(), from, models, RunOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		rows := fmt.Sprintf("select %s from read_parquet(%s)", quoteNames(columns), quote(globEscape.Replace(from.Path(martFile(m.Name)))))
		if m.byUnit() && m.By == nil {
			rows += " where unit in (" + strings.Trim(quoteList(covered.Units), "[]") + ")"
		}
		write(t, e, rows, filepath.Join(folder, m.Name, "part-00000.zstd.parquet"))
		counts = append(counts, fmt.Sprintf("select %s as folder, count(*) as n_rows from (%s)", quote(m.Name), rows))
	}
	if len(counts) > 0 {
		write(t, e, fmt.Sprintf("select %s as script, '4.3.0 0123456789abcdef' as version, folder, n_rows from (%s)", quote(h.Script), strings.Join(counts, " union all ")),
			filepath.Join(folder, spark.Finished, "part-00000.zstd.parquet"))
	}
	return x.Folds
}

// write writes rows to a Parquet file in a folder of its own.
func write(t *testing.T, e *engine, rows, file string) {
	t.Helper()
	must.Succeed(t, os.RemoveAll(filepath.Dir(file)))
	must.Succeed(t, os.MkdirAll(filepath.Dir(file), 0o777))
	must.Succeed(t, e.exec(t.Context(), fmt.Sprintf("copy (%s) to %s (format parquet)", rows, quote(file))))
}

// contents are the digests of the rows of all marts of a lake, and their engines.
func contents(t *testing.T, lake *data.Lake, models []Model) (rows, engines map[string]string) {
	t.Helper()
	rows, engines = map[string]string{}, map[string]string{}
	for _, m := range models {
		metadata, _ := martMetadata(lake, m.Name)
		if metadata[contentKey] == "" {
			t.Errorf("there is no mart %s", m.Name)
		}
		rows[m.Name], engines[m.Name] = metadata[contentKey], metadata[engineKey]
	}
	return rows, engines
}

// TestFoldsOfAnotherEngine takes folds in as a lake changes. After each step the rows of every mart are byte for byte those of a lake that
// DuckDB computed alone, a script covers what is missing and no more, and the marts say who computed them.
func TestFoldsOfAnotherEngine(t *testing.T) {
	models := foldModels(t)
	lake := laketest.New(t)
	stem := func(unit string) string { return data.Unit{Stage: "test/answers", Name: unit}.FileStem() }
	for _, step := range []struct {
		name   string
		do     func()
		folds  string // that the script computes
		units  string // of by_unit that it covers
		beside func() // between script and results
		theirs string // units of by_unit that are of the other engine afterwards; all that it covers when empty
	}{
		{name: "first units", do: func() {
			addRows(t, lake, data.Answers, "m-1", answer("m-1", "Natural", "q1"), answer("m-1", "Natural", "q2"))
			addRows(t, lake, data.Answers, "m-2", answer("m-2", "Natural", "q1"))
		}, folds: "stale_answers by_unit by_captioner by_question", units: "m-1 m-2"},
		{name: "one more", do: func() { addRows(t, lake, data.Answers, "m-3", answer("m-3", "Natural", "q2")) },
			folds: "stale_answers by_unit by_question", units: "m-3", theirs: "m-1 m-2 m-3"},
		{name: "one replaced", do: func() { addRows(t, lake, data.Answers, "m-2", answer("m-2", "Natural", "q2")) },
			folds: "stale_answers by_unit by_question", units: "m-2", theirs: "m-1 m-2 m-3"},
		{name: "one more, and another while the engine works", do: func() { addRows(t, lake, data.Answers, "m-4", answer("m-4", "Natural", "q3")) },
			folds: "stale_answers by_unit by_question", units: "m-4",
			beside: func() { addRows(t, lake, data.Answers, "m-5", answer("m-5", "Natural", "q3")) }, theirs: "m-1 m-2 m-3 m-4"},
		{name: "one removed", do: func() {
			must.Succeed(t, lake.Remove(stem("m-1")))
		}, folds: "stale_answers by_question", theirs: "m-2 m-3 m-4"},
	} {
		step.do()
		folder := filepath.Join(t.TempDir(), "folds [1]")
		if got := strings.Join(asSparkWould(t, lake, models, folder), " "); got != step.folds {
			t.Errorf("%s: the script computes %q, want %q", step.name, got, step.folds)
		}
		h, err := readHandover(folder)
		must.Succeed(t, err)
		var want []string
		for unit := range strings.FieldsSeq(step.units) {
			want = append(want, stem(unit))
		}
		if got := h.Folds["by_unit"].Units; !slices.Equal(got, want) {
			t.Errorf("%s: the script covers %v, want %v", step.name, got, want)
		}
		if step.beside != nil {
			step.beside()
		}
		o := RunOptions{}
		if step.folds != "" {
			o.Folds = folder
		}
		if _, err := Build(t.Context(), lake, models, o); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		whole := copyWithoutMarts(t, lake)
		if _, err := Build(t.Context(), whole, models, RunOptions{}); err != nil {
			t.Fatal(err)
		}
		rows, engines := contents(t, lake, models)
		wantRows, _ := contents(t, whole, models)
		for name, want := range wantRows {
			if rows[name] != want {
				t.Errorf("%s: the rows of %s are not DuckDB's", step.name, name)
			}
		}
		theirs := step.theirs
		if theirs == "" {
			theirs = step.units
		}
		metadata, _ := martMetadata(lake, "by_unit")
		state := heldState(metadata)
		var by []string
		for unit := range strings.FieldsSeq(theirs) {
			by = append(by, stem(unit))
		}
		for unit := range state.Units {
			if theirs := slices.Contains(by, unit); theirs != (state.Engines[unit] == "Spark 4.3.0") {
				t.Errorf("%s: unit %s was computed by %q", step.name, unit, state.Engines[unit])
			}
		}
		if (len(by) > 0) != (engines["by_unit"] == "Spark 4.3.0") {
			t.Errorf("%s: the mart says %q", step.name, engines["by_unit"])
		}
	}
	// DuckDB computes anew what the other engine did when it is asked for by name, and the fingerprint is another then.
	before, _ := martMetadata(lake, "by_unit")
	if reports, err := Build(t.Context(), lake, models, RunOptions{}); err != nil || reportOf(reports, "by_unit").State != StateUnchanged {
		t.Errorf("%v %v", reports, err)
	}
	if reports, err := Build(t.Context(), lake, models, RunOptions{Own: true}); err != nil || reportOf(reports, "by_unit").State != StateBuilt {
		t.Errorf("%v %v", reports, err)
	}
	after, _ := martMetadata(lake, "by_unit")
	if after[engineKey] != "" || after[contentKey] != before[contentKey] || after[printKey] == before[printKey] {
		t.Errorf("before %v, after %v", before, after)
	}
}

// TestResultsThatAreNotWhole breaks the results of another engine in every way that was seen or feared: the error says what is wrong and
// what to do, and no file of the lake's marts changes.
func TestResultsThatAreNotWhole(t *testing.T) {
	models := foldModels(t)
	lake := laketest.New(t)
	addRows(t, lake, data.Answers, "m-1", answer("m-1", "Natural", "q1"), answer("m-1", "Natural", "q2"))
	if _, err := Build(t.Context(), lake, models, RunOptions{}); err != nil {
		t.Fatal(err)
	}
	addRows(t, lake, data.Answers, "m-2", answer("m-2", "Natural", "q1"), answer("m-2", "Natural", "q2"))
	addRows(t, lake, data.Questions, "bank", data.Question{QuestionID: "q9", ImageID: "i", Domain: "Documents", Source: "bank"})
	folder := filepath.Join(t.TempDir(), "folds")
	asSparkWould(t, lake, models, folder)
	before := martFiles(t, lake)
	parent := t.TempDir()
	e := testEngine(t, engineConfig{folders: []string{parent}})
	part := filepath.Join("by_unit", "part-00000.zstd.parquet")
	for _, c := range []struct {
		name string
		do   func(t *testing.T, e *engine, folder string)
		want string
		hint string
	}{
		{"no script", func(t *testing.T, _ *engine, folder string) { remove(t, folder, handoverFile) }, "has no folds.json", "--export"},
		{"a script that was cut off", func(t *testing.T, _ *engine, folder string) { cut(t, folder, handoverFile) }, "folds.json: ", "export the script again"},
		{"killed before the end", func(t *testing.T, _ *engine, folder string) { remove(t, folder, spark.Finished) }, "the folder finished, which the script writes last, is missing", "run the script again"},
		{"the end of another script", func(t *testing.T, e *engine, folder string) {
			again(t, e, folder, spark.Finished, "select * replace ('0123' as script) from rows")
		}, "results of another script (0123", "run the script again"},
		{"a fold that was not computed", func(t *testing.T, e *engine, folder string) {
			again(t, e, folder, spark.Finished, "select * from rows where folder <> 'by_unit'")
		}, "the script did not get to by_unit", "run the script again"},
		{"a file that is missing", func(t *testing.T, _ *engine, folder string) { remove(t, folder, part) }, "by_unit has 0 rows, and the engine wrote", "copy all of its folders"},
		{"a file of another run", func(t *testing.T, _ *engine, folder string) {
			content, err := os.ReadFile(filepath.Join(folder, part))
			must.Succeed(t, errors.Join(err, os.WriteFile(filepath.Join(folder, "by_unit", "part-00001.parquet"), content, 0o666)))
		}, "were left from another run", "run the script again"},
		{"a file that was cut off", func(t *testing.T, _ *engine, folder string) { cut(t, folder, part) }, "part-00000.zstd.parquet cannot be read", "run the script again"},
		{"a column too few", func(t *testing.T, e *engine, folder string) {
			again(t, e, folder, "by_unit", "select * exclude (n) from rows")
		}, "column n of by_unit is missing", "run the script again"},
		{"a column too many", func(t *testing.T, e *engine, folder string) {
			again(t, e, folder, "by_unit", "select *, 1 as more from rows")
		}, "by_unit has no column more", "run the script again"},
		{"another type", func(t *testing.T, e *engine, folder string) {
			again(t, e, folder, "by_unit", "select * replace (cast(n as decimal(38,0)) as n) from rows")
		}, "column n of by_unit is a decimal(38,0), not a bigint", "run the script again"},
		{"text for a number", func(t *testing.T, e *engine, folder string) {
			again(t, e, folder, "by_question", "select * replace (cast(n as varchar) as n) from rows")
		}, "column n of by_question is a varchar, not a bigint", "run the script again"},
		{"a key twice", func(t *testing.T, e *engine, folder string) {
			again(t, e, folder, "by_unit", "select * from rows union all select * from rows")
			again(t, e, folder, spark.Finished, "select * replace (case folder when 'by_unit' then n_rows * 2 else n_rows end as n_rows) from rows")
		}, "rows share the key unit, captioner, image_id", "run the script again"},
		{"a value out of its range", func(t *testing.T, e *engine, folder string) {
			again(t, e, folder, "by_unit", "select * replace (cast(0 as bigint) as n) from rows")
		}, "check failed: n 1..", "run the script again"},
	} {
		t.Run(c.name, func(t *testing.T) {
			broken := filepath.Join(parent, c.name)
			must.Succeed(t, os.CopyFS(broken, os.DirFS(folder)))
			c.do(t, e, broken)
			refused(t, lake, models, broken, c.want, c.hint)
			after := martFiles(t, lake)
			for name, content := range before {
				if after[name] != content {
					t.Errorf("%s has changed", name)
				}
			}
		})
	}
	t.Run("rows that the engine lost", func(t *testing.T) {
		counting := slices.Clone(models)
		i := slices.IndexFunc(counting, func(m Model) bool { return m.Name == "by_unit" })
		counting[i].Counts = "n"
		broken := filepath.Join(parent, "lost")
		must.Succeed(t, os.CopyFS(broken, os.DirFS(folder)))
		again(t, e, broken, "by_unit", "select * from rows limit 1")
		again(t, e, broken, spark.Finished, "select * replace (case folder when 'by_unit' then 1 else n_rows end as n_rows) from rows")
		refused(t, lake, counting, broken, "by_unit counts 1 rows of unit", "the rows that Spark 4.3.0 computed are not those of the table")
	})
	// The results are of the lake as it was, or of nothing.
	addRows(t, lake, data.Answers, "m-2", answer("m-2", "Natural", "q3"))
	refused(t, lake, models, folder, "another state of the lake: unit "+data.Unit{Stage: "test/answers", Name: "m-2"}.FileStem()+" of answers was replaced", "export the script again")
	must.Succeed(t, lake.Remove(data.Unit{Stage: "test/answers", Name: "m-2"}.FileStem()))
	refused(t, lake, models, folder, "of answers is gone", "export the script again")
	addRows(t, lake, data.Answers, "m-2", answer("m-2", "Natural", "q1"), answer("m-2", "Natural", "q2"))
	addRows(t, lake, data.Questions, "another bank", data.Question{QuestionID: "q8", ImageID: "i", Domain: "Documents", Source: "bank"})
	asSparkWould(t, lake, models, folder)
	addRows(t, lake, data.Questions, "a third bank", data.Question{QuestionID: "q7", ImageID: "i", Domain: "Documents", Source: "bank"})
	refused(t, lake, models, folder, "questions has got units since", "export the script again")
}

// hintOf is the next step that an error names.
func hintOf(err error) string {
	var hint *data.HintError
	if errors.As(err, &hint) {
		return hint.Hint
	}
	return ""
}

// refused takes results in, which must fail.
func refused(t *testing.T, lake *data.Lake, models []Model, folder, want, hint string) {
	t.Helper()
	_, err := Build(t.Context(), lake, models, RunOptions{Folds: folder})
	if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(hintOf(err), hint) {
		t.Errorf("error %v, hint %q; want %q, %q", err, hintOf(err), want, hint)
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
func again(t *testing.T, e *engine, folder, name, query string) {
	t.Helper()
	file := filepath.Join(folder, name, "part-00000.zstd.parquet")
	must.Succeed(t, e.exec(t.Context(), fmt.Sprintf("create or replace temp table rows as from read_parquet(%s)", quote(file))))
	write(t, e, query, file)
}

// TestEveryFoldCanBeHandedOver exports a lake with a row in every big table: the script has every fold, and is the same the second time.
func TestEveryFoldCanBeHandedOver(t *testing.T) {
	models, err := Models()
	must.Succeed(t, err)
	lake := laketest.New(t)
	addRows(t, lake, data.Answers, "a", answer("m-1", "Natural", "q1"))
	addRows(t, lake, data.Calls, "c", data.Call{RequestHash: "h", Stage: "answer"})
	addRows(t, lake, data.Captions, "c", data.Caption{ImageID: "i", Captioner: "m-1", Prompt: "it's; a \\ \"prompt\"", Caption: "A cat."})
	addRows(t, lake, data.Annotations, "n", data.Annotation{Benchmark: "capability", Dimension: "style", SampleID: "s", Value: "it's; \\ black"})
	addRows(t, lake, data.Judgments, "j", data.Judgment{Benchmark: "capability", Dimension: "style", SampleID: "s", Verdict: "positive"})
	addRows(t, lake, data.ElementAnswers, "e", data.ElementAnswer{Benchmark: "capability", Dimension: "style", SampleID: "s", Outcome: "correct"})
	addRows(t, lake, data.Battles, "b", data.Battle{BattleID: "b"})
	addRows(t, lake, data.Votes, "v", data.Vote{BattleID: "b"})
	var texts []string
	for range 2 {
		folder := filepath.Join(t.TempDir(), "folds")
		x, err := ExportFolds(t.Context(), lake, folder, Addresses{Lake: "s3a://bucket/lake/", Results: "s3a://bucket/folds"}, RunOptions{Sampling: SamplingOptions{PoolPrompts: []string{"it's", "Simple"}}})
		must.Succeed(t, err)
		for _, m := range models {
			if m.Fold != "" && !slices.Contains(x.Folds, m.Name) {
				t.Errorf("the script does not compute %s", m.Name)
			}
		}
		text, err := os.ReadFile(x.Script)
		must.Succeed(t, err)
		texts = append(texts, string(text))
	}
	for _, want := range []string{
		"path 's3a://bucket/lake/answers/" + data.Unit{Stage: "test/answers", Name: "a"}.FileStem() + ".parquet'",
		"insert overwrite directory 's3a://bucket/folds/captionqa_node_sums'",
		`array_contains(array('Simple', 'it\'s'), x)`,
		"('capability', 'style', ",
	} {
		if !strings.Contains(texts[0], want) {
			t.Errorf("the script has no %q", want)
		}
	}
	if texts[0] != texts[1] {
		t.Error("the script is another one the second time")
	}
	if files, err := filepath.Glob(lake.Path("marts/*")); err != nil || len(files) > 0 {
		t.Errorf("the lake has %v (%v)", files, err)
	}
}
