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
	flags := map[string]string{} // letters of the meta-flags
	var answers, answerLetters []string
	for i, o := range options {
		if flag := construct.Flag(o); flag != "" {
			flags[flag] = letters[i]
			continue
		}
		answers, answerLetters = append(answers, o), append(answerLetters, letters[i])
	}
	known := w.looksAt(p, a.Images)
	scores, _ := weigh(known, question, answers)
	slices.Sort(scores)
	fault := ""
	switch n := len(scores); {
	case n < 2:
		fault = construct.ChoiceUnsuitable
	case scores[n-1] == 0:
		fault = construct.ChoiceUnanswerable
	case scores[n-1] == scores[n-2]:
		fault = construct.ChoiceAmbiguous
	}
	if letter, ok := flags[fault]; ok { // Without a fault ok is false, because no flag is empty.
		return Say{Text: letter, Candidates: []Candidate{{letter, 1}}}
	}
	return answer(p, a, known, question, answers, answerLetters)
}
