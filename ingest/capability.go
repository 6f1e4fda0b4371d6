package ingest

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rubric"
)

// The files of CAPability are JSON lines, one media file to a line, one file to a dimension, one folder to a model:
//
//	annotations/<dimension>.jsonl                                        what is to be seen
//	captions/<model>/<dimension>.jsonl, inference/output/<model>/…       what the model wrote
//	judge_output/<model>/<dimension>.jsonl, evaluation/output/<model>/…  what the judge made of it
//	<run>/inference/<dimension>.jsonl, <run>/evaluation/<dimension>.jsonl  the same from lmms-eval
//
// All files of a folder make one unit: a captioner's judgments are complete or they are not comparable.

// judgeLmmsEval is the judge of lmms-eval's capability tasks unless their configuration is changed
// (lmms_eval/tasks/capability/_default_template_yaml, eval_model_name).
const judgeLmmsEval = "gpt-4.1-2025-04-14"

// stageFolders are folders that say what their files are and not which model they are of.
var stageFolders = []string{"evaluation", "inference", "output", "judge_output", "captions", "annotations"}

// rubricBenchmark is the benchmark that the rows belong to, and the domain of their media: the benchmark that --domain names,
// and else the first of annotated elements, CAPability.
func rubricBenchmark(o Options) (benchmark, domain string) {
	names := data.AnnotatedBenchmarks()
	for _, name := range slices.Backward(names) {
		b, _ := data.BenchmarkOf(name)
		if benchmark, domain = b.Name, b.Title; o.Domain == b.Title || strings.EqualFold(o.Domain, b.Name) {
			break
		}
	}
	return benchmark, domain
}

// dimensionOf is the dimension that a file is named after. Another ending than that of JSON lines makes another file,
// such as a copy that an editor left: style.jsonl.old, style.bak.
func dimensionOf(s Source) (*rubric.Dimension, bool) {
	name := s.base()
	switch ending := path.Ext(name); ending {
	case ".jsonl", ".json":
		return rubric.ByID(strings.TrimSuffix(name, ending))
	}
	return nil, false
}

// sibling is the file of that name beside s.
func (s Source) sibling(name string) Source {
	return Source{FS: s.FS, Name: path.Join(path.Dir(s.Name), name), Path: strings.TrimSuffix(s.Path, s.base()) + name}
}

// rubricFolder is the last part of a unit's name: what keeps two folders of one model apart.
func rubricFolder(s Source) string {
	return path.Base(path.Dir(path.Clean(filepath.ToSlash(s.Path))))
}

// rubricFamily lists the files beside s that are named after a dimension and are of the same kind, in the order of the
// dimensions. A file that is not named after a dimension is a unit by itself.
func rubricFamily(kind rubricKind) func(Source, Options) ([]Source, error) {
	return func(s Source, _ Options) ([]Source, error) {
		if _, ok := dimensionOf(s); !ok {
			return []Source{s}, nil
		}
		return rubricMembers(s, kind)
	}
}

// rubricMembers lists the files in the folder of s that are of a kind and named after a dimension; s, of that kind by
// the word of its caller, is among them if it has such a name.
func rubricMembers(s Source, kind rubricKind) ([]Source, error) {
	entries, err := fs.ReadDir(s.FS, path.Dir(s.Name))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Path, cause(err))
	}
	var members []Source
	for _, d := range rubric.Dimensions() {
		for _, entry := range entries {
			member := s.sibling(entry.Name())
			if own, ok := dimensionOf(member); !ok || own.ID != d.ID || entry.IsDir() {
				continue
			}
			if member.Name != s.Name {
				head, err := member.Head(headBytes)
				if err != nil {
					return nil, err
				}
				if rubricKindOf(head) != kind {
					continue
				}
			}
			members = append(members, member)
		}
	}
	return members, nil
}

// A rubricKind is what the lines of a file are.
type rubricKind int

const (
	rubricNone rubricKind = iota
	rubricAnnotations
	rubricCaptions
	rubricJudgments
	rubricSamples // lmms-eval's log of samples
)

