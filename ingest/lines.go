package ingest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
)

// eachLine reads a text line by line, without the line feeds; empty lines are passed over. A line longer than maxLine is
// reported through long and passed over too. One line at a time is in memory.
func eachLine(ctx context.Context, r io.Reader, long faultFunc, each func(number int, line []byte) error) error {
	in := bufio.NewReaderSize(r, 256<<10)
	var carried []byte
	tooLong := false
	for number := 1; ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		part, err := in.ReadSlice('\n')
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) && !errors.Is(err, io.EOF) {
			return err
		}
		if tooLong = tooLong || len(carried)+len(part) > maxLine; tooLong {
			carried = carried[:0]
		} else if errors.Is(err, bufio.ErrBufferFull) || len(carried) > 0 {
			carried = append(carried, part...)
			part = carried
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		switch line := bytes.TrimRight(part, "\r\n"); {
		case tooLong:
			long(number, 1, "the line is longer than %d bytes: no line of the format is", maxLine)
		case len(bytes.TrimSpace(line)) > 0:
			if err := each(number, line); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
		carried, tooLong = carried[:0], false
		number++
	}
}

// digestOf is the start of a source's digest: enough to tell the files of one name apart, in eight hexadecimal digits.
func digestOf(s Source) (string, error) {
	digest, err := s.Digest()
	if err != nil {
		return "", fmt.Errorf("%s: %w", s.Path, cause(err))
	}
	return digest[:8], nil
}
