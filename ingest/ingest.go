// Package ingest turns foreign files into rows of the lake: one file of code for each format, found by content.
//
// It must not know of language models, SQL or drawings, and it never writes a file of the lake but through a unit of
// package data: a file that has any fault is not committed at all.
package ingest

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/spelling"
)

// A Source is one foreign file: of the file system, or of the reference data that the binary carries. A folder of
// pictures is a source too; its Head is empty.
type Source struct {
	FS   fs.FS  // file system that holds the file
	Name string // name within FS, slash-separated
	Path string // how the user named the file: what messages show and provenance records
}

// Open opens the file. The caller closes it.
func (s Source) Open() (fs.File, error) { return s.FS.Open(s.Name) }

// Head returns up to n bytes from the start of the file, for detection.
func (s Source) Head(n int) ([]byte, error) {
	if folder, err := s.isFolder(); err != nil || folder {
		return nil, err
	}
	f, err := s.Open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, n)
	read, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", s.Path, err)
	}
	return head[:read], nil
}

// Digest is the SHA-256 of the file's content in lower-case hex.
func (s Source) Digest() (string, error) {
	if folder, err := s.isFolder(); err != nil {
		return "", err
	} else if folder {
		return folderDigest(s)
	}
	f, err := s.Open()
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("%s: %w", s.Path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Options are what the user says about the files, where the files do not say it themselves. The zero value says
// nothing.
type Options struct {
	Format     string                             // name of the format, instead of detection by content
	Captioner  string                             // model that wrote the captions, by any name that the registry knows, or a new model_id
	Prompt     string                             // caption prompt
	Reader     string                             // model that answered
	Domain     string                             // domain of the items, where their names do not tell
	Provenance string                             // published, measured or simulated; measured when empty, unless the format knows better
	Frames     bool                               // the pictures of each subfolder are the frames of one item
	DryRun     bool                               // files are read and checked, and the lake stays as it is
	Progress   func(path string, done, total int) // told how many of all files, or of a folder's pictures, are dealt with, if set
	Order      string                             // rule by which a bank's option orders are dealt: OrderFullBank, OrderPerSplit or their short names; see bankOrders when empty
}

// given is what the user said about the files by hand.
func (o Options) given() map[string]any {
	given := map[string]any{}
	for name, value := range map[string]string{
		"format": o.Format, "captioner": o.Captioner, "prompt": o.Prompt, "reader": o.Reader, "domain": o.Domain, "provenance": o.Provenance, "order": o.Order,
	} {
		if value != "" {
			given[name] = value
		}
	}
	if o.Frames {
		given["frames"] = true
	}
	return given
}

// A Format reads one kind of foreign file.
type Format struct {
	// Name is what --as takes and what the unit's stage is called after "ingest/".
	Name string
	// What says in one line which files the format reads.
	What string
	// Version changes whenever the same file gives other rows than before, so that it is read anew.
	Version string
	// Provenance is what rows of this format are unless the user says otherwise: measured when empty.
	Provenance string
	// Detect reports whether the file is of this format. head is the file's first 64 KiB. It decides by content;
	// the name may only break ties.
	Detect func(s Source, head []byte) bool
	// Unit names the unit that the file makes: its Name, and what else of Options the rows depend on. It may be
	// asked before the file was read.
	Unit func(s Source, o Options) (name string, err error)
	// Family lists the files that are loaded together with s as one unit, s among them, in the order in which Load
	// reads them; nil for formats whose files are units by themselves.
	Family func(s Source, o Options) ([]Source, error)
	// Reads are the tables of the lake that the rows depend on: the file is read anew when other units of these have changed
	// since. It is nil for formats whose rows depend on the file alone.
	Reads []data.AnyTable
	// Attempts is how often Load may be tried with rows under other names, for formats of which a lake may hold several
	// runs: Job.Attempt counts from 0 and says how the rows are to be named. Nil allows one.
	Attempts func(s Source) int
	// Load reads the file and writes its rows through the job's transaction. It reports every fault that it finds
	// to the job and goes on as long as that is of use; an error that it returns ends the file at once.
	Load func(ctx context.Context, j *Job) error
}

// Formats lists every format in the order in which detection tries them. To add a format: one file, one line here.
func Formats() []Format {
	return []Format{
		imagesFormat(),
		arenaAnnotationsFormat(),
		arenaAutoFormat(),
		metricScoresFormat(),
		benchmarkScoresFormat(),
		capabilityAnnotationsFormat(),
		capabilityCaptionsFormat(),
		capabilityJudgmentsFormat(),
		capabilitySamplesFormat(),
		bankParquetFormat(),
		lmmsSamplesFormat(),
		lmmsResultsFormat(),
		resultsFormat(),
		bankJSONFormat(),
		captionsFormat(),
		taxonomyFormat(),
	}
}

// A Job is the loading of one file.
type Job struct {
	Lake    *data.Lake
	Tx      *data.Tx
	Source  Source
	Family  []Source // files of the unit: Source alone, unless the format has families
	Options Options
	Attempt int // how many names of the rows the lake turned out to hold already
	known   *shared
	faults  Faults
	spared  Faults // of single files of a folder, which keep the others from nothing
	lenient bool   // lines that cannot be read are left out
	leftOut Faults
	notes   []string
	counted []counted
	detail  map[string]any // of the run
}

// A counted is something that a note tells with its number.
type counted struct {
	format string
	n      int
	args   []any // of the first
}

// Count counts something that a note tells once for all of it: the format takes the number, and then what is said of the first.
func (j *Job) Count(format string, args ...any) {
	i := slices.IndexFunc(j.counted, func(c counted) bool { return c.format == format })
	if i < 0 {
		i, j.counted = len(j.counted), append(j.counted, counted{format: format, args: args})
	}
	j.counted[i].n++
}

// countNotes are the notes of what was counted, about the file, or the folder of files that make one unit.
func (j *Job) countNotes() (notes []string) {
	where := j.Source.Path
	if len(j.Family) > 1 {
		where = path.Dir(where)
	}
	for _, c := range j.counted {
		notes = append(notes, where+": "+fmt.Sprintf(c.format, append([]any{c.n}, c.args...)...))
	}
	return notes
}

// Note tells the user of something in the file that was counted rather than read, and that does not keep the file
// from being loaded, such as a reply of a judge that gives no verdict.
func (j *Job) Note(format string, args ...any) {
	j.notes = append(j.notes, fmt.Sprintf(format, args...))
}

// LeaveOut reports something of the file that cannot be used and does not keep the rest from being loaded.
func (j *Job) LeaveOut(line, col int, format string, args ...any) {
	j.leftOut.add(Fault{Path: j.Source.Path, Line: line, Col: col, Message: fmt.Sprintf(format, args...)})
}

// settle turns what was left out into notes, or into faults when nothing was taken.
func (j *Job) settle(taken int) {
	const shown = 5
	for i, fault := range j.leftOut.All {
		switch {
		case taken == 0:
			j.faults.add(fault)
		case i < shown:
			j.Note("%s; left out", fault)
		}
	}
	for _, note := range j.countNotes() {
		if taken == 0 {
			j.Fault(1, 1, "%s", strings.TrimPrefix(note, j.Source.Path+": "))
		}
	}
	if more := len(j.leftOut.All) + j.leftOut.Dropped - shown; taken > 0 && more > 0 {
		j.Note("%s: %d more such places are left out", j.Source.Path, more)
	}
}

// Fault reports a fault of the file at a line and a column, both from 1; 0 means unknown.
func (j *Job) Fault(line, col int, format string, args ...any) {
	j.faults.add(Fault{Path: j.Source.Path, Line: line, Col: col, Message: fmt.Sprintf(format, args...)})
}

// What became of a file.
const (
	StateLoaded    = "loaded"    // its rows are in the lake now
	StateSound     = "sound"     // its rows could be loaded; with Options.DryRun nothing is
	StateUnchanged = "unchanged" // the lake had them already
	StateRefused   = "refused"   // nothing of it was taken; the error says why
	StateLeftOut   = "left out"  // of a folder, and a part of what its neighbours hold
)

// A Result says what became of one file.
type Result struct {
	Path    string         `json:"path"`
	State   string         `json:"state"`           // one of the states above
	Files   []string       `json:"files,omitempty"` // further files that make the unit with this one
	Format  string         `json:"format"`
	Unit    string         `json:"unit"`
	Changed bool           `json:"changed"`         // false when the same file was loaded before, or is not in the lake
	Rows    map[string]int `json:"rows"`            // rows by table, also of what is only sound; empty otherwise when nothing changed
	Notes   []string       `json:"notes,omitempty"` // what was counted rather than read; empty when nothing changed

	family []Source // files that make the unit
}

// Load reads one file into the lake as one unit. Loading an unchanged file again does nothing. A file with faults
// gives an error of type Faults that holds all of them, and the lake stays as it was; of a folder of pictures, those with faults
// are left out, the others are loaded, and the error comes beside the result, whenever the folder is loaded.
func Load(ctx context.Context, lake *data.Lake, s Source, o Options) (Result, error) {
	p := planLoad(s, o)
	if p.err != nil {
		return p.result, p.err
	}
	return p.load(ctx, lake, &shared{})
}

// A plannedLoad is a file whose format, unit and family are known.
type plannedLoad struct {
	source  Source
	options Options
	format  Format
	name    string // of the unit
	result  Result
	err     error // why it cannot be loaded
}

// planLoad finds out what a file is. It does not look into the lake.
func planLoad(s Source, o Options) (p plannedLoad) {
	p = plannedLoad{source: s, options: o, result: Result{Path: s.Path, State: StateRefused}}
	if p.format, p.err = Detect(s, o); p.err != nil {
		return p
	}
	p.result.Format, p.result.family = p.format.Name, []Source{s}
	if p.name, p.err = p.format.Unit(s, o); p.err != nil {
		return p
	}
	if p.format.Family != nil {
		p.result.family, p.err = p.format.Family(s, o)
	}
	for _, member := range p.result.family {
		if member.Path != s.Path {
			p.result.Files = append(p.result.Files, member.Path)
		}
	}
	return p
}

// unit is the unit that the file makes.
func (p *plannedLoad) unit(lake *data.Lake) (data.Unit, error) {
	digest, err := digestFamily(p.result.family)
	if err != nil {
		return data.Unit{}, err
	}
	reads, err := p.format.reads(lake)
	if err != nil {
		return data.Unit{}, err
	}
	given, err := json.Marshal(p.options.given()) // with its keys in order
	return data.Unit{
		Stage: "ingest/" + p.format.Name, Name: p.name, Source: p.source.Path,
		Provenance:  cmp.Or(p.options.Provenance, p.format.Provenance, data.ProvenanceMeasured),
		Fingerprint: data.Fingerprint(append([]string{p.format.Name, p.format.Version, digest, string(given)}, reads...)...),
	}, err
}

// load loads the file unless that was done before. What several files read of the lake is in known.
func (p *plannedLoad) load(ctx context.Context, lake *data.Lake, known *shared) (Result, error) {
	result := p.result
	unit, err := p.unit(lake)
	if err != nil {
		return result, err
	}
	result.Unit = unit.FileStem()
	done, err := lake.Done(unit)
	if err != nil {
		return result, err
	}
	if done {
		result.State = StateUnchanged
		left, err := sparedBefore(lake, result.Unit)
		if err == nil && len(left.All) > 0 {
			left.Spared = true
			err = &left
		}
		return result, err
	}
	for attempt := 0; ; attempt++ {
		job := &Job{Lake: lake, Source: p.source, Family: result.family, Options: p.options, Attempt: attempt, known: known, detail: map[string]any{}}
		err = job.load(ctx, p.format, unit, &result)
		if !errors.Is(err, data.ErrDuplicateKey) || p.format.Attempts == nil || attempt+1 >= p.format.Attempts(p.source) {
			return result, err
		}
	}
}

// reads digests what the lake holds of the tables that a format's rows depend on.
func (f Format) reads(lake *data.Lake) (states []string, err error) {
	for _, table := range f.Reads {
		units, err := lake.Units(table)
		if err != nil {
			return nil, err
		}
		for _, unit := range slices.Sorted(maps.Keys(units)) {
			states = append(states, unit, units[unit])
		}
	}
	return states, nil
}

// load reads the file once, and commits what it gives.
func (j *Job) load(ctx context.Context, format Format, unit data.Unit, result *Result) error {
	tx, err := j.Lake.Begin(unit)
	if err != nil {
		return err
	}
	defer tx.Abort()
	tx.Until(ctx)
	j.Tx = tx
	if err := format.Load(ctx, j); err != nil && !errors.Is(err, errFaulted) {
		if len(j.faults.All) == 0 && !errors.Is(err, errTooMuch) {
			return err
		}
		j.faults.add(Fault{Path: j.Source.Path, Message: err.Error()})
	}
	if len(j.faults.All) > 0 {
		return &j.faults
	}
	if err := j.recordDetail(); err != nil {
		return err
	}
	commit, state := tx.Commit, StateLoaded
	if j.Options.DryRun {
		commit, state = tx.Try, StateSound
	}
	if err := commit(); err != nil {
		return fmt.Errorf("%s: %w", j.Source.Path, err)
	}
	result.Changed, result.State = !j.Options.DryRun, state
	result.Rows = tx.Rows()
	result.Notes = append(j.countNotes(), j.notes...)
	if len(j.spared.All) > 0 {
		j.spared.Spared = true
		return &j.spared
	}
	return nil
}

// recordDetail keeps the detail of the run, with what the user said about the file by hand.
func (j *Job) recordDetail() error {
	if given := j.Options.given(); len(given) > 0 {
		j.detail["given"] = given
	}
	if len(j.detail) == 0 {
		return nil
	}
	text, err := json.Marshal(j.detail)
	j.Tx.SetDetail(string(text))
	return err
}

// digestFamily digests the content of a unit's files.
func digestFamily(family []Source) (string, error) {
	digests := make([]string, len(family))
	for i, member := range family {
		var err error
		if digests[i], err = member.Digest(); err != nil {
			return "", err
		}
	}
	if len(digests) == 1 {
		return digests[0], nil
	}
	return data.Fingerprint(digests...), nil
}

// Detect finds the format of a file by its content, or takes the one that the options name.
func Detect(s Source, o Options) (Format, error) {
	if o.Format != "" {
		for _, f := range Formats() {
			if f.Name == o.Format {
				return f, nil
			}
		}
		return Format{}, data.WithHint(fmt.Errorf("%s: there is no format %q", s.Path, o.Format), "%s", spelling.Meant("choose one of: "+strings.Join(formatNames(), ", "), formatNames(), o.Format))
	}
	head, err := s.Head(64 << 10)
	if err != nil {
		return Format{}, err
	}
	for _, f := range Formats() {
		if f.Detect(s, head) {
			return f, nil
		}
	}
	if isEmptyFile(s) && len(bytes.TrimSpace(head)) == 0 {
		return Format{}, &Faults{All: []Fault{{s.Path, 1, 1, "the file is empty: get the whole file"}}}
	}
	if name := nearest(s, head); name != "" {
		return Detect(s, Options{Format: name})
	}
	return Format{}, data.WithHint(fmt.Errorf("%s: the content has no known format", s.Path),
		"check that the file is whole, or name its format with --as, one of: %s", strings.Join(formatNames(), ", "))
}

// nearest is the format that a file of no format comes closest to: truncated, or with a misspelt key. Its faults say more than that there
// is no such format. It is empty for what is neither JSON nor a table.
func nearest(s Source, head []byte) string {
	text := string(bytes.TrimSpace(bytes.TrimPrefix(head, []byte(byteOrderMark))))
	keys := recordColumns([]byte(text))
	has := func(key string) bool { return keys[key] }
	switch {
	case strings.HasPrefix(text, "{"):
		if shape := shapeOf(head); shape.value == kindArray && isResult(shape) {
			return resultsFormat().Name
		} else if shape.value == kindArray {
			return bankJSONFormat().Name
		}
		return captionsFormat().Name
	case !strings.HasPrefix(text, "[") && !slices.Contains([]string{".csv", ".tsv"}, path.Ext(s.base())):
		return ""
	case has("source1") || has("source2"):
		return arenaAnnotationsFormat().Name
	case has("captioner") && has("score") || has("score_a") || has("score_b"):
		return metricScoresFormat().Name
	case has("benchmark") || has("model") && has("score"):
		return benchmarkScoresFormat().Name
	}
	return captionsFormat().Name
}

func formatNames() (names []string) {
	for _, f := range Formats() {
		names = append(names, f.Name)
	}
	return names
}

// base is the file's name without its folders.
func (s Source) base() string { return path.Base(s.Path) }
