package data

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data/files"
)

// committed shows a lake to readers as it is after all its commits, also the unfinished ones. The
// writer of an unfinished commit may be stopped, and readers do not wait for such a writer.
type committed struct {
	files.Store
	lake *Lake
}

// Moved maps the names of files in unfinished commits to the places where their bytes are now. A
// file that a commit removes has an empty place. The result is nil if the lake is open for writing,
// because a process that opens a lake for writing completes unfinished commits first.
func (l *Lake) Moved() (map[string]string, error) {
	if _, reading := l.store.(committed); !reading {
		return nil, nil
	}
	pending, err := pendingCommits(l)
	moved := map[string]string{}
	for _, p := range pending {
		for _, m := range p.record.Moves {
			if _, err := l.root.Stat(m.From); err == nil { // Otherwise the file has its new name already.
				moved[m.To] = m.From
			}
		}
		for _, name := range p.record.Removes {
			moved[name] = ""
		}
	}
	return moved, err
}

// List includes files that a commit has not renamed yet, and leaves out files that a commit
// removes. The journal is listed as it is, since Moved calls List to find commit records.
func (s committed) List(dir string) ([]string, error) {
	names, err := s.Store.List(dir)
	if err != nil || dir == journalDir {
		return names, err
	}
	moved, err := s.lake.Moved()
	for name := range moved {
		if path.Dir(name) == dir {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool {
		place, pending := moved[name]
		return pending && place == "" // A commit removes the file.
	}), err
}

// Open opens the file that has the name after all commits, even if a commit has not renamed it yet.
// Files of the journal are opened as they are, since Moved calls Open to read commit records.
func (s committed) Open(name string) (files.File, error) {
	if strings.HasPrefix(name, journalDir+"/") {
		return s.Store.Open(name)
	}
	moved, err := s.lake.Moved()
	if err != nil {
		return nil, err
	}
	switch place, pending := moved[name]; {
	case pending && place == "":
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	case pending: // If the file is no longer there, the commit has renamed it since.
		if f, err := s.Store.Open(place); !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
	}
	return s.Store.Open(name)
}
