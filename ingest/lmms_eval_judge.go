package ingest

import (
	"math"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// unreachedChance is how improbable a log without a right answer must be, for a reader that guesses, before its answers are
// taken for failed ones.
const unreachedChance = 1e-3

// judgeUnreached reports whether the answers of a log were never given. The task's judge returns an empty reply when its
// server cannot be reached (call_llm_judge), and an empty reply is scored as wrong. A reader that sees any caption at all is
// right or says cannot far more often than one that guesses.
func judgeUnreached(answers []data.Answer) bool {
	chance := 0.0 // natural logarithm
	for _, row := range answers {
		if row.Outcome != string(captionqa.Incorrect) {
			return false
		}
		offered := float64(row.Options)
		if row.OffersCannot {
			offered++
		}
		chance += math.Log1p(-1 / offered)
	}
	return chance < math.Log(unreachedChance)
}
