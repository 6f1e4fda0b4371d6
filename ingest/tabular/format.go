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

// A format is a file of sql/formats, or a user's own SELECT.
type format struct {
	sql.Header
	name   string
	own    *file.Source // file with the user's own SELECT; nil for a file of sql/formats
	shape  *shape.Shape
	text   string // the whole file of sql/formats
	weight int    // how much it requires of a file: if several formats fit, the one that requires most counts
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
	// The pattern of a line counts with its length, so it outweighs columns.
	f.shape, f.weight = shape.ByName(f.Shape), len(f.Detect)+len(f.Line)
	for _, entry := range f.Columns {
		if f.shape.Must(entry.Key) {
			f.weight++
		}
	}
	return f, nil
}

// fits compares a file with the needs of the format. absent are the needs that the file does not
// meet; found is the number of needs that it meets and of columns that it has. The file fits if
// nothing is absent.
func (f *format) fits(t *file.Table, j *shape.Job) (absent []string, found int) {
	if f.Line != "" {
		if !regexp.MustCompile(f.Line).Match(t.Head) {
			return []string{"lines of its form"}, 0
		}
		return nil, 1
	}
	relation, rows := f.rowsOf(t)
	switch relation {
	case "":
		return []string{"an object with " + strings.Join(f.Rows, " or ")}, 0
	case entries:
		if j.Options.Format == "" && !entriesFit(t, j.Known) { // With --as the user names the form.
			return []string{"names of pictures as its keys, and captions as their values"}, 0
		}
	}
	for _, name := range f.Detect {
		if has(t, rows, name) {
			found++
		} else {
			absent = append(absent, name)
		}
	}
	for _, name := range f.Not {
		if len(j.Options.Map) == 0 && has(t, rows, name) { // With --map the user says what columns mean.
			absent = append(absent, "no "+name)
		}
	}
	for _, entry := range f.Columns {
		columns, names := choose(rows.Columns(), entry.Entry, j.Options.Map[entry.Key])
		if len(columns) > 0 {
			found++
		} else if f.shape.Must(entry.Key) || j.Options.Map[entry.Key] != "" { // The column of --map must exist.
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
// entries of its object, or the rows of a member that the header names. relation is their name in
// SQL; empty if the file has no such rows.
func (f *format) rowsOf(t *file.Table) (relation string, rows *file.Table) {
	if f.Line != "" {
		return lines, t
	}
	relations := f.Rows
	if len(relations) == 0 {
		relations = []string{wholeFile}
	}
	for _, relation := range relations { // An object with lists of rows is not a row itself.
		switch member, isMember := t.Member(relation); {
		case relation == entries && t.Form == file.JSONOne, relation == wholeFile && !t.HasRows():
			return relation, t
		case isMember:
			return relation, member
		}
	}
	return "", t
}

// entriesFit reports whether an object seems to have captions by pictures: at least half of its
// keys are names of pictures, and some value is a caption. Reading the rows reports the other
// values.
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

// has reports whether rows of a file t have a column. names are one name or several with | between
// them. A name is a pattern of path.Match for the column. A name with a dot, such as
// conversations.from, is a member of t and a member of the objects in it. Of Parquet only the
// columns are known.
func has(t, rows *file.Table, names string) bool {
	return slices.ContainsFunc(strings.Split(names, "|"), func(name string) bool {
		top, below, isNested := strings.Cut(name, ".")
		if !isNested || t.Form == file.Parquet {
			return slices.ContainsFunc(rows.Columns(), func(column string) bool {
				matches, _ := path.Match(strings.ToLower(top), strings.ToLower(column))
				return matches
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

// choose finds the file's columns for a column of the shape, and lists the names that were looked
// for: chosen, which the user names, otherwise the names in the header's entry. A name in an inner
// list is a last resort: the list counts only if no earlier name was found and its first name is.
func choose(columns []string, entry strictyaml.Entry, chosen string) (found, names []string) {
	list, _ := entry.Value.([]any)
	if chosen != "" {
		list = []any{chosen}
	}
	for _, name := range list {
		group, isLastResort := name.([]any)
		switch {
		case !isLastResort:
			group = []any{name}
		case len(found) > 0:
			continue
		}
		for _, name := range group {
			text := fmt.Sprint(name)
			names = append(names, text)
			for _, column := range columns {
				if strings.EqualFold(column, text) {
					found = append(found, column)
				}
			}
			if isLastResort && len(found) == 0 {
				break
			}
		}
	}
	return found, names
}
