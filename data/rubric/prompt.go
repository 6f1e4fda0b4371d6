package rubric

import (
	_ "embed"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// The places of a judge's prompt, which FillTemplate replaces.
const (
	CaptionPlace = "{caption}" // the caption to judge
	ElementPlace = "{element}" // the annotated element, as Element.Text writes it; not in templates of closed sets
)

//go:embed prompts.yaml
var promptsYAML []byte

// prompts are the texts of prompts.yaml. Comments in that file explain the texts.
var prompts = sync.OnceValue(func() (p struct {
	Captions                        map[string]map[string]string // by benchmark and medium
	Open, Closed, Movements, Answer string
	Elements                        map[string]struct{ What, Label, Whether, Scores, Copied string } // by dimension
}) {
	if err := yaml.Unmarshal(promptsYAML, &p); err != nil {
		panic(err) // The file is a part of the program.
	}
	return p
})

// CaptionPrompt is the prompt for a benchmark's captions of a medium: for CAPability its own prompt
// (its Figure A2), for CV-CapBench one sentence (its section 4.1). The result is false for other
// benchmarks and other media.
func CaptionPrompt(benchmark, media string) (string, bool) {
	prompt, ok := prompts().Captions[benchmark][media]
	return prompt, ok
}

// JudgeTemplate is the user message that asks a judge about one element. It has CaptionPlace and,
// for open-ended dimensions, ElementPlace, which FillTemplate fills in.
func (d *Dimension) JudgeTemplate() string {
	article := "an"
	if d.Media == MediaVideo {
		article = "a"
	}
	template, explained := prompts().Open, ""
	if d.Closed() {
		var explanations []string
		for _, c := range d.Categories {
			explanations = append(explanations, c.Name+": "+c.Explanation)
		}
		template, explained = prompts().Closed, strings.Join(explanations, "\n")
	}
	if d.ID == "camera_movement" { // Of all closed sets, the paper prints only these explanations.
		explained = prompts().Movements
	}
	e := prompts().Elements[d.ID] // empty for a closed set
	return strings.NewReplacer(
		"{article}", article, "{media}", d.Media, "{Media}", strings.ToUpper(d.Media[:1])+d.Media[1:],
		"{what}", e.What, "{label}", e.Label, "{whether}", e.Whether, "{scores}", e.Scores, "{copied}", e.Copied,
		"{field}", d.ReplyField, "{name}", strings.ToLower(d.Name),
		"{categories}", "['"+strings.Join(d.categoryNames(), "', '")+"']", "{explanations}", explained,
	).Replace(template)
}

// FillTemplate fills a caption and an element into a template. It replaces CaptionPlace and
// ElementPlace in the template only: a caption that contains them stays unchanged.
func FillTemplate(template, caption string, e Element) string {
	return strings.NewReplacer(CaptionPlace, caption, ElementPlace, e.Text()).Replace(template)
}
