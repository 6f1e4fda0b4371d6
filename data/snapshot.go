package data

import (
	"errors"
	"path"
	"strings"

	"github.com/captionlake/captionlake/data/files"
)

// snapshotStore shows the tables as they were when their files were linked into a folder of the journal. Everything else is the lake's.
type snapshotStore struct {
	files.Store
	folder string
}

var _ files.Store = snapshotStore{}

// linked is where the bytes of a file are, or the files of a table's folder.
func (s snapshotStore) linked(name string) string {
	folder, _, _ := strings.Cut(name, "/")
	if isTable(folder) {
		return s.folder + "/" + name
	}
	return name
}

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

// Snapshot gives the lake as it is now: its tables stay as they are, whatever other processes commit, until release is called. Files are
// linked, so a snapshot takes no room; on a file system without hard links they are copied. One process at a time has a snapshot. The lake
// must be open for writing. Do not close the snapshot.
func (l *Lake) Snapshot() (frozen *Lake, release func() error, err error) {
	free, err := l.Hold(path.Base(snapshotFolder))
	if err != nil {
		return nil, nil, err
	}
	drop := func() error {
		err := l.root.RemoveAll(snapshotFolder)
		free()
		return err
	}
	if err := l.BetweenCommits(func() error { return linkTables(l) }); err != nil {
		return nil, nil, errors.Join(err, drop())
	}
	return &Lake{store: snapshotStore{l.store, snapshotFolder}, root: l.root, dir: l.dir, now: l.now, who: l.who, waiter: l.waiter, session: l.session}, drop, nil
}

// Place is where in the lake's folder an engine reads a file or the folder of a table: for a snapshot where that is linked to. Errors name
// the lake's own file, which Path gives.
func (l *Lake) Place(name string) string {
	if s, ok := l.store.(snapshotStore); ok {
		return s.linked(name)
	}
	return name
}

// linkTables gives the files of all tables second names in the folder of the snapshot.
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
			second := snapshotFolder + "/" + name
			if l.link(name, second) == nil {
				continue
			}
			if err := files.Copy(l.store, second, l.store, name); err != nil {
				return err
			}
		}
	}
	return nil
}
