package data

import (
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/rubric"
)

// Every benchmark is named once, and has what its kind needs: questions have evidence, annotations a protocol whose figures
// the paper prints.
func TestBenchmarks(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range Benchmarks() {
		if b.Name == "" || b.Name != strings.ToLower(b.Name) || b.Title == "" || seen[b.Name] {
			t.Errorf("%+v has no name or title of its own", b)
		}
		seen[b.Name] = true
		if found, ok := BenchmarkOf(b.Name); !ok || found.Title != b.Title {
			t.Errorf("%s is not found by its name", b.Name)
		}
		if len(b.Evidences) > 0 && (len(b.Protocols) == 0 || len(b.Domains) == 0 || b.Headline == "") {
			t.Errorf("%s asks questions under no protocol, in no domain, or without a headline", b.Name)
		}
		p, paper := rubric.ProtocolOf(b.Name)
		if paper != (len(b.Dimensions) > 0) || slices.Contains(AnnotatedBenchmarks(), b.Name) != paper {
			t.Errorf("%s: the paper's figures and the dimensions do not go together", b.Name)
		}
		for _, column := range p.Columns {
			if !slices.Contains(b.Dimensions, column) {
				t.Errorf("%s has no dimension %s, which its paper prints", b.Name, column)
			}
		}
		for _, media := range []string{rubric.MediaImage, rubric.MediaVideo} {
			if _, ok := rubric.CaptionPrompt(b.Name, media); ok != paper {
				t.Errorf("%s: the prompt for the caption of a %s", b.Name, media)
			}
		}
	}
	if _, ok := BenchmarkOf("nobody"); ok {
		t.Error("a benchmark that nobody has")
	}
}
