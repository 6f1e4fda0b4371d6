// Package capability reads CAPability's files of annotations, captions and judgments, as they are
// released and as lmms-eval writes them.
package capability

import (
	"path"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/ingest/file"
	"github.com/captionlake/captionlake/ingest/shape"
)

// Formats are the formats of the package. The files are JSON lines: a line is about a media file, a
// file about a dimension, and a folder about a model:
//
//	annotations/<dimension>.jsonl                                          the annotated elements
//	captions/<model>/<dimension>.jsonl, inference/output/<model>/…         the model's captions
//	judge_output/<model>/<dimension>.jsonl, evaluation/output/<model>/…    the judge's verdicts
//	<run>/inference/<dimension>.jsonl, <run>/evaluation/<dimension>.jsonl  the same from lmms-eval
//
// All files of a folder make one unit: a captioner's judgments can only be compared if they are
// complete.
var Formats = []*shape.Format{annotationsFormat, captionsFormat, judgmentsFormat, samplesFormat}

// benchmarkOf is the benchmark of the rows: the benchmark that --domain names, otherwise
// CAPability, the first benchmark of annotated elements. Its title is the domain of the media.
func benchmarkOf(o shape.Options) (b data.Benchmark) {
	for _, name := range slices.Backward(data.AnnotatedBenchmarks()) { // The first comes last, and stays if no name fits.
		b = data.BenchmarkOf(name)
		if o.Domain == b.Title || strings.EqualFold(o.Domain, b.Name) {
			break
		}
	}
	return b
}

// dimensionOf is the dimension in the name of a file of JSON lines; false if the name has none.
func dimensionOf(s file.Source) (*rubric.Dimension, bool) {
	if !isLines(s) {
		return nil, false
	}
	return rubric.ByID(s.Stem())
}

// Names of the formats.
const (
	annotations = "capability-annotations"
	captions    = "capability-captions"
	judgments   = "capability-judgments"
	samples     = "capability-lmms-eval-samples"
)

// kindOf finds the format of a file by the keys of its first line; empty for another file. The key
// annotation comes last, because lmms-eval also writes it beside captions.
func kindOf(first file.Value) string {
	switch {
	case first.Has("doc_id"):
		if _, ok := sampleOf(first); ok {
			return samples
		}
	case !first.Has("file_id"):
	case first.Has("caption"):
		return captions
	case first.Has("score") || first.Has("pred") || first.Has("response"):
		return judgments
	case first.Has("annotation"):
		return annotations
	}
	return ""
}

// isLines reports whether a file has an ending of JSON lines. An editor's copy, such as
// style.jsonl.old or style.bak, is not a file of the release.
func isLines(s file.Source) bool { return s.Ext() == ".jsonl" || s.Ext() == ".json" }

// released completes a format of the release. The files of a folder that have this format and are
// named after a dimension are one family, in the order of the dimensions. A file with another name
// is a unit by itself.
func released(f *shape.Format) *shape.Format {
	f.Detect = func(l *shape.Look) bool { return isLines(l.Source) && kindOf(l.First) == f.Name }
	f.Family = func(s file.Source, _ shape.Options) (members []file.Source, err error) {
		if _, ok := dimensionOf(s); !ok {
			return []file.Source{s}, nil
		}
		for _, d := range rubric.Dimensions() {
			for _, ending := range []string{".jsonl", ".json"} {
				member := s.Sibling(d.ID + ending) // s belongs to the family even if only --as gives its format.
				if look, err := shape.LookAt(member); member.Name == s.Name || err == nil && f.Detect(look) {
					members = append(members, member)
				}
			}
		}
		return members, nil
	}
	return f
}

// beside is the file of a dimension in another folder of the same run, such as inference.
func beside(s file.Source, folder, dimension string) file.Source {
	s = s.Sibling("../" + folder + "/" + dimension + ".jsonl")
	s.Path = path.Clean(s.Path)
	return s
}

// fileID is the file_id of a record; ok is false if the row has a fault. lines has the lines of the
// file_ids so far: a second record of a file_id is a fault.
func fileID(r *shape.Row, lines map[string]int) (id string, ok bool) {
	id = r.Need("file_id", "the sample's name")
	if first, isSecond := lines[id]; !isSecond {
		lines[id] = r.At.Line
	} else if !r.Faulty {
		r.Fault("file_id", "the file_id %q has a record on line %d already: keep one of the two", id, first)
	}
	return id, !r.Faulty
}

// literal converts a value of a file to the types that package rubric reads.
func literal(v file.Value) any {
	switch v.Kind {
	case file.Bool:
		return v.Truth
	case file.Number:
		return rubric.Number(v.Text)
	case file.String:
		return v.Text
	case file.Array:
		list := make([]any, len(v.Items))
		for i, item := range v.Items {
			list[i] = literal(item)
		}
		return list
	case file.Object:
		object := make(rubric.Object, len(v.Fields))
		for i, f := range v.Fields {
			object[i] = rubric.Field{Key: f.Key, Value: literal(f.Value)}
		}
		return object
	}
	return nil
}
