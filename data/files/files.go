// Package files keeps the files of a lake by name. It knows nothing of their content.
package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// A Store holds the lake's files under slash-separated names. It stands between the lake and the
// place of the lake's bytes, so that an object store can replace the folder.
type Store interface {
	// List returns the names of the plain files directly in dir, sorted. A missing dir is empty.
	List(dir string) ([]string, error)
	// Open opens a file for reading. The error of a missing file satisfies errors.Is(err,
	// fs.ErrNotExist).
	Open(name string) (File, error)
	// Create starts a new file and replaces any file of that name. The bytes of the new file are
	// durable once Close has returned nil.
	Create(name string) (io.WriteCloser, error)
	// Move renames a file and atomically replaces any file of the new name. When Move returns, the new
	// name is durable.
	Move(from, to string) error
	// Remove deletes a file. Removing a missing file is no error.
	Remove(name string) error
}

// A File is an open file of a Store.
type File interface {
	io.ReadCloser
	io.ReaderAt
	// Size is the length of the file in bytes.
	Size() int64
}

var _ Store = folder{}

// In returns the Store of a directory of the local file system.
func In(root *os.Root) Store { return folder{root} }

// folder is the Store of a directory of the local file system. Names may come from other people's
// lakes, so no name leads out of the directory, neither by .. nor through a symbolic link.
type folder struct{ root *os.Root }

// List implements Store. It leaves out symbolic links and other files that are not plain.
func (f folder) List(dir string) ([]string, error) {
	entries, err := fs.ReadDir(f.root.FS(), dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", dir, err)
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() {
			names = append(names, strings.TrimPrefix(dir+"/"+e.Name(), "./")) // dir may be ".".
		}
	}
	return names, nil
}

// A localFile is a File of a folder, with the size that the file had when it was opened.
type localFile struct {
	*os.File
	size int64
}

func (f *localFile) Size() int64 { return f.size }

// Open implements Store.
func (f folder) Open(name string) (File, error) {
	// Without O_NONBLOCK, a named pipe would block the program here.
	file, err := f.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a plain file", name)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &localFile{file, info.Size()}, nil
}

// A syncedFile is a file with a Close that first makes the bytes of the file durable.
type syncedFile struct{ *os.File }

func (f syncedFile) Close() error {
	return errors.Join(f.Sync(), f.File.Close())
}

// Create implements Store. It makes a missing folder.
func (f folder) Create(name string) (io.WriteCloser, error) {
	if err := f.root.MkdirAll(path.Dir(name), 0o777); err != nil {
		return nil, err
	}
	// Remove any present file first: a symbolic link would send the bytes to another file.
	if err := f.Remove(name); err != nil {
		return nil, err
	}
	file, err := f.root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	return syncedFile{file}, nil
}

// Move implements Store. It makes a missing folder.
func (f folder) Move(from, to string) error {
	if err := f.root.MkdirAll(path.Dir(to), 0o777); err != nil {
		return err
	}
	if err := f.root.Rename(from, to); err != nil {
		return err
	}
	return SyncFolder(f.root, path.Dir(to))
}

// Remove implements Store.
func (f folder) Remove(name string) error {
	if err := f.root.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Size is the length of a file in bytes.
func Size(s Store, name string) (int64, error) {
	f, err := s.Open(name)
	if err != nil {
		return 0, err
	}
	return f.Size(), f.Close()
}

// Copy copies the file source of a store to the file name of another or the same store, and
// replaces any file of that name. If it fails, a partial file may stay.
func Copy(to Store, name string, from Store, source string) error {
	f, err := from.Open(source)
	if err != nil {
		return err
	}
	w, err := to.Create(name)
	if err != nil {
		return errors.Join(err, f.Close())
	}
	_, err = io.Copy(w, f)
	return errors.Join(err, w.Close(), f.Close())
}

// SyncFolder makes the names in a directory durable. Some systems cannot sync a directory, but keep
// the order of renames without a sync. The error of such a system is ignored.
func SyncFolder(root *os.Root, dir string) error {
	d, err := root.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrInvalid) {
		err = nil
	}
	return errors.Join(err, d.Close())
}

// mostRead is the largest size of a file that Read reads, in bytes. There is a limit because a lake
// may come from somebody else. All valid files that are read by Read are smaller.
const mostRead = 64 << 20

// Read returns the content of a small file.
func Read(s Store, name string) ([]byte, error) {
	f, err := s.Open(name)
	if err != nil {
		return nil, err
	}
	var content []byte
	if f.Size() > mostRead {
		err = fmt.Errorf("%s has %d bytes, and at most %d are read", name, f.Size(), mostRead)
	} else {
		content, err = io.ReadAll(f)
	}
	return content, errors.Join(err, f.Close())
}

// WriteWhole makes a file outside of a lake, or replaces it whole or not at all: write writes to a
// temporary file in the same folder, which then gets the name and the mode. WriteWhole makes a
// missing folder.
func WriteWhole(name string, mode os.FileMode, write func(io.Writer) error) (err error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	err = write(f)
	if err == nil { // CreateTemp has made a file that only its owner can read.
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// Write writes a file with the given content.
func Write(s Store, name string, content []byte) error {
	w, err := s.Create(name)
	if err != nil {
		return err
	}
	_, err = w.Write(content)
	return errors.Join(err, w.Close())
}
