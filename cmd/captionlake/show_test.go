package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/plots/ggsql"
	"github.com/captionlake/captionlake/plots/report"
)

// For every table, figure and provenance, show writes the same file as the report. The lakes are
// the demo's lake, which has two readers, a simulated lake, an arena, and a lake of judgments.
func TestShowIsTheReport(t *testing.T) {
	laketest.Slow(t, "shows every table and figure of four lakes")
	lakes := map[string]string{"demo": demoLake(t)}
	for name, steps := range map[string][]string{
		"simulated": {"simulate --scale 0.02"}, "arena": {"simulate --benchmark caparena"},
		"judgments": {"init", "ingest --reader gpt-4-turbo " + must.Shared(t, "capability")},
	} {
		lakes[name] = filepath.Join(t.TempDir(), name)
		for _, step := range append(steps, "analyze") {
			var stderr bytes.Buffer
			if code := run(append([]string{"--lake", lakes[name]}, strings.Fields(step)...), strings.NewReader(""),
				&bytes.Buffer{}, &stderr); code != exitOK && !strings.HasPrefix(step, "ingest") {
				t.Fatalf("%s: exit code %d: %s", step, code, stderr.String())
			}
		}
	}
	for name, folder := range lakes {
		t.Run(name, func(t *testing.T) {
			lake := must.Get(data.Open(folder))(t)
			defer lake.Close()
			reader := must.Get(ask.OpenReader(t.Context(), lake, engine.Options{}))(t)
			defer func() { must.Succeed(t, reader.Close()) }()
			written := func(o report.Options) map[string]string {
				files := map[string]string{}
				r, err := report.Build(t.Context(), reader, o)
				if err != nil {
					if o.File == nil || !strings.Contains(err.Error(), "has nothing to show") {
						t.Errorf("%v", err)
					}
					return files
				}
				for _, f := range r.Files {
					var content bytes.Buffer
					must.Succeed(t, f.Write(&content))
					files[f.Name] = content.String()
				}
				return files
			}
			whole, shown := written(report.Options{Choices: report.Choices{Formats: []string{"csv", "svg"}}}), 0
			for _, f := range must.Get(ggsql.All())(t) {
				format := map[string]string{"table": "csv", "figure": "svg"}[f.Form]
				for _, kind := range data.Provenances() {
					if format == "" {
						continue
					}
					for file, content := range written(report.Options{File: f,
						Choices: report.Choices{Formats: []string{format}, Provenance: []string{kind}}}) {
						if shown++; whole[file] != content {
							t.Errorf("%s differs from the report's", file)
							must.Write(t, filepath.Join(t.ArtifactDir(), filepath.Base(file)), content)
						}
					}
				}
			}
			if shown < 50 {
				t.Errorf("%d files", shown)
			}
		})
	}
}
