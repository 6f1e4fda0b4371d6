package data

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

const (
	journalDir = "journal"
	lockFile   = journalDir + "/lock"
	ownerFile  = journalDir + "/lock.owner"
	markerFile = "LAKE"
	marker     = "captionlake lake, layout 1\n"
)

// ErrNotALake is wrapped by the error of opening a folder that is no lake.
var ErrNotALake = errors.New("not a lake")

// ErrLocked is wrapped by the error of opening for writing a lake that another process is writing to.
var ErrLocked = errors.New("the lake is in use")

// A Lake is an open lake. Any number of readers may have it open; one process at a time writes.
type Lake struct {
	store Store
	dir   string
	lock  *flock.Flock
	now   func() time.Time

	digests digestMemory
}

// Dir is the lake's folder, as it was given.
func (l *Lake) Dir() string { return l.dir }

// Store gives access to the lake's files by name.
func (l *Lake) Store() Store { return l.store }

// Path returns where in the file system a file of the lake is.
func (l *Lake) Path(name string) string { return filepath.Join(l.dir, filepath.FromSlash(name)) }

// Open opens a lake for reading. A commit that a crash interrupted is completed first, if no writer is at work.
func Open(dir string) (*Lake, error) {
	l := &Lake{store: folder(dir), dir: dir, now: time.Now}
	if err := l.mustExist(); err != nil {
		return nil, err
	}
	pending, err := l.pendingCommits()
	if err != nil || len(pending) == 0 {
		return l, err
	}
	lock := flock.New(l.Path(lockFile))
	if locked, err := lock.TryLock(); err != nil || !locked {
		return l, err // A writer is at work; it will complete its own commits.
	}
	return l, errors.Join(l.recover(), lock.Unlock())
}

func (l *Lake) mustExist() error {
	_, err := os.Stat(l.Path(markerFile))
	if errors.Is(err, fs.ErrNotExist) {
		return WithHint(fmt.Errorf("%s: %w", l.dir, ErrNotALake),
			"name the lake's folder with --lake, or make one with: captionlake init --lake %s", l.dir)
	}
	return err
}

// Edit opens a lake that exists for writing. The caller closes it. who names the command for the message that another
// writer sees.
func Edit(dir, who string) (*Lake, error) {
	l := &Lake{store: folder(dir), dir: dir, now: time.Now}
	if err := l.mustExist(); err != nil {
		return nil, err
	}
	return Create(dir, who)
}

