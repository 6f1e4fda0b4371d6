package data

import (
	"errors"
	"path"
	"strings"
)

// snapshotPrefix begins the names of the folders of snapshots in the journal. The ID of their writer follows.
const snapshotPrefix = "snapshot."

// snapshotStore shows the tables as they were when their files were linked into a folder of the journal. Everything else is the lake's.
type snapshotStore struct {
	Store
	folder string
}

var _ Store = snapshotStore{}

// source is where the bytes of a file are, or the files of a table's folder.
func (s snapshotStore) source(name string) string {
	folder, _, _ := strings.Cut(name, "/")
	if isTable(folder) {
		return s.folder + "/" + name
	}
	return name
}

func (s snapshotStore) List(dir string) ([]string, error) {
	folder := s.source(dir)
	names, err := s.Store.List(folder)
	if folder != dir {
		for i, name := range names {
			names[i] = dir + "/" + path.Base(name)
		}
	}
	return names, err
}

func (s snapshotStore) Open(name string) (File, error) { return s.Store.Open(s.source(name)) }

// Snapshot gives the lake as it is now: its tables stay as they are, whatever other processes commit, until release is called. Files are
// linked, so a snapshot takes no room. On a file system without hard links commits wait instead until release is called, and a notice
// says so. The lake must be open for writing. Do not close the snapshot.
func (l *Lake) Snapshot() (still *Lake, release func() error, err error) {
	if err := l.writable(); err != nil {
		return nil, nil, err
	}
	folder := journalDir + "/" + snapshotPrefix + l.session.id
	free, err := l.takeCommits()
	if err != nil {
		return nil, nil, err
	}
	if err := l.linkTables(folder); err != nil {
		if err := l.root.RemoveAll(folder); err != nil {
			return nil, nil, errors.Join(err, free())
		}
		l.notice("files cannot be linked here (" + err.Error() + "); until this command has finished with the tables, what others write is not committed")
		l.commits.snapshot = true
		return l, func() error { l.commits.snapshot = false; return free() }, nil
	}
	if err := free(); err != nil {
		return nil, nil, errors.Join(err, l.root.RemoveAll(folder))
	}
	still = &Lake{store: snapshotStore{l.store, folder}, root: l.root, dir: l.dir, now: l.now, session: l.session}
	return still, func() error { return l.root.RemoveAll(folder) }, nil
}

// Place is where in the lake's folder an engine reads a file or the folder of a table: for a snapshot where that is linked to. Errors name
// the lake's own file, which Path gives.
func (l *Lake) Place(name string) string {
	if s, ok := l.store.(snapshotStore); ok {
		return s.source(name)
	}
	return name
}

// linkTables gives the files of all tables second names in a folder.
func (l *Lake) linkTables(folder string) error {
	if err := l.root.RemoveAll(folder); err != nil {
		return err
	}
	for _, table := range tableFolders() {
		names, err := l.store.List(table)
		if err == nil && len(names) > 0 {
			err = l.root.MkdirAll(folder+"/"+table, 0o777)
		}
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := l.link(name, folder+"/"+name); err != nil {
				return err
			}
		}
	}
	return nil
}
