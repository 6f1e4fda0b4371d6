// Package dictionary describes the tables of a lake for people, from the declarations of their row
// types.
package dictionary

import (
	"cmp"
	"io/fs"
	"reflect"
	"strings"
	"sync"

	"github.com/captionlake/captionlake/data"
)

// A Table describes a table for people.
type Table struct {
	Name    string   `json:"name"`
	What    string   `json:"what"`
	Key     []string `json:"key"`
	Columns []Column `json:"columns"`
}

// A Column describes a column for people.
type Column struct {
	Name     string `json:"name"`
	Type     string `json:"type,omitempty"` // SQL type as DuckDB names it; empty where a shortcut decides it
	Nullable bool   `json:"nullable"`       // whether the column may hold null
	Unit     string `json:"unit,omitempty"` // unit of the numbers of a mart
	Comment  string `json:"comment"`
}

// Tables describes every table from the comments of its row type, in the order of [data.Tables].
func Tables() ([]Table, error) {
	comments, err := rowComments()
	if err != nil {
		return nil, err
	}
	var described []Table
	for _, t := range data.Tables() {
		doc := Table{Name: t.Name(), What: t.What(), Key: t.Key()}
		row := t.RowType()
		for i := range row.NumField() {
			field := row.Field(i)
			name, options, _ := strings.Cut(field.Tag.Get("parquet"), ",")
			doc.Columns = append(doc.Columns,
				Column{Name: name, Type: sqlType(field.Type), Nullable: strings.Contains(options, "optional"),
					Comment: comments[row.Name()+"."+field.Name]})
		}
		described = append(described, doc)
	}
	return described, nil
}

// rowComments are the comments beside the fields of the row types, by TYPE.FIELD.
var rowComments = sync.OnceValues(func() (map[string]string, error) {
	comments := map[string]string{}
	files, err := fs.Glob(data.RowTypes, "*")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		source, err := data.RowTypes.ReadFile(file)
		if err != nil {
			return nil, err
		}
		row, above := "", "" // the row type of the present line, and the comment above it
		for line := range strings.Lines(string(source)) {
			if name, ok := strings.CutPrefix(line, "type "); ok {
				row, _, _ = strings.Cut(name, " ")
			}
			fields, comment, _ := strings.Cut(strings.TrimSpace(line), "// ")
			if fields == "" { // A long comment stands above its fields, in several lines.
				above = strings.TrimSpace(above + " " + comment)
				continue
			}
			// A line may declare several fields, as in: A, B string // comment
			// Other lines, such as the line with a closing brace, add entries that nobody looks up.
			for _, name := range strings.Fields(fields) {
				// The type follows the last field name, which has no comma.
				name, more := strings.CutSuffix(name, ",")
				comments[row+"."+name] = cmp.Or(comment, above)
				if !more {
					break
				}
			}
			above = ""
		}
	}
	return comments, nil
})

// sqlType names the SQL type in which DuckDB reads a field of a row type.
func sqlType(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		return "VARCHAR"
	case reflect.Bool:
		return "BOOLEAN"
	case reflect.Int32:
		return "INTEGER"
	case reflect.Int64:
		return "BIGINT"
	case reflect.Float32:
		return "FLOAT"
	case reflect.Float64:
		return "DOUBLE"
	case reflect.Slice:
		return sqlType(t.Elem()) + "[]"
	case reflect.Struct:
		return "TIMESTAMP WITH TIME ZONE" // The only struct in row types is time.Time.
	}
	return "" // Row types have no field of another kind.
}
