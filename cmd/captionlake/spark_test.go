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
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/captionlake/captionlake/analytics/spark"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// pyspark is the release that the results were compared with.
const pyspark = "pyspark==4.3.0"

// sparkProgram installs Spark into an environment of its own, or uses the one that CAPTIONLAKE_SPARK names.
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
// by row. The lake has awkward values, and simulated rows in many units.
func TestFoldsOnSpark(t *testing.T) {
	laketest.Slow(t, "installs Spark from PyPI and computes all folds of a lake on it")
	program := sparkProgram(t)
	models := sqlmodel.All()
	dir := t.TempDir()
	config := filepath.Join(dir, "spark.yaml")
	text := fmt.Sprintf("spark:\n  command: %s\n"+
		"  arguments: [--master, 'local[2]', --driver-memory, 2g, --conf, spark.sql.shuffle.partitions=4, --driver-java-options, -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m]\n", program)
	t.Setenv("PYSPARK_PYTHON", filepath.Join(filepath.Dir(program), "python"))
	must.Succeed(t, os.WriteFile(config, []byte(text), 0o666))
	ours, theirs := filepath.Join(dir, "DuckDB"), filepath.Join(dir, "a lake {on} Spark")
	command(t, "-q", "--lake", ours, "simulate", "--scale", "0.02")
	command(t, "-q", "--lake", ours, "simulate", "--scale", "0.02", "--benchmark", data.BenchmarkCapArena)
	addAwkwardRows(t, ours)
	must.Succeed(t, os.CopyFS(theirs, os.DirFS(ours)))
	command(t, "-q", "--lake", theirs, "analyze", "--engine", "spark", "--config", config)
	command(t, "-q", "--lake", ours, "analyze")
	for _, m := range models {
		rows, engine := int64(0), ""
		for _, pattern := range []string{"marts/" + m.Name + ".parquet", "marts/" + m.Name + "/*.parquet"} {
			files := must.Get(fs.Glob(os.DirFS(ours), pattern))(t)
			for _, file := range files {
				n, by := compareMarts(t, file, ours, theirs)
				rows, engine = rows+n, by
			}
		}
		if m.Fold != "" && (rows == 0 || engine != "Spark "+strings.TrimPrefix(pyspark, "pyspark==")) {
			t.Errorf("%s has %d rows, by %q: the lake shows nothing of it", m.Name, rows, engine)
		}
	}
	if _, err := os.Stat(filepath.Join(theirs, "journal", "spark")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what Spark wrote is left: %v", err)
	}
}

