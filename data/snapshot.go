package data

import (
	"errors"
	"path"
	"strings"

	"github.com/captionlake/captionlake/data/files"
)

// snapshotStore shows the tables as they were when their files were linked into a folder of the
// journal. Everything else is read from the lake.
type snapshotStore struct {
	files.Store
	folder string
}

var _ files.Store = snapshotStore{}

// linked is the place of a table's file or folder in the snapshot. A name outside the tables stays
// as it is.
func (s snapshotStore) linked(name string) string {
	folder, _, _ := strings.Cut(name, "/")
	if isTable(folder) {
		return s.folder + "/" + name
	}
	return name
}

// List gives linked files the names that the files have in the lake.
func (s snapshotStore) List(dir string) ([]string, error) {
	folder := s.linked(dir)
	names, err := s.Store.List(folder)
	if folder != dir {
		for i, name := range names {
			names[i] = dir + "/" + path.Base(name)
		}
	}
	return names, err
}

func (s snapshotStore) Open(name string) (files.File, error) { return s.Store.Open(s.linked(name)) }

// Snapshot gives the lake as it is now: until release is called, the tables of frozen do not change
// when other processes commit. Files are linked, so a snapshot takes no room. On a file system
// without hard links, files are copied. Only one process at a time can have a snapshot. The lake
// must be open for writing. Do not close frozen, because that would release the lake's locks.
func (l *Lake) Snapshot() (frozen *Lake, release func() error, err error) {
	unlock, err := l.Hold(path.Base(snapshotFolder))
	if err != nil {
		return nil, nil, err
	}
	drop := func() error {
		err := l.root.RemoveAll(snapshotFolder)
		unlock()
		return err
	}
	// No commit happens while the files are linked, so that the links show one state of the lake.
	if err := l.BetweenCommits(func() error { return linkTables(l) }); err != nil {
		return nil, nil, errors.Join(err, drop())
	}
	return &Lake{store: snapshotStore{l.store, snapshotFolder}, root: l.root, dir: l.dir, name: l.name, now: l.now,
		who: l.who, waiter: l.waiter, session: l.session}, drop, nil
}

// Place is where in the lake's folder an engine reads a file or a table's folder. In a snapshot
// this is the linked file or folder. Error messages name the lake's own file instead, which Path
// gives.
func (l *Lake) Place(name string) string {
	if s, ok := l.store.(snapshotStore); ok {
		return s.linked(name)
	}
	return name
}

// linkTables links the files of all tables into the folder of the snapshot, or copies a file that
// cannot be linked.
func linkTables(l *Lake) error {
	if err := l.root.RemoveAll(snapshotFolder); err != nil {
		return err
	}
	for _, table := range tableFolders() {
		names, err := l.store.List(table)
		if err == nil && len(names) > 0 {
			err = l.root.MkdirAll(snapshotFolder+"/"+table, 0o777)
		}
		if err != nil {
			return err
		}
		for _, name := range names {
			link := snapshotFolder + "/" + name
			if l.link(name, link) == nil {
				continue
			}
			if err := files.Copy(l.store, link, l.store, name); err != nil {
				return err
			}
		}
	}
	return nil
}
