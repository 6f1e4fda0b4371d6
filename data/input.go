package data

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// OpenInput opens a file that a user named. A named pipe without a writer is read as empty: without
// O_NONBLOCK, opening such a pipe would block the program, and an interrupt would not end it.
func OpenInput(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

// ReadInput reads a file that a user named. A file with more than most bytes is an error.
func ReadInput(path string, most int64) ([]byte, error) {
	f, err := OpenInput(path)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(io.LimitReader(f, most+1)) // One byte more shows that the file is too long.
	if err == nil && int64(len(content)) > most {
		err = Errorf("check that it is the file that you meant", "%s has more than %d bytes", path, most)
	}
	return content, errors.Join(err, f.Close())
}