// compareMarts compares a file of a mart of two lakes value by value, in the order of the file,
// which is that of the key. It returns the number of rows, and which engine computed them.
func compareMarts(t *testing.T, file, ours, theirs string) (rows int64, engine string) {
	t.Helper()
	open := func(lake string) *parquet.File {
		content := must.Get(os.ReadFile(filepath.Join(lake, file)))(t)
		f := must.Get(parquet.OpenFile(bytes.NewReader(content), int64(len(content))))(t)
		return f
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

// addAwkwardRows writes what engines might disagree about: texts with quotation marks, line breaks
// and rare white space, numbers that are not whole in binary, nulls, and rows of every table whose origin is gone.
func addAwkwardRows(t *testing.T, dir string) {
	t.Helper()
	lake := must.Get(data.Waiter{}.Edit(dir, "test"))(t)
	defer func() {
		if err := lake.Close(); err != nil {
			t.Error(err)
		}
	}()
	texts := []string{"a", "it's; a \\ \"b\"", "line\nbreak ab\n", "ä\u00a0ö\u2003ü\u3000\tx", "", "x/y/z", "{1,2}*",
		"\u2028z", "Ａ\U0001F600", "%_"}
	text := func(i int) string { return texts[i%len(texts)] }
	digest := strings.Repeat("0", 32)
	var answers []data.Answer
	var captions []data.Caption
	var calls []data.Call
	var battles []data.Battle
	var votes []data.Vote
	var judgments []data.Judgment
	var elements []data.ElementAnswer
	for i := range 400 {
		id := fmt.Sprintf("%03d", i)
		captionDigest, level, tokens := &digest, int32(i%4+1), int32(i)
		if i%3 == 0 {
			captionDigest = nil
		}
		hash := ""
		if i%5 == 0 {
			hash = fmt.Sprintf("%012d%036d", i, i)
		}
		options := int32(i%19 + 2)
		strict := []string{"cannot", "correct", "incorrect", "unparsed"}[i%4]
		a := data.Answer{
			Protocol: data.CaptionQA().Protocols[0], Reader: "r", Evidence: "caption", Captioner: "m " + text(i/7),
			Prompt:     data.CaptionQA().Prompts[i%4],
			QuestionID: "q " + text(i) + id, ImageID: "i " + text(i/3), Domain: data.CaptionQA().DomainNames()[0],
			Category: text(i / 3), Options: options,
			OffersCannot: true, Outcome: "cannot", StrictOutcome: &strict, Score: 1/float64(options) + 0.05,
			RequestHash: hash, CaptionDigest: captionDigest, Provenance: data.ProvenanceMeasured,
		}
		answers = append(answers, a)
		a.Repeat, a.Outcome, a.Score = 1, "correct", 1
		answers = append(answers, a)
		captions = append(captions,
			data.Caption{ImageID: "i " + id, Captioner: "m", Prompt: text(i), Domain: "d", Caption: text(i + 1),
				Words: int32(i), Tokens: &tokens, RequestHash: hash, Provenance: data.ProvenanceMeasured})
		calls = append(calls, data.Call{
			RequestHash: fmt.Sprintf("%012d%036d", i*10, i*10), Stage: "answer", Protocol: []string{"captionqa/1",
				"construct/generate/1", "construct/blind/1", "caparena/battle"}[i%4], Model: "m",
			Subject: text(i) + []string{" ab", " ba", "/x\ny", " ab\n"}[i%4], State: []string{"ok", "failed"}[i%7/6],
			PromptTokens: int64(i), LatencyMS: new(float64(i) * 1.0005),
			FinishedAt: time.UnixMicro(1_700_000_000_999_999 + int64(i)*777_777).UTC(),
			Provenance: data.ProvenanceMeasured,
		})
		battles = append(battles,
			data.Battle{BattleID: "b " + id, ImageID: text(i), CaptionerA: "a", CaptionerB: "human", CaptionA: text(i),
				CaptionB: strings.Repeat(text(i)+" ", i%9), Level: &level, Ordinal: int32(i),
				Benchmark: data.BenchmarkCapArena, Provenance: data.ProvenanceMeasured})
		// Halves of the last digit that is kept, what is just below and above, and numbers with
		// more digits than a double has.
		score := []float64{float64(i) / 3, float64(i)*1e-12 + 0.5e-12, 1234.567890123456 + float64(i),
			-float64(i) * 0.1, 97.0000000000005 + float64(i)}[i%5]
		seconds, at := float64(i)*0.0005+4.9995, time.UnixMicro(1_700_000_000_000_001+int64(i)).UTC()
		v := data.Vote{BattleID: "b " + id, Judge: "metric", JudgeType: "metric", Protocol: "caparena/metric",
			Winner: "a", ScoreA: &score, Provenance: data.ProvenanceMeasured}
		if i%2 == 0 {
			v = data.Vote{BattleID: "b " + fmt.Sprint(i), Judge: "p", JudgeType: "human", Protocol: "caparena/vote",
				Position: "ab", Winner: "tie", Seconds: &seconds, VotedAt: &at, RequestHash: hash,
				Provenance: data.ProvenanceMeasured}
		}
		votes = append(votes, v)
		j := data.Judgment{Benchmark: "capability", Judge: "j", Captioner: "m", SampleID: "s " + id, Dimension: "style",
			Verdict: "negative", Predicted: []string{text(i), "N/A"}, RequestHash: hash, CaptionDigest: captionDigest,
			Provenance: data.ProvenanceMeasured}
		elements = append(elements,
			data.ElementAnswer{Benchmark: "capability", Model: "m", SampleID: "s " + id, Dimension: "style",
				Outcome: "correct", RequestHash: hash, ValueDigest: captionDigest, Provenance: data.ProvenanceMeasured})
		judgments = append(judgments, j)
	}
	var annotations []data.Annotation
	for i := range 300 {
		annotations = append(annotations,
			data.Annotation{Benchmark: "capability", SampleID: fmt.Sprintf("s %03d", i), Dimension: "style",
				View: "global", MediaType: "image", Media: text(i), Value: "v " + text(i)})
	}
	commit(t, lake, data.Answers, answers)
	commit(t, lake, data.Captions, captions)
	commit(t, lake, data.Calls, calls)
	commit(t, lake, data.Battles, battles[:350])
	commit(t, lake, data.Votes, votes)
	commit(t, lake, data.Annotations, annotations)
	commit(t, lake, data.Judgments, judgments)
	commit(t, lake, data.ElementAnswers, elements)
}

// commit writes rows as two units, so that sums over units are sums of several.
func commit[T any](t *testing.T, lake *data.Lake, table data.Table[T], rows []T) {
	t.Helper()
	half := len(rows) / 2
	for i, part := range [][]T{rows[:half], rows[half:]} {
		tx := must.Get(lake.Begin(data.Unit{Stage: "test/" + table.Name(), Name: fmt.Sprint(i),
			Provenance: data.ProvenanceMeasured}))(t)
		w, err := data.NewRowWriter(tx, table)
		must.Succeed(t, errors.Join(err, w.Write(part...), tx.Commit()))
	}
}

// TestAnalyzeWithoutSpark has a program in Spark's place that fails in the ways in which Spark
// fails: the command says why and what to do, and the lake is as it was, file by file.
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
	must.Succeed(t, os.WriteFile(config, []byte("spark: {command: "+program+"}\n"), 0o666))
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
		if code == exitOK || !strings.Contains(said, c.want) || !strings.Contains(said, "Try: ") {
			t.Errorf("%s: exit %d\n%s", c.name, code, said)
		}
		if after := filesOf(t, lakeDir); !slices.Equal(before, after) {
			t.Errorf("%s: the lake was\n%s\nand is\n%s", c.name, before, after)
		}
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
		if code, said := analyze(c.args...); code == exitOK || !strings.Contains(said, c.want) {
			t.Errorf("%v: exit %d\n%s", c.args, code, said)
		}
	}
}

// filesOf lists the files of a lake with their sizes and times, but for the engine's log, what
// reading remembers, and what writers tell each other.
func filesOf(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if !info.IsDir() && !strings.HasPrefix(filepath.ToSlash(name), "cache/") &&
			!strings.HasPrefix(filepath.ToSlash(name), "journal/") {
			files = append(files, fmt.Sprintf("%s %d %v", name, info.Size(), info.ModTime()))
		}
		return err
	})
	must.Succeed(t, err)
	return files
}
