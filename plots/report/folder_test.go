package report

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// two returns a report and a later one, each with a table that the other has not.
func two(t *testing.T) (earlier, later *Report) {
	t.Helper()
	make := func(only string) *Report {
		r := &Report{Items: []Item{{Name: "both", Files: []string{"tables/both.md", "figures/both.svg"}},
			{Name: only, Files: []string{"tables/" + only + ".md"}}}}
		for _, name := range []string{"tables/both.md", "figures/both.svg", "tables/" + only + ".md", documentName} {
			r.Files = append(r.Files, File{Name: name, Content: []byte(name + " of " + only)})
		}
		return r
	}
	return make("earlier"), make("later")
}

// tree is every file of a folder with its content.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(content)
		return err
	})
	must.Succeed(t, err)
	return files
}

// pages are the site around a report.
var pages = []File{
	{Name: "index.html", Content: []byte("overview")},
	{Name: "pictures/" + strings.Repeat("0af9", 16) + ".webp", Content: []byte("a picture of the lake")},
	{Name: "models/one.html", Make: func(w io.Writer) error {
		_, err := io.WriteString(w, "made when asked for")
		return err
	}},
}

// filesOf is the tree that a report makes of an empty folder.
func filesOf(t *testing.T, r *Report) map[string]string {
	t.Helper()
	dir := t.TempDir()
	must.Succeed(t, r.Write(dir, pages...))
	return tree(t, dir)
}

func put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must.Succeed(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)))
	}
}

func TestWriteReplacesItsOwnFilesOnly(t *testing.T) {
	earlier, later := two(t)
	dir := filepath.Join(t.TempDir(), "a", "report")
	own := map[string]string{"notes.txt": "mine", "tables/mine.md": "mine", "tables.pdf": "of tables.tex",
		"other/tables/earlier.md": "mine"}
	for i, r := range []*Report{earlier, earlier, later} {
		must.Succeed(t, r.Write(dir, pages...))
		want := filesOf(t, r)
		if i > 0 {
			maps.Copy(want, own)
		}
		expect.Equal(t, tree(t, dir), want)
		put(t, dir, own)
	}
}

// A report that fails in between leaves whole files, all files of others, and what the next Write
// replaces or removes.
func TestWriteGoesOnAfterAFault(t *testing.T) {
	earlier, later := two(t)
	dir := filepath.Join(t.TempDir(), "report")
	own := map[string]string{"notes.txt": "mine", "tables/mine.md": "mine"}
	must.Succeed(t, earlier.Write(dir, pages...))
	put(t, dir, own)
	want := filesOf(t, later)
	maps.Copy(want, own)
	full := errors.New("disk full")
	for n := range later.Files {
		broken := *later
		broken.Files = slices.Clone(later.Files)
		broken.Files[n].Make = func(w io.Writer) error {
			_, err := io.WriteString(w, "half")
			return errors.Join(err, full)
		}
		if err := broken.Write(dir, pages...); !errors.Is(err, full) {
			t.Fatalf("file %d: %v", n, err)
		}
		for name, content := range tree(t, dir) {
			if content == "half" && !strings.HasSuffix(name, fresh) {
				t.Errorf("file %d: %s is half written", n, name)
			}
		}
	}
	must.Succeed(t, later.Write(dir, pages...))
	expect.Equal(t, tree(t, dir), want)
}

// Folders of other origin stay as they are, whatever they call their files.
func TestWriteLeavesOtherFolders(t *testing.T) {
	earlier, later := two(t)
	list := func(files ...string) string {
		text := must.Get(json.Marshal(Report{Written: append(files, manifest)}))(t)
		return string(text)
	}
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"other files": {map[string]string{"thesis.tex": "years of work"}, "holds files that are no report"},
		"a report.json that is no " +
			"list": {map[string]string{manifest: `{"total": 3}`, "data.csv": "1"}, "report.json is no list of a report's " +
			"files (it does not list itself)"},
		"no JSON": {map[string]string{manifest: "hello", "data.csv": "1"}, "is no list of a report's files"},
		"a list": {map[string]string{manifest: "[1]", "index.html": "mine"}, "is no list of a report's " +
			"files"},
		"names that lead out": {map[string]string{manifest: list("tables/../../victim"), "index.html": "mine"},
			`it lists "tables/../../victim"`},
		"absolute names": {map[string]string{manifest: list("/etc/passwd.md")}, `it lists "/etc/passwd.md"`},
		"names of other files": {map[string]string{manifest: list("thesis.doc"), "thesis.doc": "years of work"},
			`it lists "thesis.doc"`},
		"hidden names":             {map[string]string{manifest: list("tables/.git")}, `it lists "tables/.git"`},
		"names with another slash": {map[string]string{manifest: list(`tables\..\x`)}, "it lists"},
		"a file in the way": {map[string]string{manifest: list("tables/both.md"), "tables/later.md": "mine"},
			"later.md is no file of the report; move it away"},
		"a file for a folder": {map[string]string{manifest: list("tables/both.md"), "tables": "mine"},
			"tables is no folder; move it away"},
	} {
		dir := filepath.Join(t.TempDir(), "out")
		put(t, dir, c.files)
		expect.Failure(t, later.Write(dir, pages...), c.want)
		expect.Equal(t, tree(t, dir), c.files, name)
	}
	// Nothing is written through a link, and what a link leads to stays.
	dir, outside := filepath.Join(t.TempDir(), "out"), t.TempDir()
	put(t, dir, filesOf(t, earlier))
	put(t, outside, map[string]string{"both.md": "mine", "earlier.md": "mine"})
	if err := errors.Join(os.RemoveAll(filepath.Join(dir, "tables")),
		os.Symlink(outside, filepath.Join(dir, "tables"))); err != nil {
		t.Skip(err)
	}
	expect.Failure(t, later.Write(dir, pages...), "tables is no folder")
	if got := tree(t, outside); len(got) != 2 || got["both.md"] != "mine" {
		t.Errorf("what the link leads to: %v", got)
	}
}
