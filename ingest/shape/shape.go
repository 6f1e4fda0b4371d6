package shape

import (
	"context"
	"slices"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/ingest/file"
)

// A Shape is what rows of a kind have to say, and how they fill tables.
type Shape struct {
	Name    string
	What    string          // in one line, for people who write a SELECT
	Columns []string        // that a row may have; those that it must have come first
	Needs   int             // how many it must have
	Stage   string          // what units are called after "ingest/", where all formats of the shape share it
	Reads   []data.AnyTable // tables of the lake that the rows depend on
	Unit    func(s file.Source, o Options) (name string,
		err error) // nil where the file, its folder and the reader name it
	Begin func(j *Job) (Filler, error)
}

// A Filler takes the rows of a unit. A fault of a row goes to the job; an error ends the file.
type Filler struct {
	Row func(r *Row) error
	End func() error // after the last row, unless there were faults; nil where there is nothing to do
}

// Must reports whether rows must have a column.
func (s *Shape) Must(column string) bool { return slices.Contains(s.Columns[:s.Needs], column) }

// Has reports whether rows may have a column. Those of every shape may say why they are left out,
// or what is wrong with them.
func (s *Shape) Has(column string) bool {
	return slices.Contains(s.Columns, column) || column == "leave_out" || column == "fault"
}

// Shapes lists every shape.
func Shapes() []*Shape {
	return []*Shape{Captions, References, Bank, Answers, Battles, Scores, ModelScores}
}

// ByName finds a shape; nil where there is none of the name.
func ByName(name string) *Shape {
	for _, s := range Shapes() {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// A Format reads one kind of foreign file.
type Format struct {
	// Name is what --as takes and what the unit's stage is called after "ingest/", unless the shape
	// has another name.
	Name string
	// What says in one line which files the format reads.
	What string
	// Version changes whenever the same file gives other rows than before, so that it is read anew.
	Version string
	// Provenance is what rows of this format are unless the user says otherwise: measured when
	// empty.
	Provenance string
	// Detect reports whether the file is of this format. It decides by content; the name may only
	// break ties.
	Detect func(l *Look) bool
	// Shape is what the rows fill that Rows gives; nil for formats that load a file in a way of
	// their own.
	Shape *Shape
	// Rows hands each row of the job's files to a function.
	Rows func(ctx context.Context, j *Job, each func(*Row) error) error
	// Unit names the unit that the file makes: its name, and what else of Options the rows depend
	// on. The shape's when nil.
	Unit func(s file.Source, o Options) (name string, err error)
	// Family lists the files that are loaded together with s as one unit, s among them, in the
	// order in which they are read; nil for formats whose files are units by themselves.
	Family func(s file.Source, o Options) ([]file.Source, error)
	// Digest digests the file; its bytes when nil.
	Digest func(s file.Source) (string, error)
	// Early formats give what others need: pictures, questions, annotations. Of a folder they are
	// loaded first.
	Early bool
	// Load reads the files and writes their rows through the job's transaction. It reports every
	// fault that it finds to the job and goes on as long as that is of use; an error that it
	// returns ends the unit at once. Nil where there is a shape.
	Load func(ctx context.Context, j *Job) error
}

// A Look is a file while its format is looked for.
type Look struct {
	file.Source
	Head  []byte
	First file.Value // of a JSON file, as far as the head goes; null of other files
}

// LookAt looks at a file.
func LookAt(s file.Source) (*Look, error) {
	head, err := s.Head(file.HeadBytes)
	return &Look{s, head, file.Outline(head)}, err
}

// StageName is what the format's units are called after "ingest/".
func (f *Format) StageName() string {
	if f.Shape != nil && f.Shape.Stage != "" {
		return f.Shape.Stage
	}
	return f.Name
}

// UnitName names the unit that a file makes.
func (f *Format) UnitName(s file.Source, o Options) (string, error) {
	switch {
	case f.Unit != nil:
		return f.Unit(s, o)
	case f.Shape.Unit != nil:
		return f.Shape.Unit(s, o)
	}
	return FolderUnit(s, s.Stem(), modelID(o.Reader)), nil
}

// Fill loads the files of a job.
func (f *Format) Fill(ctx context.Context, j *Job) error {
	if f.Load != nil {
		return f.Load(ctx, j)
	}
	filler, err := f.Shape.Begin(j)
	if err != nil {
		return err
	}
	rows, said := 0, ""
	err = f.Rows(ctx, j, func(r *Row) error {
		rows++
		if reason := r.Text("leave_out"); reason != "" {
			j.Count("%d rows are left out: %s", Clip(reason))
			return nil
		}
		if why := r.Text("fault"); why == "" {
			return filler.Row(r)
		} else if why != said {
			r.Report(r.At, "%s", why)
			said = why
		} else {
			j.Faults.Dropped++
		}
		return nil
	})
	switch {
	case err != nil || len(j.Faults.All) > 0:
		return err
	case rows == 0:
		j.Fault(file.Start, "the file holds no rows of %s: get the whole file", f.Shape.Name)
	case filler.End != nil:
		return filler.End()
	}
	return nil
}
