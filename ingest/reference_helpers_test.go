package ingest

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

var updateReferenceGoldens = flag.Bool("update-reference", false, "rewrite the goldens of the taxonomy and images formats")

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

// badFiles loads every file of a folder that ends in none of the golden's ending, and compares what is reported with
// the golden beside it, byte for byte. A refused file leaves the lake as it was.
func badFiles(t *testing.T, folder, format string) {
	t.Helper()
	names, err := filepath.Glob("testdata/" + folder + "/*.*")
	must.Succeed(t, err)
	tried := 0
	for _, name := range names {
		if strings.HasSuffix(name, ".golden") {
			continue
		}
		tried++
		t.Run(filepath.Base(name), func(t *testing.T) {
			l := laketest.New(t)
			before := lakeFiles(t, l)
			_, err := Load(t.Context(), l, Source{FS: os.DirFS("testdata/" + folder), Name: filepath.Base(name), Path: filepath.Base(name)}, Options{Format: format})
			if err == nil {
				t.Fatal("the file was taken")
			}
			if after := lakeFiles(t, l); len(after) != len(before) {
				t.Errorf("the lake changed: %d files before, %d after", len(before), len(after))
			}
			got := err.Error() + "\n"
			golden := name + ".golden"
			if *updateReferenceGoldens {
				must.Succeed(t, os.WriteFile(golden, []byte(got), 0o666))
			}
			want, err := os.ReadFile(golden)
			must.Succeed(t, err)
			if got != string(want) {
				t.Errorf("got:\n%swant:\n%s", got, want)
			}
		})
	}
	if tried == 0 {
		t.Fatalf("testdata/%s holds no file", folder)
	}
}
