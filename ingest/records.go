package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// A record is one row of a table in CSV, or one object of a JSON list.
type record struct {
	job   *Job
	start pos
	cells map[string]cell // by column in lower case
	ok    bool            // no fault so far
}

// A cell is a text, or a number as it is written. Null is empty, and so is what is neither, which is a fault where it is read.
type cell struct {
	at   pos
	text string
	kind nodeKind
}

// at is where a cell is, or the record where it has no such cell.
func (r *record) at(column string) pos {
	if c, ok := r.cells[column]; ok {
		return c.at
	}
	return r.start
}

// text is what a cell says, without white space around it; empty where there is none.
func (r *record) text(column string) string {
	c := r.cells[column]
	switch c.kind {
	case kindBool, kindArray, kindObject:
		r.fault(column, "%q is %s where a text or a number belongs: correct it", column, c.kind)
	}
	return strings.TrimSpace(c.text)
}

// need is what a cell says that must not be empty.
func (r *record) need(column, what string) string {
	text := r.text(column)
	if text == "" {
		r.fault(column, "%s is empty: write %s", column, what)
	}
	return text
}

func (r *record) fault(column, format string, args ...any) {
	at := r.at(column)
	r.job.Fault(at.line, at.col, format, args...)
	r.ok = false
}

// columnOf is the name of a column as it is compared.
func columnOf(name string) string {
	return strings.ToLower(strings.TrimSpace(strings.Trim(strings.TrimSpace(name), `"`)))
}

// eachRecord reads a file that is a JSON list of objects, or else CSV with a header row, record by record.
func eachRecord(ctx context.Context, j *Job, each func(*record) error) error {
	text, err := j.Source.text()
	if err != nil {
		return err
	}
	take := func(r *record) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return each(r)
	}
	if json := newJSONReader(text, j.Fault); json.dec.PeekKind() == '[' {
		return json.elements(func(_ int, value node) error { return jsonRecord(j, value, take) })
	}
	return csvRecords(j, text, nil, take)
}

// jsonRecord reads one object of a list.
func jsonRecord(j *Job, value node, each func(*record) error) error {
	if value.kind != kindObject {
		j.Fault(value.at.line, value.at.col, "this is %s where an object belongs: correct it", value.kind)
		return nil
	}
	r := &record{job: j, start: value.at, cells: map[string]cell{}, ok: true}
	for _, f := range value.fields {
		r.cells[columnOf(f.key)] = cell{f.value.at, f.value.text, f.value.kind}
	}
	return each(r)
}

// csvRecords reads a table. known, if any, looks at its columns before its rows are read.
func csvRecords(j *Job, text []byte, known func(j *Job, columns []string) bool, each func(*record) error) error {
	table, rows := newTable(text)
	read := -1 // rows behind the header
	next := func() ([]string, error) {
		if read++; read > mostEntries {
			return nil, fmt.Errorf("more than %d rows; %w", mostEntries, errTooMuch)
		}
		rows.left = mostRow
		return table.Read()
	}
	header, err := next()
	if err != nil {
		return csvFault(j, err)
	}
	columns := make([]string, len(header))
	seen := map[string]bool{}
	for i, name := range header {
		columns[i] = columnOf(name)
		if seen[columns[i]] {
			line, col := table.FieldPos(i)
			j.Fault(line, col, "the column %q was given already: keep one of the two", clip(columns[i]))
			return nil
		}
		seen[columns[i]] = true
	}
	if known != nil && !known(j, columns) {
		return nil
	}
	for {
		fields, err := next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			if err := csvFault(j, err); err != nil {
				return err
			}
			continue
		}
		r := &record{job: j, cells: make(map[string]cell, len(fields)), ok: true}
		for i, field := range fields {
			line, col := table.FieldPos(i)
			r.cells[columns[i]] = cell{pos{line, col}, field, kindString}
			if i == 0 {
				r.start = pos{line, col}
			}
			if problem := textProblem(field); problem != "" {
				r.fault(columns[i], "%s", problem)
			}
		}
		if !r.ok {
			continue
		}
		if err := each(r); err != nil {
			return err
		}
	}
}
