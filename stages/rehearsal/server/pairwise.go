package server

import "strings"

// The pairwise judge's verdicts (CapArena appendix I).
const (
	VerdictFirst  = "Judgment: Caption 1 is better"
	VerdictSecond = "Judgment: Caption 2 is better"
	VerdictTie    = "Judgment: Tie"
)

// pairwiseJudge prefers one of two captions of a picture (CapArena section 4).
//
// In: system message opening with MarkPairwise; a picture, if there is one; "Caption 1: …" and "Caption 2: …" in the user
// message. Out: one of the verdicts. A caption of a known picture earns a point for each fact that it states, and loses two
// for a fact's subject with another value, since the paper's annotators punish hallucination; captions of unknown pictures
// are compared by their different words. Near equality is a tie.
var pairwiseJudge = Behaviour{
	Name:  "pairwise judge",
	Match: func(a Ask) bool { return marked(a, MarkPairwise) },
	Reply: func(w *World, p Profile, a Ask) Say {
		first, second := section(a.User, "Caption 1", "Caption 2"), section(a.User, "Caption 2", "Caption 1")
		x, y := w.merit(a.Images, first), w.merit(a.Images, second)
		margin := 0.05 * max(x, y, 1)
		switch {
		case x > y+margin:
			return Say{Text: VerdictFirst}
		case y > x+margin:
			return Say{Text: VerdictSecond}
		}
		return Say{Text: VerdictTie}
	},
}

// merit is the worth of a caption.
func (w *World) merit(images []string, caption string) float64 {
	s := w.scene(images)
	if s == nil {
		return float64(len(content(caption)))
	}
	known := sentencesOf(caption)
	total := 0.0
	for _, f := range s.Facts {
		subject, value := content(f.Subject), content(f.Value)
		right, wrong := false, false
		for _, k := range known {
			if !k.has(subject) {
				continue
			}
			if k.has(value) {
				right = true
				break
			}
			for _, o := range w.others(f) {
				wrong = wrong || strings.TrimSpace(o) != "" && k.has(content(o))
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
