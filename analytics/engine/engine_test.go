package engine

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// TestExec carries several statements out: errors have their kinds, and a statement ends when its
// context does.
func TestExec(t *testing.T) {
	e := must.Get(Open(t.Context(), Config{Spill: t.TempDir()}))(t)
	defer func() { _ = e.Close() }()
	must.Succeed(t, e.Exec(t.Context(), "create temp table a (x integer); insert into a values (1), (2)"))
	expect.Equal(t, must.Get(e.Count(t.Context(), "a"))(t), 2)
	var failed *duckdb.Error
	if err := e.Exec(t.Context(), "select y from a"); !errors.As(err, &failed) ||
		failed.Type != duckdb.ErrorTypeBinder {
		t.Errorf("an unknown column: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	start := time.Now()
	expect.Failure(t, e.Exec(ctx,
		"create table b as select sum(i * j) from range(1000000) as a (i), range(1000000) as b (j)"),
		context.DeadlineExceeded)
	expect.Between(t, time.Since(start), 0, 10*time.Second)
	expect.Failure(t, e.Exec(ctx, "select 1"), context.DeadlineExceeded)
	expect.Equal(t, must.Get(e.Count(t.Context(), "a"))(t), 2)
}
