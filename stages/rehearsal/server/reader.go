package server

import (
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data/captionqa"
)

// readQuestion answers CaptionQA's multiple-choice questions from the facts that the model finds in
// the picture or, without a picture, from the caption alone (CaptionQA section 3.5). The words that
// these statements share with the question and the options decide (weigh). Without a picture and a
// caption, as in the blind trials of candidates (section 4.3.2), the model guesses.
func (w *World) readQuestion(p Profile, a Ask) Say {
	caption, question, options := takeApart(a.User)
	known := sentencesOf(caption)
	if len(a.Images) > 0 {
		known = w.looksAt(p, a.Images)
	}
	return answer(p, a, known, question, options, letters[:len(options)])
}

// letters are the letters of options; no question has more options.
var letters = strings.Split("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "")

const (
	questionMark = "Question:\n"
	optionsMark  = "Options:\n"
)

// takeApart undoes captionqa.UserPrompt. Captions are untrusted and may contain the marks
// themselves, so the last marks count.
func takeApart(user string) (caption, question string, options []string) {
	at := strings.LastIndex(user, optionsMark)
	if at < 0 {
		return user, "", nil
	}
	head, list := user[:at], strings.TrimSuffix(strings.TrimRight(user[at+len(optionsMark):], " \n"), "Answer:")
	if at := strings.LastIndex(head, questionMark); at >= 0 {
		caption, question = head[:at], head[at+len(questionMark):]
	} else {
		question = head
	}
	caption = strings.TrimPrefix(caption, "Caption:\n")
	list, more := strings.CutPrefix(strings.TrimRight(list, "\n"), letters[0]+". ")
	// While more is true, list begins with option i-1.
	for i := 1; more; i++ {
		option := list
		if more = i < len(letters); more { // no letter follows Z, and the rest is the last option
			option, list, more = strings.Cut(list, "\n"+letters[i]+". ")
		}
		options = append(options, option)
	}
	return strings.TrimSpace(caption), strings.TrimSpace(question), options
}

// answer chooses an option by the evidence of the known sentences and says its letter. Without
// evidence it says that it cannot answer, or guesses, as the profile has it.
func answer(p Profile, a Ask, known []sentence, question string, options, letters []string) Say {
	if len(options) == 0 {
		return Say{Text: "There are no options."}
	}
	scores, cannot := weigh(known, question, options)
	best := -1
	for i, s := range scores {
		if i != cannot && s > 0 && (best < 0 || s > scores[best]) {
			best = i
		}
	}
	seed := strconv.FormatInt(a.Seed, 10)
	switch {
	case best < 0 && cannot >= 0 && draw(p.ID, question, "guess") >= p.Guess:
		best = cannot
	case best < 0:
		// A guess depends on the text of the options and not on their order, like the priors of a
		// language model.
		best = 0
		highest := -1.0
		for i, o := range options {
			if prior := draw(p.ID, question, o, "prior"); i != cannot && prior > highest {
				best, highest = i, prior
			}
		}
	case draw(p.ID, question, seed, "slip") < p.Slip:
		best = (best + 1) % len(options)
	}
	scores[best] += 3 // The chosen option becomes the likeliest, unless a slip goes against strong evidence.
	return Say{Text: letters[best], Candidates: softmax(letters, scores)}
}

// weigh returns the evidence of the known sentences for each option, 0 without any, and the
// position of the cannot option, -1 without one. To a yes-or-no question the sentence counts that
// shares most words with it. Otherwise an option counts if a sentence has all its words.
func weigh(known []sentence, question string, options []string) (scores []float64, cannot int) {
	position := func(text string) int {
		return slices.IndexFunc(options, func(o string) bool { return strings.EqualFold(strings.Trim(o, " ."), text) })
	}
	yes, no, cannot := position("yes"), position("no"), position(captionqa.CannotOption)
	scores, about := make([]float64, len(options)), content(question)
	if yes >= 0 && no >= 0 {
		best, stated := 0.0, yes
		for _, s := range known {
			share := float64(s.shared(about)) / float64(max(len(about), 1))
			if share <= best {
				continue
			}
			best, stated = share, yes
			if s.denies {
				stated = no
			}
		}
		if best >= 0.5 { // A sentence with fewer of the question's words says nothing about it.
			scores[stated] = best
		}
		return scores, cannot
	}
	for i, o := range options {
		if i == cannot {
			continue
		}
		words := content(o)
		for _, s := range known {
			if !s.has(words) {
				continue
			}
			// The question's own words show which object the sentence is about; a single sentence needs
			// no such word. Longer options are more specific.
			shared := s.shared(about)
			if shared == 0 && len(known) > 1 {
				continue
			}
			scores[i] = max(scores[i], float64(shared)+0.1*float64(len(words)))
		}
	}
	return scores, cannot
}
