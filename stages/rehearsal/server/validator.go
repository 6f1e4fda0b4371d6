package server

import (
	"slices"

	"github.com/captionlake/captionlake/data/construct"
)

// validate answers a question about a picture or flags the question (CaptionQA section 4.4).
//
// In: a system message that begins with markValidate; a picture; a user message that ends with
// "Question:", "Options:" and lettered options as in captionqa.UserPrompt, with the four meta-flags
// of construct.PresentValidation among them. Out: one letter. Two options with equal evidence are
// flagged as ambiguous, no evidence as unanswerable, and fewer than two options as unsuitable.
func (w *World) validate(p Profile, a Ask) Say {
	_, question, options := takeApart(a.User)
	flags := map[string]string{}
	var plainOptions, places []string
	for i, o := range options {
		if choice := construct.Flag(o); choice != "" {
			flags[choice] = letters[i]
			continue
		}
		plainOptions, places = append(plainOptions, o), append(places, letters[i])
	}
	known := w.looksAt(p, a.Images)
	scores, _ := weigh(known, question, plainOptions)
	slices.Sort(scores)
	name := ""
	switch n := len(scores); {
	case n < 2:
		name = construct.ChoiceUnsuitable
	case scores[n-1] == 0:
		name = construct.ChoiceUnanswerable
	case scores[n-1] == scores[n-2]:
		name = construct.ChoiceAmbiguous
	}
	if letter, ok := flags[name]; ok {
		return Say{Text: letter, Candidates: []Candidate{{letter, 1}}}
	}
	return answer(p, a, known, question, plainOptions, places)
}
