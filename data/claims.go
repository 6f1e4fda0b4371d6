package data

import (
	"encoding/binary"
	"os"
)

const claimFile = journalDir + "/claims"

// Claims keep two processes from asking for the same reply at the same moment. A claim is a locked
// byte of a file and ends with its process. Systems other than Linux have no such locks, so there
// two processes may ask for the same reply.
type Claims struct{ *os.File }

// Claims opens the file of claims and claims nothing yet. Close releases all claims. The lake must
// be open for writing.
func (l *Lake) Claims() (Claims, error) {
	file, err := l.root.OpenFile(claimFile, os.O_RDWR|os.O_CREATE, lockMode)
	return Claims{file}, l.writeError(err)
}

// Take claims a request by its digest. It reports false while another process has the claim.
func (c Claims) Take(key [16]byte) (bool, error) { return lockByte(c.File, placeOf(key), true) }

// Drop releases a claim.
func (c Claims) Drop(key [16]byte) error {
	_, err := lockByte(c.File, placeOf(key), false)
	return err
}

// placeOf is the offset of the byte that stands for a request: 63 bits of its digest, because an
// offset cannot be negative.
func placeOf(key [16]byte) int64 { return int64(binary.BigEndian.Uint64(key[:]) >> 1) }
