package ask

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

const scratchPattern = "captionlake-sql-*"

// A scratch is a folder for the temporary files of one DuckDB. However the process dies, the system
// releases the lock of the folder.
type scratch struct {
	dir  string
	lock *flock.Flock
}

// newScratch makes a folder among the system's temporary folders and removes the folders of
// processes that are gone.
func newScratch() (s scratch, err error) {
	sweepScratch(time.Now())
	if s.dir, err = os.MkdirTemp("", scratchPattern); err != nil {
		return s, err
	}
	s.lock = flock.New(filepath.Join(s.dir, "lock"))
	if _, err := s.lock.TryLock(); err != nil { // Nobody else holds the lock of a new folder.
		return s, errors.Join(err, s.remove())
	}
	return s, nil
}

// path is a file within the folder, as SQL writes it.
func (s scratch) path(name string) string { return filepath.ToSlash(filepath.Join(s.dir, name)) }

func (s scratch) remove() error { return errors.Join(s.lock.Unlock(), os.RemoveAll(s.dir)) }

// scratchYouth is how old a folder must be before it is removed. The owner of a younger folder may
// not have locked it yet.
const scratchYouth = time.Minute

// sweepScratch removes the folders that killed processes left. The name of such a folder matches
// scratchPattern, its lock is a plain file, and nobody holds the lock. A folder that cannot be
// removed stays: the folder may be another user's, and it is in nobody's way.
func sweepScratch(now time.Time) {
	dirs, err := filepath.Glob(filepath.Join(os.TempDir(), scratchPattern))
	if err != nil { // The path of the temporary folders is no pattern, so nothing can be found.
		return
	}
	for _, dir := range dirs {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || now.Sub(info.ModTime()) < scratchYouth {
			continue
		}
		if info, err := os.Lstat(filepath.Join(dir, "lock")); err != nil || !info.Mode().IsRegular() {
			continue
		}
		s := scratch{dir, flock.New(filepath.Join(dir, "lock"))}
		if ok, err := s.lock.TryLock(); err == nil && ok {
			_ = s.remove()
		}
	}
}
