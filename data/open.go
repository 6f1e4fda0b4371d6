package data

import (
	"errors"
	"os"
	"slices"
)

// Open opens a lake for reading. It first completes commits that a crash interrupted. If Open
// cannot complete them, because the lake cannot be written or a stopped process has the lock of
// commits, it shows the lake as if they were complete.
func Open(dir string) (*Lake, error) { return Waiter{}.Open(dir) }

// Open is Open for a command that can be interrupted.
func (w Waiter) Open(dir string) (*Lake, error) {
	l, err := w.openExisting(dir)
	if err != nil {
		return nil, err
	}
	l.store = committed{l.store, l}
	pending, err := pendingCommits(l)
	if len(pending) == 0 {
		return l, err
	}
	if err := l.BetweenCommits(func() error { return nil }); !cannotWait(err) {
		return l, err
	}
	return l, nil // The store shows the lake as it will be after the pending commits.
}

// openExisting opens a folder that is a lake already, without locks.
func (w Waiter) openExisting(dir string) (*Lake, error) {
	l, err := openRoot(dir)
	if err != nil {
		return nil, err
	}
	l.waiter = w
	return l, checkMarker(l)
}

// Edit opens an existing lake for writing; other writers may open it too. The caller closes it. who
// names the command in messages to other writers.
func (w Waiter) Edit(dir, who string) (*Lake, error) {
	l, err := w.openExisting(dir)
	if err != nil {
		return nil, err
	}
	if err := lockLake(l, who, false); err != nil {
		return nil, l.writeError(err)
	}
	return l, nil
}

// Create opens a lake for writing. If the folder is missing or empty, it makes the lake first. The
// caller closes it. who names the command in messages to other writers.
func Create(dir, who string) (*Lake, error) { return Waiter{}.Create(dir, who) }

// Create is Create for a command that can be interrupted.
func (w Waiter) Create(dir, who string) (*Lake, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, folderError(dir, err)
	}
	l, err := openRoot(dir)
	if err != nil {
		return nil, err
	}
	if _, err := l.root.Lstat(markerFile); err == nil {
		return w.Edit(dir, who)
	}
	l.waiter = w
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, folderError(dir, err)
	}
	// An interrupted Create may have left a journal, and another process that is making the lake may
	// have written a journal and a marker. All other files are foreign.
	foreign := func(e os.DirEntry) bool { return e.Name() != journalDir && e.Name() != markerFile }
	if slices.ContainsFunc(entries, foreign) {
		return nil, Errorf("name a new or an empty folder with --lake", "%s: %w and not empty", dir, ErrNotALake)
	}
	if err := lockLake(l, who, false); err != nil {
		return nil, l.writeError(err)
	}
	if err := l.PutFile(markerFile, []byte(marker)); err != nil {
		return nil, errors.Join(l.writeError(err), l.Close())
	}
	return l, nil
}
