package capability

import (
	"context"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/ingest/file"
	"github.com/captionlake/captionlake/ingest/shape"
)

// annotationsFormat reads CAPability's annotations:
//
//	{"file_id": "object_color_7", "file_path": "data/object_color/object_color_7.jpg",
//	 "annotation": {"kettle": "copper"}, "task": "object_color", "data_type": "image"}
//
// The annotation is a dictionary from objects to values, or a text. Each entry of the dictionary is
// an element and gives a row; only dynamic object numbers have several. "task" gives the dimension;
// without a task, the file's name does. Actions are annotated on the videos of events, so file_ids
// are unique only within a dimension.
var annotationsFormat = released(&shape.Format{
	Name: annotations, Version: "1", Early: true, Load: loadAnnotations,
	What: "annotations of CAPability as JSON lines (annotations/<dimension>.jsonl)",
	Unit: func(s file.Source, o shape.Options) (string, error) {
		benchmark := benchmarkOf(o).Name
		if _, ok := dimensionOf(s); !ok {
			return shape.UnitOf(s, benchmark), nil
		}
		return benchmark, nil
	},
})

// loadAnnotations writes the annotated elements of all files of the unit.
func loadAnnotations(_ context.Context, j *shape.Job) error {
	benchmark := benchmarkOf(j.Options).Name
	for _, j.Source = range j.Family {
		ofFile, _ := dimensionOf(j.Source)
		lines := map[string]map[string]int{} // by dimension and file_id
		err := j.EachLine(func(r *shape.Row) error {
			d := dimension(r, ofFile)
			if r.Faulty {
				return nil
			}
			if lines[d.ID] == nil {
				lines[d.ID] = map[string]int{}
			}
			id, ok := fileID(r, lines[d.ID])
			if !ok {
				return nil
			}
			return annotate(r, d, data.Annotation{Benchmark: benchmark, SampleID: id})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// dimension is the dimension of a record: the dimension of its task, otherwise the dimension in the
// file's name, ofFile, which is nil if the name has none. It is a fault if they differ.
func dimension(r *shape.Row, ofFile *rubric.Dimension) *rubric.Dimension {
	task := r.Text("task")
	if task == "" && ofFile == nil {
		r.Fault("task",
			"neither \"task\" nor the file's name is a dimension: name the file after it, such as scene.jsonl")
	}
	if task == "" || r.Faulty {
		return ofFile
	}
	d, ok := rubric.ByID(task)
	switch {
	case !ok:
		r.Fault("task", "%q is not a dimension of CAPability: correct the task", task)
	case ofFile != nil && ofFile.ID != d.ID:
		r.Fault("task", "the task is %s, but the file is named after %s: move the record or rename the file", d.ID,
			ofFile.ID)
	}
	return d
}

// annotate writes a row for each element of a record. row has the values that all these rows share.
func annotate(r *shape.Row, d *rubric.Dimension, row data.Annotation) error {
	value, _ := r.Field("annotation")
	elements, err := d.Elements(literal(value))
	if err != nil {
		r.Fault("annotation", "%v", err)
	}
	row.Media = r.Text("file_path")
	if kind := r.Text("data_type"); kind != "" && kind != d.Media {
		r.Fault("data_type", "\"data_type\" is %q, but %s is annotated on %ss: correct it", kind, d.ID, d.Media)
	}
	if r.Faulty {
		return nil
	}
	row.Dimension, row.View, row.Dynamic, row.MediaType, row.Line = d.ID, d.View, d.Dynamic, d.Media, int32(r.At.Line)
	for i, e := range elements {
		row.Element, row.Value, row.Ordinal = e.Name, e.Value, int32(i)
		if err := shape.Write(r.Job, data.Annotations, row); err != nil {
			return err
		}
	}
	return nil
}

// annotatedElements are the elements of the lake's annotations, by dimension and sample.
type annotatedElements map[string]map[string][]rubric.Element

// readAnnotated reads the annotations of a benchmark from the lake, in the order of the file,
// because judges' lists have this order.
func readAnnotated(j *shape.Job, benchmark string) (annotatedElements, error) {
	all := annotatedElements{}
	for row, err := range data.Query[data.Annotation](j.Lake,
		"select * exclude (unit) from annotations where benchmark = $1 order by ordinal, element", benchmark) {
		if err != nil {
			return nil, err
		}
		if all[row.Dimension] == nil {
			all[row.Dimension] = map[string][]rubric.Element{}
		}
		samples := all[row.Dimension]
		samples[row.SampleID] = append(samples[row.SampleID], rubric.Element{Name: row.Element, Value: row.Value})
	}
	if len(all) == 0 {
		return nil, j.Source.Refuse("load the benchmark's folder annotations first",
			"the lake has no annotations of %s to compare the judgments with", benchmark)
	}
	return all, nil
}
