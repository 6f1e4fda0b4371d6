package stages

import (
	"fmt"
	"iter"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
	"github.com/captionlake/captionlake/stages/llm"
)

// captionStage asks captioners: for a caption of every picture under each prompt, or of every media file of a benchmark of
// annotated elements under that benchmark's own prompt.
var captionStage = engine.Stage{
	Name:    "caption",
	Help:    "caption the pictures, or with --benchmark the media files of a benchmark of annotated elements",
	Flags:   []string{"captioner", "prompt", "benchmark"},
	Section: "captions",
	Units:   captionUnits,
}

// A captioning is what one captioner is asked under one prompt: greedy decoding (CaptionQA section 3.3).
type captioning struct {
	Captioner config.Model
	Prompt    string // name of the prompt
	Text      string // of a prompt of the user's own; empty for the paper's
	MaxTokens int    // largest length of a caption
}

// A captioned is one item to be captioned.
type captioned struct {
	id, domain string
	media      []llm.Part
	prompt     string
}

func captionUnits(s *engine.Scope) ([]engine.AnyUnit, error) {
	c := s.Config
	if len(c.Captions.Captioners) == 0 {
		return nil, data.WithHint(fmt.Errorf("%w: no captioner is named", engine.ErrNothingToAsk), "name captioners under captions, and readers under answers, in %s", config.File)
	}
	var units []engine.AnyUnit
	for _, benchmark := range s.Choice.Benchmarks {
		for _, name := range c.Captions.Captioners {
			model, err := c.Model(name)
			if err != nil {
				return nil, err
			}
			u := captioning{model, benchmark, "", c.Captions.MaxTokens}.unit()
			u.Name, u.Protocol, u.Source = conditions(benchmark, model.ID), benchmark+"/caption", "annotations, media"
			u.Items = func(s *engine.Scope) iter.Seq2[captioned, error] { return annotatedMedia(s, benchmark) }
			u.Count = counted(u.Items)
			units = append(units, &u)
		}
	}
	if len(s.Choice.Benchmarks) > 0 {
		return units, nil
	}
	for _, name := range c.Captions.Captioners {
		model, err := c.Model(name)
		if err != nil {
			return nil, err
		}
		for _, prompt := range c.Captions.Prompts {
			asks := captioning{model, prompt, c.PromptText(prompt), c.Captions.MaxTokens}
			u := asks.unit()
			u.Name, u.Protocol, u.Source = conditions(model.ID, prompt), "captionqa/caption", "images"
			u.Reads, u.Marks = []data.AnyTable{data.Images, data.Taxonomy}, []data.AnyTable{data.Images}
			u.Idle = "the lake has no pictures to caption: load them with captionlake ingest FOLDER"
			u.Items = func(s *engine.Scope) iter.Seq2[captioned, error] { return asks.pictures(s.Lake) }
			u.Count = counted(u.Items)
			units = append(units, &u)
		}
	}
	return units, nil
}

func (j captioning) unit() engine.Unit[captioned] {
	return engine.Unit[captioned]{
		Model: j.Captioner, Settings: j, TextIsSetting: true, Subject: func(i captioned) string { return i.id }, Request: j.request,
		Results: []engine.Result[captioned]{{Stage: "captions", Tables: []engine.Rows[captioned]{engine.Into(data.Captions, j.rows)}}},
	}
}

func (j captioning) request(i captioned) (engine.Request, error) {
	parts := append(i.media[:len(i.media):len(i.media)], llm.Text(i.prompt))
	return engine.Chat(llm.Request{Messages: []llm.Message{llm.User(parts...)}, Sampling: llm.Greedy(j.MaxTokens)}), nil
}

// rows gives the caption of an item. A failed call gives none.
func (j captioning) rows(i captioned, o engine.Outcome) ([]data.Caption, error) {
	if o.Failed {
		return nil, nil
	}
	text := strings.TrimSpace(captionqa.AfterThinking(o.Text))
	c := data.Caption{
		ImageID: i.id, Captioner: j.Captioner.ID, Prompt: j.Prompt, Domain: i.domain, Caption: text, Words: int32(len(strings.Fields(text))),
		FinishReason: o.FinishReason, RequestHash: o.RequestHash, Provenance: o.Provenance,
	}
	if tokens := int32(o.Tokens); tokens > 0 {
		c.Tokens = &tokens
	}
	return []data.Caption{c}, nil
}

