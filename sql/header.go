package sql

import (
	"reflect"
	"regexp"
	"strings"

	"github.com/captionlake/captionlake/data/strictyaml"
)

// A Header holds the words in the comments at the top of a file of this folder, or of a user's own
// file. The comments are YAML. An unknown word is an error.
type Header struct {
	What    string   // of a model, a shortcut or a format, in one line
	Columns []Column // in a model, a shortcut or a format a mapping; in a table or a page a list, in this order

	OfModel
	OfShortcut
	OfFormat
	OfShown
	OfExport

	Body     string `yaml:"-"` // the SQL below the header
	document *strictyaml.Document
}

// OfModel are words of a model. The comment of this package describes them.
type OfModel struct {
	Key           []string
	Source        string
	Fold, Compute string
	Checks        struct{ Rows string }
	Intervals     []strictyaml.Entry // NAME, NAME: METHOD(ARGUMENTS); NOTE
}

// OfShortcut are words of a shortcut.
type OfShortcut struct {
	Example string   // a query
	Macro   []string // parameters of a table macro; nil for a view
	Like    string   // it has the columns of this table or mart, or some of them; empty if it has columns of its own
}

// OfFormat are words of a format. The file ingest/README.md describes them.
type OfFormat struct {
	Shape, Provenance string
	Rows, Detect, Not []string
	Line              string
	Quotes            bool
}

// OfShown are words of a file with rows that people see: a question, a table, a figure or a part of
// a page.
type OfShown struct {
	Shows  string // in one line
	Asks   string // of a table, a figure or a part of a page, the question that it answers
	About  string // what a reader of the rows should know
	NoDemo string `yaml:"no_demo"` // why it has no rows in the demo's lake; empty if it has rows there
	Paper  string // where in which paper
	// values of $name in the SELECT if no flag gives another; null for NULL, empty if a flag must give
	// one
	Parameters map[string]*string

	// Of a table or a figure:
	Benchmark string // benchmark that it belongs to; empty if it is about all benchmarks
	Place     int    // of a figure of the report, among the figures of its benchmark, from 1
	One       string // a column; only its first value is shown; of the column prompt, Simple comes before other values
	Each      string // a column; each of its values names a table of its own
	Cards     bool   // of a figure, each row is a card with a picture, and no clause says how it is drawn
	Computed  bool   // the values drawn are computed here from published figures and printed nowhere
	Site      struct {
		Page, Nav, Title string // page of the site, made if the file has rows; its words in the navigation; its heading
		Place            int    // in the navigation
	}
}

// OfExport are words of an export, beside the words of OfShown. They say how its rows become files
// for others.
type OfExport struct {
	Written string `yaml:"form"` // json, jsonl, yaml, csv or text
	File    string // of a row, in the folder; names of columns in braces stand for their values
}

// A Column holds the words of a header about a column: an entry of a mapping, or the form of a
// column of a table. A table without columns has all columns that the SELECT gives.
type Column struct {
	// NAME: the list of a model's column, the meaning of a shortcut's column, or the names that a
	// format's column may have
	strictyaml.Entry

	Name     string // in the SELECT; ends of an interval are in columns of this name with _low and _high behind it
	Head     string // heading; the name in words when empty
	Decimals *int   // digits after the point; null of a text
	// highest or lowest: that value is bold among the rows of a section. If the SELECT has a column
	// best_among, the value is bold among the rows with the same best_among.
	Best   string
	Signed bool   // a plus before positive values
	Ends   bool   // intervals by their ends, even if a half width would do
	Once   bool   // a text is left out in print if the row above has the same text
	Prose  bool   // sentences, which LaTeX breaks into lines
	Empty  string // text for a number that is NULL, instead of a dash
	// a column; each of its values heads one column of this column's values; across_place of the
	// SELECT orders them
	Across string
	// on a page: main is drawn as dots; facet is a filter; first is a filter that begins with the
	// value of the first row; extra is shown when somebody asks for it
	Page   string
	Beside string // a column; its values are drawn beside the values of this main column
}

// MaxBytes bounds a file.
const MaxBytes = 1 << 20

// headed tells a header from other comments.
var headed = regexp.MustCompile(`\A-- ?\w+:`)

// Read reads the header of a file; path is for messages. A file without a header has no words.
// Every fault has a place: path:line:column.
func Read(path, text string) (h Header, err error) {
	// Blanks replace the dashes of the comments, so that a fault of the YAML has its place in the
	// file.
	var header strings.Builder
	for h.Body = text; headed.MatchString(text) && strings.HasPrefix(h.Body, "--"); {
		line, rest, _ := strings.Cut(h.Body, "\n")
		header.WriteString("  " + line[2:] + "\n")
		h.Body = rest
	}
	h.document, err = strictyaml.Read(path, []byte(header.String()), MaxBytes, &h)
	return h, err
}

// IsShown reports whether the header has only columns and words of OfShown. With export it may also
// have words of an export.
func (h Header) IsShown(export bool) bool {
	if export {
		h.OfExport = OfExport{}
	}
	h.OfShown, h.Columns, h.Body, h.document = OfShown{}, nil, "", nil
	return reflect.ValueOf(h).IsZero()
}

// At is the place of a word of the header, such as columns[0].best: path:line:column.
func (h Header) At(at string) string { return h.document.Place(at) }

// Query is SQL without the semicolon that ends it.
func Query(text string) string { return strings.TrimSuffix(strings.TrimSpace(text), ";") }
