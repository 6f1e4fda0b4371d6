// Package ingest turns foreign files into rows of the lake. A SELECT reads any tabular file: its
// rows fill a shape (package tabular, sql/formats). If no SELECT reads a format well, the format
// has its own package. A file has a format because its content or the user says so, never because
// no other format fits.
//
// The package must not know of language models or drawings. It writes files of the lake only
// through a unit of package data: a file with any fault is not committed at all.
package ingest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/spelling"
	"github.com/captionlake/captionlake/ingest/capability"
	"github.com/captionlake/captionlake/ingest/captionqa"
	"github.com/captionlake/captionlake/ingest/file"
	"github.com/captionlake/captionlake/ingest/images"
	"github.com/captionlake/captionlake/ingest/lmmseval"
	"github.com/captionlake/captionlake/ingest/shape"
	"github.com/captionlake/captionlake/ingest/tabular"
	"github.com/captionlake/captionlake/ingest/taxonomy"
	"github.com/captionlake/captionlake/ingest/texts"
)

// Options are the user's statements about the files; Faults are the faults of a file.
type (
	Options = shape.Options
	Faults  = file.Faults
)

// Formats lists every format. To add one: a file in sql/formats, or a package and one line here.
func Formats() []*shape.Format {
	return slices.Concat(
		[]*shape.Format{images.Format, texts.Format},
		capability.Formats,
		[]*shape.Format{lmmseval.Format},
		captionqa.Formats,
		[]*shape.Format{taxonomy.Format},
		tabular.Formats(),
	)
}

// States of a file after loading.
const (
	StateLoaded    = "loaded"    // its rows are in the lake now
	StateSound     = "sound"     // its rows could be loaded; with Options.DryRun nothing is loaded
	StateUnchanged = "unchanged" // the lake had its rows already
	StateRefused   = "refused"   // nothing was loaded; the error says why
	StateLeftOut   = "left out"  // another file of the same folder has its rows, too
)

// A Result describes the loading of one file.
type Result struct {
	Path   string   `json:"path"`
	State  string   `json:"state"`           // one of the states above
	Files  []string `json:"files,omitempty"` // other files of the same unit
	Format string   `json:"format"`
	Unit   string   `json:"unit"`
	// false if the same file was loaded before, or if its rows are not in the lake
	Changed bool           `json:"changed"`
	Rows    map[string]int `json:"rows"`            // by table, also for StateSound
	Notes   []string       `json:"notes,omitempty"` // counts and remarks; empty if nothing changed
}

// detect finds the format of a file by its content, or uses the one that the options name.
func (l *loader) detect(ctx context.Context, s file.Source) (*shape.Format, error) {
	look, err := shape.LookAt(s)
	if err != nil {
		return nil, err
	}
	name := l.options.Format
	namesFormat := name != "" && shape.ByName(name) == nil // The option may name a shape instead.
	var names []string
	for _, f := range Formats() {
		names = append(names, f.Name)
		if namesFormat && f.Name == name || name == "" && f.Detect(look) {
			return f, nil
		}
	}
	switch {
	case namesFormat:
		return nil, s.Refuse(spelling.Meant("choose one of: "+strings.Join(names, ", "), names, name),
			"there is no format %q", name)
	// This file is empty, and no format knows its name. LoadPaths skips such a file in a folder.
	case len(bytes.TrimSpace(look.Head)) == 0:
		return nil, s.Refuse("get the whole file", "the file is empty: %w", tabular.ErrUnknown)
	}
	return tabular.Detect(ctx, &shape.Job{Source: s, Options: l.options, Known: l.known})
}

// A loader loads files one after another.
type loader struct {
	lake    *data.Lake
	options Options
	known   *shape.Known
	held    map[string]bool // paths of the files of all units so far
}

func newLoader(lake *data.Lake, o Options) *loader {
	return &loader{lake, o, &shape.Known{Lake: lake}, map[string]bool{}}
}

// load loads a file of a format as one unit, unless that was done before. A file with faults gives
// an error of type Faults, and the lake stays unchanged. In a folder of pictures, files with faults
// are left out and the other files are loaded. Then load returns the result and also the error
// about these files, even if the folder was loaded before.
func (l *loader) load(ctx context.Context, s file.Source, f *shape.Format) (result Result, err error) {
	result = Result{Path: s.Path, State: StateRefused, Format: f.Name}
	family := []file.Source{s}
	if f.Family != nil {
		if family, err = f.Family(s, l.options); err != nil {
			return result, err
		}
	}
	for _, member := range family {
		if l.held[member.Path] = true; member.Path != s.Path {
			result.Files = append(result.Files, member.Path)
		}
	}
	j := &shape.Job{Lake: l.lake, Source: s, Family: family, Options: l.options, Known: l.known,
		Detail: map[string]any{"given": l.options}}
	unit, err := l.unit(j, f)
	if err != nil {
		return result, err
	}
	result.Unit = unit.FileStem()
	done, err := l.lake.Done(unit)
	if done {
		result.State = StateUnchanged
		err = images.SparedBefore(l.lake, result.Unit)
	} else if err == nil {
		err = l.mustReplaceNoOther(j, result.Unit)
	}
	if done || err != nil {
		return result, err
	}
	return result, l.fill(ctx, f, j, unit, &result)
}

