package analytics

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// listModel is a model that gathers so many numbers into a list, which DuckDB cannot spill.
func listModel(t *testing.T, name string, numbers int) Model {
	t.Helper()
	m, err := ParseModel(name+".sql", fmt.Sprintf(`-- what: how many numbers a list has
-- key: [n]
-- source: none
-- columns:
--   n: [bigint, count, 1.., numbers]

select len(list(i)) as n from range(%d) as t (i) where i not in (select cast(len(model_id) as bigint) - 100 from models);
`, numbers))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestShortOfMemory builds three models side by side of which each needs most of what SQL may use, and one that needs more than all of it.
func TestShortOfMemory(t *testing.T) {
	must.Slow(t)
	lake := laketest.New(t)
	addRows(t, lake, data.Models, "m", data.Model{ModelID: "m"})
	const numbers = 8_000_000
	models := []Model{
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
	held, err := newScratch()
	must.Succeed(t, err)
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
	next, err := newScratch()
	must.Succeed(t, err)
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
		if err := s.remove(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(s.dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left: %v", s.dir, err)
		}
	}
}
