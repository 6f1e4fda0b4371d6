package sql

import (
	"reflect"
	"regexp"
	"strings"

	"github.com/captionlake/captionlake/data/strictyaml"
)

// A Header is what the comments at the top of a file of this folder say, or of a user's own, in YAML. What is no word of it is an error.
type Header struct {
	What    string   // of a model, a shortcut or a format, in one line
	Columns []Column // of a model, a shortcut or a format a mapping; of a table or a page a list, in its order

	OfModel
	OfShortcut
	OfFormat
	OfShown
	OfExport

	Body     string `yaml:"-"` // the SQL below the header
	document *strictyaml.Document
}

// OfModel are words of a model, which the comment of this package describes.
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
	Like    string   // the table or mart whose columns it has, or some of them; empty when it has columns of its own
}

// OfFormat are words of a format, which ingest/README.md describes.
type OfFormat struct {
	Shape, Provenance string
	Rows, Detect, Not []string
	Line              string
	Quotes            bool
}

// OfShown are words of what people see: a question, a table, a figure or a part of a page.
type OfShown struct {
	Shows      string             // in one line
	Asks       string             // of a table, a figure or a part of a page, the question that it answers
	About      string             // what a reader of the rows should know
	NoDemo     string             `yaml:"no_demo"` // why the demo's lake has no rows of it; empty where it has some
	Paper      string             // where in which paper
	Parameters map[string]*string // values of $name in the SELECT where no flag gives another; null for NULL, empty where one has to be given

	// Of a table or a figure:
	Benchmark string // that it belongs to; none where it is about all of them
	Place     int    // of a figure of the report, among those of its benchmark, from 1
	One       string // a column of whose values only the first is shown; of prompt, Simple before others
	Each      string // a column whose every value names a table of its own
	Cards     bool   // of a figure, each row is a card with a picture, and no clause says how it is drawn
	Computed  bool   // what is drawn is computed here from published figures and printed nowhere
	Site      struct {
		Page, Nav, Title string // a page of the site that there is where this has rows, its words in the navigation, and its heading
		Place            int    // in the navigation
	}
}

// OfExport are words of an export beside those of what people see: how its rows become files for others.
type OfExport struct {
	Written string `yaml:"form"` // json, jsonl, yaml, csv or text
	File    string // of a row, in the folder; names of columns in braces stand for their values
}

// A Column is what a header says of a column: an entry of a mapping, or how a column of a table is written. A table without columns has all
// that the SELECT gives.
type Column struct {
	strictyaml.Entry // NAME: the list of a model, the meaning of a shortcut's column, or the names that a format's may have

	Name     string // in the SELECT; ends of an interval are in columns of this name with _low and _high behind it
	Head     string // the name in words when empty
	Decimals *int   // digits after the point; null of a text
	Best     string // highest or lowest: that value is bold among the rows of a section, or of a best_among of the SELECT
	Signed   bool   // a plus before positive values
	Ends     bool   // intervals by their ends, also where a half width would do
	Once     bool   // a text that the row above has, too, is left out in print
	Prose    bool   // sentences, which LaTeX breaks into lines
	Empty    string // what stands for a number that is NULL, instead of a dash
	Across   string // a column each of whose values heads a column of this one's, by the number across_place of the SELECT
	Page     string // on a page: main, drawn as dots; first, filtered by the first row's value; facet, to filter by; extra, shown when asked for
	Beside   string // a column whose values are drawn beside this main one's
}

// MaxBytes bounds a file.
const MaxBytes = 1 << 20

// headed tells a header from comments of another kind.
var headed = regexp.MustCompile(`\A-- ?\w+:`)

// Read reads the header of a file; path is for messages. A file without one has no words. Every fault is located: path:line:column.
func Read(path, text string) (h Header, err error) {
	// Blanks stand for the dashes of the comments, so that faults of the YAML have the places of the file.
	var header strings.Builder
	for h.Body = text; headed.MatchString(text) && strings.HasPrefix(h.Body, "--"); {
		line, rest, _ := strings.Cut(h.Body, "\n")
		header.WriteString("  " + line[2:] + "\n")
		h.Body = rest
	}
	h.document, err = strictyaml.Read(path, []byte(header.String()), MaxBytes, &h)
	return h, err
}

// IsShown reports whether all words are those of what people see, or of an export.
func (h Header) IsShown(export bool) bool {
	if export {
		h.OfExport = OfExport{}
	}
	h.OfShown, h.Columns, h.Body, h.document = OfShown{}, nil, "", nil
	return reflect.ValueOf(h).IsZero()
}

// At is where a word of the header is, such as columns[0].best: path:line:column.
func (h Header) At(at string) string { return h.document.Place(at) }

// Query is SQL without the semicolon that ends it.
func Query(text string) string { return strings.TrimSuffix(strings.TrimSpace(text), ";") }
