package shape

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data/text"
	"github.com/captionlake/captionlake/ingest/file"
)

// A Row is a row of a shape: an object of its columns.
type Row struct {
	file.Value
	Job    *Job
	Place  string // place of a row without a line, such as "row 3"
	Faulty bool   // it had a fault
}

// NewRow is a row with these columns.
func NewRow(j *Job, at file.Pos, columns ...file.Field) *Row {
	return &Row{Value: file.Value{At: at, Kind: file.Object, Fields: columns}, Job: j}
}

// EachLine visits the lines of the job's file as rows.
func (j *Job) EachLine(each func(*Row) error) error {
	return j.Source.EachLine(j.Fault, func(v file.Value) error { return each(&Row{Value: v, Job: j}) })
}

// Column is a column with a text.
func Column(name string, at file.Pos, text string) file.Field {
	return file.Field{Key: name, At: at, Value: file.Value{At: at, Kind: file.String, Text: text}}
}

// Child is a row within a row, such as a question in the list of an image's questions.
func (r *Row) Child(v file.Value) *Row { return &Row{Value: v, Job: r.Job, Place: r.Place} }

// Report reports a fault of the row at a place; the zero place is the row's own. Texts among the
// arguments are clipped.
func (r *Row) Report(at file.Pos, format string, args ...any) {
	at = cmp.Or(at, r.At)
	fault := message(format, args)
	if at.Line == 0 && r.Place != "" {
		fault = r.Place + ": " + fault
	}
	r.Job.Fault(at, "%s", fault)
	r.Faulty = true
}

// Fault reports a fault of one of the row's columns, or of the row if it has no such column.
func (r *Row) Fault(column, format string, args ...any) {
	v, _ := r.Field(column)
	r.Report(v.At, format, args...)
}

// need returns a column that must exist and be of a kind.
func (r *Row) need(column string, kind file.Kind) file.Value {
	v, ok := r.Field(column)
	switch {
	case !ok || v.Kind == file.Null:
		r.Report(v.At, "there is no %q: add it", column)
	case v.Kind != kind:
		r.Report(v.At, "%q is %s where %s belongs: correct it", column, v.Kind, kind)
	}
	return v
}

// String is the text of a column that must exist.
func (r *Row) String(column string) string { return r.need(column, file.String).Text }

// Text is the value of a column, a text or a number, as a text without white space around it; empty
// if it is missing.
func (r *Row) Text(column string) string {
	v, _ := r.Field(column)
	switch v.Kind {
	case file.Null, file.String, file.Number:
	default:
		r.Fault(column, "%q is %s where a text or a number belongs: correct it", column, v.Kind)
	}
	if problem := file.TextProblem(v.Text); problem != nil {
		r.Fault(column, "%q is %v", column, problem)
	}
	return strings.TrimSpace(v.Text)
}

// Need is the value of a column that must not be empty. what says what to write there.
func (r *Row) Need(column, what string) string {
	value := r.Text(column)
	if value == "" && !r.Faulty {
		r.Fault(column, "%s is empty: write %s", column, what)
	}
	return value
}

// Number reads a number; false if it is missing. Infinite and invalid numbers are faults.
func (r *Row) Number(column string) (float64, bool) {
	value := r.Text(column)
	if value == "" {
		return 0, false
	}
	number, err := strconv.ParseFloat(value, 64)
	isGoOnly := strings.ContainsAny(value, "xX_") // Go also reads 0x1p-2 and 1_000.
	if err != nil || math.IsNaN(number) || math.IsInf(number, 0) || isGoOnly {
		r.Fault(column, "%s is %q: write a number such as 0.31, or leave it empty", column, value)
		return 0, false
	}
	return number, true
}

// Truth reads a truth value, a boolean or its name; ok is false if it is missing.
func (r *Row) Truth(column string) (truth, ok bool) {
	v, _ := r.Field(column)
	switch word := strings.ToLower(v.Text); {
	case v.Kind == file.Null:
		return false, false
	case v.Kind == file.Bool:
		return v.Truth, true
	case v.Kind == file.String && (word == "true" || word == "false"):
		return word == "true", true
	}
	r.Fault(column, "%q is %s where a boolean belongs: correct it", column, v.Kind)
	return false, false
}

// WholeNumber reads a whole number, also if it is written as 3.0.
func WholeNumber(v file.Value) (number int, ok bool) {
	parsed, err := strconv.ParseFloat(v.Text, 64)
	number = int(parsed)
	return number, err == nil && parsed == float64(number)
}

// Clip shortens untrusted text for a message.
func Clip(s string) string { return text.Clip(s, 60) }

// message formats a message about foreign texts, which are clipped. If the format is %s alone, the
// text is a whole message of ours and stays as it is.
func message(format string, args []any) string {
	for i, arg := range args {
		if foreign, isText := arg.(string); isText && format != "%s" {
			args[i] = Clip(foreign)
		}
	}
	return fmt.Sprintf(format, args...)
}

// where says where a column of the row is, such as "on line 7", for use in a message.
func (r *Row) where(column string) string {
	v, _ := r.Field(column)
	if v.At.Line == 0 && r.Place != "" {
		return "in " + r.Place
	}
	return fmt.Sprintf("on line %d", cmp.Or(v.At.Line, r.At.Line))
}

// item finds the picture of a row: its name in the file, and its image_id. In a list of names, the
// first that the lake has counts, or the last if the lake has none of them.
func (r *Row) item() (name, imageID string) {
	image, _ := r.Field("image")
	names := image.Items
	if image.Kind != file.Array {
		names = []file.Value{image}
	}
	known := false
	for _, v := range names {
		if known || r.Faulty {
			break
		}
		name = strings.TrimSpace(v.Text)
		switch {
		case v.Kind != file.String && v.Kind != file.Number:
			r.Fault("image", "the picture is %s where its name or number belongs: correct it", v.Kind)
		case ItemName(name) == "":
			r.Fault("image", "no image has the name %q: write the image_id, such as nat_001", v.Text)
		}
		var several []string
		if imageID, known, several = r.Job.Known.Resolve(name); len(several) > 0 {
			r.Fault("image", "%q may be any of %q: write the image_id", name, several[:min(len(several), 20)])
		}
	}
	if len(names) == 0 {
		r.Fault("image", "the row does not say which picture it is about: name it in the column image")
	}
	return name, imageID
}
