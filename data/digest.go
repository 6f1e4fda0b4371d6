package data

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
)

// A FileDigest is the lake's record of a file that it has written: enough to notice any change of
// the file. The digest is SHA-256, because sha256sum and every database can check it, and the names
// of pictures contain it. Computing the digest, at 1 to 2 GB a second, takes less time than reading
// the file.
type FileDigest struct {
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"` // in lower-case hex
}

// DigestOf reads a file of the lake and digests it. The error of a missing file satisfies
// errors.Is(err, fs.ErrNotExist).
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

// Digest reads a file to its end and digests it.
func Digest(r io.Reader) (sum FileDigest, err error) {
	h := sha256.New()
	sum.Bytes, err = io.Copy(h, r)
	sum.SHA256 = hex.EncodeToString(h.Sum(nil))
	return sum, err
}
