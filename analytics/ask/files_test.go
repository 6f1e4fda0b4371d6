package ask

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/sql"
)

// given writes files into a folder of their own and gives their paths.
func given(t *testing.T, files map[string]string) (paths map[string]string) {
	t.Helper()
	dir := t.TempDir()
	paths = map[string]string{}
	for name, content := range files {
		paths[name] = filepath.Join(dir, name)
		must.Write(t, paths[name], content)
	}
	return paths
}

// none takes rows that do not matter.
func none([]string, []any) error { return nil }

// A SELECT gives its rows in the order of the file, with null, lists and objects as they are.
func TestReadFiles(t *testing.T) {
	t.Parallel()
	file := given(t, map[string]string{"a.jsonl": `{"n": 1, "s": "x", "l": ["a", null]}
{"n": 2.5, "s": null, "l": []}
`})["a.jsonl"]
	var got []string
	view := "create temp view file as from read_json(" + sql.Quote(file) + ")"
	must.Succeed(t, ReadFiles(t.Context(), []string{file}, view, "select *, {'k': n} as o from file;",
		func(columns []string, values []any) error {
			got = append(got, fmt.Sprint(columns, values))
			return nil
		}))
	want := []string{"[n s l o] [1 x [a <nil>] map[k:1]]", "[n s l o] [2.5 <nil> [] map[k:2.5]]"}
	expect.Equal(t, got, want)
	stop := errors.New("enough")
	refuse := func([]string, []any) error { return stop }
	expect.Failure(t, ReadFiles(t.Context(), []string{file}, "", "from range(1000)", refuse), stop)
}

// A SELECT over files reads nothing else, writes nothing, and sets nothing.
func TestReadFilesRefuses(t *testing.T) {
	t.Parallel()
	files := given(t, map[string]string{"a.csv": "x\n1\n", "other.csv": "secret\n1\n"})
	beside := filepath.Dir(files["a.csv"])
	for _, query := range []string{
		"from read_csv(" + sql.Quote(files["other.csv"]) + ")",
		"from read_csv(" + sql.Quote(filepath.Join(beside, "*.csv")) + ")",
		"from " + sql.Quote(files["other.csv"]),
		"from read_text('/etc/passwd')",
		"from read_csv('https://example.org/a.csv')",
		"copy (from range(3)) to " + sql.Quote(filepath.Join(beside, "out.csv")),
		"create table t as from range(3)",
		"attach " + sql.Quote(filepath.Join(beside, "x.db")),
		"set memory_limit = '10GB'",
		"install httpfs",
		"load httpfs",
		"select 1; select 2",
		"select getenv('HOME')",
		"from query('copy (from range(3)) to ''out.csv''')",
		"",
	} {
		if ReadFiles(t.Context(), []string{files["a.csv"]}, "", query, none) == nil {
			t.Errorf("%s is answered", query)
		}
	}
	expect.Equal(t, len(must.Get(filepath.Glob(filepath.Join(beside, "*")))(t)), 2)
	must.Succeed(t, ReadFiles(t.Context(), []string{files["a.csv"]}, "",
		"from read_csv("+sql.Quote(files["a.csv"])+")", none))
}

// A SELECT that goes on without a row, that takes too much memory, or that is interrupted, ends.
func TestReadFilesBounds(t *testing.T) {
	t.Parallel()
	file := given(t, map[string]string{"a.csv": "x\n1\n"})["a.csv"]
	endless := "with recursive r(n) as (select 1 union all select n + 1 from r) select sum(n) from r"
	err := readFiles(t.Context(), []string{file}, "", endless, 100*time.Millisecond, none)
	expect.Failure(t, err, errLongSelect)
	err = ReadFiles(t.Context(), []string{file}, "", "from range(10_000_000)", none)
	expect.Failure(t, err, errManyRows)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	expect.Failure(t, ReadFiles(ctx, []string{file}, "", endless, none))
	expect.Failure(t, ctx.Err())
	large := "select string_agg(repeat('x', 1000000), '') from range(1000)"
	err = ReadFiles(t.Context(), []string{file}, "", large, none)
	expect.Failure(t, err, "too large for the 300MB that a SELECT may take")
}

// A message of DuckDB about a file has the place in the file, and nothing about DuckDB itself.
func TestReadFilesLocates(t *testing.T) {
	t.Parallel()
	files := given(t, map[string]string{
		"a.csv": "x,y\n1,2\n3\n", "a.json": `[{"x": 1}, {"x": 1, "x": 2}]`, "b.json": `[1, 2]`,
		"c.json": `[{"x": 1}, {"x": "\ud800"}]`,
	})
	json := "from read_json(%s, format = 'array', records = true)"
	for name, c := range map[string]struct {
		query string
		line  int
		want  string
	}{
		"a.csv": {"from read_csv(%s, header = true, auto_detect = false, columns = {'x': 'VARCHAR', 'y': 'VARCHAR'})",
			3, "not as the header says: expected number of columns: 2 found: 1"},
		"a.json": {json, 0, "not JSON as it should be, in record/value 2: "},
		"b.json": {json, 0, "a record is no object"},
		"c.json": {json, 0, "not JSON as it should be"},
	} {
		err := ReadFiles(t.Context(), []string{files[name]}, "", fmt.Sprintf(c.query, sql.Quote(files[name])), none)
		var at *fileError
		if !errors.As(err, &at) || at.FileLine() != c.line || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