// pictures streams the items that have a picture, with the text of the prompt for their domain.
func (j captioning) pictures(l *data.Lake) iter.Seq2[captioned, error] {
	return func(yield func(captioned, error) bool) {
		texts, err := j.promptTexts(l)
		if err != nil {
			yield(captioned{}, err)
			return
		}
		for d, err := range depictions(l) {
			var text string
			if err == nil {
				text, err = texts(d.domain)
			}
			if !yield(captioned{d.id, d.domain, d.pictures, text}, err) || err != nil {
				return
			}
		}
	}
}

// promptTexts gives the text of the prompt for each domain. Only Taxonomy-Hinted depends on it.
func (j captioning) promptTexts(l *data.Lake) (func(domain string) (string, error), error) {
	text := j.Text
	if text == "" {
		published, ok := captionqa.PromptText(j.Prompt)
		if !ok && j.Prompt != captionqa.PromptTaxonomyHinted {
			return nil, data.WithHint(fmt.Errorf("the prompt %q has no text", j.Prompt),
				"give its text in the configuration, or choose one of: %s", strings.Join(captionqa.CaptionPrompts(), ", "))
		}
		text = published
	}
	if text != "" {
		return func(string) (string, error) { return text, nil }, nil
	}
	hints := map[string][]captionqa.Hint{}
	for node, err := range data.Select(l, data.Taxonomy, nil) {
		if err != nil {
			return nil, err
		}
		if node.Level == 2 {
			hints[node.Domain] = append(hints[node.Domain], captionqa.Hint{Category: node.Category, Subcategories: []string{node.Subcategory}})
		}
	}
	return func(domain string) (string, error) {
		if len(hints[domain]) == 0 {
			return "", data.WithHint(fmt.Errorf("the domain %q has no taxonomy, which the prompt %s lists", domain, j.Prompt),
				"load it with: captionlake ingest --format taxonomy --domain %q FILE", domain)
		}
		return captionqa.TaxonomyHintedText(hints[domain]), nil
	}, nil
}

// annotatedMedia streams the samples of a benchmark of which the media folder has the file. Samples that serve two
// dimensions, as those of events and actions do, are captioned once, as in the papers.
func annotatedMedia(s *engine.Scope, name string) iter.Seq2[captioned, error] {
	return func(yield func(captioned, error) bool) {
		benchmark, _ := data.BenchmarkOf(name)
		before := ""
		for a, err := range withMedia(s, name) {
			if err == nil && a.row.SampleID == before {
				continue
			}
			before = a.row.SampleID
			i := captioned{id: a.row.SampleID, domain: benchmark.Title, media: a.media}
			if err == nil {
				var ok bool
				if i.prompt, ok = rubric.CaptionPrompt(name, a.dimension.Media); !ok {
					err = fmt.Errorf("there is no caption prompt of %s for the medium %q", name, a.dimension.Media)
				}
			}
			if !yield(i, err) || err != nil {
				return
			}
		}
	}
}

// An illustrated is an annotated element with its media file.
type illustrated struct {
	annotated
	media []llm.Part
}

// withMedia streams the elements of a benchmark of which the media folder has the file. It is an error when it has none.
func withMedia(s *engine.Scope, benchmark string) iter.Seq2[illustrated, error] {
	return func(yield func(illustrated, error) bool) {
		files, err := s.Media()
		if err != nil {
			yield(illustrated{}, err)
			return
		}
		all, err := annotations(s.Lake, benchmark)
		if err != nil {
			yield(illustrated{}, err)
			return
		}
		found := false
		for _, a := range all {
			parts, err := files.Of(a.row)
			if err == nil && len(parts) == 0 {
				continue
			}
			found = true
			if !yield(illustrated{a, parts}, err) || err != nil {
				return
			}
		}
		if !found {
			yield(illustrated{}, data.WithHint(fmt.Errorf("%s has none of the media files of the annotations, such as %s", files.Folder(), all[0].row.Media),
				"correct media.folder in %s: the annotations' paths are relative to it", config.File))
		}
	}
}
