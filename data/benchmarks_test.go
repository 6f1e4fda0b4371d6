package data

import (
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/rubric"
)

// Every benchmark is named once, and has what its kind needs: annotations have a
// protocol with figures that the paper prints.
func TestBenchmarks(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range Benchmarks() {
		if b.Name == "" || b.Name != strings.ToLower(b.Name) || b.Title == "" || seen[b.Name] {
			t.Errorf("%+v has no name or title of its own", b)
		}
		seen[b.Name] = true
		paper := rubric.ProtocolOf(b.Name).Name != ""
		if slices.Contains(AnnotatedBenchmarks(), b.Name) != paper {
			t.Errorf("%s: the paper's figures and the annotations do not go together", b.Name)
		}
		for _, media := range []string{rubric.MediaImage, rubric.MediaVideo} {
			if _, ok := rubric.CaptionPrompt(b.Name, media); ok != paper {
				t.Errorf("%s: the prompt for the caption of a %s", b.Name, media)
			}
		}
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

func TestMainPrompt(t *testing.T) {
	for want, found := range map[string][]string{
		"Simple": {"Haiku", "Simple", "Long"}, "Short": {"", "Taxonomy-Hinted", "Short", "A"}, "A": {"B", "A", ""},
	} {
		expect.Equal(t, CaptionQA().MainPrompt(found), want)
	}
	expect.Equal(t, CaptionQA().MainPrompt(nil), "Simple", "without prompts it is")
}
