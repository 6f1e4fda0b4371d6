package file

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	utf "golang.org/x/text/encoding/unicode"
)

// A Form is the form of a file's rows.
type Form string

// The forms of tabular files.
const (
	NoForm   Form = ""
	JSONList Form = "JSON list"
	JSONRows Form = "JSON lines"
	JSONOne  Form = "JSON object" // its members may be rows, and lists of rows
	CSV      Form = "CSV"
	TSV      Form = "TSV"
	Parquet  Form = "Parquet file"
)

// How much of a file a Table samples.
const (
	sampleRows  = 100  // records
	sampleNames = 1000 // members of an object
	sampleDepth = 5    // levels
)

// A Table is a tabular file before its rows are read.
type Table struct {
	Source
	Head   []byte
	Form   Form
	Rows   []Value  // the first records of JSON, or its one object; of each list inside only the first element
	All    bool     // Rows has all records of the file
	Names  []string // names of the columns; empty for JSON
	Comma  rune     // separator of the cells of CSV and TSV
	Quotes bool     // the header has quotes, so quotes around cells are not part of them
	Skip   int      // lines before the header
	UTF16  bool

	columns []string // result of Columns; nil before the first call
}

// Columns are the names of a file's columns; for JSON, the names in its first records.
func (t *Table) Columns() []string {
	if t.columns == nil {
		t.columns = slices.Clip(t.Names) // append then copies, and Names stays as it is.
		seen := map[string]bool{}
		for _, row := range t.Rows {
			for _, f := range row.Fields {
				if !seen[f.Key] {
					seen[f.Key], t.columns = true, append(t.columns, f.Key)
				}
			}
		}
	}
	return t.columns
}

// Member is the list of rows in a member of the file's object, as a table that has only the first
// row. ok is false if the member is missing or is not a list of rows.
func (t *Table) Member(name string) (rows *Table, ok bool) {
	if t.Form != JSONOne {
		return nil, false
	}
	v, _ := t.Rows[0].Field(name)
	return &Table{Source: t.Source, Form: JSONList, Rows: v.Items}, v.IsRows()
}

// HasRows reports whether a member of the file's object is a list of rows.
func (t *Table) HasRows() bool {
	return t.Form == JSONOne && slices.ContainsFunc(t.Rows[0].Fields, func(f Field) bool { return f.Value.IsRows() })
}

// IsRows reports whether a value is a list of objects.
func (v Value) IsRows() bool { return v.Kind == Array && v.First().Kind == Object }

// ReadTable finds the form of a tabular file, and samples the file. It reports faults of the text
// that it reads. A faulty file, or one that is not tabular, has NoForm. For a Parquet file only the
// form is found.
func ReadTable(s Source, fault FaultFunc) (*Table, error) {
	head, err := s.Head(HeadBytes)
	if err != nil {
		return nil, err
	}
	t := &Table{Source: s, Head: head}
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte(byteOrderMark)), " \t\r\n")
	switch {
	case bytes.HasPrefix(head, []byte("PAR1")):
		t.Form = Parquet
	case bytes.HasPrefix(text, []byte("[")), bytes.HasPrefix(text, []byte("{")):
		err := s.read(func(r *bufio.Reader) error {
			j := newLog(r, fault, jsontext.AllowDuplicateNames(true)) // Reading the rows reports duplicates.
			j.outline = true
			return t.sample(j)
		})
		if errors.Is(err, ErrFaulted) {
			t.Form, err = NoForm, nil
		}
		return t, err
	default:
		t.readHeader(head)
	}
	return t, nil
}

// errEnough stops the reading of a sample.
var errEnough = errors.New("enough records")

// sample reads the first records of JSON, and finds its form: a list, one object, or an object on
// each line.
func (t *Table) sample(j *JSON) (err error) {
	readRow := func(string, Pos) error {
		row, err := j.value(0)
		if t.Rows = append(t.Rows, row); err == nil && len(t.Rows) == sampleRows {
			err = errEnough
		}
		j.feed.next()
		return err
	}
	if t.Form = JSONOne; j.dec.PeekKind() == '[' {
		t.Form = JSONList
		err = j.each(readRow)
	} else {
		for err == nil && j.dec.PeekKind() != 0 { // 0 is the end of the file, or an error that end reports.
			err = readRow("", Pos{})
		}
		if len(t.Rows) > 1 {
			t.Form = JSONRows
		}
	}
	if err == nil {
		err = j.end()
	}
	if t.All = err == nil; errors.Is(err, errEnough) {
		err = nil
	}
	return err
}

// readHeader finds the form, the separator and the columns of CSV or TSV in its first line. Any
// other text keeps NoForm.
func (t *Table) readHeader(head []byte) {
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		t.UTF16 = true
		// Half a character at the end is cut off.
		head, _ = utf.UTF16(utf.LittleEndian, utf.ExpectBOM).NewDecoder().Bytes(head[:len(head)&^1])
	}
	text := strings.TrimPrefix(string(head), byteOrderMark)
	if strings.HasPrefix(text, "sep=") { // as Excel writes it
		_, text, _ = strings.Cut(text, "\n")
		t.Skip = 1
	}
	line, _, _ := strings.Cut(text, "\n")
	isBinary := func(r rune) bool { return r == utf8.RuneError || unicode.IsControl(r) && r != '\t' }
	if strings.ContainsFunc(strings.TrimRight(line, "\r"), isBinary) {
		return
	}
	for _, separator := range ",\t;|" { // The most frequent one counts.
		if strings.Count(line, string(separator)) > strings.Count(line, string(t.Comma)) {
			t.Comma = separator
		}
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.LazyQuotes = t.Comma, true // Quotes within a cell are no error.
	names, err := r.Read()
	if err != nil || len(names) < 2 { // Without a separator, Comma is 0 and Read fails.
		return
	}
	t.Form, t.Quotes = CSV, strings.HasPrefix(text, `"`)
	if t.Comma == '\t' {
		t.Form = TSV
	}
	for i, name := range names { // pandas writes no name above the numbers of rows.
		t.Names = append(t.Names, cmp.Or(strings.TrimSpace(name), "column_"+strconv.Itoa(i)))
	}
}
