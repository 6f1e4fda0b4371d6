// Package shape fills the tables of the lake from rows in a few shapes: captions, a bank of
// questions, answers, battles, scores of captions, scores of models. Whatever format a row comes
// from, it goes through the same checks.
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

// A Query answers a SELECT over files and over nothing else: it hands each row to a function.
// prepare are statements that come before it. The row's slice is valid during the call. An error in
// a file may have a method FileLine() int.
type Query func(ctx context.Context, files []string, prepare, query string,
	row func(columns []string, values []any) error) error

// Options are what the user says about the files, where the files do not say it themselves. The
// zero value says nothing. As JSON they are what was given by hand.
type Options struct {
	Format     string `json:"format,omitempty"`     // name of the format, or of a shape; found by content when empty
	Captioner  string `json:"captioner,omitempty"`  // model that wrote the captions, by any name
	Prompt     string `json:"prompt,omitempty"`     // caption prompt
	Reader     string `json:"reader,omitempty"`     // model that answered
	Domain     string `json:"domain,omitempty"`     // domain of the items, where their names do not tell
	Provenance string `json:"provenance,omitempty"` // when empty measured, unless the format knows better
	// Map says which columns of the file are those of the shape, by the shape's.
	Map map[string]string `json:"map,omitempty"`
	// Frames says that the pictures of each subfolder are the frames of one item.
	Frames bool `json:"frames,omitempty"`
	// Order is the rule by which a bank's option orders are dealt; BankWriter decides when it is empty.
	Order string `json:"order,omitempty"`
	// DryRun has files read and checked, and the lake stay as it is.
	DryRun bool `json:"-"`
	// Progress, if it is set, is told how many of all files, or of a folder's pictures, are dealt with.
	Progress func(path string, done, total int) `json:"-"`
	// Query answers SELECTs.
	Query Query `json:"-"`
}

// A Job is the loading of one unit.
type Job struct {
	Lake    *data.Lake
	Tx      *data.Tx
	Source  file.Source   // the file that is read
	Family  []file.Source // files of the unit
	Options Options
	Known   *Known         // what the lake has
	Lenient bool           // what cannot be read of a line is left out, and the rest is taken
	Detail  map[string]any // of the run
	Faults  file.Faults
	Spared  file.Faults // of single files of a folder, which keep the others from nothing

	leftOut file.Faults
	notes   []string
	counted []counted
	names   map[string]string // as models were given, by their ids
	writers map[string]any
}

// A counted is something that a note tells with its number.
type counted struct {
	format string
	args   []any // its number, and what is said of the first
}

// Count counts something that a note tells once for all that have the same format: it takes the
// number, and then what is said of the first.
func (j *Job) Count(format string, args ...any) {
	i := slices.IndexFunc(j.counted, func(c counted) bool { return c.format == format })
	if i < 0 {
		i, j.counted = len(j.counted), append(j.counted, counted{format, append([]any{0}, args...)})
	}
	j.counted[i].args[0] = j.counted[i].args[0].(int) + 1
}

// Notes are what is to be known of the unit: what was left out or counted, about the file or the
// folder of its files, and the rest.
func (j *Job) Notes() (notes []string) {
	where := j.Source.Path
	if len(j.Family) > 1 {
		where = path.Dir(where)
	}
	if n := len(j.leftOut.All) + j.leftOut.Dropped; n > 0 {
		notes = append(notes, fmt.Sprintf("%s: %d places cannot be used and are left out; the first is %s", where, n,
			j.leftOut.All[0]))
	}
	for _, c := range j.counted {
		notes = append(notes, where+": "+fmt.Sprintf(c.format, c.args...))
	}
	return append(notes, j.notes...)
}

// Note tells the user of something that does not keep the file from being loaded.
func (j *Job) Note(format string, args ...any) {
	j.notes = append(j.notes, fmt.Sprintf(format, args...))
}

// Settle ends what was read leniently: what was left out, or counted, is what is wrong with a file
// of which nothing was taken.
func (j *Job) Settle(taken int) {
	if taken > 0 {
		return
	}
	for _, c := range j.counted {
		j.leftOut.Add(file.Fault{Path: j.Source.Path, Message: fmt.Sprintf(c.format, c.args...)})
	}
	for _, fault := range j.leftOut.All {
		j.Faults.Add(fault)
	}
	if j.Faults.Dropped += j.leftOut.Dropped; len(j.Faults.All) == 0 {
		j.Faults.Add(file.Fault{Path: j.Source.Path, Message: "the file holds nothing to load: get the whole file"})
	}
}

// Fault reports a fault of the file.
func (j *Job) Fault(at file.Pos, format string, args ...any) {
	to := &j.Faults
	if j.Lenient {
		to = &j.leftOut
	}
	to.Add(file.Fault{Path: j.Source.Path, Line: at.Line, Col: at.Col, Message: fmt.Sprintf(format, args...)})
}

// Write writes rows of a table.
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

// Held is what other units hold: values of rows by their keys.
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
	for row, err := range data.UnitRows(j.Lake, table, j.Tx.Unit()) {
		if err != nil {
			return nil, err
		}
		key, _ := entry(row)
		delete(held, key)
	}
	return held, nil
}

// ModelID is the model_id of a name, which is remembered as the name to show where the registry
// does not know it.
func (j *Job) ModelID(name string) (string, error) {
	id, err := data.ModelIDFor(name)
	if j.names == nil {
		j.names = map[string]string{}
	}
	j.names[id] = strings.TrimSpace(name)
	return id, err
}

// NameModels keeps what the models of the unit are called.
func (j *Job) NameModels() error {
	return data.NameModels(j.Lake, slices.Sorted(maps.Values(j.names))...)
}

// missing is the error of a file that does not say something that its rows need.
func missing(s file.Source, what, next string) error {
	return data.WithHint(fmt.Errorf("%s: neither the file nor the command says %s", s.Path, what), "%s", next)
}
