package data

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// pendingStore shows a lake that cannot be written as it is once its interrupted commits are complete: a unit whose commit
// record is on disk is committed, whoever looks. It moves and removes nothing.
type pendingStore struct {
	Store
	moved   map[string]string // where the bytes of a file are that a record moves
	removed map[string]bool
}

var _ Store = (*pendingStore)(nil)

func newPendingStore(s Store, commits []pendingCommit) *pendingStore {
	p := &pendingStore{Store: s, moved: map[string]string{}, removed: map[string]bool{}}
	for _, c := range commits {
		for _, m := range c.record.Moves {
			p.moved[m.To] = m.From
		}
		for _, name := range c.record.Removes {
			p.removed[name] = true
		}
	}
	return p
}

// source is where the bytes of a file are: where the record takes them from, or, once the move was made, in their place.
func (p *pendingStore) source(name string) string {
	if from, ok := p.moved[name]; ok {
		if f, err := p.Store.Open(from); err == nil && f.Close() == nil {
			return from
		}
	}
	return name
}

func (p *pendingStore) List(dir string) ([]string, error) {
	names, err := p.Store.List(dir)
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return p.removed[name] })
	for to := range p.moved {
		if path.Dir(to) == dir {
			names = append(names, to)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

func (p *pendingStore) Open(name string) (File, error) {
	if p.removed[name] {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return p.Store.Open(p.source(name))
}

var errReadOnly = errors.New("the lake is open for reading only")

func (p *pendingStore) Create(string) (io.WriteCloser, error) { return nil, errReadOnly }
func (p *pendingStore) Move(string, string) error             { return errReadOnly }
func (p *pendingStore) Remove(string) error                   { return errReadOnly }

// Scattered reports whether files of the lake are not where their names say, because it is read with commits pending that
// cannot be completed. Path then says where each is.
func Scattered(l *Lake) bool {
	_, scattered := l.store.(*pendingStore)
	return scattered
}

// showPending lets the lake be read with commits pending that cannot be completed here.
func showPending(l *Lake, commits []pendingCommit, why error) {
	l.store = newPendingStore(l.store, commits)
	units := make([]string, len(commits))
	for i, c := range commits {
		units[i] = c.unit
	}
	l.notice(fmt.Sprintf("a commit was interrupted and cannot be completed here (%v); it is read as if it were complete: %s", why, strings.Join(units, ", ")))
}
