package ingest

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data/text"
)

// newTable reads CSV, or the same with tabs or semicolons between the cells, whichever its first line has most of.
func newTable(text []byte) (*csv.Reader, *rowReader) {
	rows := &rowReader{Reader: bytes.NewReader(text)}
	t := csv.NewReader(rows)
	first, _, _ := bytes.Cut(text, []byte("\n"))
	t.Comma = delimiterOf(string(first))
	t.LazyQuotes = t.Comma == '\t' // Who writes tabs seldom quotes.
	return t, rows
}

// A rowReader gives so many bytes for a row: the cells of a row take twenty times its bytes.
type rowReader struct {
	*bytes.Reader
	left int
}

func (r *rowReader) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, fmt.Errorf("a row of more than %d bytes; close its quotes, or %w", mostRow, errTooMuch)
	}
	n, err := r.Reader.Read(p[:min(len(p), r.left)])
	r.left -= n
	return n, err
}

// delimiterOf is what stands between the cells of a header.
func delimiterOf(header string) rune {
	most := ','
	for _, c := range "\t;" {
		if strings.Count(header, string(c)) > strings.Count(header, string(most)) {
			most = c
		}
	}
	return most
}

// csvFault reports a fault of the table itself; an error that it returns ends the file.
func csvFault(j *Job, err error) error {
	var parse *csv.ParseError
	switch {
	case errors.As(err, &parse) && errors.Is(err, csv.ErrFieldCount):
		j.Fault(parse.Line, 1, "the row has another number of fields than the header; quote fields that hold a comma")
	case errors.As(err, &parse):
		j.Fault(parse.Line, parse.Column, "not CSV: %v; write a quote within a quoted field twice", parse.Err)
	case errors.Is(err, io.EOF):
		j.Fault(1, 1, "the file is empty; get the whole file")
	default:
		return err
	}
	return nil
}

// quoteList writes names for a message, the first twenty of them.
func quoteList(names []string) string {
	const most = 20
	if len(names) > most {
		names = append(names[:most:most], "…")
	}
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = strconv.Quote(clip(n))
	}
	return strings.Join(quoted, ", ")
}

// clip shortens untrusted text for a message.
func clip(s string) string { return text.Clip(s, 60) }
