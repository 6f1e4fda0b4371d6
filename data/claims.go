package data

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
)

const (
	claimFolder = journalDir + "/claims" // locks of requests that are being asked
	claimFiles  = 16                     // because the system goes through all locks of a file
)

// Claims keep two processes from asking for one reply at the same moment. A claim is a locked byte of a file and ends with its process.
// Systems other than Linux have no such locks, so that there each may ask.
type Claims []*os.File

// Claims begins without a claim. The lake must be open for writing.
func (l *Lake) Claims() (c Claims, err error) {
	err = l.root.MkdirAll(claimFolder, 0o777)
	for i := range claimFiles {
		if err == nil {
			var file *os.File
			file, err = l.root.OpenFile(fmt.Sprintf("%s/%02d", claimFolder, i), os.O_RDWR|os.O_CREATE, lockMode)
			c = append(c, file)
		}
	}
	return c, l.writeError(err)
}

// Take claims a request by its digest. It reports false while another process has it.
func (c Claims) Take(key [16]byte) (bool, error) { return c.lock(key, true) }

// Drop gives a claim up.
func (c Claims) Drop(key [16]byte) error {
	_, err := c.lock(key, false)
	return err
}

func (c Claims) lock(key [16]byte, take bool) (bool, error) {
	return lockByte(c[key[0]%claimFiles], int64(binary.BigEndian.Uint64(key[1:])>>1), take)
}

// Close gives all claims up.
func (c Claims) Close() (err error) {
	for _, file := range c {
		err = errors.Join(err, file.Close())
	}
	return err
}
