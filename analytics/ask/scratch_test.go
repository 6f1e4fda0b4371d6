package ask

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// A bound of rows computes no more of them, and says that there are more.
func TestBoundOfRows(t *testing.T) {
	lake := sampleLake(t)
	s := must.Get(OpenReader(t.Context(), lake, engine.Options{MemoryLimit: "64MB"}))(t)
	must.Succeed(t, s.engine.Exec(t.Context(), "set max_temp_directory_size = '10MB'"))
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
		var out, table strings.Builder
		begun := time.Now()
		rows, err := s.Query(t.Context(), c.query, Options{Format: "csv", Rows: 3}, &out)
		must.Get(s.Query(t.Context(), c.query, Options{Rows: 3}, &table))(t)
		more := strings.Contains(table.String(), "3 rows shown, and there are more")
		if err != nil || out.String() != c.want || more != c.more || rows > 3 {
			t.Errorf("%s: %q, %d rows, %v, %v", c.query, out.String(), rows, more, err)
		}
		expect.Between(t, time.Since(begun), 0, 20*time.Second, c.query)
	}
	var out strings.Builder
	expect.Refusal(s.Query(t.Context(), "select a.i from range(10000000) as a (i) order by hash(a.i)",
		Options{Format: "csv"}, &out))(t)
}

// Folders of processes that are gone are removed; folders of living ones, and files that only look
// alike, stay.
func TestScratchIsSwept(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	held := must.Get(newScratch())(t)
	old := time.Now().Add(-time.Hour)
	folder := func(name, lock string, changed time.Time) string {
		dir := filepath.Join(temp, name)
		err := errors.Join(os.Mkdir(dir, 0o700),
			os.WriteFile(filepath.Join(dir, "result.parquet"), []byte("rows"), 0o600))
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
	expect.Refusal(os.Stat(left))(t, os.ErrNotExist)
	for _, dir := range kept {
		must.Get(os.Stat(dir))(t)
	}
	expect.Refusal(os.Lstat(filepath.Join(temp, "made-through-the-link")))(t)
	for _, s := range []scratch{held, next} {
		must.Succeed(t, s.remove())
		expect.Refusal(os.Stat(s.dir))(t, os.ErrNotExist)
	}
}
