package data

import (
	"errors"
	"os"
	"syscall"
)

// setLock is F_OFD_SETLK: the lock belongs to the open file, so it also keeps out other openings in
// this process.
const setLock = 37

// lockByte locks or unlocks a byte of a file. It reports false if another open file has the lock.
// On a file system without such locks it locks nothing and reports true.
func lockByte(f *os.File, at int64, lock bool) (bool, error) {
	kind := int16(syscall.F_UNLCK)
	if lock {
		kind = syscall.F_WRLCK
	}
	err := syscall.FcntlFlock(f.Fd(), setLock, &syscall.Flock_t{Type: kind, Start: at, Len: 1})
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil // The file system has no such locks.
	}
	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES) {
		return false, nil // Another open file has the lock.
	}
	return err == nil, err
}
