package analytics

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/must"
)

// What is refused within reach of the lake's files is refused without them, and so is everything that names a file.
func TestTablesOnly(t *testing.T) {
	e, err := connect(t.Context(), "")
	must.Succeed(t, err)
	defer e.close()
	refused := func(query string) bool {
		kind, _, err := e.classify(t.Context(), query, reachTables)
		return errors.Is(err, ErrRefused) || err == nil && kind == statementOther
	}
	for _, a := range attempts(t, strings.NewReplacer(`\n`, "\n", `\r`, "\r")) {
		if a.verdict == "refused" && !refused(a.query) {
			t.Errorf("testdata/sandbox.txt:%d: %s is allowed", a.line, a.query)
		}
	}
	for name := range fileFunctions {
		for _, query := range []string{"from " + name + "('answers/*.parquet')", "with x as (select * from main." + name + "('x')) from x", "select (select count(*) from " + strings.ToUpper(name) + "('/etc/passwd'))"} {
			if !refused(query) {
				t.Errorf("%s is allowed", query)
			}
		}
	}
	for _, query := range []string{"from 'answers/x.parquet'", `from "names.csv"`, "from 'https://example.org/x.parquet'", "select * from answers join 'x.json' using (a)", "explain from 'x.csv'", "describe 'x.parquet'", "summarize 'x.parquet'", "from '/etc/passwd'", `from "a\b"`, "from 'x*'"} {
		if !refused(query) {
			t.Errorf("%s is allowed", query)
		}
	}
	for _, query := range []string{"from answers", "select * from main.answers", "show tables", "describe answers", "explain select 1", "from range(3)", "select unnest([1, 2])", "from leaderboard('Simple')", "with a as (select 1) from a"} {
		if refused(query) {
			t.Errorf("%s is refused", query)
		}
	}
	_, _, err = e.classify(t.Context(), "select *\nfrom answers, glob('*')", reachTables)
	var hint *data.HintError
	if err == nil || !strings.Contains(err.Error(), "SQL:2:15: the table function glob") || !strings.Contains(err.Error(), "LINE 2: from answers, glob('*')\n                      ^") || !errors.As(err, &hint) || strings.Contains(hint.Hint, "outside") {
		t.Errorf("the place of the fault: %v", err)
	}
}

// A bound of rows computes no more of them, and says that there are more.
func TestMaxRows(t *testing.T) {
	lake := sampleLake(t)
	s, err := OpenSession(t.Context(), lake, EngineOptions{MemoryLimit: "64MB", SpillLimit: "10MB"}, false)
	must.Succeed(t, err)
	defer s.Close()
	for _, c := range []struct {
		query, want string
		more        bool
	}{
		{"from range(1000000000000) as t (i)", "i\n0\n1\n2\n", true},
		{"from range(3) as t (i)", "i\n0\n1\n2\n", false},
		{"select 5 - i as i from range(5) as t (i) order by i", "i\n1\n2\n3\n", true},
		{"select 1 as i where false", "i\n", false},
	} {
		var out strings.Builder
		begun := time.Now()
		r, err := s.Query(t.Context(), c.query, QueryOptions{Format: "csv", MaxRows: 3, TablesOnly: true}, &out)
		if err != nil || out.String() != c.want || r.More != c.more || r.Rows > 3 {
			t.Errorf("%s: %q, %+v, %v", c.query, out.String(), r, err)
		}
		if time.Since(begun) > 20*time.Second {
			t.Errorf("%s took %v", c.query, time.Since(begun))
		}
	}
	var out strings.Builder
	if _, err := s.Query(t.Context(), "select a.i from range(10000000) as a (i) order by hash(a.i)", QueryOptions{Format: "csv", TablesOnly: true}, &out); err == nil {
		t.Error("what does not fit into memory and 10 MB of disk is answered")
	}
}
