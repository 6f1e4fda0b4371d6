package server

import (
	"cmp"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/sample"
)

// caption describes a known picture. Prompts reach as deep as in the paper (CaptionQA sections
// 3.3 and 5.1): Short gives the most salient facts, Simple nearly all, Long all. Taxonomy-Hinted
// fills in a form with fewer facts than Long.
func (w *World) caption(p Profile, a Ask) Say {
	s := w.scene(a.Images)
	if s == nil {
		return Say{Text: "An image that this rehearsal model does not know."}
	}
	prompt := promptOf(a.User)
	facts := w.perceive(s, p.ID, "caption",
		func(f sample.Fact) float64 { return p.Recall * reach(prompt, f.Salience) }, p.Mistakes)
	if prompt == captionqa.PromptTaxonomyHinted {
		return Say{Text: form(facts)}
	}
	return Say{Text: prose(facts)}
}

// promptOf names the caption prompt of a message; a user's own prompts count as Simple.
func promptOf(user string) string {
	for _, name := range captionqa.CaptionPrompts() {
		if text, ok := captionqa.PromptText(name); ok && strings.Contains(user, text) {
			return name
		}
	}
	if strings.Contains(user, captionqa.TaxonomyHintedLead) {
		return captionqa.PromptTaxonomyHinted
	}
	return captionqa.PromptSimple
}

// reach is the share of the facts of a salience that a prompt elicits. Salience is 1, the most
// salient, to 4.
func reach(prompt string, salience int) float64 {
	switch {
	case prompt == captionqa.PromptTaxonomyHinted:
		return 0.75
	case prompt == captionqa.PromptShort && salience > 1, prompt == captionqa.PromptSimple && salience > 3:
		return 0
	}
	return 1
}

// prose is a caption of running sentences, one for each fact.
func prose(facts []sample.Fact) string {
	var texts []string
	for _, f := range facts {
		texts = append(texts, f.Text)
	}
	return cmp.Or(strings.Join(texts, " "), "An image.")
}

// form fills in the taxonomy, one line a node, as models do under the Taxonomy-Hinted prompt
// (CaptionQA Figure 5).
func form(facts []sample.Fact) string {
	var nodes, lines []string // in the order of the facts
	for _, f := range facts {
		node, text := f.Category+" -> "+f.Subcategory, strings.TrimSuffix(f.Text, ".")
		if i := slices.Index(nodes, node); i >= 0 {
			lines[i] += "; " + text
		} else {
			nodes, lines = append(nodes, node), append(lines, node+": "+text)
		}
	}
	if len(lines) == 0 {
		return "Not applicable."
	}
	return strings.Join(lines, ".\n") + "."
}

// looksAt returns the facts that a model finds in a picture when it is asked about it, as
// sentences.
func (w *World) looksAt(p Profile, images []string) []sentence {
	if seen := w.sees(p, images); seen != nil {
		return sentencesOf(prose(seen))
	}
	return nil
}
