package ingest

import (
	"math"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// How improbable answers that are all wrong must be, for a reader that guesses, before they are taken for failed ones: those of a whole
// log, and those of a stretch within one, of which there may be one at every answer.
const (
	wholeLogChance = 1e-3
	stretchChance  = 1e-9
)

// failUnreached marks the answers of a log that were never given as failed, and counts them. The task's judge returns an empty reply when
// its server cannot be reached (call_llm_judge), and an empty reply is scored as wrong. A reader that sees any caption at all is right or
// says cannot far more often than one that guesses.
func failUnreached(answers []data.Answer) (failed int) {
	for begin := 0; begin < len(answers); begin++ {
		end, chance := begin, 0.0 // its natural logarithm
		for ; end < len(answers) && answers[end].Outcome == string(captionqa.Incorrect); end++ {
			offered := float64(answers[end].Options)
			if answers[end].OffersCannot {
				offered++
			}
			chance += math.Log1p(-1 / offered)
		}
		least := stretchChance
		if end-begin == len(answers) {
			least = wholeLogChance
		}
		if chance < math.Log(least) {
			failed += end - begin
			for i := begin; i < end; i++ {
				answers[i].Outcome = string(captionqa.Failed)
			}
		}
		begin = end
	}
	return failed
}
