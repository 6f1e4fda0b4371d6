package ingest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// Every file of a folder is told with what became of it, and so is progress, whether files are read, refused or there already.
func TestFolderListsEveryFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"bank.json":         `{"nat_001": [{"question": "Is there a kite?", "choices": ["yes", "no"], "answer": "no", "category": "Existence"}]}`,
		"simple/org_m.json": `{"nat_001": "A kite."}`,
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
		var told []string
		results, skipped, err := LoadPaths(t.Context(), l, []string{dir}, Options{Progress: func(path string, done, total int) {
			told = append(told, fmt.Sprintf("%s %d/%d", filepath.Base(path), done, total))
		}})
		if len(skipped) != 1 || filepath.Base(skipped[0]) != "notes.txt" {
			t.Errorf("skipped %v", skipped)
		}
		if err == nil {
			t.Error("a caption that is null is taken")
		}
		if want := []string{"bank.json 0/3", "org_m.json 1/3", "org_n.json 2/3"}; !slices.Equal(told, want) {
			t.Errorf("progress %q, want %q", told, want)
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
