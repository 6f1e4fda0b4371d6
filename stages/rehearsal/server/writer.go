package server

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/data/sample"
)

// writeQuestions writes questions about one taxonomy node of a picture (CaptionQA section 4.3.1).
//
// In: a system message that begins with markWrite; a picture; the lines "Category: …",
// "Subcategory: …" and, if wanted, "Aspect: …" in the user message. Out: JSON of
// construct.GenerateSchema, without a question if the picture has no fact of the node. Writers word
// their questions differently, so that deduplication has work, and some keys are wrong, so that
// validation has work.
func (w *World) writeQuestions(p Profile, a Ask) Say {
	labels := []string{"Domain", "Category", "Subcategory", "Aspect", "Examples"} // of construct.GenerateUser
	labelled := func(label string) string { return section(a.User, label, labels...) }
	category, subcategory, aspect := labelled("Category"), labelled("Subcategory"), labelled("Aspect")
	questions := []construct.Draft{}
	if s := w.scene(a.Images); s != nil {
		// 0: a writer sees no fact wrongly. Its mistakes are wrong keys, which ask makes.
		for _, f := range w.perceive(s, p.ID, "write", func(sample.Fact) float64 { return p.Sight }, 0) {
			underNode := f.Category == category && (subcategory == "" || f.Subcategory == subcategory) &&
				(aspect == "" || f.Aspect == aspect)
			if s.Imagined { // The facts belong to another taxonomy, so each is drawn for some of the asked nodes.
				underNode = draw("node", category, subcategory, aspect, f.Text) < imaginedShare
			}
			if !underNode {
				continue
			}
			if q, ok := w.ask(p, s, f); ok {
				questions = append(questions, q)
			}
		}
	}
	return Say{Text: string(encode(map[string][]construct.Draft{"questions": questions}))}
}

// imaginedShare is the share of a picture's facts under any one node if nothing is known of the
// picture.
const imaginedShare = 0.2

// ask makes a question of a fact: its value among up to three other values of the attribute. ok is
// false if the fact has no subject, attribute or value, or if no other value is known.
func (w *World) ask(p Profile, s *Scene, f sample.Fact) (q construct.Draft, ok bool) {
	others := w.others(f)
	if f.Value == "" || f.Subject == "" || f.Attribute == "" || len(others) == 0 {
		return q, false
	}
	slices.SortFunc(others, func(x, y string) int { // in a drawn order
		return cmp.Or(cmp.Compare(draw(p.ID, s.ImageID, f.Text, x), draw(p.ID, s.ImageID, f.Text, y)),
			strings.Compare(x, y))
	})
	options := append([]string{f.Value}, others[:min(len(others), 3)]...)
	styles := [...]string{"What is the %s of the %s?", "What %s does the %s have?",
		"Regarding the %[2]s, which %[1]s applies?"}
	q.Answer, q.Question = f.Value, fmt.Sprintf(styles[p.Style], f.Attribute, f.Subject)
	if draw(p.ID, s.ImageID, f.Text, "key") < p.Mistakes {
		q.Answer = options[1]
	}
	// The options are turned, so that the right one is in any place.
	first := int(draw(p.ID, s.ImageID, f.Text, "turn") * float64(len(options)))
	q.Options = slices.Concat(options[first:], options[:first])
	return q, true
}
