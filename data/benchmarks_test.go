package data

import (
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/rubric"
)

// Every benchmark is named once, and has what its kind needs: questions have evidence, annotations
// a protocol whose figures the paper prints.
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
		if len(b.Evidences) > 0 && (len(b.Protocols) == 0 || len(b.Domains) == 0) {
			t.Errorf("%s asks questions under no protocol or in no domain", b.Name)
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

// Own domains follow the published ones by name.
func TestOwnDomainsComeLast(t *testing.T) {
	found := []string{"Photos", "Natural", "Overall", "", "photos", "Photos", "照片", "All"}
	var got []string
	for _, d := range CaptionQA().WithOwn(found) {
		got = append(got, d.Name)
	}
	want := "Natural,Document,E-commerce,Embodied AI,Photos,photos,照片"
	expect.Equal(t, strings.Join(got, ","), want, "the domains are")
}

// Each list of prompts names the same prompts, and steps go from one of them to another.
func TestPromptOrdersAgree(t *testing.T) {
	for _, b := range Benchmarks() {
		want := slices.Sorted(slices.Values(b.Prompts))
		for _, list := range [][]string{b.TablePrompts, b.PromptsByLength} {
			expect.Equal(t, slices.Sorted(slices.Values(list)), want, b.Name, b.Prompts)
		}
		for _, s := range b.PromptSteps {
			if !slices.Contains(b.Prompts, s.From) || !slices.Contains(b.Prompts, s.To) {
				t.Errorf("%s: there is no step %s", b.Name, s)
			}
		}
	}
}

func TestMainPrompt(t *testing.T) {
	for want, found := range map[string][]string{
		"Simple": {"Haiku", "Simple", "Long"}, "Short": {"", "Taxonomy-Hinted", "Short", "A"}, "A": {"B", "A", ""},
	} {
		expect.Equal(t, CaptionQA().MainPrompt(found), want)
	}
	expect.Equal(t, CaptionQA().MainPrompt(nil), "Simple", "without prompts it is")
}
