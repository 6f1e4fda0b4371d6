package ingest

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rubric"
)

// capabilityAnnotationsFormat reads what CAPability annotates:
//
//	{"file_id": "object_color_7", "file_path": "data/object_color/object_color_7.jpg",
//	 "annotation": {"kettle": "copper"}, "task": "object_color", "data_type": "image"}
//
// The annotation is a dictionary from objects to values, or a text. A dynamic object number has several entries: one row
// each. The dimension is that of "task", or else of the file's name. Actions are annotated on the videos of events, so
// file_ids are unique only within a dimension.
func capabilityAnnotationsFormat() Format {
	return Format{
		Name:    "capability-annotations",
		What:    "annotations of CAPability as JSON lines (annotations/<dimension>.jsonl)",
		Version: "1",
		Detect:  detectRubric(rubricAnnotations),
		Unit: func(s Source, o Options) (string, error) {
			benchmark, _ := rubricBenchmark(o)
			if _, ok := dimensionOf(s); !ok {
				return unitOf(s, benchmark), nil
			}
			return benchmark, nil
		},
		Family: rubricFamily(rubricAnnotations),
		Load:   loadCapabilityAnnotations,
	}
}

func loadCapabilityAnnotations(ctx context.Context, j *Job) error {
	rows, err := data.NewRowWriter(j.Tx, data.Annotations)
	if err != nil {
		return err
	}
	benchmark, _ := rubricBenchmark(j.Options)
	for _, member := range j.Family {
		if err := ctx.Err(); err != nil {
			return err
		}
		named, _ := dimensionOf(member)
		seen := map[string]keySet{}
		err := eachRubricLine(j, member, func(l *rubricLine) error {
			d, ok := l.dimension(named)
			if !ok {
				return nil
			}
			if seen[d.ID] == nil {
				seen[d.ID] = keySet{}
			}
			id, ok := l.need("file_id")
			if !ok || !l.isNew(id, seen[d.ID]) {
				return nil
			}
			return l.annotations(d, benchmark, id, rows)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// dimension is the dimension of a record: that of its task, which must not contradict the file's name.
func (l *rubricLine) dimension(named *rubric.Dimension) (*rubric.Dimension, bool) {
	if _, present := l.object.Get("task"); !present {
		if named == nil {
			l.fault("", "neither the record's \"task\" nor the file's name is a dimension: name the file after it, such as scene.jsonl")
		}
		return named, named != nil
	}
	task, ok := l.need("task")
	if !ok {
		return nil, false
	}
	d, ok := rubric.ByID(task)
	switch {
	case !ok:
		l.fault("task", "%q is no dimension of CAPability: correct the task", clip(task))
	case named != nil && named.ID != d.ID:
		l.fault("task", "the task is %s, but the file is named after %s: move the record or rename the file", d.ID, named.ID)
	default:
		return d, true
	}
	return nil, false
}

// annotations writes the elements of a record.
func (l *rubricLine) annotations(d *rubric.Dimension, benchmark, id string, rows *data.RowWriter[data.Annotation]) error {
	value, _ := l.object.Get("annotation")
	elements, err := d.Elements(value)
	if err != nil {
		l.fault("annotation", "%v", err)
		return nil
	}
	media := ""
	if given, present := l.object.Get("file_path"); present {
		text, ok := given.(string)
		if !ok {
			l.fault("file_path", "\"file_path\" holds no text: correct it")
			return nil
		}
		media = text
	}
	if given, present := l.object.Get("data_type"); present && given != d.Media {
		l.fault("data_type", "\"data_type\" is %q, but %s is annotated on %ss: correct it", fmt.Sprint(given), d.ID, d.Media)
		return nil
	}
	for i, e := range elements {
		if err := rows.Write(data.Annotation{
			Benchmark: benchmark, SampleID: id, Element: e.Name, Dimension: d.ID, View: d.View, Dynamic: d.Dynamic,
			MediaType: d.Media, Media: media, Value: e.Value, Line: int32(l.number), Ordinal: int32(i),
		}); err != nil {
			return err
		}
	}
	return nil
}

// annotatedElements are the elements of the lake's annotations by dimension and sample, in the annotations' order.
type annotatedElements map[string]map[string][]rubric.Element

// An annotatedElement is the part of an annotation that judgments are held against.
type annotatedElement struct {
	Benchmark string `parquet:"benchmark,dict"`
	SampleID  string `parquet:"sample_id,dict"`
	Element   string `parquet:"element,dict"`
	Dimension string `parquet:"dimension,dict"`
	Value     string `parquet:"value,dict"`
	Ordinal   int32  `parquet:"ordinal"`
}

// readAnnotated reads the annotations of a benchmark from the lake. Rows come sorted by the element's name; those of one
// sample are put back into the order of the file, because judges' lists follow it.
func readAnnotated(lake *data.Lake, benchmark string) (annotatedElements, error) {
	var rows []annotatedElement
	for row, err := range data.Project[annotatedElement](lake, data.Annotations, data.Where{"benchmark": benchmark}) {
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(a, b annotatedElement) int { return cmp.Compare(a.Ordinal, b.Ordinal) })
	all := annotatedElements{}
	for _, row := range rows {
		if all[row.Dimension] == nil {
			all[row.Dimension] = map[string][]rubric.Element{}
		}
		samples := all[row.Dimension]
		samples[row.SampleID] = append(samples[row.SampleID], rubric.Element{Name: row.Element, Value: row.Value})
	}
	return all, nil
}

// needAnnotated is readAnnotated for files that cannot be read without annotations.
func needAnnotated(j *Job, benchmark string) (annotatedElements, error) {
	all, err := j.known.annotatedOf(j.Lake, benchmark)
	if err == nil && len(all) == 0 {
		err = data.WithHint(fmt.Errorf("%s: the lake has no annotations of %s to hold the judgments against", j.Source.Path, benchmark),
			"load the benchmark's folder annotations first, or the folder %s as a whole", path.Dir(path.Dir(path.Dir(j.Source.Path))))
	}
	return all, err
}
