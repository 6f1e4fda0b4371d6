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
type Claims struct {
	lake  *Lake
	files [claimFiles]*os.File
}

// Claims begins without a claim. The lake must be open for writing.
func (l *Lake) Claims() *Claims { return &Claims{lake: l} }

// Take claims a request by its digest. It reports false while another process has it.
func (c *Claims) Take(key [16]byte) (taken bool, err error) {
	f := &c.files[key[0]%claimFiles]
	if *f == nil {
		if err := c.lake.root.MkdirAll(claimFolder, 0o777); err != nil {
			return false, err
		}
		name := fmt.Sprintf("%s/%02d", claimFolder, key[0]%claimFiles)
		if *f, err = c.lake.root.OpenFile(name, os.O_RDWR|os.O_CREATE, lockMode); err != nil {
			return false, c.lake.writeError(err)
		}
	}
	return lockByte(*f, place(key), true)
}

// Drop gives a claim up.
func (c *Claims) Drop(key [16]byte) error {
	_, err := lockByte(c.files[key[0]%claimFiles], place(key), false)
	return err
}

// Close gives all claims up.
func (c *Claims) Close() (err error) {
	for _, f := range c.files {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	return err
}

// place is the byte of a file that is locked for a key.
func place(key [16]byte) int64 { return int64(binary.BigEndian.Uint64(key[1:]) >> 1) }
