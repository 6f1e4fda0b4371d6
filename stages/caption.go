package stages

import (
	"fmt"
	"iter"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages/llm"
)

// CaptionStage is the name of the stage that asks captioners.
const CaptionStage = "caption"

// captionProtocol names how captions are asked for: greedy decoding of the paper's prompts (CaptionQA section 3.3).
const captionProtocol = "captionqa/caption"

// A CaptionJob is what one captioner is asked under one prompt.
type CaptionJob struct {
	Captioner ModelName
	Prompt    string // name of the prompt
	Text      string // text of the prompt; empty for the paper's own text of that name
	MaxTokens int    // largest length of a caption in tokens
}

// unit names the job's unit.
func (j CaptionJob) unit() string { return conditions(j.Captioner.ID, j.Prompt) }

// CaptionWork plans one request for each item of the lake that has a picture: its frames and the prompt.
func CaptionWork(l *data.Lake, j CaptionJob) (Work, error) {
	texts, err := promptTexts(l, j)
	if err != nil {
		return Work{}, err
	}
	w := Work{
		Stage: CaptionStage, Name: j.unit(), Model: j.Captioner.ID, Protocol: captionProtocol,
		Source: "images", Provenance: provenance(j.Captioner.Simulated()),
	}
	w.Groups = func() iter.Seq2[Group, error] {
		return func(yield func(Group, error) bool) {
			for item, err := range items(l) {
				if err != nil {
					yield(Group{}, err)
					return
				}
				if len(item.pictures) == 0 {
					continue
				}
				text, err := texts(item.domain)
				if err != nil {
					yield(Group{}, err)
					return
				}
				request := llm.Request{
					Model: j.Captioner.Served, Messages: []llm.Message{llm.User(append(item.pictures, llm.Text(text))...)},
					Sampling: llm.Greedy(j.MaxTokens), TemplateFlags: j.Captioner.Flags, Protocol: captionProtocol,
				}
				if !yield(Group{item.id, []Task{{Request: request, Subject: item.id}}}, nil) {
					return
				}
			}
		}
	}
	return w, nil
}

// promptTexts gives the text of the job's prompt for each domain. Only Taxonomy-Hinted depends on it.
func promptTexts(l *data.Lake, j CaptionJob) (func(domain string) (string, error), error) {
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

// item is one item of the benchmark with its frames in order.
type item struct {
	id       string
	domain   string
	pictures []llm.Part
}

// items streams the items of the lake. Frames whose picture is not at hand are left out.
func items(l *data.Lake) iter.Seq2[item, error] {
	return func(yield func(item, error) bool) {
		var current item
		for image, err := range data.Select(l, data.Images, nil) {
			if err != nil {
				yield(item{}, err)
				return
			}
			if image.ImageID != current.id {
				if current.id != "" && !yield(current, nil) {
					return
				}
				current = item{id: image.ImageID, domain: image.Domain}
			}
			if image.Path != "" {
				path, err := l.LocalPath(image.Path)
				if err != nil {
					yield(item{}, err)
					return
				}
				current.pictures = append(current.pictures, llm.Image(path, image.SHA256))
			}
		}
		if current.id != "" {
			yield(current, nil)
		}
	}
}

// ReadCaptions turns the recorded calls of a job into captions: a pure function of calls, which can be repeated at no
// cost. Failed calls give no caption. It returns the number of captions.
func ReadCaptions(l *data.Lake, j CaptionJob) (int, error) {
	w, err := CaptionWork(l, j)
	if err != nil {
		return 0, err
	}
	domains := map[string]string{}
	for it, err := range items(l) {
		if err != nil {
			return 0, err
		}
		domains[it.id] = it.domain
	}
	return readCaptions(l, w, j.Captioner, j.Prompt, func(imageID string) string { return domains[imageID] })
}

// readCaptions turns the recorded calls of a work into captions of a captioner under a prompt.
func readCaptions(l *data.Lake, w Work, captioner ModelName, prompt string, domain func(imageID string) string) (int, error) {
	fingerprint, err := replyDigest(l, w)
	if err != nil {
		return 0, err
	}
	unit := data.Unit{
		Stage: "captions", Name: w.Name, Protocol: w.Protocol, Source: "calls", Provenance: w.Provenance, Fingerprint: fingerprint,
	}
	return writeUnit(l, unit, data.Captions, func(write func(data.Caption) error) error {
		for r, err := range replies(l, w) {
			if err != nil {
				return err
			}
			call := r.call
			if !r.ok || call.State == llm.StateFailed {
				continue
			}
			text := strings.TrimSpace(afterThinking(call.Reply))
			c := data.Caption{
				ImageID: r.subject, Captioner: captioner.ID, Prompt: prompt, Domain: domain(r.subject),
				Caption: text, Words: int32(len(strings.Fields(text))), FinishReason: call.FinishReason,
				RequestHash: call.RequestHash, Provenance: w.Provenance,
			}
			if tokens := int32(call.CompletionTokens); tokens > 0 {
				c.Tokens = &tokens
			}
			if err := write(c); err != nil {
				return err
			}
		}
		return nil
	})
}

// afterThinking cuts the thoughts off that a reasoning model writes before its answer.
func afterThinking(reply string) string {
	if _, after, found := strings.Cut(reply, "</think>"); found {
		return after
	}
	return reply
}
