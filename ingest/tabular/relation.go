package tabular

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/captionlake/captionlake/ingest/file"
	"github.com/captionlake/captionlake/ingest/shape"
	"github.com/captionlake/captionlake/sql"
)

// A reading is the input of one SELECT: files as relations of DuckDB.
type reading struct {
	*shape.Job
	own    bool     // the SELECT is the user's own
	quotes bool     // quotes around cells of TSV are not part of them
	rows   string   // name of the relation with the rows for the shape
	names  []string // columns of that relation
	dir    string   // folder of temporary files
	files  []string // files that SQL may read
	views  []string // statements that make the relations
}

// Names of the relations, and of the column that numbers their rows.
const (
	entries   = "entries" // the members of a file's object, as rows with key and value
	lines     = "lines"   // the lines of a file
	wholeFile = "file"    // all rows of a file
	rowNumber = "row_in_file"
)

// objectSize bounds the bytes of a record in a file that split has written; DuckDB needs twice as
// much memory. Records of other files of JSON may have file.MaxItem bytes.
const objectSize = 16 << 20

// table samples a file. DuckDB finds the columns of Parquet.
func (r *reading) table(ctx context.Context, s file.Source) (*file.Table, error) {
	t, err := file.ReadTable(s, r.Fault)
	if err != nil || t.Form != file.Parquet {
		return t, err
	}
	parquet := &reading{Job: r.Job, rows: wholeFile}
	if err = parquet.relate(ctx, t, wholeFile); err != nil && !file.IsOver(err) {
		r.Fault(file.Pos{}, "the Parquet data cannot be read: %s; fetch or write the file again",
			shape.Clip(err.Error()))
		t.Form, err = file.NoForm, nil
	}
	t.Names = parquet.names
	return t, err
}

// relate makes the relations of a file: a view of its rows with their numbers, and one for each
// list of rows in its object.
func (r *reading) relate(ctx context.Context, t *file.Table, name string) error {
	path, err := filepath.Abs(filepath.FromSlash(t.Path))
	if err != nil {
		return err
	}
	r.files = append(r.files, path)
	path = sql.Quote(sql.Pattern(filepath.ToSlash(path)))
	switch {
	case r.rows == lines: // With a separator that no text has, each line is one cell.
		r.view(name,
			"read_csv("+path+", header = false, auto_detect = false, columns = {'line': 'VARCHAR'}, "+
				"delim = '\x01', quote = '', escape = '')", nil)
		return nil
	case t.Form == file.Parquet:
		return r.described(ctx, name, "read_parquet("+path+")")
	case t.Form == file.JSONOne && name == wholeFile && (r.rows != wholeFile || t.HasRows()):
		// The SELECT reads members of the object, and not the object as one row. The relations get
		// the members' names, so only a single file is split.
		return r.split(ctx, t)
	case t.Form == file.CSV || t.Form == file.TSV:
		r.view(name, r.readCSV(t, path), t.Names)
		return nil
	}
	format := "unstructured" // DuckDB's word for values one after the other
	if t.Form == file.JSONList {
		format = "array"
	}
	return r.described(ctx, name, readJSON(path, format, file.MaxItem))
}

// view makes a relation from a table function, source, with a number for each row. It remembers the
// columns if the relation has the rows for the shape. columns is nil for lines and entries, because
// a SELECT over lines or entries names their columns itself.
func (r *reading) view(name, source string, columns []string) {
	if name == r.rows {
		r.names = columns
	}
	r.views = append(r.views, fmt.Sprintf("create temp view %s as select row_number() over () as %s, * from %s",
		sql.QuoteName(name), rowNumber, source))
}

// readCSV is the table function that reads CSV or TSV: all cells are texts; empty cells are null.
func (r *reading) readCSV(t *file.Table, path string) string {
	var columns []string
	for _, name := range t.Names {
		columns = append(columns, sql.Quote(name)+": 'VARCHAR'")
	}
	mark, options := `'"'`, ""
	quotes := r.quotes || t.Quotes
	if t.Form == file.TSV && !quotes {
		mark = "''"
	}
	if t.UTF16 {
		options = ", encoding = 'utf-16'"
	}
	if quotes { // A cell may hold a picture.
		options += fmt.Sprintf(", max_line_size = %d, buffer_size = %d", file.MaxItem, 2*file.MaxItem)
	}
	return fmt.Sprintf("read_csv(%s, header = true, auto_detect = false, strict_mode = true, skip = %d, columns = {%s}, "+
		"delim = %s, quote = %s, escape = %s%s)",
		path, t.Skip, strings.Join(columns, ", "), sql.Quote(string(t.Comma)), mark, mark, options)
}

// readJSON is the table function that reads JSON records of up to size bytes. Its table has the
// columns of all records. Values below a column's own members have the type JSON.
func readJSON(path, format string, size int) string {
	return fmt.Sprintf("read_json(%s, format = %s, records = true, maximum_object_size = %d, sample_size = -1, "+
		"maximum_depth = 2)",
		path, sql.Quote(format), size)
}

// rewritten matches the types of texts that DuckDB would write in another way: it writes a UUID in
// lower case, and the driver writes a date with a time and a zone.
var rewritten = regexp.MustCompile(`(^| )(?:UUID|DATE|TIME\w*|INTERVAL)(?: WITH TIME ZONE)?([,)\[]|$)`)

// described makes a relation with columns that DuckDB finds by reading the source. Dates, times
// and UUIDs become texts, except in Parquet that a user's own SELECT reads.
func (r *reading) described(ctx context.Context, name, source string) error {
	var names, types, casts []string
	err := r.Options.Query(ctx, r.files, "", "select column_name, column_type from (describe from "+source+")",
		func(_ []string, values []any) error {
			column, kind := fmt.Sprint(values[0]), fmt.Sprint(values[1])
			texts := rewritten.ReplaceAllString(kind, "${1}VARCHAR$2")
			if texts != kind {
				casts = append(casts, sql.QuoteName(column)+"::"+texts+" as "+sql.QuoteName(column))
			}
			names, types = append(names, column), append(types, sql.Quote(column)+": "+sql.Quote(texts))
			return nil
		})
	if strings.HasPrefix(source, "read_json") {
		source = strings.TrimSuffix(source, ")") + ", columns = {" + strings.Join(types, ", ") + "})"
	} else if len(casts) > 0 && !r.own {
		source = "(select * replace (" + strings.Join(casts, ", ") + ") from " + source + ")"
	}
	r.view(name, source, names)
	return err
}

// split writes the members of the file's object to separate files, because DuckDB would hold the
// whole object in memory, and makes a relation from each.
func (r *reading) split(ctx context.Context, t *file.Table) error {
	parts, err := t.Split(r.dir, r.rows == entries, r.Fault)
	for _, part := range parts {
		r.files = append(r.files, part.Path)
		source := readJSON(sql.Quote(filepath.ToSlash(part.Path)), "unstructured", objectSize)
		if r.rows == entries {
			r.view(entries, strings.TrimSuffix(source, ")")+", columns = {'key': 'VARCHAR', 'value': 'JSON'})", nil)
		} else if err == nil {
			err = r.described(ctx, cmp.Or(part.Name, wholeFile), source)
		}
	}
	return err
}
