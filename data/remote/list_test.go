package remote

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// validList is a list as a push writes it.
func validList(t testing.TB) []byte {
	f := newFake(t)
	dir := newLake(t, bank("x", "a=1"), unit{"ingest/images", "i", []string{"one=picture"}})
	mart(t, dir, "a mart")
	push(t, f.bucket(1), dir)
	return f.state()["lakes/one/"+listName].content
}

// Whatever a list says, what is read from it leads nowhere but into the lake and below the address,
// and is written as it was read.
func FuzzList(f *testing.F) {
	valid := validList(f)
	f.Add(valid)
	for _, hostile := range []string{"../../etc/passwd", "/etc/passwd", `questions/..\\x.parquet`,
		"questions/a/b.parquet"} {
		f.Add([]byte(strings.ReplaceAll(string(valid), "questions/", hostile)))
		f.Add([]byte(strings.ReplaceAll(string(valid), bank("x").stem(), hostile)))
		f.Add([]byte(strings.ReplaceAll(string(valid), `"mart_0"`, `"`+hostile+`"`)))
	}
	f.Add([]byte(`{"layout":2}`))
	f.Add([]byte(`{"layout":1,"number":1,"units":null,"files":null}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		s, err := decodeList(content)
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
		again := must.Get(s.encode())(t)
		back := must.Get(decodeList(again))(t)
		must.Equal(t, must.Get(back.same(s))(t), true)
	})
}
