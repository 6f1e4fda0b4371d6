package ingest

import (
	"math"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// How improbable answers that are all wrong must be, for a reader that guesses, before they are taken for failed ones.
// A reader that sees any caption at all is right or says cannot far more often than one that guesses. A whole log is
// looked at once; stretches within a log begin at every answer, so that they need more.
const (
	wholeLogChance = 1e-3
	stretchChance  = 1e-9
)

// A judgeWatch tells answers that were never given from wrong ones. The task's judge returns an empty reply when its
// server cannot be reached (call_llm_judge), and an empty reply is scored as wrong. So a log, or a stretch of one, in
// which no answer is right and none is cannot, although a reader that guesses would have had some right, has answers that
// failed. Single failures among sound answers cannot be told.
//
// Wrong answers wait until the next that is not wrong, so memory grows with the longest stretch.
type judgeWatch struct {
	write   func(data.Answer) error
	waiting []data.Answer
	chance  float64 // natural logarithm of the chance that a guessing reader has all of waiting wrong
	sound   bool    // an answer was correct or cannot
	answers int
	failed  int
}

// add takes the next answer of the log.
func (w *judgeWatch) add(row data.Answer) error {
	w.answers++
	if row.Outcome == string(captionqa.Incorrect) {
		offered := float64(row.Options)
		if row.OffersCannot {
			offered++
		}
		w.chance += math.Log1p(-1 / offered)
		w.waiting = append(w.waiting, row)
		return nil
	}
	if err := w.flush(stretchChance); err != nil {
		return err
	}
	w.sound = true
	return w.write(row)
}

// end writes what waits at the end of the log.
func (w *judgeWatch) end() error {
	if !w.sound {
		return w.flush(wholeLogChance)
	}
	return w.flush(stretchChance)
}

func (w *judgeWatch) flush(atMost float64) error {
	unreached := w.chance < math.Log(atMost)
	for _, row := range w.waiting {
		if unreached {
			w.failed++
			row.Outcome = string(captionqa.Failed)
		}
		if err := w.write(row); err != nil {
			return err
		}
	}
	w.waiting, w.chance = w.waiting[:0], 0
	return nil
}

// suspicious reports whether no answer was right or cannot, and too few were given to tell why.
func (w *judgeWatch) suspicious() bool { return !w.sound && w.answers > 0 && w.failed == 0 }
