package analytics

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data/must"
)

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
