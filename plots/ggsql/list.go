package ggsql

import (
	"cmp"
	"slices"
	"strings"
)

// A Line says what a file shows: a table, a figure, an export, or the answer to a question.
type Line struct {
	Name  string `json:"name"`
	Form  string `json:"form"`
	Shows string `json:"shows"`
}

// List lists the program's files by form and name. A table that answers a question has a second
// line.
func List() ([]Line, error) {
	files, err := All()
	if err != nil {
		return nil, err
	}
	exports, err := Exports()
	if err != nil {
		return nil, err
	}
	var lines []Line
	for _, f := range slices.Concat(files, exports) {
		if f.Form == "export" && strings.Contains(f.Name, ".") {
			continue // The export's first file stands for all of its files.
		}
		if lines = append(lines, Line{f.Name, f.Form, f.Shows}); f.Asks != "" {
			lines = append(lines, Line{f.Name, "question", f.Asks})
		}
	}
	slices.SortFunc(lines,
		func(x, y Line) int { return cmp.Or(strings.Compare(x.Form, y.Form), strings.Compare(x.Name, y.Name)) })
	return lines, nil
}
