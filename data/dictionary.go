package data

import (
	"embed"
	"reflect"
	"strings"
)

// rowSources are the declarations of the row types: their comments are the text of the data dictionary.
//
//go:embed rows_*.go
var rowSources embed.FS

// A TableDoc describes a table for people.
type TableDoc struct {
	Name    string      `json:"name"`
	What    string      `json:"what"`
	Key     []string    `json:"key"`
	Columns []ColumnDoc `json:"columns"`
}

// A ColumnDoc describes a column for people.
type ColumnDoc struct {
	Name     string `json:"name"`
	Type     string `json:"type"`     // SQL type as DuckDB names it
	Nullable bool   `json:"nullable"` // whether the column may hold null
	Comment  string `json:"comment"`
}

// Dictionary describes every table from the comments of its row type, in the order of Tables.
func Dictionary() ([]TableDoc, error) {
	comments, err := rowComments()
	if err != nil {
		return nil, err
	}
	var docs []TableDoc
	for _, t := range Tables() {
		doc := TableDoc{Name: t.Name(), What: t.What(), Key: t.Key()}
		row := t.RowType()
		for i := range row.NumField() {
			field := row.Field(i)
			doc.Columns = append(doc.Columns, ColumnDoc{
				Name: columnName(field), Type: sqlType(field.Type), Nullable: strings.Contains(field.Tag.Get("parquet"), ",optional"),
				Comment: comments[row.Name()+"."+field.Name],
			})
		}
		docs = append(docs, doc)
	}
	return docs, nil
}

// rowComments are the comments beside the fields of the row types, by TYPE.FIELD.
func rowComments() (map[string]string, error) {
	comments := map[string]string{}
	entries, err := rowSources.ReadDir(".")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		source, err := rowSources.ReadFile(e.Name())
		if err != nil {
			return nil, err
		}
		row := ""
		for line := range strings.Lines(string(source)) {
			if name, ok := strings.CutPrefix(line, "type "); ok {
				row, _, _ = strings.Cut(name, " ")
			}
			if field, comment, ok := strings.Cut(line, "// "); ok && strings.HasPrefix(field, "\t") {
				for _, name := range strings.Fields(field) { // A, B string `…`
					name, more := strings.CutSuffix(name, ",")
					comments[row+"."+name] = strings.TrimSpace(comment)
					if !more {
						break
					}
				}
			}
		}
	}
	return comments, nil
}

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
		return "TIMESTAMP WITH TIME ZONE"
	}
	return ""
}
