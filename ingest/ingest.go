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
	case len(bytes.TrimSpace(look.Head)) == 0: // No format knows the empty file by its name.
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
	given   json.RawMessage // the options that the user gave
}

func newLoader(lake *data.Lake, o Options) *loader {
	given, _ := json.Marshal(o) // its texts can always be encoded
	return &loader{lake, o, &shape.Known{Lake: lake}, map[string]bool{}, given}
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
	unit, content, err := l.unit(s, f, family)
	if err != nil {
		return result, err
	}
	result.Unit = unit.FileStem()
	if done, err := l.lake.Done(unit); err != nil {
		return result, err
	} else if done {
		result.State = StateUnchanged
		return result, images.SparedBefore(l.lake, result.Unit)
	}
	j := &shape.Job{Lake: l.lake, Source: s, Family: family, Options: l.options, Known: l.known,
		Detail: map[string]any{}}
	if err := l.noteOrigin(j, result.Unit, content); err != nil {
		return result, err
	}
	if string(l.given) != "{}" { // The user gave options.
		j.Detail["given"] = l.given
	}
	return result, l.fill(ctx, f, j, unit, &result)
}

// unit is the unit of a file. Its fingerprint has everything that the rows depend on: the format,
// the options, the content of the family's files, and the tables that the shape reads. content is a
// digest of the files alone.
func (l *loader) unit(s file.Source, f *shape.Format, family []file.Source) (_ data.Unit, content string, _ error) {
	nameOf, of := f.Unit, cmp.Or(f.Shape, &shape.Shape{})
	if nameOf == nil {
		nameOf = of.Unit // A format without its own Unit has a shape.
	}
	name, err := nameOf(s, l.options) // The first of all errors is returned at the end.
	parts := []string{f.Name, f.Version, string(l.given)}
	digestOf := f.Digest
	if digestOf == nil {
		digestOf = file.Source.Digest
	}
	for _, member := range family {
		digest, digestErr := digestOf(member)
		parts, err = append(parts, digest), cmp.Or(err, digestErr)
	}
	content = data.Fingerprint(parts[3:]...)
	for _, table := range of.Reads {
		state, readErr := l.lake.State(table)
		parts, err = append(parts, state), cmp.Or(err, readErr)
	}
	return data.Unit{
		Stage: "ingest/" + cmp.Or(of.Stage, f.Name), Name: name, Source: s.Path,
		Provenance:  cmp.Or(l.options.Provenance, f.Provenance, data.ProvenanceMeasured),
		Fingerprint: data.Fingerprint(parts...),
	}, content, err
}

// An origin is where the rows of a unit came from, in its run's detail.
type origin struct {
	Place   string // folder of the files, from the lake, and their ending; empty for embedded files
	Content string // digest of the files
}

// noteOrigin records the origin of a job's rows. Files of the same name from another folder, with
// other content, are refused, because their rows would replace the rows that the lake has.
func (l *loader) noteOrigin(j *shape.Job, unit, content string) error {
	if _, onDisk := j.Source.FS.(file.Plain); !onDisk {
		return nil
	}
	lake, _ := filepath.Abs(l.lake.Dir())
	full, _ := filepath.Abs(filepath.FromSlash(j.Source.Path))
	place, _ := filepath.Rel(lake, filepath.Dir(full))
	now := origin{filepath.ToSlash(place) + "/*" + j.Source.Ext(), content}
	j.Detail["origin"] = now
	var before struct{ Origin origin }
	run, err := data.RunOf(l.lake, unit)
	if run != nil && json.Unmarshal([]byte(run.Detail), &before) == nil && before.Origin.Place != "" &&
		before.Origin.Place != now.Place && before.Origin.Content != content {
		return j.Source.Refuse("rename the file, or its folder, or take the earlier rows out: captionlake remove "+unit,
			"the lake has the rows of another file under this name, %s, and this file would replace them", run.Source)
	}
	return err
}

// fill reads the unit's files and commits their rows.
func (l *loader) fill(ctx context.Context, f *shape.Format, j *shape.Job, unit data.Unit, result *Result) (err error) {
	if j.Tx, err = l.lake.Begin(unit); err != nil {
		return err
	}
	defer j.Tx.Abort()
	j.Tx.Until(ctx)
	err = cmp.Or(f.Fill(ctx, j), l.known.Err)
	if len(j.Faults.All) > 0 { // The faults come first: err may only say that there are some.
		return &j.Faults
	}
	if err != nil {
		return err
	}
	if len(j.Detail) > 0 {
		text, _ := json.Marshal(j.Detail) // Texts and numbers can always be encoded.
		j.Tx.SetDetail(string(text))
	}
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
