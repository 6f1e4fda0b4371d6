package engine

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/captionlake/captionlake/data/must"
)

// TestExec carries several statements out: errors have their kinds, and a statement ends when its context does.
func TestExec(t *testing.T) {
	e := must.Get(Open(t.Context(), Config{Spill: t.TempDir()}))(t)
	defer func() { _ = e.Close() }()
	must.Succeed(t, e.Exec(t.Context(), "create temp table a (x integer); insert into a values (1), (2)"))
	if n, err := e.Count(t.Context(), "a"); n != 2 || err != nil {
		t.Errorf("%d rows, %v", n, err)
	}
	var failed *duckdb.Error
	if err := e.Exec(t.Context(), "select y from a"); !errors.As(err, &failed) ||
		failed.Type != duckdb.ErrorTypeBinder {
		t.Errorf("an unknown column: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	start := time.Now()
	if err := e.Exec(ctx,
		"create table b as select sum(i * j) from range(1000000) as a (i), range(1000000) as b (j)"); !errors.Is(err,
		context.DeadlineExceeded) {
		t.Errorf("a statement whose time is up: %v", err)
	}
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("it ended after %v", d)
	}
	if err := e.Exec(ctx, "select 1"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("one that begins too late: %v", err)
	}
	if n, err := e.Count(t.Context(), "a"); n != 2 || err != nil {
		t.Errorf("%d rows afterwards, %v", n, err)
	}
}
