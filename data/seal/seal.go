// Package seal adds the digest of a Parquet file's bytes to the file itself.
package seal

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// A seal is the SHA-256 of all other bytes of a file. The seal stands between the last page and the
// footer, where readers look only for parts that the footer names. Files of the table runs have a
// seal: they hold the digests of all other files of a unit, and no other file holds their digest.
const (
	mark = "captionlake/seal/1\x00" // begins a seal; the digest follows
	size = len(mark) + sha256.Size
	// parquetEnd is the size of the end of a Parquet file: four bytes with the length of the
	// footer, and four magic bytes.
	parquetEnd = 8
)

// A Writer writes a Parquet file with a seal. It keeps the file in memory until Close.
type Writer struct {
	io.WriteCloser
	content bytes.Buffer
}

// Write keeps bytes of the file until Close.
func (s *Writer) Write(p []byte) (int, error) { return s.content.Write(p) }

// Close writes the file with its seal before the footer.
func (s *Writer) Close() error {
	content := s.content.Bytes()
	at, err := footerOf(content)
	if err == nil {
		sum := sha256.Sum256(content)
		_, err = s.WriteCloser.Write(bytes.Join([][]byte{content[:at], []byte(mark), sum[:], content[at:]}, nil))
	}
	return errors.Join(err, s.WriteCloser.Close())
}

// footerOf is the offset of a Parquet file's footer.
func footerOf(content []byte) (int, error) {
	if len(content) < parquetEnd {
		return 0, errors.New("the file ends early")
	}
	at := int64(len(content)-parquetEnd) - int64(binary.LittleEndian.Uint32(content[len(content)-parquetEnd:]))
	if at < 0 {
		return 0, errors.New("the footer is longer than the file")
	}
	return int(at), nil
}

// Check returns an error unless a Parquet file has the seal of its other bytes.
func Check(content []byte) error {
	at, err := footerOf(content)
	if err != nil {
		return fmt.Errorf("damaged: %w", err)
	}
	start := at - size
	if start < 0 || string(content[start:start+len(mark)]) != mark {
		return errors.New("the file is not as it was written: it has no seal")
	}
	h := sha256.New()
	h.Write(content[:start])
	h.Write(content[at:])
	if !bytes.Equal(h.Sum(nil), content[start+len(mark):at]) {
		return errors.New("the file is not as it was written: its seal is of other bytes")
	}
	return nil
}
