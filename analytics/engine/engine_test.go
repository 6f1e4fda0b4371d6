package engine

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/dictionary"
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

// TestHintOfDamage reads marts into memory. Only an error about the content of a file says that the
// file is damaged.
func TestHintOfDamage(t *testing.T) {
	folder := t.TempDir() + "/"
	config := Config{Spill: t.TempDir(), Folders: []string{folder}, Options: Options{Held: true}}
	e := must.Get(Open(t.Context(), config))(t)
	defer func() { _ = e.Close() }()
	must.Succeed(t, e.Exec(t.Context(), "copy (select md5(range::varchar) as i from range(1000000)) to '"+folder+
		"m.parquet'; set memory_limit = '20MB'; set max_temp_directory_size = '0B'"))
	must.Write(t, folder+"text.parquet", "no Parquet")
	for file, want := range map[string]bool{"m.parquet": false, "text.parquet": true} {
		err := e.CreateViews(t.Context(), folder, []Relation{
			{Name: "m", glob: file, columns: []dictionary.Column{{Name: "i", Type: "VARCHAR"}}}})
		if hint := new(data.HintError); err == nil || errors.As(err, &hint) != want {
			t.Errorf("%s: %v, with a hint %v", file, err, !want)
		}
	}
}
