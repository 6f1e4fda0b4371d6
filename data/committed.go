package data

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data/files"
)

// committed shows a lake as its commits have left it. It includes commits whose files do not all
// have their names yet: their writer may be stopped, and readers do not wait for it.
type committed struct {
	files.Store
	lake *Lake
}

// Moved maps the names of files in unfinished commits to the places where their bytes are now. A
// file that a commit removes has an empty place. The result is nil unless the lake is open for
// reading.
func (l *Lake) Moved() (map[string]string, error) {
	if _, reading := l.store.(committed); !reading {
		return nil, nil
	}
	pending, err := pendingCommits(l)
	at := map[string]string{}
	for _, p := range pending {
		for _, m := range p.record.Moves {
			if _, err := l.root.Stat(m.From); err == nil {
				at[m.To] = m.From
			}
		}
		for _, name := range p.record.Removes {
			at[name] = ""
		}
	}
	return at, err
}

// List includes files that a commit has not renamed yet, and leaves out files that it removes.
func (s committed) List(dir string) ([]string, error) {
	names, err := s.Store.List(dir)
	if err != nil || dir == journalDir {
		return names, err
	}
	at, err := s.lake.Moved()
	for name := range at {
		if path.Dir(name) == dir {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool {
		from, pending := at[name]
		return pending && from == ""
	}), err
}

// Open opens the file that has the name after all commits, even if a commit has not renamed it yet.
func (s committed) Open(name string) (files.File, error) {
	if strings.HasPrefix(name, journalDir+"/") {
		return s.Store.Open(name)
	}
	at, err := s.lake.Moved()
	if err != nil {
		return nil, err
	}
	switch from, pending := at[name]; {
	case pending && from == "":
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	case pending: // If the file is no longer there, the commit has renamed it since.
		if f, err := s.Store.Open(from); !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
	}
	return s.Store.Open(name)
}
