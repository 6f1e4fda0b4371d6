package cookbook

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// TestRecipes holds the files against each other: names, the questions that are asked first, and parameters that are used.
func TestRecipes(t *testing.T) {
	names, err := files.ReadDir(".")
	must.Succeed(t, err)
	all := Recipes()
	if len(all) != len(names) || len(all) < 25 {
		t.Errorf("%d recipes in %d files, want at least 25", len(all), len(names))
	}
	for i, r := range all {
		if !slices.ContainsFunc(names, func(f fs.DirEntry) bool { return f.Name() == r.Name+".sql" }) {
			t.Errorf("%s is not in the file of its name", r.Name)
		}
		if i < 15 && r.First != i+1 || i >= 15 && r.First != 0 {
			t.Errorf("%s is asked at place %d, want %d of fifteen", r.Name, r.First, i+1)
		}
		if !strings.HasSuffix(r.Asks, "?") {
			t.Errorf("%s asks nothing: %q", r.Name, r.Asks)
		}
		marked := map[string]bool{}
		for _, mark := range marks.FindAllString(r.query, -1) {
			marked[mark[1:]] = true
		}
		for _, p := range r.Parameters {
			if !marked[p.Name] || p.What == "" {
				t.Errorf("%s: parameter %s is not used, or not described", r.Name, p.Name)
			}
			delete(marked, p.Name)
			if _, shown := r.Example[p.Name]; p.Needed != shown {
				t.Errorf("%s: the example has values for the parameters without a default, and for no others; see %s", r.Name, p.Name)
			}
		}
		if len(marked) > 0 {
			t.Errorf("%s uses parameters that it does not have: %v", r.Name, marked)
		}
		for _, line := range strings.Split(r.query, "\n") {
			if len(line) > 140 {
				t.Errorf("%s: a line of %d characters", r.Name, len(line))
			}
		}
	}
}

// Values become SQL literals, whatever they hold.
func TestQuery(t *testing.T) {
	r, err := parse("-- recipe: x\n-- asks: why?\n-- parameters:\n--   a: [null, a text]\n--   n: [2, a number]\n-- example: {a: b}\n\nselect $a, $n, $ab;\n")
	must.Succeed(t, err)
	for _, c := range []struct {
		values    map[string]string
		want, err string
	}{
		{map[string]string{"a": "it's; drop"}, "select 'it''s; drop', 2, $ab", ""},
		{map[string]string{"a": "$n", "n": "7"}, "select '$n', 7, $ab", ""},
		{nil, "", "x needs a value for a: a text"},
		{map[string]string{"a": "", "n": "1; drop"}, "", "n=1; drop is not a whole number"},
		{map[string]string{"a": "", "b": ""}, "", "x has no parameter b"},
	} {
		got, err := r.Query(c.values)
		if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%v: %q, %v; want %q, %q", c.values, got, err, c.want, c.err)
		}
	}
}

// A header with what no recipe has, or without what each has, is refused.
func TestParseRefuses(t *testing.T) {
	for _, text := range []string{
		"", "select 1", "-- recipe: x\nselect 1", "-- recipe: x\n-- asks: y?\n", "-- recipe: x\n-- asks: y?\n-- more: z\nselect 1",
		"-- recipe: x\n-- asks: y?\n-- parameters:\n--   a: 3\nselect $a",
	} {
		if _, err := parse(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
