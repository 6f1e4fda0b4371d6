package server

import (
	"fmt"
	"slices"

	"github.com/captionlake/captionlake/data/sample"
)

// The pairwise judge's verdicts (CapArena Figure 8).
const (
	verdictFirst  = "Caption 1 is better"
	verdictSecond = "Caption 2 is better"
	verdictTie    = "Tie"
)

// judgePair prefers one of two captions of a picture (CapArena section 4 and Figure 8).
//
// In: a system message that begins with markPairwise; pictures, if any; "Caption 1: …" and "Caption
// 2: …" in the user message. Out: a line with the reason and a line with the verdict. A caption of
// a known picture gets a point for each fact that it states and the judge sees. It loses two points
// for a fact's subject with another value, since the paper's annotators punish hallucination.
// Captions of unknown pictures are compared by their numbers of different words. Nearly equal
// captions tie. A share of the verdicts, the profile's slips, goes to the caption that was shown
// first: a position bias.
func (w *World) judgePair(p Profile, a Ask) Say {
	captions := before(a.User, "\n\nDetermine ") // the question comes after the captions
	first, second := section(captions, "Caption 1", "Caption 2"), section(captions, "Caption 2", "Caption 1")
	seen := w.sees(p, a.Images)
	merit1, merit2 := w.merit(seen, first), w.merit(seen, second)
	margin := 0.05 * max(merit1, merit2, 1)
	verdict, reason := verdictTie, fmt.Sprintf("Both captions are worth about %.0f points.", merit1)
	switch {
	case draw(p.ID, first, second, fmt.Sprint(a.Seed), "slip") < p.Slip:
		verdict, reason = verdictFirst, "The first caption reads well."
	case merit1 > merit2+margin:
		verdict, reason = verdictFirst,
			fmt.Sprintf("Caption 1 is worth %.0f points and caption 2 is worth %.0f.", merit1, merit2)
	case merit2 > merit1+margin:
		verdict, reason = verdictSecond,
			fmt.Sprintf("Caption 2 is worth %.0f points and caption 1 is worth %.0f.", merit2, merit1)
	}
	if p.Style > 0 {
		verdict += "." // Some models end the verdict so, and the benchmark reads such a verdict, too.
	}
	return Say{Text: "Reason: " + reason + "\nJudgment: " + verdict}
}

// sees are the facts of a known picture that a judge sees; nil for an unknown picture.
func (w *World) sees(p Profile, images []string) []sample.Fact {
	if s := w.scene(images); s != nil {
		// The list of a known picture is not nil, even without facts. A model that is asked about a
		// picture makes half as many mistakes as in a caption.
		return append([]sample.Fact{},
			w.perceive(s, p.ID, "look", func(sample.Fact) float64 { return p.Sight }, p.Mistakes/2)...)
	}
	return nil
}

// merit is the worth of a caption in points, given the facts that a judge sees. If facts is nil,
// the picture is unknown, and each different word of the caption is a point.
func (w *World) merit(facts []sample.Fact, caption string) float64 {
	if facts == nil {
		return float64(len(content(caption)))
	}
	sentences := sentencesOf(caption)
	total := 0.0
	for _, f := range facts {
		subject, value := content(f.Subject), content(f.Value)
		var others [][]string // the words of the attribute's other values
		for _, other := range w.others(f) {
			others = append(others, content(other))
		}
		right, wrong := false, false
		for _, s := range sentences {
			if s.has(subject) {
				right = right || s.has(value)
				wrong = wrong || slices.ContainsFunc(others, s.has)
			}
		}
		switch {
		case right:
			total++
		case wrong:
			total -= 2
		}
	}
	return total
}
