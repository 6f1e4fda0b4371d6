package web

import (
	"fmt"
	"slices"
)

// QuickSeconds is the time below which a decision is set aside (CapArena appendix E: submissions made in under five seconds
// were disregarded). It is stored with its seconds all the same.
const QuickSeconds = 5

const (
	paceWindow  = 10  // decisions that are looked at
	paceEarlier = 20  // decisions that a person must have made before them
	paceMost    = 200 // earlier decisions that are compared
)

// Pace says what changed in a person's pace, given the seconds of their decisions in order and the median of everybody's. CapArena
// (appendix E) raises an alert when an annotator's time consistently falls below the average. Consistently is here: each of the last ten. The
// average is the median, because one lunch moves a mean; ten decisions at an unchanged pace are all below it once in 1,024
// times. The same is asked of a person's own earlier decisions, for slow-downs too.
func Pace(seconds []float64, everybody float64) (warnings []string) {
	if len(seconds) < paceWindow+paceEarlier {
		return nil
	}
	recent := seconds[len(seconds)-paceWindow:]
	earlier := seconds[:len(seconds)-paceWindow]
	own := medianOf(earlier[max(0, len(earlier)-paceMost):])
	low, high := slices.Min(recent), slices.Max(recent)
	if high < own {
		warnings = append(warnings, fmt.Sprintf("faster than before: each of the last %d took less than %.0f seconds, the median until then", paceWindow, own))
	}
	if low > own {
		warnings = append(warnings, fmt.Sprintf("slower than before: each of the last %d took more than %.0f seconds, the median until then", paceWindow, own))
	}
	if high < everybody {
		warnings = append(warnings, fmt.Sprintf("below the average: each of the last %d took less than %.0f seconds, everybody's median", paceWindow, everybody))
	}
	return warnings
}

// medianOf is the median of values in any order, 0 of none.
func medianOf(values []float64) float64 {
	t := sortedTimes(slices.Clone(values))
	slices.Sort(t)
	return t.median()
}

// sortedTimes are seconds in ascending order.
type sortedTimes []float64

// settle moves the last of them, which was appended, to its place.
func (t *sortedTimes) settle() {
	n := len(*t) - 1
	if n < 1 {
		return
	}
	last := (*t)[n]
	at, _ := slices.BinarySearch((*t)[:n], last)
	*t = slices.Insert((*t)[:n], at, last)
}

func (t *sortedTimes) remove(seconds float64) {
	if at, found := slices.BinarySearch(*t, seconds); found {
		*t = slices.Delete(*t, at, at+1)
	}
}

func (t sortedTimes) median() float64 {
	n := len(t)
	if n == 0 {
		return 0
	}
	return (t[(n-1)/2] + t[n/2]) / 2
}
