package ingest

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data/text"
)

// maxRecord bounds a record of a table in bytes: the memory for its cells grows with its commas.
const maxRecord = 2 << 20

var errLongRecord = errors.New("a record is too long")

// A table reads CSV, or the same with tabs or semicolons between the cells, whichever its first line has most of.
type table struct {
	*csv.Reader
	in    io.Reader
	read  int64
	begin int64 // of the record that is being read
	line  int   // that the last record ended in
}

func newTable(r io.Reader) *table {
	in := bufio.NewReaderSize(withoutMark(r), maxRecord/8)
	t := &table{in: in}
	t.Reader = csv.NewReader(readerFunc(t.bounded))
	first, _ := in.Peek(maxRecord / 8) // Reading the table says what is wrong.
	first, _, _ = bytes.Cut(first, []byte("\n"))
	t.Comma = delimiterOf(string(first))
	t.LazyQuotes = t.Comma == '\t' // Who writes tabs seldom quotes.
	return t
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

// readerFunc is a reader that is a function.
type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// bounded reads on unless the record is too long already.
func (t *table) bounded(p []byte) (int, error) {
	if t.read-t.begin > maxRecord {
		return 0, errLongRecord
	}
	n, err := t.in.Read(p)
	t.read += int64(n)
	return n, err
}

// Read reads the next record.
func (t *table) Read() ([]string, error) {
	t.begin = t.InputOffset()
	cells, err := t.Reader.Read()
	if errors.Is(err, errLongRecord) {
		return nil, &csv.ParseError{StartLine: t.line + 1, Line: t.line + 1, Column: 1, Err: errLongRecord}
	}
	if len(cells) > 0 {
		t.line, _ = t.FieldPos(len(cells) - 1)
	}
	return cells, err
}

// csvFault reports a fault of the table itself; an error that it returns ends the file.
func csvFault(j *Job, err error) error {
	var parse *csv.ParseError
	switch {
	case errors.Is(err, errLongRecord) && errors.As(err, &parse):
		j.Fault(parse.Line, 1, "the record has more than %d bytes, which none of the format has: look for a quote that is not closed", maxRecord)
		return errFaulted
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
