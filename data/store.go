package data

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"
)

// A Store holds the lake's files under slash-separated names. It is the one seam between the lake and the place where
// its bytes are kept, so that an object store can take the folder's place.
type Store interface {
	// List returns the names of the plain files directly in dir, sorted. An absent dir is empty.
	List(dir string) ([]string, error)
	// Open opens a file for reading. The error of an absent file satisfies errors.Is(err, fs.ErrNotExist).
	Open(name string) (File, error)
	// Create starts a new file, replacing any of that name. Its bytes are durable once Close has returned nil.
	Create(name string) (io.WriteCloser, error)
	// Move gives a file another name, replacing any file of that name in one step, durable on return.
	Move(from, to string) error
	// Remove deletes a file. Removing an absent file is no error.
	Remove(name string) error
}

// A File is an open file of a Store.
type File interface {
	io.ReaderAt
	io.Closer
	// Size is the length of the file in bytes.
	Size() int64
	// ModTime is when the file was last written, as far as its place knows.
	ModTime() time.Time
}

var _ Store = folder("")

// folder is the Store of a directory of the local file system.
type folder string

func (f folder) path(name string) string { return filepath.Join(string(f), filepath.FromSlash(name)) }

func (f folder) List(dir string) ([]string, error) {
	entries, err := os.ReadDir(f.path(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", dir, err)
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() {
			names = append(names, strings.TrimPrefix(dir+"/"+e.Name(), "./"))
		}
	}
	sort.Strings(names)
	return names, nil
}

type localFile struct {
	*os.File
	info fs.FileInfo
}

func (f *localFile) Size() int64 { return f.info.Size() }

func (f *localFile) ModTime() time.Time { return f.info.ModTime() }

func (f folder) Open(name string) (File, error) {
	file, err := os.Open(f.path(name))
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &localFile{file, info}, nil
}

// syncedFile is a file whose Close makes its bytes durable first.
type syncedFile struct{ *os.File }

func (f syncedFile) Close() error {
	return errors.Join(f.Sync(), f.File.Close())
}

func (f folder) Create(name string) (io.WriteCloser, error) {
	path := f.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return syncedFile{file}, nil
}

func (f folder) Move(from, to string) error {
	target := f.path(to)
	if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
		return err
	}
	if err := os.Rename(f.path(from), target); err != nil {
		return err
	}
	return syncDir(filepath.Dir(target))
}

func (f folder) Remove(name string) error {
	err := os.Remove(f.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// syncDir makes the names in a directory durable. Systems that cannot sync a directory say so with an error that is
// of no consequence here, since they order renames themselves.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrInvalid) {
		return errors.Join(err, d.Close())
	}
	return d.Close()
}
