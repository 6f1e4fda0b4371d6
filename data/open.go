package data

import (
	"errors"
	"fmt"
	"os"
	"slices"
)

// Open opens a lake for reading. A commit that a crash interrupted is completed first, if no writer is at work. On a lake
// that cannot be written nothing is completed: it is read as if it had been, and a notice says so.
func Open(dir string) (*Lake, error) { return open(dir, Waiter{}) }

func open(dir string, w Waiter) (*Lake, error) {
	l, err := openRoot(dir)
	if err != nil {
		return nil, err
	}
	l.waiter = w
	if err := openForReading(l); err != nil {
		return nil, err
	}
	return l, nil
}

func openForReading(l *Lake) error {
	if err := checkMarker(l); err != nil {
		return err
	}
	pending, err := pendingCommits(l)
	if err != nil || len(pending) == 0 {
		return err
	}
	if err = l.BetweenCommits(func() error { return nil }); cannotWrite(err) {
		showPending(l, pending, err)
		return nil
	}
	return err
}

// Edit opens a lake that exists for writing. The caller closes it. who names the command for the message that another
// writer sees.
func Edit(dir, who string) (*Lake, error) { return edit(dir, who, Waiter{}) }

func edit(dir, who string, w Waiter) (*Lake, error) {
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
func Create(dir, who string) (*Lake, error) { return create(dir, who, Waiter{}) }

func create(dir, who string, w Waiter) (*Lake, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, folderError(dir, err)
	}
	l, err := openRoot(dir)
	if err != nil {
		return nil, err
	}
	if _, err := l.root.Lstat(markerFile); err == nil {
		return edit(dir, who, w)
	}
	l.waiter = w
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, folderError(dir, err)
	}
	if len(entries) > 0 && !onlyOurs(entries) {
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

// onlyOurs tells a folder that an interrupted Create left behind, or that another process is making a lake of, from somebody else's.
func onlyOurs(entries []os.DirEntry) bool {
	return !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() != journalDir && e.Name() != markerFile })
}

// Close ends the writing to a lake that was opened for it.
func (l *Lake) Close() error {
	if l.session == nil {
		return nil
	}
	return leave(l)
}

// Open is Open for a command that can be interrupted.
func (w Waiter) Open(dir string) (*Lake, error) { return open(dir, w) }

// Edit is Edit for a command that can be interrupted.
func (w Waiter) Edit(dir, who string) (*Lake, error) { return edit(dir, who, w) }

// Create is Create for a command that can be interrupted.
func (w Waiter) Create(dir, who string) (*Lake, error) { return create(dir, who, w) }
