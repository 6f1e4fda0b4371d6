package journal

import (
	"errors"
	"os"
	"syscall"
)

// syncData makes the bytes of a file durable, and only as much metadata as is needed to find them.
func syncData(f *os.File) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var syncErr error
	err = conn.Control(func(fd uintptr) {
		// A call that a signal has interrupted is repeated.
		for syncErr = syscall.EINTR; errors.Is(syncErr, syscall.EINTR); {
			syncErr = syscall.Fdatasync(int(fd))
		}
	})
	return errors.Join(err, syncErr)
}
