// Package capability reads the files of CAPability: annotations, captions and judgments, as they
// are released and as lmms-eval writes them.
package capability

import (
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/ingest/file"
	"github.com/captionlake/captionlake/ingest/shape"
)

// Formats are the formats of the package. The files are JSON lines, one media file to a line, one
// file to a dimension, one folder to a model:
//
//	annotations/<dimension>.jsonl                                        what is to be seen
//	captions/<model>/<dimension>.jsonl, inference/output/<model>/…       what the model wrote
//	judge_output/<model>/<dimension>.jsonl, evaluation/output/<model>/…  what the judge made of it
//	<run>/inference/<dimension>.jsonl, <run>/evaluation/<dimension>.jsonl  the same from lmms-eval
//
// All files of a folder make one unit: a captioner's judgments are complete or they are not
// comparable.
func Formats() []*shape.Format {
	return []*shape.Format{annotationsFormat(), captionsFormat(), judgmentsFormat(), samplesFormat()}
}

// benchmarkOf is the benchmark that the rows belong to, and the domain of their media: the
// benchmark that --domain names, and else the first of annotated elements, CAPability.
func benchmarkOf(o shape.Options) (benchmark, domain string) {
	for _, name := range slices.Backward(data.AnnotatedBenchmarks()) {
		b, _ := data.BenchmarkOf(name)
		if benchmark, domain = b.Name, b.Title; o.Domain == b.Title || strings.EqualFold(o.Domain, b.Name) {
			break
		}
	}
	return benchmark, domain
}

// dimensionOf is the dimension that a file is named after. Another ending than that of JSON lines
// makes another file, such as a copy that an editor left: style.jsonl.old, style.bak.
func dimensionOf(s file.Source) (*rubric.Dimension, bool) {
	if s.Ext() != ".jsonl" && s.Ext() != ".json" {
		return nil, false
	}
	return rubric.ByID(s.Stem())
}

// A kind is what the lines of a file are.
type kind int

const (
	noKind kind = iota
	annotations
	captions
	judgments
	samples // lmms-eval's log of samples
)

// kindOf tells the kind of a file by the keys of its first line.
func kindOf(first file.Value) kind {
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
	return noKind
}

// detect is the Detect of a kind. A copy that an editor left, such as style.jsonl.old, is no file
// of the release.
func detect(k kind) func(*shape.Look) bool {
	return func(l *shape.Look) bool { return (l.Ext() == ".jsonl" || l.Ext() == ".json") && kindOf(l.First) == k }
}

// family lists the files beside s that are named after a dimension and are of the same kind, in the
// order of the dimensions. A file that is not named after a dimension is a unit by itself.
func family(k kind) func(file.Source, shape.Options) ([]file.Source, error) {
	return func(s file.Source, _ shape.Options) (members []file.Source, err error) {
		if _, ok := dimensionOf(s); !ok {
			return []file.Source{s}, nil
		}
		for _, d := range rubric.Dimensions() {
			for _, ending := range []string{".jsonl", ".json"} {
				member := s.Sibling(d.ID + ending)
				if look, err := shape.LookAt(member); member.Name == s.Name || err == nil && kindOf(look.First) == k {
					members = append(members, member)
				}
			}
		}
		return members, nil
	}
}

// beside is the file of a dimension in another of the folders of a run.
func beside(s file.Source, folder, dimension string) file.Source {
	return s.Sibling("../" + folder + "/" + dimension + ".jsonl").Clean()
}

// fileID is the file_id of a line, unless the file has a record of it already.
func fileID(r *shape.Row, seen map[string]int) (string, bool) {
	id := r.Need("file_id", "the sample's name")
	if first, twice := seen[id]; twice && !r.Faulty {
		r.Fault("file_id", "the file_id %q has a record on line %d already: keep one of the two", shape.Clip(id), first)
	} else if !twice {
		seen[id] = r.At.Line
	}
	return id, !r.Faulty
}

// literal is a value as package rubric has values.
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
