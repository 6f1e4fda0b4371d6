package shape

import (
	"context"
	"slices"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/ingest/file"
)

// A Shape defines the columns of one kind of rows, and how they fill tables.
type Shape struct {
	Name    string
	What    string          // one line, for people who write a SELECT
	Columns []string        // columns that a row may have; required ones come first
	Needs   int             // number of required columns
	Stage   string          // stage of units after "ingest/"; if empty, the format's name
	Reads   []data.AnyTable // tables of the lake that the rows depend on
	// Unit names the unit of a file, unless its format does.
	Unit func(s file.Source, o Options) (name string, err error)
	// Begin makes the filler of a job's rows.
	Begin func(j *Job) (Filler, error)
}

// A Filler writes the rows of one job into tables. A fault of a row goes to the job; an error ends
// the file.
type Filler struct {
	Row func(r *Row) error
	End func() error // after the last row, unless there were faults; may be nil
}

// Must reports whether a column is required.
func (s *Shape) Must(column string) bool { return slices.Contains(s.Columns[:s.Needs], column) }

// Has reports whether rows may have a column. In every shape a row may have leave_out, the reason
// for leaving it out, and fault, a text that says what is wrong with it.
func (s *Shape) Has(column string) bool {
	return slices.Contains(s.Columns, column) || column == "leave_out" || column == "fault"
}

// Shapes lists every shape.
func Shapes() []*Shape {
	return []*Shape{Captions, References, Bank, Answers, Battles, Scores, ModelScores}
}

// ByName finds a shape; nil for an unknown name.
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
	// Name is the value for --as. The unit's stage is "ingest/" and this name, unless the shape
	// gives the stage.
	Name string
	// What describes the files of the format in one line.
	What string
	// Version changes whenever the same file gives other rows than before, so that it is read
	// again.
	Version string
	// Provenance is the provenance of the format's rows unless the user gives another; if empty,
	// they are measured.
	Provenance string
	// Detect reports whether the file has this format. It decides by content. The file's name may
	// break ties, and decides where the content shows nothing, as in the file of a caption's text.
	Detect func(l *Look) bool
	// Shape is the shape of the rows that Rows gives; nil for formats that load a file in their own
	// way.
	Shape *Shape
	// Rows passes each row of the job's files to a function.
	Rows func(ctx context.Context, j *Job, each func(*Row) error) error
	// Unit names the unit of a file. The name has every part of Options that the rows depend on. If
	// nil, the shape names the unit.
	Unit func(s file.Source, o Options) (name string, err error)
	// Family lists the files that are loaded together with s as one unit, including s, in reading
	// order; nil if each file is a unit.
	Family func(s file.Source, o Options) ([]file.Source, error)
	// Digest digests the file, to show whether it changed; nil digests its bytes.
	Digest func(s file.Source) (string, error)
	// Early formats give data that other formats need: pictures, questions, annotations. In a folder
	// they are loaded first.
	Early bool
	// Load reads the files and writes their rows through the job's transaction. It reports every
	// fault to the job and continues as long as that is useful; an error ends the unit at once. It
	// is nil if there is a shape.
	Load func(ctx context.Context, j *Job) error
}

// A Look is the part of a file that shows its format.
type Look struct {
	file.Source
	Head  []byte     // the first bytes; empty for a folder
	First file.Value // first value of a JSON file, as far as the head goes; null for other files
}

// LookAt reads the part of a file that shows its format.
func LookAt(s file.Source) (*Look, error) {
	head, err := s.Head(file.HeadBytes)
	return &Look{s, head, file.Outline(head)}, err
}

// Fill writes the rows of a job's files into tables: all by the format's own Load, or one by one by
// the filler of its shape.
func (f *Format) Fill(ctx context.Context, j *Job) error {
	if f.Load != nil {
		return f.Load(ctx, j)
	}
	filler, err := f.Shape.Begin(j)
	if err != nil {
		return err
	}
	rows, lastFault := 0, ""
	err = f.Rows(ctx, j, func(r *Row) error {
		rows++
		reason, fault := r.Text("leave_out"), r.Text("fault")
		switch {
		case reason != "":
			j.Count("%d rows are left out: %s", reason)
		case fault == "":
			return filler.Row(r)
		case fault == lastFault: // Every row of a file may have the same fault: report it once.
			j.Faults.Dropped++
		default:
			r.Report(r.At, "%s", fault)
			lastFault = fault
		}
		return nil
	})
	switch {
	case err != nil || len(j.Faults.All) > 0:
		return err // If err is nil, the caller returns the faults.
	case rows == 0:
		j.Fault(file.Start, "the file has no rows of %s: get the whole file", f.Shape.Name)
	case filler.End != nil:
		return filler.End()
	}
	return nil
}
