package data

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/captionlake/captionlake/data/files"
)

// A FileDigest is what the lake records of a file that it has written: enough to notice any change of it. The digest is
// SHA-256, because sha256sum and every database can check it, pictures are named by it already, and at 1 to 2 GB a
// second it costs less than reading the file.
type FileDigest struct {
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"` // in lower-case hex
}

// DigestOf reads a file of the lake for its digest. The error of an absent file satisfies errors.Is(err, fs.ErrNotExist).
func DigestOf(l *Lake, name string) (sum FileDigest, err error) {
	f, err := l.store.Open(name)
	if err != nil {
		return sum, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if sum, err = Digest(f); err != nil {
		err = fmt.Errorf("%s: %w", l.Path(name), err)
	}
	return sum, err
}

// Digest reads an open file for its digest.
func Digest(f files.File) (sum FileDigest, err error) {
	h := sha256.New()
	sum.Bytes, err = io.Copy(h, f)
	sum.SHA256 = hex.EncodeToString(h.Sum(nil))
	return sum, err
}
