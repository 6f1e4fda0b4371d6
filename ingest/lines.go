package ingest

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
)

// text reads a file, without the byte order mark.
func (s Source) text() ([]byte, error) {
	content, err := fs.ReadFile(s.FS, s.Name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Path, cause(err))
	}
	return bytes.TrimPrefix(content, []byte(byteOrderMark)), nil
}

// eachLine goes through the lines of a text, without the line feeds; empty lines are passed over.
func eachLine(ctx context.Context, text []byte, each func(number int, line []byte) error) error {
	number := 0
	for line := range bytes.Lines(text) {
		number++
		if err := ctx.Err(); err != nil {
			return err
		}
		if line = bytes.TrimRight(line, "\r\n"); len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err := each(number, line); err != nil {
			return err
		}
	}
	return nil
}

// digestOf is the start of a source's digest: enough to tell the files of one name apart, in eight hexadecimal digits.
func digestOf(s Source) (string, error) {
	digest, err := s.Digest()
	if err != nil {
		return "", fmt.Errorf("%s: %w", s.Path, cause(err))
	}
	return digest[:8], nil
}