// rubricKindOf tells the kind of a file by the keys of its first line. The first line of a file of ours fits into the
// head.
func rubricKindOf(head []byte) rubricKind {
	line, _, whole := bytes.Cut(head, []byte("\n"))
	if !whole && len(head) == headBytes || !bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) || !bytes.Contains(line, []byte(`"file_id"`)) {
		return rubricNone
	}
	value, _, err := rubric.ParseLiteral(string(line))
	if err != nil {
		return rubricNone
	}
	object, _ := value.(rubric.Object)
	has := func(key string) bool { _, ok := object.Get(key); return ok }
	switch {
	case has("doc_id"):
		if _, ok := lmmsRubricSample(object); ok {
			return rubricSamples
		}
	case !has("file_id"):
	case has("caption"):
		return rubricCaptions
	case has("score") || has("pred") || has("response"):
		return rubricJudgments
	case has("annotation"):
		return rubricAnnotations
	}
	return rubricNone
}

// detectRubric is the Detect of a kind. A copy that an editor left, such as style.jsonl.old, is no file of the release.
func detectRubric(kind rubricKind) func(Source, []byte) bool {
	return func(s Source, head []byte) bool {
		ending := path.Ext(s.base())
		return (ending == ".jsonl" || ending == ".json") && rubricKindOf(head) == kind
	}
}

// A rubricLine is one record of a file.
type rubricLine struct {
	job    *Job
	source Source
	number int
	text   []byte
	object rubric.Object
}

// fault reports a fault of the record at one of its keys.
func (l *rubricLine) fault(key, format string, args ...any) {
	col := 1
	if i := bytes.Index(l.text, []byte(`"`+key+`"`)); key != "" && i >= 0 {
		col = i + 1
	}
	l.report(col, format, args...)
}

// report reports a fault of the record at a column.
func (l *rubricLine) report(col int, format string, args ...any) {
	to := &l.job.faults
	if l.job.lenient {
		to = &l.job.leftOut
	}
	to.add(Fault{Path: l.source.Path, Line: l.number, Col: col, Message: fmt.Sprintf(format, args...)})
}

// need gives the text of a key that must be there.
func (l *rubricLine) need(key string) (string, bool) {
	value, present := l.object.Get(key)
	text, isText := value.(string)
	switch {
	case !present:
		l.fault("", "the record has no %q: correct or remove the line", key)
	case !isText || key == "file_id" && strings.TrimSpace(text) == "":
		l.fault(key, "%q holds no text: correct it", key)
	case textProblem(text) != "":
		l.fault(key, "%q is %s", key, textProblem(text))
	default:
		return text, true
	}
	return "", false
}

// eachRubricLine reads a file line by line. Lines that cannot be read are faults and do not keep the next ones from
// being read.
func eachRubricLine(j *Job, s Source, each func(l *rubricLine) error) error {
	text, err := s.text()
	if err != nil {
		return err
	}
	l := &rubricLine{job: j, source: s}
	return eachLine(context.Background(), text, func(number int, text []byte) error {
		l.number, l.text = number, withoutNaN(text)
		if !l.parse() {
			return nil
		}
		return each(l)
	})
}

// parse reads the line's record. What it cannot read it reports: the first fault says enough of a line.
func (l *rubricLine) parse() bool {
	sound := true
	record, err := readJSONLine(l.text, l.number, l.job.lenient, func(_, col int, format string, args ...any) {
		if sound {
			l.report(col, format, args...)
		}
		sound = false
	})
	if err != nil || !sound {
		return false
	}
	object, ok := record.literal().(rubric.Object)
	if !ok {
		l.report(1, "a record belongs here, {…}: correct or remove the line")
	}
	l.object = object
	return ok
}

// literal is the value as package rubric has values.
func (n node) literal() any {
	switch n.kind {
	case kindBool:
		return n.truth
	case kindNumber:
		return rubric.Number(n.text)
	case kindString:
		return n.text
	case kindArray:
		list := make([]any, len(n.items))
		for i, item := range n.items {
			list[i] = item.literal()
		}
		return list
	case kindObject:
		object := make(rubric.Object, len(n.fields))
		for i, f := range n.fields {
			object[i] = rubric.Field{Key: f.key, Value: f.value.literal()}
		}
		return object
	}
	return nil
}

// isNew reports a file_id that the file has a record of already.
func (l *rubricLine) isNew(id string, seen keySet) bool {
	first, twice := seen.add(id, l.number)
	if twice {
		l.fault("file_id", "the file_id %q has a record on line %d already: keep one of the two", clip(id), first)
	}
	return !twice
}
