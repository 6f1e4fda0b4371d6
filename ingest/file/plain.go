package file

import (
	"context"
	"errors"
	"io/fs"

	"github.com/captionlake/captionlake/data"
)

// Plain is a folder of the file system in which only regular files and folders can be opened: a
// named pipe, a device or a socket would block the program, or never end. After the context has
// ended, nothing can be opened or read.
type Plain struct {
	fs.FS
	Context context.Context
}

var _ fs.StatFS = Plain{}

// Stat implements fs.StatFS without opening the file.
func (p Plain) Stat(name string) (fs.FileInfo, error) {
	if err := p.Context.Err(); err != nil {
		return nil, err
	}
	return fs.Stat(p.FS, name)
}

// Open implements fs.FS.
func (p Plain) Open(name string) (fs.File, error) {
	info, err := p.Stat(name)
	if err != nil {
		return nil, err
	}
	if err := CheckPlain(info); err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	f, err := p.FS.Open(name)
	if err != nil || info.IsDir() { // A plainFile would hide the method ReadDir of a folder.
		return f, err
	}
	return plainFile{f, p.Context}, nil
}

// A plainFile can be read until its context ends.
type plainFile struct {
	fs.File
	ctx context.Context
}

// Read implements fs.File.
func (f plainFile) Read(p []byte) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	return f.File.Read(p)
}

// CheckPlain refuses anything but a regular file or a folder.
func CheckPlain(info fs.FileInfo) error {
	if info.Mode().IsRegular() || info.IsDir() {
		return nil
	}
	return data.Errorf("write its content to a file first, and load that",
		"it is a named pipe, a socket or a device, not a file")
}

// IsOver reports whether an error comes from an ended context and not from a file.
func IsOver(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
