package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/captionlake/captionlake/data"
)

// Bounds of what foreign files take of memory; see data/README.md.
const (
	mostBytes  = 128 << 20 // of a file that is read whole
	mostString = 16 << 20  // bytes of a text, also in logs
	mostRow    = 2 << 20   // bytes of a row of CSV
	mostValues = 1 << 19   // within an entry of JSON
)

// mostEntries is how many entries, lines or rows of a file are read.
var mostEntries = 3 << 18 // fewer in tests

// errTooMuch is wrapped by the errors of files that would take too much memory.
var errTooMuch = errors.New("split the file")

// read reads a file whole.
func (s Source) read() ([]byte, error) {
	if info, err := fs.Stat(s.FS, s.Name); err != nil {
		return nil, err
	} else if info.Size() > mostBytes {
		return nil, fmt.Errorf("the file has %d bytes, and at most %d are read", info.Size(), mostBytes)
	}
	return fs.ReadFile(s.FS, s.Name)
}

// text reads a file, without the byte order mark.
func (s Source) text() ([]byte, error) {
	content, err := s.read()
	if err != nil {
		return nil, data.WithHint(fmt.Errorf("%s: %w", s.Path, cause(err)), "split a file that is too large")
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
		if number > mostEntries {
			return fmt.Errorf("more than %d lines; %w", mostEntries, errTooMuch)
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
