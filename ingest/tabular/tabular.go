package tabular

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data/spelling"
	"github.com/captionlake/captionlake/data/text"
	"github.com/captionlake/captionlake/ingest/file"
	"github.com/captionlake/captionlake/ingest/shape"
	"github.com/captionlake/captionlake/sql"
)

// Formats are the formats of sql/formats. The function Detect chooses among all of them together.
func Formats() (all []*shape.Format) {
	for _, f := range formats() {
		all = append(all, f.format())
	}
	return all
}

// format returns the format in the form that package shape uses. The Detect in this form always
// says no, because the function Detect chooses the format. The version is the whole text of the
// format, so that a file is read again after every change of the format.
func (f *format) format() *shape.Format {
	return &shape.Format{
		Name: f.name, What: f.What, Version: f.text, Provenance: f.Provenance, Shape: f.shape,
		Early:  f.shape == shape.Bank,
		Family: shape.ParquetFamily, Detect: func(*shape.Look) bool { return false },
		Rows: func(ctx context.Context, j *shape.Job, each func(*shape.Row) error) error {
			for _, s := range j.Family {
				if err := f.read(ctx, j, each, s); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// Selected is the format of a user's own SELECT. family has the file of the SELECT, and then the
// other files of the command. If there is one other file, the SELECT reads it as the table "file",
// as in sql/formats. Each file is also a table under its given name.
func Selected(rowShape *shape.Shape, family []file.Source) *shape.Format {
	return &shape.Format{
		Name: rowShape.Name, What: rowShape.What, Version: "1", Shape: rowShape,
		Family: func(file.Source, shape.Options) ([]file.Source, error) { return family, nil },
		Rows: func(ctx context.Context, j *shape.Job, each func(*shape.Row) error) error {
			text, err := family[0].Text()
			f := &format{shape: rowShape, own: &family[0]}
			if f.Body = string(text); err != nil {
				return err
			}
			return f.read(ctx, j, each, family[1:]...)
		},
	}
}

// Detect finds the format of a tabular file: the fitting one that requires most. If none fits, the
// error describes the file, and what it lacks for the nearest format.
func Detect(ctx context.Context, j *shape.Job) (*shape.Format, error) {
	as := j.Options.Format // empty, or a shape: package ingest finds formats by their names
	t, err := (&reading{Job: j}).table(ctx, j.Source)
	if err != nil {
		return nil, err
	}
	if len(j.Faults.All) > 0 {
		return nil, &j.Faults
	}
	var fit *format
	near, nearFound, nearAbsent := "", 0, 0 // the nearest format, which lacks the least and has the most
	for _, f := range formats() {
		// Files of references look like files of captions.
		formsShape := as == "" || as == f.Shape || as == shape.References.Name && f.shape == shape.Captions
		if !formsShape {
			continue
		}
		absent, found := f.fits(t, j)
		isNearer := len(absent) < nearAbsent || len(absent) == nearAbsent && found > nearFound
		switch {
		case len(absent) == 0 && fit != nil && fit.weight == f.weight:
			return nil, t.Refuse("name the right one with --as",
				"the file may be of the format %s or %s", fit.name, f.name)
		case len(absent) == 0 && fit == nil: // formats begins with the one that requires most.
			fit = f
		case found > 0 && (near == "" || isNearer): // near is used only if no format fits.
			near = fmt.Sprintf("%s would need %s; ", f.name, strings.Join(absent, ", "))
			nearFound, nearAbsent = found, len(absent)
		}
	}
	if fit == nil {
		return nil, unknown(t, near)
	}
	found := fit.format()
	if as != "" {
		found.Shape = shape.ByName(as)
	}
	return found, nil
}

// ErrUnknown is wrapped by the error of a file without a known format.
var ErrUnknown = errors.New("of no known format")

// exports say how to convert a file that is not read, by its ending.
var exports = map[string]string{
	".xlsx": "save it as CSV; VLMEvalKit writes TSV with PRED_FORMAT=tsv",
	".eval": "write it as JSON with: inspect log dump FILE > FILE.json",
	".pkl":  "such files run code; VLMEvalKit writes TSV with PRED_FORMAT=tsv",
}

// unknown is the error of a file without a known format. near begins the hint and names the columns
// that the nearest format would need; it is empty if no format is near.
func unknown(t *file.Table, near string) error {
	what, next := describe(t),
		near+"map its columns, as in --as captions --map \"image=COLUMN, caption=COLUMN\", "+
			"or write a SELECT: --as captions my.sql"
	if other := exports[t.Ext()]; other != "" {
		what, next = t.Ext()[1:], other
	} else if t.Form == file.NoForm {
		next = "check that the file is whole; captionlake ingest --help lists the formats"
	}
	return t.Refuse(next, "%s: %w", what, ErrUnknown)
}

// describe describes a tabular file in a few words: its form, and the names of its columns or keys.
func describe(t *file.Table) string {
	what, kind, names := string(t.Form), "columns", t.Columns()
	if len(t.Rows) > 0 { // The file is JSON.
		kind = "keys"
		switch {
		case t.Form == file.JSONOne:
		case t.All:
			what += fmt.Sprintf(" of %d records", len(t.Rows))
		default:
			what += fmt.Sprintf(" of more than %d records", len(t.Rows))
		}
	}
	switch {
	case t.Form == file.NoForm:
		return "neither JSON nor a table nor a picture"
	case len(names) == 0:
		return what + " without " + kind
	}
	return fmt.Sprintf("%s with %s %s", what, kind, text.Clip(strings.Join(names, ", "), 300))
}

// read passes on the rows of the format's SELECT over files. A single file is the table "file";
// with several, each is a table under its path.
func (f *format) read(ctx context.Context, j *shape.Job, each func(*shape.Row) error, files ...file.Source) error {
	r := &reading{Job: j, own: f.own != nil, rows: wholeFile, quotes: f.Quotes}
	var err error
	if r.dir, err = os.MkdirTemp("", "captionlake-ingest-*"); err != nil {
		return err
	}
	defer os.RemoveAll(r.dir)
	for _, j.Source = range files {
		t, err := r.table(ctx, j.Source)
		if err != nil {
			return err
		}
		var absent []string
		if !r.own {
			absent, _ = f.fits(t, j)
			r.rows, _ = f.rowsOf(t)
		}
		// A file without a form has only lines.
		if len(j.Faults.All) == 0 && (len(absent) > 0 || t.Form == file.NoForm && r.rows != lines) {
			j.Fault(file.Start, "the file is %s; %s would need %s", describe(t), cmp.Or(f.name, "a SELECT"),
				cmp.Or(strings.Join(absent, ", "), "a table"))
		}
		if len(j.Faults.All) > 0 {
			return file.ErrFaulted
		}
		if len(files) > 1 {
			err = r.relate(ctx, t, t.Path)
		} else if err = r.relate(ctx, t, wholeFile); r.own {
			r.views = append(r.views, "create temp view "+sql.QuoteName(t.Path)+" as from "+wholeFile)
		}
		if err != nil {
			return located(j, err)
		}
	}
	if r.own {
		j.Source = *f.own // Faults of rows are faults of the SELECT.
	}
	if len(f.Columns) > 0 {
		f.viewNamed(r)
	}
	return r.run(ctx, f.shape, strings.TrimRight(f.Body, "; \t\r\n"), each)
}

// viewNamed makes the view named: the rows with the columns of the shape under its names, beside
// all other columns of the file. If several columns of the file are one column of the shape, the
// view takes the first that is not null; if their values differ, the column fault says so.
func (f *format) viewNamed(r *reading) {
	sources, fault := map[string]string{}, "case when false then ''" // SQL needs at least one branch.
	for _, entry := range f.Columns {
		var same []string // expressions for the same column of the shape
		columns, _ := choose(r.names, entry.Entry, r.Options.Map[entry.Key])
		for _, column := range columns {
			expression := sql.QuoteName(column)
			if len(columns) > 1 {
				expression += "::varchar" // The columns may have different types.
			}
			for i, earlier := range same {
				differ := "%s <> %s"
				if entry.Key == "image" { // Folders and endings of names do not count.
					differ = "parse_filename(%s, true) <> parse_filename(%s, true)"
				}
				fault += " when " + fmt.Sprintf(differ, earlier, expression) + " then " + sql.Quote(fmt.Sprintf(
					"the columns %q and %q may both be the %s: choose one with --map %s=%s", columns[i], column,
					entry.Key, entry.Key, column))
			}
			same = append(same, expression)
			sources[entry.Key] = "coalesce(" + strings.Join(same, ", ") + ")"
		}
	}
	selected := []string{rowNumber, fault + " end as fault"}
	for _, name := range r.names {
		if !f.shape.Has(strings.ToLower(name)) {
			selected = append(selected, sql.QuoteName(name))
		}
	}
	for _, name := range f.shape.Columns {
		selected = append(selected, cmp.Or(sources[name], "null")+" as "+sql.QuoteName(name))
	}
	r.views = append(r.views, fmt.Sprintf("create temp view named as select %s from %s", strings.Join(selected, ", "),
		sql.QuoteName(r.rows)))
}

// keepNull are columns in which null has a meaning. Null in any other column is a missing value.
var keepNull = []string{"caption", "model_answer"}

// run passes on the rows of a SELECT for rowShape. A user's SELECT may have only columns of this
// shape. Other columns of our own SELECTs come from the file and are ignored.
func (r *reading) run(ctx context.Context, rowShape *shape.Shape, query string, each func(*shape.Row) error) error {
	number := 0
	views := append(r.views, "create temp macro file_stem() as "+sql.Quote(r.Source.Stem()))
	return located(r.Job, r.Options.Query(ctx, r.files, strings.Join(views, ";\n"), query,
		func(columns []string, values []any) error {
			number++
			row := shape.NewRow(r.Job, file.Pos{})
			row.Place = fmt.Sprintf("row %d of the SELECT", number)
			for i, column := range columns {
				switch v := valueOf(values[i]); {
				case column == rowNumber:
					row.Place = "row " + v.Text
				case !rowShape.Has(column) && r.own:
					return r.Source.Refuse(
						spelling.Meant("its columns are: "+strings.Join(rowShape.Columns, ", "), rowShape.Columns, column),
						"the shape %s has no column %q", rowShape.Name, shape.Clip(column))
				case rowShape.Has(column) && (v.Kind != file.Null || slices.Contains(keepNull, column)):
					row.Fields = append(row.Fields, file.Field{Key: column, Value: v})
				}
			}
			return each(row)
		}))
}

// located turns an error of SQL that names a line of a file into a fault there.
func located(j *shape.Job, err error) error {
	var at interface{ FileLine() int }
	if err == nil || !errors.As(err, &at) {
		return err
	}
	j.Fault(file.Pos{Line: at.FileLine()}, "%v", err)
	return file.ErrFaulted
}

// valueOf converts a value of SQL to a value of a file.
func valueOf(value any) (v file.Value) {
	switch value := value.(type) {
	case nil:
	case string:
		v.Kind, v.Text = file.String, value
	case []byte:
		v.Kind, v.Text = file.Bytes, string(value)
	case bool:
		v.Kind, v.Truth = file.Bool, value
	case float64:
		v.Kind, v.Text = file.Number, strconv.FormatFloat(value, 'f', -1, 64)
	case []any:
		v.Kind = file.Array
		for _, item := range value {
			v.Items = append(v.Items, valueOf(item))
		}
	case map[string]any:
		v.Kind = file.Object
		for _, key := range slices.Sorted(maps.Keys(value)) {
			v.Fields = append(v.Fields, file.Field{Key: key, Value: valueOf(value[key])})
		}
	default: // whole numbers, decimals, times
		v.Kind, v.Text = file.Number, fmt.Sprint(value)
	}
	return v
}
