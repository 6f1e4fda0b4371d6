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
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

func TestKeyOf(t *testing.T) {
	t.Parallel()
	colours := []string{"Red", " Blue ", "Red"}
	letters := []string{"C", "A", "B"}
	for _, c := range []struct {
		options []string
		answer  string
		key     int
		ok      bool
	}{
		{colours, "Red", 0, true},  // the first of equal options, as published
		{colours, "Blue", 1, true}, // white space at the ends aside
		{colours, "B", 1, true},
		{colours, "(C)", 2, true},
		{colours, "C.", 2, true},
		{colours, "D", 0, false}, // names no place
		{colours, "b", 0, false},
		{colours, "1", 0, false}, // from 0 or from 1?
		{colours, "", 0, false},
		{colours, "Green", 0, false},
		{letters, "A", 1, true},  // text goes before place, as published
		{letters, "D", 0, false}, // an option's text or a place: two readings
	} {
		key, reason := keyOf(c.options, c.answer)
		if (reason == "") != c.ok || c.ok && key != c.key {
			t.Errorf("keyOf(%q, %q) = %d, %q; want %d, taken %t", c.options, c.answer, key, reason, c.key, c.ok)
		}
	}
}

func TestRealCaptions(t *testing.T) {
	t.Parallel()
	file := laketest.Shared(t, "captionqa/captions_simple_qwen2.5-vl-3b.json")
	l := laketest.New(t)
	result := mustLoad(t, l, pathSource(file), Options{Captioner: "Qwen/Qwen2.5-VL-3B-Instruct", Prompt: "simple", Reader: "qwen2.5-72b"})
	domains := map[string]int{}
	for _, row := range laketest.All(t, l, data.Captions) {
		domains[row.Domain]++
		if row.Captioner != "qwen2.5-vl-3b" || row.Prompt != "Simple" || row.Caption == "" || row.Words == 0 {
			t.Fatalf("got %+v", row)
		}
	}
	// 158 + 178 + 121 + 200 = 657 images (CaptionQA Table 1).
	if result.Rows["captions"] != 657 || domains["Natural"] != 158 || domains["Document"] != 178 || domains["E-commerce"] != 121 || domains["Embodied AI"] != 200 {
		t.Errorf("%d captions: %v", result.Rows["captions"], domains)
	}
}

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
	result := must.Get(Load(t.Context(), l, s, o))(t)
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
