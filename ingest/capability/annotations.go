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
// The annotation is a dictionary from objects to values, or a text. A dynamic object number has
// several entries: one row each. "task" gives the dimension; without it, the file's name does.
// Actions are annotated on the videos of events, so file_ids are unique only within a dimension.
var annotationsFormat = released(&shape.Format{
	Name: annotations, Version: "1", Early: true, Load: loadAnnotations,
	What: "annotations of CAPability as JSON lines (annotations/<dimension>.jsonl)",
	Unit: func(s file.Source, o shape.Options) (string, error) {
		benchmark, _ := benchmarkOf(o)
		if _, ok := dimensionOf(s); !ok {
			return shape.UnitOf(s, benchmark), nil
		}
		return benchmark, nil
	},
})

func loadAnnotations(_ context.Context, j *shape.Job) error {
	benchmark, _ := benchmarkOf(j.Options)
	for _, j.Source = range j.Family {
		named, _ := dimensionOf(j.Source)
		seen := map[string]map[string]int{}
		err := j.EachLine(func(r *shape.Row) error {
			d := dimension(r, named)
			if r.Faulty {
				return nil
			}
			if seen[d.ID] == nil {
				seen[d.ID] = map[string]int{}
			}
			id, ok := fileID(r, seen[d.ID])
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

// dimension is the dimension of a record: the dimension of its task, which must not contradict the
// file's name.
func dimension(r *shape.Row, named *rubric.Dimension) *rubric.Dimension {
	task := r.Text("task")
	if task == "" && named == nil {
		r.Fault("task",
			"neither \"task\" nor the file's name is a dimension: name the file after it, such as scene.jsonl")
	}
	if task == "" || r.Faulty {
		return named
	}
	d, ok := rubric.ByID(task)
	switch {
	case !ok:
		r.Fault("task", "%q is not a dimension of CAPability: correct the task", task)
	case named != nil && named.ID != d.ID:
		r.Fault("task", "the task is %s, but the file is named after %s: move the record or rename the file", d.ID,
			named.ID)
	}
	return d
}

// annotate writes the elements of a record.
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
	row.Dimension, row.View, row.Dynamic, row.MediaType, row.Line = d.ID, d.View, d.Dynamic, d.Media, int32(r.At.Line)
	for i, e := range elements {
		if row.Element, row.Value, row.Ordinal = e.Name, e.Value, int32(i); r.Faulty {
			return nil
		}
		if err := shape.Write(r.Job, data.Annotations, row); err != nil {
			return err
		}
	}
	return nil
}

// annotated are the elements of the lake's annotations by dimension and sample, in the annotations'
// order.
type annotated map[string]map[string][]rubric.Element

// readAnnotated reads the annotations of a benchmark from the lake, in the order of the file,
// because judges' lists follow it.
func readAnnotated(j *shape.Job, benchmark string) (annotated, error) {
	all := annotated{}
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
