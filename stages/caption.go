package stages

import (
	"errors"
	"fmt"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/data/spelling"
	"github.com/captionlake/captionlake/data/text"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
	"github.com/captionlake/captionlake/stages/llm"
)

// captionStage asks captioners to caption every picture under each prompt. With --benchmark they
// caption every media file of that benchmark instead, under its own prompt.
var captionStage = engine.Stage{
	Name:    "caption",
	Help:    "caption the pictures, or with --benchmark the media files of a benchmark of annotated elements",
	Flags:   []string{"captioner", "prompt", "benchmark"},
	Section: "captions",
	Asks:    func(c *config.Config) ([]string, int) { return c.Captions.Captioners, c.Captions.MaxTokens },
	Check: func(k *config.Check) {
		k.Served("captions.captioners", "captioner", k.Config.Captions.Captioners)
		k.Prompts("captions.prompts", k.Config.Captions.Prompts)
		k.Whole("captions.max_tokens", 1)
	},
	Units: captionUnits,
}

// A captionUnit is the set of captions of one captioner under one prompt, by greedy decoding
// (CaptionQA section 3.3).
type captionUnit struct {
	Captioner config.Model
	Prompt    string // name of the prompt; for annotated elements the benchmark's name
	Text      string // text of a user's own prompt; empty for the paper's prompts
	MaxTokens int    // largest length of a caption
}

// A captionItem is one item to caption, with the text of the prompt.
type captionItem struct {
	imageItem
	prompt string
}

// captionUnits adds a unit for each captioner and chosen benchmark. If no benchmark is chosen, it
// adds a unit for each captioner and prompt.
func captionUnits(s *engine.Scope) error {
	c := s.Config
	captioners, err := captionersOf(s)
	if err != nil {
		return err
	}
	for _, model := range captioners {
		for _, benchmark := range s.Choice.Benchmarks {
			u := captionUnit{model, benchmark, "", c.Captions.MaxTokens}.unit() // "": no prompt of the user's own
			u.Name, u.Protocol, u.Source = conditions(benchmark, model.ID), benchmark+"/caption", "annotations, media"
			// Reads stays nil, because the unit also depends on media files.
			u.Items = func(s *engine.Scope, each engine.Each[captionItem]) error {
				return annotatedMedia(s, benchmark, each)
			}
			s.Add(u)
		}
		if len(s.Choice.Benchmarks) > 0 { // The run is about annotated elements only.
			continue
		}
		for _, prompt := range c.Captions.Prompts {
			j := captionUnit{model, prompt, c.PromptText(prompt), c.Captions.MaxTokens}
			u := j.unit()
			u.Name, u.Protocol, u.Source = conditions(model.ID, prompt), "captionqa/caption", "images"
			u.Reads = []data.AnyTable{data.Images, data.Taxonomy}
			u.Empty = "the lake has no pictures to caption: load them with captionlake ingest FOLDER"
			u.Items = j.pictures
			s.Add(u)
		}
	}
	return nil
}

// unit is the common part of the two kinds of units.
func (j captionUnit) unit() *engine.Unit[captionItem] {
	return &engine.Unit[captionItem]{
		Conditions: engine.Conditions{Model: j.Captioner},
		Inputs:     engine.Inputs{Settings: j, TextIsSetting: true},
		Request:    j.request,
		Accept: func(_ captionItem, r llm.Reply) error {
			if text.Answer(r.Text) == "" {
				return errors.New("it is empty")
			}
			return nil
		},
		Rows: engine.Into("captions", data.Captions, j.rows),
	}
}

func (j captionUnit) request(i captionItem) (llm.Request, error) {
	message := llm.User(i.prompt, i.pictures...)
	return llm.Request{Messages: []llm.Message{message}, Sampling: llm.Greedy(j.MaxTokens)}, nil
}

// rows gives the caption of an item. A failed call and a reply without text give no row.
func (j captionUnit) rows(i captionItem, o engine.Outcome) ([]data.Caption, error) {
	if !o.Readable {
		return nil, nil
	}
	caption := text.Answer(o.Text)
	c := data.Caption{
		ImageID: i.id, Captioner: j.Captioner.ID, Prompt: j.Prompt, Domain: i.domain, Caption: caption,
		Words:        int32(len(strings.Fields(caption))),
		FinishReason: o.FinishReason, RequestHash: o.RequestHash, Provenance: o.Provenance,
	}
	if o.CompletionTokens > 0 {
		c.Tokens = new(int32(o.CompletionTokens))
	}
	return []data.Caption{c}, nil
}

// pictures gives the items with a picture, with the prompt's text for their domain.
func (j captionUnit) pictures(s *engine.Scope, each engine.Each[captionItem]) error {
	text := j.Text
	if text == "" {
		published, known := captionqa.PromptText(j.Prompt)
		if !known && j.Prompt != captionqa.PromptTaxonomyHinted {
			return data.Errorf(spelling.Meant("give its text in the configuration, or choose one of: "+
				strings.Join(captionqa.CaptionPrompts(), ", "), captionqa.CaptionPrompts(), j.Prompt),
				"the prompt %q has no text", j.Prompt)
		}
		text = published // empty for Taxonomy-Hinted
	}
	hints := map[string][]captionqa.Hint{} // by domain; only Taxonomy-Hinted has a text for each domain
	if text == "" {
		for node, err := range data.Select(s.Lake, data.Taxonomy, nil) {
			if err != nil {
				return err
			}
			if node.Level == 2 { // a subcategory
				hints[node.Domain] = append(hints[node.Domain],
					captionqa.Hint{Category: node.Category, Subcategories: []string{node.Subcategory}})
			}
		}
	}
	items, err := depictions(s.Lake) // no items if err is not nil
	for _, d := range items {
		i := captionItem{d, text}
		if text == "" {
			if len(hints[d.domain]) == 0 {
				return data.WithHint(fmt.Errorf("the domain %q has no taxonomy, which the prompt %s lists", d.domain,
					j.Prompt),
					"load it with: captionlake ingest --as taxonomy --domain %q FILE", d.domain)
			}
			i.prompt = captionqa.TaxonomyHintedText(hints[d.domain])
		}
		if err := each(i, engine.Keys{Subject: i.id}); err != nil {
			return err
		}
	}
	return err
}

// annotatedMedia gives the samples of a benchmark that have a file in the media folder. Each sample
// is captioned once, as in the papers, even if it has annotations of two dimensions.
func annotatedMedia(s *engine.Scope, name string, each engine.Each[captionItem]) error {
	// The benchmark is known, because the choice was checked.
	benchmark := data.BenchmarkOf(name)
	previous := "" // sample_id; the elements of a sample come together
	return withMedia(s, name, func(a elementItem) error {
		if a.row.SampleID == previous {
			return nil
		}
		previous = a.row.SampleID
		prompt, known := rubric.CaptionPrompt(name, a.dimension.Media)
		if !known {
			return fmt.Errorf("there is no caption prompt of %s for the medium %q", name, a.dimension.Media)
		}
		item := captionItem{imageItem{a.row.SampleID, benchmark.Title, a.media}, prompt}
		return each(item, engine.Keys{Subject: a.row.SampleID})
	})
}
