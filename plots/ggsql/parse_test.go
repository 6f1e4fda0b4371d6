package ggsql

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/sql"
)

var located = regexp.MustCompile(`^mine\.sql:\d+:\d+: `)

// plotOf reads a file as show does.
func plotOf(content string) error {
	file, err := Parse("mine.sql", "", content)
	if err == nil {
		_, err = file.Plot()
	}
	return err
}

// A file of a user's own is read to its end or to a fault with its place, whatever is in it.
func FuzzFile(f *testing.F) {
	names, err := fs.Glob(sql.Shown(), "figures/*.sql")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		content, err := fs.ReadFile(sql.Shown(), name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(content))
		_, clauses, _ := strings.Cut(string(content), "VISUALISE")
		f.Add("select 1 as x\nVISUALISE" + clauses)
	}
	f.Fuzz(func(t *testing.T, content string) {
		if len(content) > 4000 {
			return
		}
		if err := plotOf(content); err != nil && !located.MatchString(err.Error()) {
			t.Errorf("%q has no place, for %q", err, content)
		}
	})
}

// A list of lists, however deep, is a fault and no recursion.
func TestListsAreFlat(t *testing.T) {
	err := plotOf("select 1 as x\nVISUALISE x AS x\nDRAW point SETTING size => " + strings.Repeat("[", 100_000))
	if want := "mine.sql:3:29: a list within a list is not supported"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}
