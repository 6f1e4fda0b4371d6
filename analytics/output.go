package analytics

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Formats lists the forms in which Query writes rows.
func Formats() []string {
	return []string{"table", "records", "markdown", "csv", "json", "parquet"}
}

// A sink writes the rows of one result. begin comes first, then row for each row, then end. The values given to row are only valid during
// the call.
type sink interface {
	begin(columns []column) error
	row(values []any) error
	end() error
}

func newSink(o QueryOptions, out io.Writer) (sink, error) {
	switch o.Format {
	case "table":
		return &tableSink{out: out, more: o.more, width: o.Width}, nil
	case "records":
		return &recordSink{out: bufio.NewWriter(out)}, nil
	case "markdown":
		return &markdownSink{out: bufio.NewWriter(out)}, nil
	case "csv":
		return &csvSink{out: csv.NewWriter(visible(o, out))}, nil
	case "json":
		return &jsonSink{out: bufio.NewWriter(visible(o, out))}, nil
	}
	return nil, fmt.Errorf("the format %q is not written row by row", o.Format)
}

// A visibleWriter shows what a terminal would obey. It writes whole lines.
type visibleWriter struct {
	out  io.Writer
	rest []byte
}

// visible is where forms for machines go: they are exact, but not on a terminal.
func visible(o QueryOptions, out io.Writer) io.Writer {
	if o.Width == 0 {
		return out
	}
	return &visibleWriter{out: out}
}

func (v *visibleWriter) Write(p []byte) (int, error) {
	v.rest = append(v.rest, p...)
	end := bytes.LastIndexByte(v.rest, '\n')
	if end < 0 {
		return len(p), nil
	}
	lines := strings.Split(string(v.rest[:end]), "\n")
	for i := range lines {
		lines[i] = oneLine(lines[i])
	}
	v.rest = v.rest[end+1:]
	if _, err := io.WriteString(v.out, strings.Join(lines, "\n")+"\n"); err != nil {
		return 0, err
	}
	return len(p), nil
}

// tableRows is how many rows the format table shows when nothing else is asked for.
const tableRows = 1000

// tableSink draws a table for a terminal. It holds its rows.
type tableSink struct {
	out     io.Writer
	more    bool // there are more rows
	width   int  // columns of the terminal; any when 0
	columns []column
	cells   [][]string
}

func (s *tableSink) begin(columns []column) error {
	s.columns = columns
	header := make([]string, len(columns))
	for i, c := range columns {
		header[i] = oneLine(c.name)
	}
	s.cells = append(s.cells, header)
	return nil
}

func (s *tableSink) row(values []any) error {
	cells := make([]string, len(values))
	for i, v := range values {
		cells[i] = oneLine(shownText(s.columns[i], v))
	}
	s.cells = append(s.cells, cells)
	return nil
}

// shownText is a value for people: numbers are rounded, and null is visible.
func shownText(c column, v any) string {
	switch v := v.(type) {
	case nil:
		return nullText
	case float64:
		return shortNumber(v)
	case float32:
		return shortNumber(float64(v))
	}
	return plainText(c, v)
}

func (s *tableSink) end() error {
	widths := fitColumns(s.cells, s.width)
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	configs := make([]table.ColumnConfig, len(widths))
	for i := range widths {
		configs[i] = table.ColumnConfig{Number: i + 1, Align: text.AlignLeft}
		if s.columns[i].numeric() {
			configs[i].Align, configs[i].AlignHeader = text.AlignRight, text.AlignRight
		}
	}
	t.SetColumnConfigs(configs)
	for r, cells := range s.cells {
		row := make(table.Row, len(widths))
		for i, width := range widths {
			row[i] = text.Snip(cells[i], width, "…")
		}
		if r == 0 {
			t.AppendHeader(row)
		} else {
			t.AppendRow(row)
		}
	}
	if _, err := fmt.Fprintln(s.out, t.Render()); err != nil {
		return err
	}
	if hidden := s.cells[0][len(widths):]; len(hidden) > 0 {
		if _, err := fmt.Fprintf(s.out, "%d of %d columns shown, without %s; --format records, in the shell .mode records, shows all\n",
			len(widths), len(s.columns), someOf(hidden)); err != nil {
			return err
		}
	}
	if s.more {
		_, err := fmt.Fprintf(s.out, "%d rows shown, and there are more: --out FILE, in the shell .output FILE, writes all\n", len(s.cells)-1)
		return err
	}
	return nil
}

// someOf names the first of many columns.
func someOf(names []string) string {
	const most = 6
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// csvSink writes RFC 4180 with a header line. Null is an empty field, as is the empty text.
type csvSink struct {
	out     *csv.Writer
	columns []column
	fields  []string
}

func (s *csvSink) begin(columns []column) error {
	s.columns, s.fields = columns, make([]string, len(columns))
	for i, c := range columns {
		s.fields[i] = c.name
	}
	return s.out.Write(s.fields)
}

func (s *csvSink) row(values []any) error {
	for i, v := range values {
		s.fields[i] = ""
		if v != nil {
			s.fields[i] = plainText(s.columns[i], v)
		}
	}
	return s.out.Write(s.fields)
}

func (s *csvSink) end() error {
	s.out.Flush()
	return s.out.Error()
}

// jsonSink writes an array of objects, one to a line, their members in the order of the columns.
type jsonSink struct {
	out     *bufio.Writer
	columns []column
	names   [][]byte
	rows    int
	buffer  bytes.Buffer
	encoder *json.Encoder
}

func (s *jsonSink) begin(columns []column) error {
	s.columns = columns
	s.encoder = json.NewEncoder(&s.buffer)
	s.encoder.SetEscapeHTML(false)
	for _, c := range columns {
		name, err := json.Marshal(c.name)
		if err != nil {
			return err
		}
		s.names = append(s.names, name)
	}
	return s.out.WriteByte('[')
}

func (s *jsonSink) row(values []any) error {
	s.buffer.Reset()
	separator := ",\n{"
	if s.rows == 0 {
		separator = "\n{"
	}
	s.rows++
	s.buffer.WriteString(separator)
	for i, v := range values {
		if i > 0 {
			s.buffer.WriteByte(',')
		}
		s.buffer.Write(s.names[i])
		s.buffer.WriteByte(':')
		if err := s.encoder.Encode(jsonValue(s.columns[i], v)); err != nil {
			return fmt.Errorf("column %s: %w", s.columns[i].name, err)
		}
		s.buffer.Truncate(s.buffer.Len() - 1) // The encoder ends each value with a line break.
	}
	s.buffer.WriteByte('}')
	_, err := s.out.Write(s.buffer.Bytes())
	return err
}

func (s *jsonSink) end() error {
	end := "\n]\n"
	if s.rows == 0 {
		end = "]\n"
	}
	if _, err := s.out.WriteString(end); err != nil {
		return err
	}
	return s.out.Flush()
}
