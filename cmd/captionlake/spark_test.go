package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/analytics/spark"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// pyspark is the release that the results were compared with.
const pyspark = "pyspark==4.3.0"

// sparkProgram installs Spark into an environment of its own, or uses the one that
// CAPTIONLAKE_SPARK names.
func sparkProgram(t *testing.T) string {
	t.Helper()
	python := python3(t)
	if out, err := exec.CommandContext(t.Context(), "java", "-version").CombinedOutput(); err != nil {
		t.Skipf("Spark needs Java 17: %v %s", err, out)
	}
	venv := os.Getenv("CAPTIONLAKE_SPARK")
	if venv == "" {
		venv = filepath.Join(t.TempDir(), "venv")
		for _, command := range [][]string{
			{python, "-m", "venv", venv},
			{filepath.Join(venv, "bin", "pip"), "install", "--quiet", "--disable-pip-version-check", pyspark},
		} {
			if out, err := exec.CommandContext(t.Context(), command[0], command[1:]...).CombinedOutput(); err != nil {
				t.Skipf("%s cannot be had: %v\n%s", pyspark, err, out)
			}
		}
	}
	return filepath.Join(venv, "bin", spark.Command)
}

// TestFoldsOnSpark computes every fold of a lake on Spark and on DuckDB and compares the marts row
// by row. The lake has extreme values, and simulated rows in many units.
func TestFoldsOnSpark(t *testing.T) {
	laketest.Slow(t, "installs Spark from PyPI and computes all folds of a lake on it")
	program := sparkProgram(t)
	dir := t.TempDir()
	config := filepath.Join(dir, "spark.yaml")
	text := fmt.Sprintf("spark:\n  command: %s\n"+
		"  arguments: [--master, 'local[2]', --driver-memory, 2g, --conf, spark.sql.shuffle.partitions=4, "+
		"--driver-java-options, -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m]\n", program)
	t.Setenv("PYSPARK_PYTHON", filepath.Join(filepath.Dir(program), "python"))
	must.Write(t, config, text)
	ours, theirs := filepath.Join(dir, "DuckDB"), filepath.Join(dir, "a lake {on} Spark")
	command(t, "-q", "--lake", ours, "simulate", "--scale", "0.02")
	command(t, "-q", "--lake", ours, "simulate", "--scale", "0.02", "--benchmark", data.BenchmarkCapArena)
	addAwkwardRows(t, ours)
	must.Succeed(t, os.CopyFS(theirs, os.DirFS(ours)))
	command(t, "-q", "--lake", theirs, "analyze", "--engine", "spark", "--config", config)
	command(t, "-q", "--lake", ours, "analyze")
	for _, m := range sqlmodel.All() {
		rows, engine := int64(0), ""
		for _, pattern := range []string{"marts/" + m.Name + ".parquet", "marts/" + m.Name + "/*.parquet"} {
			for _, file := range must.Get(fs.Glob(os.DirFS(ours), pattern))(t) {
				n, by := compareMarts(t, file, ours, theirs)
				rows, engine = rows+n, by
			}
		}
		if m.Fold != "" && (rows == 0 || engine != "Spark "+strings.TrimPrefix(pyspark, "pyspark==")) {
			t.Errorf("%s has %d rows, by %q: the lake shows nothing of it", m.Name, rows, engine)
		}
	}
	expect.Refusal(os.Stat(filepath.Join(theirs, "journal", "spark")))(t, os.ErrNotExist)
}

// compareMarts compares a file of a mart of two lakes value by value, in the order of the file,
// which is the order of the key. It returns the number of rows, and which engine computed them.
func compareMarts(t *testing.T, file, ours, theirs string) (rows int64, engine string) {
	t.Helper()
	open := func(lake string) *parquet.File {
		content := must.Read(t, filepath.Join(lake, file))
		return must.Get(parquet.OpenFile(bytes.NewReader(content), int64(len(content))))(t)
	}
	one, other := open(ours), open(theirs)
	engine, _ = other.Lookup("captionlake.engine")
	if one.Schema().String() != other.Schema().String() || one.NumRows() != other.NumRows() {
		t.Errorf("%s: %d rows of %s, and %d of %s", file, one.NumRows(), one.Schema(), other.NumRows(), other.Schema())
		return 0, engine
	}
	next := func(f *parquet.File) func() []parquet.Row {
		r := parquet.NewReader(f)
		return func() []parquet.Row {
			batch := make([]parquet.Row, 512)
			n, err := r.ReadRows(batch)
			if err != nil && !errors.Is(err, io.EOF) {
				t.Fatal(err)
			}
			return batch[:n]
		}
	}
	for a, b := next(one), next(other); ; {
		left, right := a(), b()
		for i, row := range left {
			if i >= len(right) || !row.Equal(right[i]) {
				t.Errorf("%s: DuckDB has %v, Spark %v", file, row, right[min(i, len(right)-1)])
				return 0, engine
			}
		}
		if rows += int64(len(left)); len(left) == 0 {
			return rows, engine
		}
	}
}

