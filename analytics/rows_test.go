package analytics

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// A bound of rows computes no more of them, and says that there are more.
func TestBoundOfRows(t *testing.T) {
	lake := sampleLake(t)
	s := must.Get(OpenSession(t.Context(), lake, EngineOptions{MemoryLimit: "64MB"}, false))(t)
	must.Succeed(t, s.engine.exec(t.Context(), "set max_temp_directory_size = '10MB'"))
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
		r, err := s.Query(t.Context(), c.query, QueryOptions{Format: "csv", Rows: 3}, &out)
		if err != nil || out.String() != c.want || r.More != c.more || r.Rows > 3 {
			t.Errorf("%s: %q, %+v, %v", c.query, out.String(), r, err)
		}
		if time.Since(begun) > 20*time.Second {
			t.Errorf("%s took %v", c.query, time.Since(begun))
		}
	}
	var out strings.Builder
	if _, err := s.Query(t.Context(), "select a.i from range(10000000) as a (i) order by hash(a.i)", QueryOptions{Format: "csv"}, &out); err == nil {
		t.Error("what does not fit into memory and 10 MB of disk is answered")
	}
}

// TestExec carries several statements out: errors have their kinds, and a statement ends when its context does.
func TestExec(t *testing.T) {
	e := must.Get(openEngine(t.Context(), engineConfig{spill: t.TempDir()}))(t)
	defer func() { _ = e.closed() }()
	must.Succeed(t, e.exec(t.Context(), "create temp table a (x integer); insert into a values (1), (2)"))
	if n, err := e.count(t.Context(), "a"); n != 2 || err != nil {
		t.Errorf("%d rows, %v", n, err)
	}
	var failed *duckdb.Error
	if err := e.exec(t.Context(), "select y from a"); !errors.As(err, &failed) || failed.Type != duckdb.ErrorTypeBinder {
		t.Errorf("an unknown column: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	start := time.Now()
	if err := e.exec(ctx, "create table b as select sum(i * j) from range(1000000) as a (i), range(1000000) as b (j)"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a statement whose time is up: %v", err)
	}
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("it ended after %v", d)
	}
	if err := e.exec(ctx, "select 1"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("one that begins too late: %v", err)
	}
	if n, err := e.count(t.Context(), "a"); n != 2 || err != nil {
		t.Errorf("%d rows afterwards, %v", n, err)
	}
}

// listModel is a model that gathers so many numbers into a list, which DuckDB cannot spill.
func listModel(t *testing.T, name string, numbers int) sqlmodel.Model {
	t.Helper()
	m, err := sqlmodel.Parse(name+".sql", fmt.Sprintf(`-- what: how many numbers a list has
-- key: [n]
-- source: none
-- columns:
--   n: [bigint, count, 1.., numbers]

select len(list(i)) as n from range(%d) as t (i) where i not in (select cast(len(model_id) as bigint) - 100 from models);
`, numbers))
	must.Succeed(t, err)
	return m
}

// TestShortOfMemory builds three models side by side of which each needs most of what SQL may use, and one that needs more than all of it.
func TestShortOfMemory(t *testing.T) {
	must.Slow(t)
	lake := laketest.New(t)
	addRows(t, lake, data.Models, "m", data.Model{ModelID: "m"})
	const numbers = 8_000_000
	models := []sqlmodel.Model{
		listModel(t, "a", numbers), listModel(t, "b", numbers), listModel(t, "c", numbers),
		listModel(t, "too_much", 10*numbers),
	}
	reports, err := Build(t.Context(), lake, models, RunOptions{Engine: EngineOptions{MemoryLimit: "200MB", Threads: 4}})
	for _, m := range []string{"a", "b", "c"} {
		if got := reportOf(reports, m); got.State != StateBuilt || got.Rows != 1 {
			t.Errorf("%s: %+v, %v", m, got, err)
		}
	}
	if got := reportOf(reports, "too_much"); got.State != StateFailed {
		t.Errorf("%+v", got)
	}
	var hint *data.HintError
	if !errors.As(err, &hint) || !strings.Contains(hint.Hint, "more than 200MB with --memory") ||
		!strings.Contains(err.Error(), "model too_much: the select failed: Out of Memory Error") || strings.Contains(err.Error(), "SET ") {
		t.Errorf("%v (%+v)", err, hint)
	}
}

// Folders of processes that are gone are removed; those of living ones, and what only looks alike, stay.
func TestScratchIsSwept(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	held := must.Get(newScratch())(t)
	old := time.Now().Add(-time.Hour)
	folder := func(name, lock string, changed time.Time) string {
		dir := filepath.Join(temp, name)
		err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, "result.parquet"), []byte("rows"), 0o600))
		switch lock {
		case "file":
			err = errors.Join(err, os.WriteFile(filepath.Join(dir, "lock"), nil, 0o600))
		case "link":
			err = errors.Join(err, os.Symlink(filepath.Join(temp, "made-through-the-link"), filepath.Join(dir, "lock")))
		}
		must.Succeed(t, errors.Join(err, os.Chtimes(dir, changed, changed)))
		return dir
	}
	left := folder("captionlake-sql-1", "file", old)
	kept := []string{
		held.dir, folder("captionlake-sql-2", "file", time.Now()), folder("captionlake-sql-3", "", old),
		folder("captionlake-sql-4", "link", old), folder("captionlake-other-5", "file", old),
	}
	must.Succeed(t, os.Chtimes(held.dir, old, old))
	next := must.Get(newScratch())(t)
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is left: %v", left, err)
	}
	for _, dir := range kept {
		if _, err := os.Stat(dir); err != nil {
			t.Errorf("%s is gone: %v", dir, err)
		}
	}
	if _, err := os.Lstat(filepath.Join(temp, "made-through-the-link")); err == nil {
		t.Error("a file was made through a link")
	}
	for _, s := range []scratch{held, next} {
		must.Succeed(t, s.remove())
		if _, err := os.Stat(s.dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left: %v", s.dir, err)
		}
	}
}
