package data

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// OpenInput opens a file that a user named. A named pipe that nobody writes to is empty: it does not block the program,
// which would not even end when it is told to.
func OpenInput(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

// ReadInput reads a file that a user named, which may have so many bytes at most.
func ReadInput(path string, most int64) ([]byte, error) {
	f, err := OpenInput(path)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(content)) > most {
		err = WithHint(fmt.Errorf("%s has more than %d bytes", path, most), "see whether it is the file that you meant")
	}
	return content, errors.Join(err, f.Close())
}
