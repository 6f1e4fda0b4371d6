package remote

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// validState is a manifest and a commit as a push writes them.
func validState(t testing.TB) (manifest, commit []byte) {
	f := newFake(t)
	dir := newLake(t, bank("x", "a=1"), unit{"ingest/images", "i", []string{"one=picture"}})
	mart(t, dir, "a mart")
	push(t, f.bucket(1), dir)
	change(t, dir, bank("x", "a=2"))
	push(t, f.bucket(1), dir)
	b := f.bucket(1)
	h, err := b.head(t.Context())
	must.Succeed(t, err)
	stored := f.state()
	return stored["lakes/one/"+manifestName(h.Manifest)].content, stored["lakes/one/"+commitName].content
}

// Whatever a manifest says, what is read from it leads nowhere but into the lake and below the address, and is written as it was read.
func FuzzManifest(f *testing.F) {
	manifest, _ := validState(f)
	f.Add(manifest)
	for _, hostile := range []string{"../../etc/passwd", "/etc/passwd", `questions/..\\x.parquet`, "questions/a/b.parquet"} {
		f.Add([]byte(strings.ReplaceAll(string(manifest), "questions/", hostile)))
		f.Add([]byte(strings.ReplaceAll(string(manifest), bank("x").stem(), hostile)))
		f.Add([]byte(strings.ReplaceAll(string(manifest), `"mart_0"`, `"`+hostile+`"`)))
	}
	f.Add([]byte(`{"layout":2}`))
	f.Add([]byte(`{"layout":1,"units":null,"files":null}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		s, err := decodeManifest(content)
		if err != nil {
			return
		}
		for _, file := range s.files() {
			for _, name := range []string{file.Name, file.inLake()} {
				if !filepath.IsLocal(name) || strings.Count(name, "/") != 1 || strings.ContainsAny(name, "\\\x00\n") {
					t.Fatalf("the name %q", name)
				}
			}
			if !ours.MatchString(file.Name) {
				t.Fatalf("%q would never be swept", file.Name)
			}
		}
		again, err := s.encode()
		must.Succeed(t, err)
		if back, err := decodeManifest(again); err != nil || back.rows() != s.rows() {
			t.Fatalf("written anew: %v", err)
		}
	})
}

func FuzzCommit(f *testing.F) {
	_, commit := validState(f)
	f.Add(commit)
	f.Add([]byte(`{"layout":1,"number":1}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		c, err := decodeCommit(content)
		if err != nil {
			return
		}
		for _, p := range append(c.Former, c.pointer) {
			if name := manifestName(p.Manifest); !filepath.IsLocal(name) || strings.Count(name, "/") != 1 || p.Number < 1 {
				t.Fatalf("%+v", p)
			}
		}
	})
}
