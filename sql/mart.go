package sql

import "strings"

// A Mart is a mart of a lake, as the metadata of its file and its model describe it.
type Mart struct {
	Name        string `json:"name"`
	What        string `json:"what"`        // what the mart is, in one line
	Source      string `json:"source"`      // table or figure of a paper
	Fingerprint string `json:"fingerprint"` // digest of the SQL and of all that the rows depend on
	ToolVersion string `json:"tool_version"`
	// inputs of the mart, each with its fingerprint; the table of a fold has the fingerprint of a part
	Inputs  string       `json:"inputs"`
	Rows    int64        `json:"rows"`   // of all provenances
	Tables  []string     `json:"tables"` // the base tables behind the inputs; set in reports
	Columns []MartColumn `json:"-"`
	SQL     string       `json:"-"` // the file of the model
}

// A MartColumn is a column of a mart.
type MartColumn struct {
	Name, Type string
	Unit       string // one word, such as percent; empty without one
	What       string // meaning
}

// InputNames are the names of the inputs of the mart.
func (m Mart) InputNames() (names []string) {
	for _, input := range strings.Fields(m.Inputs) {
		name, _, _ := strings.Cut(input, "=")
		names = append(names, name)
	}
	return names
}
