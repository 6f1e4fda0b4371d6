package analytics

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/captionlake/captionlake/data/must"
)

// A bound of rows computes no more of them, and says that there are more.
func TestBoundOfRows(t *testing.T) {
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
	e, err := openEngine(t.Context(), engineConfig{spill: t.TempDir()})
	must.Succeed(t, err)
	defer func() { _ = e.close() }()
	if err := e.exec(t.Context(), "create temp table a (x integer); insert into a values (1), (2)"); err != nil {
		t.Fatal(err)
	}
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
