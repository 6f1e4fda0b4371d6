// Package shape fills the tables of the lake from rows of a few shapes: captions, a bank of
// questions, answers, battles, scores of captions, scores of models. A row goes through the same
// checks from any format.
package shape

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/ingest/file"
)

// A Query answers a SELECT, which can read the given files and nothing else, and passes each row to
// a function. prepare are statements to run before the SELECT. The slice values is valid during the
// call only. An error about a line of a file has a method FileLine() int, which gives the line.
type Query func(ctx context.Context, files []string, prepare, query string,
	row func(columns []string, values []any) error) error

// Options are the user's statements about the files, for anything that the files do not say
// themselves. The zero value says nothing. Their JSON contains what the user gave.
type Options struct {
	Format     string `json:"format,omitempty"`     // name of the format, or of a shape; if empty, found by content
	Captioner  string `json:"captioner,omitempty"`  // model that wrote the captions, by any name
	Prompt     string `json:"prompt,omitempty"`     // caption prompt
	Reader     string `json:"reader,omitempty"`     // model that answered
	Domain     string `json:"domain,omitempty"`     // domain of the items; otherwise names may give it
	Provenance string `json:"provenance,omitempty"` // if empty, the provenance of the format, or measured
	// Map gives the file's column for a column of the shape.
	Map map[string]string `json:"map,omitempty"`
	// Frames says that the pictures of each subfolder are the frames of one item.
	Frames bool `json:"frames,omitempty"`
	// Order is the rule for dealing a bank's option orders; if empty, BankWriter decides.
	Order string `json:"order,omitempty"`
	// DryRun reads and checks files, and leaves the lake unchanged.
	DryRun bool `json:"-"`
	// Progress, if not nil, is called with the number of files that are done and the number of all
	// files, or with these numbers of a folder's pictures.
	Progress func(path string, done, total int) `json:"-"`
	// Query answers SELECTs.
	Query Query `json:"-"`
}

// A Job loads one unit.
type Job struct {
	Lake    *data.Lake
	Tx      *data.Tx
	Source  file.Source   // the file that is read
	Family  []file.Source // files of the unit
	Options Options
	Known   *Known         // the lake's items
	Lenient bool           // unusable parts of a line are left out, and the rest is loaded
	Detail  map[string]any // becomes the detail of the unit's run (column runs.detail)
	Faults  file.Faults
	Spared  file.Faults // faults of single files of a folder; the other files are loaded

	leftOut file.Faults // faults of the parts that a lenient job leaves out
	notes   []string
	cases   []*countedCases
	names   map[string]string // given names of models, by id
	writers map[string]any    // a *data.RowWriter for each table, by the table's name
}

// countedCases is a note that covers many cases with one sentence.
type countedCases struct {
	format string // takes the number of cases, and then the details of the first case
	number int
	first  []any // details of the first case
}

// Count counts a case for a note that covers all cases with the same format. The format takes the
// number, and then the details of the first case.
func (j *Job) Count(format string, details ...any) {
	i := slices.IndexFunc(j.cases, func(c *countedCases) bool { return c.format == format })
	if i < 0 {
		i, j.cases = len(j.cases), append(j.cases, &countedCases{format: format, first: details})
	}
	j.cases[i].number++
}

// note is the sentence about the cases.
func (c *countedCases) note() string { return message(c.format, append([]any{c.number}, c.first...)) }

// Notes are the remarks about the unit. First come the places that were left out and the counted
// cases, each with the file's path, or with the folder's path if the unit has several files.
func (j *Job) Notes() (notes []string) {
	where := j.Source.Path
	if len(j.Family) > 1 {
		where = path.Dir(where)
	}
	if n := len(j.leftOut.All) + j.leftOut.Dropped; n > 0 {
		notes = append(notes, fmt.Sprintf("%s: %d places cannot be used and are left out; the first is %s", where, n,
			j.leftOut.All[0]))
	}
	for _, c := range j.cases {
		notes = append(notes, where+": "+c.note())
	}
	return append(notes, j.notes...)
}

// Note adds a remark for the user that does not keep the file from being loaded.
func (j *Job) Note(format string, args ...any) {
	j.notes = append(j.notes, fmt.Sprintf(format, args...))
}

// Settle ends a lenient job. loaded is its number of records. If loaded is 0, the faults of the
// parts that were left out and the counted cases become faults of the file.
func (j *Job) Settle(loaded int) {
	if loaded > 0 {
		return
	}
	for _, c := range j.cases {
		j.leftOut.Add(file.Fault{Path: j.Source.Path, Message: c.note()})
	}
	for _, fault := range j.leftOut.All {
		j.Faults.Add(fault)
	}
	if j.Faults.Dropped += j.leftOut.Dropped; len(j.Faults.All) == 0 {
		j.Faults.Add(file.Fault{Path: j.Source.Path, Message: "the file has nothing to load: get the whole file"})
	}
}

// Fault reports a fault of the file. A lenient job leaves the faulty place out.
func (j *Job) Fault(at file.Pos, format string, args ...any) {
	faults := &j.Faults
	if j.Lenient {
		faults = &j.leftOut
	}
	faults.Add(file.Fault{Path: j.Source.Path, Line: at.Line, Col: at.Col, Message: fmt.Sprintf(format, args...)})
}

// Write writes rows of a table into the job's unit.
func Write[T any](j *Job, table data.Table[T], rows ...T) (err error) {
	if j.writers == nil {
		j.writers = map[string]any{}
	}
	w, begun := j.writers[table.Name()].(*data.RowWriter[T])
	if !begun {
		if w, err = data.NewRowWriter(j.Tx, table); err != nil {
			return err
		}
		j.writers[table.Name()] = w
	}
	return w.Write(rows...)
}

// Held gives the key and the value of each row that other units than the job's own hold in a table.
// where narrows the rows; nil takes all.
func Held[T any, K comparable, V any](
	j *Job, table data.Table[T], where data.Where, entry func(T) (K, V),
) (map[K]V, error) {
	held := map[K]V{}
	for row, err := range data.Select(j.Lake, table, where) {
		if err != nil {
			return nil, err
		}
		key, value := entry(row)
		held[key] = value
	}
	// Rows of the unit itself are from an earlier load, which this one replaces.
	for row, err := range data.UnitRows(j.Lake, table, j.Tx.Unit()) {
		if err != nil {
			return nil, err
		}
		key, _ := entry(row)
		delete(held, key)
	}
	return held, nil
}

// ModelID is the model_id of a name. The name is remembered for NameModels.
func (j *Job) ModelID(name string) (string, error) {
	id, err := data.ModelIDFor(name)
	if j.names == nil {
		j.names = map[string]string{}
	}
	j.names[id] = strings.TrimSpace(name)
	return id, err
}

// NameModels records in the lake the names that the unit gives its models, to display them.
func (j *Job) NameModels() error {
	return data.NameModels(j.Lake, slices.Sorted(maps.Values(j.names))...)
}

// Unsaid begins the error of a file that does not say something that its rows need.
const Unsaid = "neither the file nor the command says "
