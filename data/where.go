package data

import (
	"fmt"
	"slices"

	"github.com/parquet-go/parquet-go"
)

// Where has the values that text columns must have, by column. A nil Where means every row.
type Where map[string]string

// columnTexts finds the columns in a schema.
func (w Where) columnTexts(schema *parquet.Schema) (texts []columnText, err error) {
	for column, text := range w {
		leaf, known := schema.Lookup(column)
		if !known {
			return nil, fmt.Errorf("%s has no column %q to choose rows by", schema.Name(), column)
		}
		texts = append(texts, columnText{leaf.ColumnIndex, text})
	}
	return texts, nil
}

// filesWith lists the files of a table that may hold rows with the given values.
func filesWith(l *Lake, table AnyTable, where Where) ([]string, error) {
	if len(where) == 0 {
		return l.Files(table)
	}
	var kept []string
	err := eachUnit(l, table, func(name string) error {
		may, err := mayHold(l, name, where)
		if may {
			kept = append(kept, name)
		}
		return err
	})
	slices.Sort(kept) // After a repeated listing, eachUnit passes new files last.
	return kept, err
}

// mayHold reports whether a file's statistics allow rows with the given values. A column that the
// file does not have rules nothing out.
func mayHold(l *Lake, name string, where Where) (bool, error) {
	footer, err := readFooter(l, name)
	if err != nil {
		return false, err
	}
	for column, value := range where {
		text := parquet.ValueOf(value)
		leaf, ok := footer.Schema().Lookup(column)
		if ok && !columnBounds(footer, leaf).overlap(bounds{min: text, max: text}) {
			return false, nil
		}
	}
	return true, nil
}