// unit is the unit of a file. Its fingerprint has everything that the rows depend on: the format,
// the options, the content of the family's files, and the tables that the shape reads.
func (l *loader) unit(j *shape.Job, f *shape.Format) (data.Unit, error) {
	nameOf, rowShape := f.Unit, cmp.Or(f.Shape, &shape.Shape{})
	if nameOf == nil {
		nameOf = rowShape.Unit // A format without its own Unit has a shape.
	}
	name, err := nameOf(j.Source, l.options) // The first of all errors is returned at the end.
	given, _ := json.Marshal(l.options)      // Its texts can always be encoded.
	parts := []string{f.Name, f.Version, string(given)}
	digestOf := f.Digest
	if digestOf == nil {
		digestOf = file.Source.Digest
	}
	for _, member := range j.Family {
		digest, digestErr := digestOf(member)
		parts, err = append(parts, digest), cmp.Or(err, digestErr)
	}
	j.Detail["content"] = data.Fingerprint(parts[3:]...)
	for _, table := range rowShape.Reads {
		state, readErr := l.lake.State(table)
		parts, err = append(parts, state), cmp.Or(err, readErr)
	}
	return data.Unit{
		Stage: "ingest/" + cmp.Or(rowShape.Stage, f.Name), Name: name, Source: j.Source.Path,
		Provenance:  cmp.Or(l.options.Provenance, f.Provenance, data.ProvenanceMeasured),
		Fingerprint: data.Fingerprint(parts...),
	}, err
}

// mustReplaceNoOther refuses files of the same name from another folder, with other content,
// because their rows would replace the rows that the lake has. It records the folder, as seen from
// the lake, and the ending of the job's files. Embedded files have no folder.
func (l *loader) mustReplaceNoOther(j *shape.Job, unit string) error {
	var before struct{ Place, Content string }
	run, err := data.RunOf(l.lake, unit)
	if _, onDisk := j.Source.FS.(file.Plain); !onDisk || err != nil {
		return err
	}
	// Both folders exist, so they have real paths.
	lake, _ := filepath.EvalSymlinks(shape.Full(l.lake.Dir()))
	files, _ := filepath.EvalSymlinks(shape.Full(path.Dir(j.Source.Path)))
	folder, _ := filepath.Rel(lake, files)
	place := folder + "/*" + j.Source.Ext()
	j.Detail["place"] = place
	if run != nil && json.Unmarshal([]byte(run.Detail), &before) == nil && before.Place != "" &&
		before.Place != place && before.Content != j.Detail["content"] {
		return j.Source.Refuse("put a newer version into the place of the first file, or give another file another name; "+
			"or take the earlier rows out, with all that was made from them: captionlake remove "+unit,
			"the lake has the rows of another file under this name, %s, and this file would replace them", run.Source)
	}
	return nil
}

// fill reads the unit's files and commits their rows.
func (l *loader) fill(ctx context.Context, f *shape.Format, j *shape.Job, unit data.Unit, result *Result) (err error) {
	if j.Tx, err = l.lake.Begin(unit); err != nil {
		return err
	}
	defer j.Tx.Abort() // changes nothing after a commit
	j.Tx.Until(ctx)
	err = f.Fill(ctx, j)
	err = cmp.Or(err, l.known.Err)
	if len(j.Faults.All) > 0 { // The faults come first: err may only say that there are some.
		return &j.Faults
	}
	if err != nil {
		return err
	}
	text, _ := json.Marshal(j.Detail) // Texts and numbers can always be encoded.
	j.Tx.SetDetail(string(text))
	commit, state := j.Tx.Commit, StateLoaded
	if l.options.DryRun {
		commit, state = j.Tx.Try, StateSound
	}
	if err := commit(); err != nil {
		return fmt.Errorf("%s: %w", j.Source.Path, err)
	}
	result.Changed, result.State, result.Rows, result.Notes = !l.options.DryRun, state, j.Tx.Rows(), j.Notes()
	if result.Changed {
		if err := j.NameModels(); err != nil {
			return err
		}
	}
	if rows := result.Rows; rows["images"]+rows["questions"] > 0 {
		l.known.Forget() // Later files see the rows of this one.
	}
	if j.Spared.Spared { // The folder is loaded, and the files that were left out are reported.
		return &j.Spared
	}
	return nil
}
