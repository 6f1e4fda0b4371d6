package report

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gofrs/flock"

	"github.com/captionlake/captionlake/data/must"
)

// two returns a report and a later one, each with a table that the other has not.
func two(t *testing.T) (earlier, later *Report) {
	t.Helper()
	make := func(only string) *Report {
		r := &Report{Items: []Item{{Name: "both", Files: []string{"tables/both.md", "figures/both.svg"}}, {Name: only, Files: []string{"tables/" + only + ".md"}}}}
		for _, name := range []string{"tables/both.md", "figures/both.svg", "tables/" + only + ".md", documentName} {
			r.files = append(r.files, File{Name: name, Content: []byte(name + " of " + only)})
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
	{Name: "models/one.html", Make: func(w io.Writer) error { _, err := io.WriteString(w, "made when asked for"); return err }},
}

func filesOf(t *testing.T, r *Report) map[string]string {
	t.Helper()
	all, err := r.all(pages)
	must.Succeed(t, err)
	files := map[string]string{}
	for _, f := range all {
		var b strings.Builder
		must.Succeed(t, f.Write(&b))
		files[f.Name] = b.String()
	}
	return files
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
	own := map[string]string{"notes.txt": "mine", "tables/mine.md": "mine", "tables.pdf": "of tables.tex", "other/tables/earlier.md": "mine"}
	for i, r := range []*Report{earlier, earlier, later} {
		must.Succeed(t, r.Write(dir, pages...))
		want := filesOf(t, r)
		if i > 0 {
			maps.Copy(want, own)
		}
		if got := tree(t, dir); !maps.Equal(got, want) {
			t.Errorf("got %v\nwant %v", got, want)
		}
		put(t, dir, own)
	}
	// A process that is killed at any step leaves a report, all other files, and what the next Write clears away.
	steps := 0
	fresh := func() string {
		dir := filepath.Join(t.TempDir(), "report")
		put(t, dir, filesOf(t, earlier))
		put(t, dir, own)
		return dir
	}
	if err := later.write(fresh(), pages, func() { steps++ }); err != nil || steps < 15 {
		t.Fatalf("%d steps, %v", steps, err)
	}
	want := filesOf(t, later)
	maps.Copy(want, own)
	for kill := 1; kill <= steps; kill++ {
		dir, n := fresh(), 0
		killed := func() (yes bool) {
			defer func() { yes = recover() != nil }()
			_ = later.write(dir, pages, func() {
				if n++; n == kill {
					panic("killed")
				}
			})
			return false
		}
		if !killed() {
			t.Fatalf("step %d was not reached", kill)
		}
		got := tree(t, dir)
		for name := range filesOf(t, earlier) {
			if _, ok := got[name]; !ok && name != "tables/earlier.md" {
				t.Errorf("killed at step %d: %s is missing", kill, name)
			}
		}
		for name, content := range own {
			if got[name] != content {
				t.Errorf("killed at step %d: %s is %q", kill, name, got[name])
			}
		}
		for name, content := range got {
			if !strings.HasPrefix(name, staging) && content != want[name] && content != filesOf(t, earlier)[name] {
				t.Errorf("killed at step %d: %s is neither old nor new: %q", kill, name, content)
			}
		}
		if err := errors.Join(Replaceable(dir), later.Write(dir, pages...)); err != nil {
			t.Errorf("killed at step %d: the next report: %v", kill, err)
		}
		if got := tree(t, dir); !maps.Equal(got, want) {
			t.Errorf("killed at step %d: then got %v\nwant %v", kill, got, want)
		}
	}
	// The first report, killed at any step.
	for kill := 1; ; kill++ {
		dir, n := filepath.Join(t.TempDir(), "report"), 0
		finished := func() (yes bool) {
			defer func() { yes = recover() == nil }()
			return later.write(dir, pages, func() {
				if n++; n == kill {
					panic("killed")
				}
			}) == nil
		}()
		if err := later.Write(dir, pages...); err != nil || !maps.Equal(tree(t, dir), filesOf(t, later)) {
			t.Errorf("the first report killed at step %d: %v %v", kill, err, tree(t, dir))
		}
		if finished {
			break
		}
	}
}

// Folders of other origin stay as they are, whatever they call their files.
func TestWriteLeavesOtherFolders(t *testing.T) {
	earlier, later := two(t)
	list := func(files ...string) string {
		text, err := json.Marshal(Report{Items: []Item{{Name: "x", Files: files}}})
		must.Succeed(t, err)
		return string(text)
	}
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"other files":                   {map[string]string{"thesis.tex": "years of work"}, "holds files that are no report"},
		"a report.json that is no list": {map[string]string{manifest: `{"total": 3}`, "data.csv": "1"}, "report.json is no list of a report's files (it lists no files)"},
		"no JSON":                       {map[string]string{manifest: "hello", "data.csv": "1"}, "is no list of a report's files"},
		"a list":                        {map[string]string{manifest: "[1]", "index.html": "mine"}, "is no list of a report's files"},
		"names that lead out":           {map[string]string{manifest: list("tables/../../victim"), "index.html": "mine"}, `it lists "tables/../../victim"`},
		"absolute names":                {map[string]string{manifest: list("/etc/passwd")}, `it lists "/etc/passwd"`},
		"names of other files":          {map[string]string{manifest: list("thesis.tex"), "thesis.tex": "years of work"}, `it lists "thesis.tex"`},
		"hidden names":                  {map[string]string{manifest: list("tables/.git")}, `it lists "tables/.git"`},
		"names with another slash":      {map[string]string{manifest: list(`tables\..\x`)}, "it lists"},
		"a file in the way":             {map[string]string{manifest: list("tables/both.md"), "tables/later.md": "mine"}, "later.md is no file of the report; move it away"},
		"a file for a folder":           {map[string]string{manifest: list("tables/both.md"), "tables": "mine"}, "tables is no folder; move it away"},
	} {
		dir := filepath.Join(t.TempDir(), "out")
		put(t, dir, c.files)
		if err := later.Write(dir, pages...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
		if got := tree(t, dir); !maps.Equal(got, c.files) {
			t.Errorf("%s: the folder changed: %v", name, got)
		}
	}
	// Nothing is written through a link, and what a link leads to stays.
	dir, outside := filepath.Join(t.TempDir(), "out"), t.TempDir()
	put(t, dir, filesOf(t, earlier))
	put(t, outside, map[string]string{"both.md": "mine", "earlier.md": "mine"})
	if err := errors.Join(os.RemoveAll(filepath.Join(dir, "tables")), os.Symlink(outside, filepath.Join(dir, "tables"))); err != nil {
		t.Skip(err)
	}
	if err := later.Write(dir, pages...); err == nil || !strings.Contains(err.Error(), "tables is no folder") {
		t.Errorf("a link for a folder: %v", err)
	}
	if got := tree(t, outside); len(got) != 2 || got["both.md"] != "mine" {
		t.Errorf("what the link leads to: %v", got)
	}
	// Two at once.
	dir = filepath.Join(t.TempDir(), "out")
	put(t, dir, map[string]string{staging + "/lock": ""})
	lock := flock.New(filepath.Join(dir, staging, "lock"))
	if ok, err := lock.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	defer lock.Unlock()
	if err := later.Write(dir, pages...); err == nil || !strings.Contains(err.Error(), "another report is being written there") {
		t.Errorf("two at once: %v", err)
	}
}
