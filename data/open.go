package data

import (
	"errors"
	"fmt"
	"os"
	"slices"
)

// Open opens a lake for reading. A commit that a crash interrupted is completed first. Where that cannot be, because the lake cannot be written
// or the writer is stopped, the lake is shown as the commit will have left it.
func Open(dir string) (*Lake, error) { return Waiter{}.Open(dir) }

// Open is Open for a command that can be interrupted.
func (w Waiter) Open(dir string) (*Lake, error) {
	l, err := openRoot(dir)
	if err != nil {
		return nil, err
	}
	l.waiter = w
	if err := checkMarker(l); err != nil {
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
	return l, nil
}

// Edit opens a lake that exists for writing. The caller closes it. who names the command for the message that another
// writer sees.
func Edit(dir, who string) (*Lake, error) { return Waiter{}.Edit(dir, who) }

// Edit is Edit for a command that can be interrupted.
func (w Waiter) Edit(dir, who string) (*Lake, error) {
	l, err := openRoot(dir)
	if err != nil {
		return nil, err
	}
	l.waiter = w
	if err := checkMarker(l); err != nil {
		return nil, err
	}
	if err := enter(l, who, false); err != nil {
		return nil, l.writeError(err)
	}
	return l, nil
}

// Create opens a lake for writing and makes it first if the folder is absent or empty. The caller closes it.
// who names the command for the message that another writer sees.
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
	// An interrupted Create left these two behind, or another process is making a lake here.
	if slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() != journalDir && e.Name() != markerFile }) {
		return nil, WithHint(fmt.Errorf("%s: %w and not empty", dir, ErrNotALake), "name a new or an empty folder with --lake")
	}
	if err := enter(l, who, false); err != nil {
		return nil, l.writeError(err)
	}
	if err := l.PutFile(markerFile, []byte(marker)); err != nil {
		return nil, errors.Join(l.writeError(err), l.Close())
	}
	return l, nil
}

// Close ends the writing to a lake that was opened for it.
func (l *Lake) Close() error {
	if l.session == nil {
		return nil
	}
	return leave(l)
}
