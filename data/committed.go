package data

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data/files"
)

// committed shows a lake as its commits have left it, those included whose files do not all have their names yet: a writer may be stopped
// there, and readers do not wait for it.
type committed struct {
	files.Store
	lake *Lake
}

// Moved are the files of commits under way that do not have their names yet: where each is, by its name, or nowhere when it goes. It is of a
// lake that is open for reading.
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
		from, under := at[name]
		return under && from == ""
	}), err
}

func (s committed) Open(name string) (files.File, error) {
	if strings.HasPrefix(name, journalDir+"/") {
		return s.Store.Open(name)
	}
	at, err := s.lake.Moved()
	if err != nil {
		return nil, err
	}
	switch from, under := at[name]; {
	case under && from == "":
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	case under:
		if f, err := s.Store.Open(from); !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
	}
	return s.Store.Open(name)
}
