package ingest

import (
	"context"
	"fmt"
	"io"
	"io/fs"

	"github.com/captionlake/captionlake/data"
)

// plainFiles is a folder of the file system of which only regular files and folders can be opened, for a named pipe, a device and a socket
// would block the program, or give it no end of bytes; and none once the context has ended.
type plainFiles struct {
	fs.FS
	ctx context.Context
}

var _ fs.StatFS = plainFiles{}

// Stat implements fs.StatFS without opening the file.
func (p plainFiles) Stat(name string) (fs.FileInfo, error) {
	if err := p.ctx.Err(); err != nil {
		return nil, err
	}
	return fs.Stat(p.FS, name)
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
	f, err := p.FS.Open(name)
	if at, ok := f.(io.ReaderAt); ok && !info.IsDir() {
		f = plainFile{f, at, p.ctx}
	}
	return f, err
}

// A plainFile cannot be read on once the context has ended.
type plainFile struct {
	fs.File
	io.ReaderAt
	ctx context.Context
}

func (f plainFile) Read(p []byte) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	return f.File.Read(p)
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