// Create opens a lake for writing and makes it first if the folder is absent or empty. The caller closes it.
// who names the command for the message that another writer sees.
func Create(dir, who string) (*Lake, error) {
	l := &Lake{store: folder(dir), dir: dir, now: time.Now}
	if _, err := os.Stat(l.Path(markerFile)); errors.Is(err, fs.ErrNotExist) {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if len(entries) > 0 && !onlyOurs(entries) {
			return nil, WithHint(fmt.Errorf("%s: %w and not empty", dir, ErrNotALake), "name a new or an empty folder with --lake")
		}
	} else if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(l.Path(journalDir), 0o777); err != nil {
		return nil, err
	}
	if err := l.acquire(who); err != nil {
		return nil, err
	}
	if err := l.recover(); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	if err := l.PutFile(markerFile, []byte(marker)); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// onlyOurs tells a folder that an interrupted Create left behind from somebody else's.
func onlyOurs(entries []os.DirEntry) bool {
	return len(entries) == 1 && entries[0].Name() == journalDir
}

func (l *Lake) acquire(who string) error {
	l.lock = flock.New(l.Path(lockFile))
	locked, err := l.lock.TryLock()
	if err != nil {
		return fmt.Errorf("lock %s: %w", l.dir, err)
	}
	if !locked {
		owner, err := os.ReadFile(l.Path(ownerFile))
		if err != nil {
			owner = []byte("another process")
		}
		return WithHint(fmt.Errorf("%s: %w by %s", l.dir, ErrLocked, strings.TrimSpace(string(owner))),
			"wait until it has finished, or stop it; the lock goes with the process")
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown host"
	}
	owner := fmt.Sprintf("captionlake %s (process %d on %s, since %s)", who, os.Getpid(), host, l.now().UTC().Format(time.RFC3339))
	if err := os.WriteFile(l.Path(ownerFile), []byte(owner), 0o666); err != nil {
		return errors.Join(err, l.lock.Unlock())
	}
	return nil
}

// Close releases the lock of a lake that was opened for writing.
func (l *Lake) Close() error {
	if l.lock == nil {
		return nil
	}
	return errors.Join(l.keepDigests(), l.store.Remove(ownerFile), l.lock.Unlock())
}

// Writable reports an error unless the lake was opened with Create.
func (l *Lake) writable() error {
	if l.lock == nil || !l.lock.Locked() {
		return fmt.Errorf("%s: the lake is open for reading only", l.dir)
	}
	return nil
}

// PutFile writes a small file of the lake atomically. A file that already holds the same bytes is left alone.
func (l *Lake) PutFile(name string, content []byte) error {
	if old, err := os.ReadFile(l.Path(name)); err == nil && string(old) == string(content) {
		return nil
	}
	temp := journalDir + "/put-" + slug(name) + tempSuffix
	if err := writeFile(l.store, temp, content); err != nil {
		return err
	}
	return l.store.Move(temp, name)
}

func writeFile(s Store, name string, content []byte) error {
	w, err := s.Create(name)
	if err != nil {
		return err
	}
	_, err = w.Write(content)
	return errors.Join(err, w.Close())
}

const (
	tempSuffix   = ".tmp"
	commitSuffix = ".commit.json"
)

// A commitRecord is the durable intent to publish the files of one unit. Once it is on disk the unit is committed:
// whoever opens the lake next completes the moves.
type commitRecord struct {
	Moves   []move   `json:"moves"`
	Removes []string `json:"removes"`
}

type move struct {
	From string `json:"from"`
	To   string `json:"to"`
}

func (l *Lake) pendingCommits() ([]string, error) {
	names, err := l.store.List(journalDir)
	if err != nil {
		return nil, err
	}
	var pending []string
	for _, n := range names {
		if strings.HasSuffix(n, commitSuffix) {
			pending = append(pending, n)
		}
	}
	return pending, nil
}

// recover completes interrupted commits and deletes the temporary files of units that never committed.
func (l *Lake) recover() error {
	pending, err := l.pendingCommits()
	if err != nil {
		return err
	}
	for _, name := range pending {
		content, err := readFile(l.store, name)
		if err != nil {
			return err
		}
		var record commitRecord
		if err := json.Unmarshal(content, &record); err != nil {
			return WithHint(fmt.Errorf("%s: unreadable commit record: %w", l.Path(name), err),
				"the disk has damaged the lake's journal: restore the lake from a copy, or delete this record to give its unit up")
		}
		if err := l.publish(record); err != nil {
			return err
		}
		if err := l.store.Remove(name); err != nil {
			return err
		}
	}
	names, err := l.store.List(journalDir)
	if err != nil {
		return err
	}
	for _, n := range names {
		if strings.HasSuffix(n, tempSuffix) {
			if err := l.store.Remove(n); err != nil {
				return err
			}
		}
	}
	return nil
}

// publish carries a commit record out. It may be repeated: a move whose source is gone has been made before.
func (l *Lake) publish(record commitRecord) error {
	for _, m := range record.Moves {
		if err := l.store.Move(m.From, m.To); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("publish %s: %w", m.To, err)
		}
	}
	for _, name := range record.Removes {
		if err := l.store.Remove(name); err != nil {
			return fmt.Errorf("remove %s: %w", name, err)
		}
	}
	return nil
}

func readFile(s Store, name string) ([]byte, error) {
	f, err := s.Open(name)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(io.NewSectionReader(f, 0, f.Size()))
	return content, errors.Join(err, f.Close())
}
