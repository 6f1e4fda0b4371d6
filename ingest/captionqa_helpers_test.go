package ingest

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/must"
)

// textSource is a source whose content is given.
func textSource(name, content string) Source {
	return Source{FS: fstest.MapFS{name: {Data: []byte(content)}}, Name: name, Path: name}
}

// pathSource is a file of the file system.
func pathSource(path string) Source {
	return Source{FS: os.DirFS(filepath.Dir(path)), Name: filepath.Base(path), Path: filepath.ToSlash(path)}
}

// mustLoad loads a file that is good.
func mustLoad(t testing.TB, l *data.Lake, s Source, o Options) Result {
	t.Helper()
	result, err := Load(t.Context(), l, s, o)
	must.Succeed(t, err)
	return result
}

// mustRefuse loads a file with faults into a lake that holds something, compares the faults with what is expected
// where it is given, and checks that not one byte of the lake has changed.
func mustRefuse(t testing.TB, l *data.Lake, s Source, o Options, want ...string) *Faults {
	t.Helper()
	before := lakeFiles(t, l)
	_, err := Load(t.Context(), l, s, o)
	var faults *Faults
	if !errors.As(err, &faults) {
		t.Fatalf("got error %v, want faults", err)
	}
	if after := lakeFiles(t, l); !maps.Equal(before, after) {
		t.Errorf("the lake changed: it had %v and has %v", slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after)))
	}
	if got := faults.Error(); len(want) > 0 && got != strings.Join(want, "\n") {
		t.Errorf("got faults:\n%s\nwant:\n%s", got, strings.Join(want, "\n"))
	}
	return faults
}

// asHint finds the hint of an error.
func asHint(err error, hint **data.HintError) bool { return errors.As(err, hint) }

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
