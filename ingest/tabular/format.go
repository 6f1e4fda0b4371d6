// Package tabular reads any tabular file by a SELECT with rows that fill a shape: the files of
// sql/formats, and a user's own SELECT.
package tabular

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/captionlake/captionlake/data/strictyaml"
	"github.com/captionlake/captionlake/ingest/file"
	"github.com/captionlake/captionlake/ingest/shape"
	"github.com/captionlake/captionlake/sql"
)

// A format is a file of sql/formats.
type format struct {
	sql.Header
	name   string
	own    *file.Source // file with the user's own SELECT
	shape  *shape.Shape
	text   string
	weight int // how much it requires of a file: if several formats fit, the one that requires most counts
}

// formats are the program's formats, the one that requires most first.
var formats = sync.OnceValue(func() (all []*format) {
	for _, file := range sql.Files("formats") {
		f, err := parse(file.Path, file.Text)
		if err != nil {
			panic(err) // The files are part of the program.
		}
		all = append(all, f)
	}
	slices.SortStableFunc(all, func(a, b *format) int { return cmp.Compare(b.weight, a.weight) })
	return all
})

// parse reads a file of sql/formats.
func parse(name, text string) (*format, error) {
	h, err := sql.Read(name, text)
	if err != nil {
		return nil, err
	}
	f := &format{Header: h, name: strings.ReplaceAll(strings.TrimSuffix(path.Base(name), ".sql"), "_", "-"),
		text: text}
	f.shape, f.weight = shape.ByName(f.Shape), len(f.Detect)+len(f.Line)
	for _, entry := range f.Columns {
		if f.shape.Must(entry.Key) {
			f.weight++
		}
	}
	return f, nil
}

// fits lists what the format needs and a file does not have, and counts what the file has. The file
// fits if nothing is absent.
func (f *format) fits(t *file.Table, j *shape.Job) (absent []string, found int) {
	if f.Line != "" {
		if !regexp.MustCompile(f.Line).Match(t.Head) {
			return []string{"lines of its form"}, 0
		}
		return nil, 1
	}
	rows, in := f.rowsOf(t)
	switch rows {
	case "":
		return []string{"an object with " + strings.Join(f.Rows, " or ")}, 0
	case entries:
		if j.Options.Format == "" && !entriesFit(t, j.Known) {
			return []string{"names of pictures as its keys, and captions as their values"}, 0
		}
	}
	for _, name := range f.Detect {
		if has(t, in, name) {
			found++
		} else {
			absent = append(absent, name)
		}
	}
	for _, name := range f.Not {
		if len(j.Options.Map) == 0 && has(t, in, name) { // With --map the user says what columns mean.
			absent = append(absent, "no "+name)
		}
	}
	for _, entry := range f.Columns {
		columns, names := choose(in.Columns(), entry.Entry, j.Options.Map[entry.Key])
		if len(columns) > 0 {
			found++
		} else if f.shape.Must(entry.Key) || j.Options.Map[entry.Key] != "" {
			absent = append(absent, fmt.Sprintf("%s (%s)", entry.Key, strings.Join(names, ", ")))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(j.Options.Map)) {
		if !slices.ContainsFunc(f.Columns, func(entry sql.Column) bool { return entry.Key == key }) {
			absent = append(absent, "no --map "+key)
		}
	}
	return absent, found
}

// rowsOf finds the rows of a file that the format reads: all rows of the file, its lines, the
// entries of its object, or the rows of a member that the header names.
func (f *format) rowsOf(t *file.Table) (rows string, in *file.Table) {
	if f.Line != "" {
		return lines, t
	}
	for _, rows := range append(f.Rows, wholeFile)[:max(1, len(f.Rows))] {
		switch member, is := t.Member(rows); {
		case rows == entries && t.Form == file.JSONOne, rows == wholeFile && !t.HasRows():
			return rows, t
		case is:
			return rows, member
		}
	}
	return "", t
}

// entriesFit compares the keys and values of an object with names of pictures and captions. If some
// values are captions, the others are faults.
func entriesFit(t *file.Table, known *shape.Known) bool {
	pictures, captions := 0, 0
	for _, f := range t.Rows[0].Fields {
		if f.Value.Kind == file.String || f.Value.First().Kind == file.String {
			captions++
		}
		if known.IsPicture(f.Key) {
			pictures++
		}
	}
	return captions > 0 && pictures*2 >= len(t.Rows[0].Fields)
}

// has reports whether a file has a column: by its name, by one of several names or patterns, or by
// a path into it. Parquet does not give the path.
func has(t, rows *file.Table, name string) bool {
	return slices.ContainsFunc(strings.Split(name, "|"), func(name string) bool {
		top, below, nested := strings.Cut(name, ".")
		if !nested || t.Form == file.Parquet {
			return slices.ContainsFunc(rows.Columns(), func(column string) bool {
				is, _ := path.Match(strings.ToLower(top), strings.ToLower(column))
				return is
			})
		}
		return slices.ContainsFunc(t.Rows, func(row file.Value) bool {
			v := row.Path(top)
			if v.Kind == file.Array {
				v = v.First()
			}
			return v.Has(below)
		})
	})
}

// choose finds the columns for a column of the shape: the one that the user names; otherwise all
// names of the header that the file has. A name in an inner list counts only if no other name was
// found.
func choose(columns []string, entry strictyaml.Entry, chosen string) (found, names []string) {
	list, _ := entry.Value.([]any)
	if chosen != "" {
		list = []any{chosen}
	}
	for _, name := range list {
		last, is := name.([]any)
		if is {
			name = last[0]
		}
		names = append(names, fmt.Sprint(name))
		for _, column := range columns {
			if strings.EqualFold(column, fmt.Sprint(name)) && (!is || len(found) == 0) {
				found = append(found, column)
			}
		}
	}
	return found, names
}