// addAwkwardRows writes the rows that the SELECTs of testdata/awkward make: values on which engines
// might disagree, and for every table rows with a missing origin.
func addAwkwardRows(t *testing.T, dir string) {
	t.Helper()
	lake := must.Get(data.Waiter{Reader: ask.Read}.Edit(dir, "test"))(t)
	defer func() { must.Succeed(t, lake.Close()) }()
	addAwkward(t, lake, data.Answers)
	addAwkward(t, lake, data.Captions)
	addAwkward(t, lake, data.Calls)
	addAwkward(t, lake, data.Battles)
	addAwkward(t, lake, data.Votes)
	addAwkward(t, lake, data.Annotations)
	addAwkward(t, lake, data.Judgments)
	addAwkward(t, lake, data.ElementAnswers)
}

func addAwkward[T any](t *testing.T, lake *data.Lake, table data.Table[T]) {
	t.Helper()
	made := must.Read(t, filepath.Join("testdata", "awkward", "rows.sql"))
	query := must.Read(t, filepath.Join("testdata", "awkward", table.Name()+".sql"))
	commit(t, lake, table, must.Get(data.QueryAll[T](lake, string(made)+string(query)))(t))
}

// commit writes rows as two units, so that sums over units are sums of several.
func commit[T any](t *testing.T, lake *data.Lake, table data.Table[T], rows []T) {
	t.Helper()
	half := len(rows) / 2
	for i, part := range [][]T{rows[:half], rows[half:]} {
		laketest.Put(t, lake, table, fmt.Sprint(table.Name(), i), part...)
	}
}

// TestAnalyzeWithoutSpark runs a program instead of Spark that fails as Spark may fail. The error
// says why and what to do, and no file of the lake changes.
func TestAnalyzeWithoutSpark(t *testing.T) {
	must.Slow(t)
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	dir := t.TempDir()
	lakeDir := filepath.Join(dir, "lake")
	lake := must.Get(data.Create(lakeDir, "test"))(t)
	commit(t, lake, data.Captions,
		[]data.Caption{{ImageID: "i", Captioner: "m", Prompt: "p"}, {ImageID: "j", Captioner: "m", Prompt: "p"}})
	must.Succeed(t, lake.Close())
	config, program := filepath.Join(dir, "c.yaml"), filepath.Join(dir, "spark-sql")
	must.Write(t, config, "spark: {command: "+program+"}\n")
	analyze := func(args ...string) (code int, stderr string) {
		var out, said bytes.Buffer
		code = run(append([]string{"--lake", lakeDir, "analyze", "--config", config}, args...), strings.NewReader(""),
			&out, &said)
		return code, said.String()
	}
	before := filesOf(t, lakeDir)
	results := `cd "$(dirname "$PWD")"; `
	for _, c := range []struct{ name, program, want string }{
		{"not found", "", "spark-sql cannot be started"},
		{"out of memory", "echo 'java.lang.OutOfMemoryError: Java heap space'; exit 3", "java.lang.OutOfMemoryError"},
		{"killed in the middle",
			results + "mkdir stale_captions; echo half > stale_captions/part-0.parquet; kill -9 $$", "signal: killed"},
		{"a half-written folder and no word of it",
			results + "mkdir stale_captions; echo half > stale_captions/part-0.parquet",
			"the folder finished, which the script writes last, cannot be read"},
	} {
		if c.program != "" {
			must.Succeed(t, os.WriteFile(program, []byte("#!/bin/sh\n"+c.program+"\n"), 0o777))
		}
		code, said := analyze("--engine", "spark")
		expect.Equal(t, code == exitOK, false, c.name)
		expect.Contains(t, said, c.want, "Try: ")
		expect.Equal(t, filesOf(t, lakeDir), before, c.name)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--engine", "sparc"}, "did you mean spark?"},
		{[]string{"--folds", dir}, "add --engine spark"},
		{[]string{"--export", dir}, "add --engine spark"},
		{[]string{"--engine", "duckdb", "--folds", dir}, "add --engine spark"},
		{[]string{"--engine", "spark", "--export", dir, "--folds", dir}, "none of the others can be"},
		{[]string{"--engine", "spark", "--folds", dir}, "is not whole"},
	} {
		code, said := analyze(c.args...)
		expect.Equal(t, code == exitOK, false, c.args)
		expect.Contains(t, said, c.want)
	}
}

// filesOf lists the files of a lake with their sizes and times, except the engine's log, the cache,
// and the files by which writers coordinate.
func filesOf(t *testing.T, dir string) (files []string) {
	t.Helper()
	must.Succeed(t, filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if !info.IsDir() && !strings.HasPrefix(filepath.ToSlash(name), "cache/") &&
			!strings.HasPrefix(filepath.ToSlash(name), "journal/") {
			files = append(files, fmt.Sprintf("%s %d %v", name, info.Size(), info.ModTime()))
		}
		return err
	}))
	return files
}
