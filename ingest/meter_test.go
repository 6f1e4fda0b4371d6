package ingest

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// Every file of a folder is told with what became of it, and progress ends at the whole, whether files were read, refused or there already.
func TestFolderListsEveryFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"bank.json":         `{"nat_001": [{"question": "Is there a kite?", "choices": ["yes", "no"], "answer": "no", "category": "Existence"}]}`,
		"simple/org_m.json": `{"nat_001": "` + strings.Repeat("A kite. ", 20_000) + `"}`,
		"simple/org_n.json": `{"nat_001": "A kite.", "nat_002": null}`,
		"notes.txt":         "Nothing to load.",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o777))
		must.Succeed(t, os.WriteFile(path, []byte(content), 0o666))
	}
	l := laketest.New(t)
	for _, want := range []map[string]string{
		{"bank.json": StateLoaded, "simple/org_m.json": StateLoaded, "simple/org_n.json": StateRefused},
		{"bank.json": StateUnchanged, "simple/org_m.json": StateUnchanged, "simple/org_n.json": StateRefused},
	} {
		var mu sync.Mutex
		last, whole, between := 0, 0, false
		results, skipped, err := LoadPaths(t.Context(), l, []string{dir}, Options{Progress: func(_ string, done, total int) {
			mu.Lock()
			defer mu.Unlock()
			if done < last || done > total {
				t.Errorf("%d of %d bytes after %d", done, total, last)
			}
			between = between || done > 0 && done < total
			last, whole = done, total
		}})
		if len(skipped) != 1 || filepath.Base(skipped[0]) != "notes.txt" {
			t.Errorf("skipped %v", skipped)
		}
		if err == nil {
			t.Error("a caption that is null is taken")
		}
		if last != whole || whole < 320_000 || !between {
			t.Errorf("progress ended at %d of %d bytes", last, whole)
		}
		got := map[string]string{}
		for _, r := range results {
			name, err := filepath.Rel(dir, filepath.FromSlash(r.Path))
			must.Succeed(t, err)
			got[filepath.ToSlash(name)] = r.State
		}
		if len(got) != len(want) {
			t.Errorf("got %v, want %v", got, want)
		}
		for name, state := range want {
			if got[name] != state {
				t.Errorf("%s is %q, want %q", name, got[name], state)
			}
		}
	}
}
