package ingest

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/captionlake/captionlake/data"
)

// plainFiles is a folder of the file system of which only regular files and folders can be opened: a named pipe, a
// device and a socket would block the program, or give it no end of bytes. When the context ends, so does all reading:
// the walk through a long folder and the digest of a long file stop at the next call.
type plainFiles struct {
	ctx   context.Context
	dir   string
	meter *meter // told what is read; may be nil
}

var _ fs.StatFS = plainFiles{}

// Stat implements fs.StatFS without opening the file.
func (p plainFiles) Stat(name string) (fs.FileInfo, error) {
	if err := p.ctx.Err(); err != nil {
		return nil, err
	}
	return fs.Stat(os.DirFS(p.dir), name)
}

// Open implements fs.FS.
func (p plainFiles) Open(name string) (fs.File, error) {
	info, err := p.Stat(name)
	if err != nil {
		return nil, err
	}
	if !isPlain(info) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: notPlain(info)}
	}
	// What was a file a moment ago may be a pipe by now: it must not block, and is looked at again.
	f, err := os.OpenFile(filepath.Join(p.dir, filepath.FromSlash(name)), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: cause(err)}
	}
	if info, err := f.Stat(); err != nil || !isPlain(info) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("it changed while it was opened (%v, %v)", err, f.Close())}
	}
	return plainFile{f, p.ctx, p.meter}, nil
}

// plainFile is an open file that ends with its context.
type plainFile struct {
	*os.File
	ctx   context.Context
	meter *meter
}

// Read implements io.Reader.
func (f plainFile) Read(b []byte) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := f.File.Read(b)
	f.meter.read(n)
	return n, err
}

// ReadAt implements io.ReaderAt.
func (f plainFile) ReadAt(b []byte, offset int64) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := f.File.ReadAt(b, offset)
	f.meter.read(n)
	return n, err
}

// leadsOut reports whether a name leads out of the folder, over links. One that leads nowhere does not.
func (p plainFiles) leadsOut(name string) (bool, error) {
	dir, err := filepath.Abs(p.dir)
	if err != nil {
		return false, err
	}
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false, err
	}
	target, err := filepath.EvalSymlinks(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		return false, nil // Opening the file says why.
	}
	below, err := filepath.Rel(root, target)
	return below == ".." || strings.HasPrefix(below, ".."+string(filepath.Separator)), err
}

// isOutside reports whether a file of a folder is a link to a file that is not of the folder.
func (s Source) isOutside(entry fs.DirEntry) (bool, error) {
	files, ok := s.FS.(plainFiles)
	if !ok || entry.Type()&fs.ModeSymlink == 0 {
		return false, nil
	}
	return files.leadsOut(s.Name)
}

func isPlain(info fs.FileInfo) bool { return info.Mode().IsRegular() || info.IsDir() }

// notPlain says what a file is that is neither a regular file nor a folder.
func notPlain(info fs.FileInfo) error {
	what := "it is of a special kind"
	switch mode := info.Mode(); {
	case mode&fs.ModeNamedPipe != 0:
		what = "it is a named pipe"
	case mode&fs.ModeSocket != 0:
		what = "it is a socket"
	case mode&fs.ModeDevice != 0:
		what = "it is a device"
	}
	return data.WithHint(fmt.Errorf("%s, not a file", what), "write its content to a file first, and load that")
}
