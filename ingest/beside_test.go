package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// resultFolder makes result files in the authors' layout, and gives their paths.
func resultFolder(t testing.TB, captioners, questions, images int, prompts ...string) string {
	t.Helper()
	root := t.TempDir()
	content := officialResults(questions, images)
	for _, prompt := range prompts {
		must.Succeed(t, os.Mkdir(filepath.Join(root, prompt), 0o777))
		for i := range captioners {
			must.Succeed(t, os.WriteFile(filepath.Join(root, prompt, fmt.Sprintf("org_model-%02d.json", i)), []byte(content), 0o666))
		}
	}
	return root
}

// Files that are read at a time leave what files that are read one after the other leave: results, errors, rows and executions, among
// them a file with faults, one of another's keys, and two that make one unit.
func TestLoadBesideIsInOrder(t *testing.T) {
	t.Parallel()
	root := resultFolder(t, 4, 60, 6, "long", "simple", "taxonomy-default", "taxonomy-hinted")
	write := func(name, content string) {
		must.Succeed(t, os.WriteFile(filepath.Join(root, name), []byte(content), 0o666))
	}
	good := officialResults(60, 6)
	write("long/org_model-01.json", strings.Replace(good, `"score": 1`, `"score": 0.5`, 1))
	write("simple/Org_model-03.json", good)                            // the captioner of org_model-03.json
	write("simple/org_model-02.json", good[:len(good)-30]+"\xff}")     // cut off
	write("taxonomy-hinted/org_model-01.json", officialResults(66, 6)) // replaces the unit of taxonomy-default
	type end struct {
		results []Result
		errs    string
		answers []data.Answer
		calls   []data.Call
		runs    []string
	}
	load := func(each func(*data.Lake) ([]Result, error)) (e end) {
		l := laketest.New(t)
		results, err := each(l)
		if err != nil {
			e.errs = strings.ReplaceAll(err.Error(), l.Dir(), "LAKE")
		}
		for _, r := range results {
			r.family = nil
			e.results = append(e.results, r)
		}
		e.answers, e.calls = laketest.All(t, l, data.Answers), laketest.All(t, l, data.Calls)
		for _, run := range laketest.All(t, l, data.Runs) {
			run.RunID, run.StartedAt, run.FinishedAt, run.TableSHA256, run.TableBytes = "", time.Time{}, time.Time{}, nil, nil
			text, err := json.Marshal(run)
			must.Succeed(t, err)
			e.runs = append(e.runs, string(text))
		}
		slices.Sort(e.runs) // Their identifiers, which order them, come of the clock.
		return e
	}
	one := load(func(l *data.Lake) (results []Result, err error) {
		e, err := expand(t.Context(), []string{root}, nil)
		if err != nil {
			return nil, err
		}
		var errs []string
		for _, s := range e.Sources {
			r, err := Load(t.Context(), l, s, judged)
			if err != nil {
				errs = append(errs, err.Error())
			}
			results = append(results, r)
		}
		return results, fmt.Errorf("%s", strings.Join(errs, "\n"))
	})
	if len(one.results) != 17 || !strings.Contains(one.errs, "already") || !strings.Contains(one.errs, "long/org_model-01.json:") {
		t.Fatalf("one after the other: %d results, errors %s", len(one.results), one.errs)
	}
	for range 2 {
		beside := load(func(l *data.Lake) ([]Result, error) {
			results, _, err := LoadPaths(t.Context(), l, []string{root}, judged)
			return results, err
		})
		if !reflect.DeepEqual(beside.results, one.results) {
			t.Errorf("results %+v\nwant %+v", beside.results, one.results)
		}
		if beside.errs != one.errs {
			t.Errorf("errors:\n%s\nwant:\n%s", beside.errs, one.errs)
		}
		if !reflect.DeepEqual(beside.answers, one.answers) || !reflect.DeepEqual(beside.calls, one.calls) {
			t.Errorf("%d answers and %d calls, want %d and %d like them", len(beside.answers), len(beside.calls), len(one.answers), len(one.calls))
		}
		if !slices.Equal(beside.runs, one.runs) {
			t.Errorf("runs:\n%s\nwant:\n%s", strings.Join(beside.runs, "\n"), strings.Join(one.runs, "\n"))
		}
	}
}

// A context that ends leaves a beginning of the files loaded, and no temporary file.
func TestLoadBesideStops(t *testing.T) {
	t.Parallel()
	root := resultFolder(t, 12, 60, 6, "long")
	l := laketest.New(t)
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		for {
			if files, err := l.Files(data.Answers); err != nil || len(files) >= 3 {
				stop()
				return
			}
			runtime.Gosched()
		}
	}()
	results, _, err := LoadPaths(ctx, l, []string{root}, judged)
	if err == nil {
		t.Skip("all files were loaded before the context ended")
	}
	files, listErr := l.Files(data.Answers)
	must.Succeed(t, listErr)
	if !errors.Is(err, context.Canceled) || len(results) != len(files) {
		t.Errorf("%d results, %d files, error %v", len(results), len(files), err)
	}
	for i, r := range results {
		if want := fmt.Sprintf("org_model-%02d.json", i); filepath.Base(r.Path) != want {
			t.Errorf("result %d is of %s, want %s", i, r.Path, want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(l.Dir(), "journal", "*.tmp")); len(left) > 0 {
		t.Errorf("temporary files are left: %v", left)
	}
}

// BenchmarkIngestFolder loads 96 result files, 24 captioners under four prompts: of an eighth of the official size, or whole with
// CAPTIONLAKE_BENCH_FULL=1, which takes 1.3 GB of disk.
func BenchmarkIngestFolder(b *testing.B) {
	questions, images := 33027/8, 657/8
	if os.Getenv("CAPTIONLAKE_BENCH_FULL") != "" {
		questions, images = 33027, 657
	}
	root := resultFolder(b, 24, questions, images, "long", "short", "simple", "taxonomy-hinted")
	for b.Loop() {
		l := laketest.New(b)
		if results := loadFolder(b, l, judged, root); len(results) != 96 {
			b.Fatalf("%d results", len(results))
		}
	}
	b.ReportMetric(float64(96*questions*b.N)/b.Elapsed().Seconds(), "rows/s")
	reportPeak(b)
}
