package ingest

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/ingest/file"
)

func init() { laketest.Reader = ask.Read }

// load and loadPaths load as the command does: SELECTs are answered by DuckDB.
func load(ctx context.Context, l *data.Lake, s file.Source, o Options) (Result, error) {
	o.Query = ask.ReadFiles
	loader := newLoader(l, o)
	format, err := loader.detect(ctx, s)
	if err != nil {
		return Result{Path: s.Path, State: StateRefused}, err
	}
	return loader.load(ctx, s, format)
}

func loadPaths(ctx context.Context, l *data.Lake, paths []string, o Options) ([]Result, []string, error) {
	o.Query = ask.ReadFiles
	return LoadPaths(ctx, l, paths, o)
}

func TestRealCaptions(t *testing.T) {
	t.Parallel()
	file := must.Shared(t, "captionqa/captions_simple_qwen2.5-vl-3b.json")
	l := laketest.New(t)
	result := mustLoad(t, l, pathSource(file),
		Options{Captioner: "Qwen/Qwen2.5-VL-3B-Instruct", Prompt: "simple", Reader: "qwen2.5-72b"})
	domains := map[string]int{}
	for _, row := range laketest.All(t, l, data.Captions) {
		domains[row.Domain]++
		if row.Captioner != "qwen2.5-vl-3b" || row.Prompt != "Simple" || row.Caption == "" || row.Words == 0 {
			t.Fatalf("got %+v", row)
		}
	}
	// 158 + 178 + 121 + 200 = 657 images (CaptionQA Table 1).
	if result.Rows["captions"] != 657 || domains["Natural"] != 158 || domains["Document"] != 178 ||
		domains["E-commerce"] != 121 || domains["Embodied AI"] != 200 {
		t.Errorf("%d captions: %v", result.Rows["captions"], domains)
	}
}

// textSource is a source whose content is given.
func textSource(t testing.TB, name, content string) file.Source {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must.Write(t, path, content)
	return pathSource(path)
}

// pathSource is a file of the file system.
func pathSource(path string) file.Source {
	return file.Source{FS: os.DirFS(filepath.Dir(path)), Name: filepath.Base(path), Path: filepath.ToSlash(path)}
}

// mustLoad loads a file that is good.
func mustLoad(t testing.TB, l *data.Lake, s file.Source, o Options) Result {
	t.Helper()
	return must.Get(load(t.Context(), l, s, o))(t)
}

// mustRefuse loads a file with faults into a lake that holds something, compares the faults with
// the expected ones where they are given, and checks that not one byte of the lake has changed.
func mustRefuse(t testing.TB, l *data.Lake, s file.Source, o Options, want ...string) *Faults {
	t.Helper()
	before := lakeFiles(t, l)
	_, err := load(t.Context(), l, s, o)
	var faults *Faults
	if !errors.As(err, &faults) {
		t.Fatalf("got error %v, want faults", err)
	}
	expect.Equal(t, before, lakeFiles(t, l))
	if got := strings.ReplaceAll(faults.Error(), filepath.ToSlash(filepath.Dir(s.Path))+"/", ""); len(want) > 0 &&
		got != strings.Join(want, "\n") {
		t.Errorf("got faults:\n%s\nwant:\n%s", got, strings.Join(want, "\n"))
	}
	return faults
}

// judged names the reader of files that do not.
var judged = Options{Reader: "qwen2.5-72b"}

// lakeFiles maps every file of a lake to its content, except for the lock.
func lakeFiles(t testing.TB, l *data.Lake) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(l.Dir(), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(entry.Name(), "lock") {
			return err
		}
		content, err := os.ReadFile(path)
		files[path] = string(content)
		return err
	})
	must.Succeed(t, err)
	return files
}
