package capability

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/ingest/file"
	"github.com/captionlake/captionlake/ingest/shape"
)

// FuzzCapability reads any text as the lines of each kind of file: no panic, every fault has a
// place within the file, and what is read obeys its dimension.
func FuzzCapability(f *testing.F) {
	for _, example := range must.Get(txtar.ParseFile("../testdata/capability.txtar"))(f).Files {
		f.Add(string(example.Data))
	}
	f.Add("{\"file_id\": \"scene_0\", \"score\": {\"a\": [1")
	f.Add("\n\n\xff{}\r\n{\"file_id\": \"\", \"response\": [[]]}")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<14 {
			return
		}
		lines := strings.Count(text, "\n") + 1
		kindOf(file.Outline([]byte(text)))
		for _, d := range rubric.Dimensions() {
			name := d.ID + ".jsonl"
			j := &shape.Job{Source: file.Source{FS: fstest.MapFS{name: {Data: []byte(text)}}, Name: name, Path: name}}
			err := j.EachLine(func(r *shape.Row) error {
				if dimension(r, &d); r.Faulty {
					return nil
				}
				fileID(r, map[string]int{})
				value, _ := r.Field("annotation")
				elements, err := d.Elements(literal(value))
				if err != nil {
					elements = []rubric.Element{{Name: "thing", Value: "7"}}
				}
				record, _ := literal(r.Value).(rubric.Object)
				replies, _ := d.ReadRecord(elements, record)
				if len(replies) != len(elements) {
					t.Fatalf("%d replies about %d elements", len(replies), len(elements))
				}
				return nil
			})
			must.Succeed(t, err)
			for _, fault := range j.Faults.All {
				if fault.Line < 1 || fault.Line > lines || fault.Col < 1 || fault.Message == "" {
					t.Fatalf("fault %+v in %d lines", fault, lines)
				}
			}
		}
	})
}
